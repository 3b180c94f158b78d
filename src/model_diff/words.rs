//! A difference in sentences.

use super::difference::ModelDiff;
use super::skin::MeshDiff;
use crate::diagnostic::counted;

impl ModelDiff {
    /// The differences, a sentence each, the worst first; joints before the meshes that they carry. At most `most_joints` joints
    /// are listed.
    #[must_use]
    pub fn sentences(&self, most_joints: usize) -> Vec<String> {
        let mut found = self.structure.clone();
        if !self.bind.is_empty() {
            let (count, names) = (counted(self.bind.len(), "joint"), self.bind.join(", "));
            found.push(format!("in the bind pose {count} moved: {names}"));
        }
        for joint in self.joints.iter().take(most_joints) {
            let follow = match joint.followers {
                0 => String::new(),
                1 => " (1 joint below it follows)".to_owned(),
                count => format!(" ({count} joints below it follow)"),
            };
            found.push(format!(
                "joint {} turned {} and moved {} at {:.3} s{follow}",
                joint.name,
                degrees(joint.turned_deg),
                distance(joint.moved, self.diagonal),
                joint.at_s
            ));
        }
        if self.joints.len() > most_joints {
            found.push(counted(self.joints.len() - most_joints, "more joint"));
        }
        if self.rounded_joints > 0 {
            found
                .push(format!("{} differ only by rounding", counted(self.rounded_joints, "joint")));
        }
        found.extend(self.meshes.iter().map(|mesh| of_mesh(mesh, self.diagonal)));
        found
    }
}

fn of_mesh(mesh: &MeshDiff, diagonal: f32) -> String {
    let MeshDiff { name, worst, vertices_moved, vertices, normal, own } = mesh;
    let turned = normal.map(|normal| {
        let (vertex, at_s) = (normal.vertex, normal.at_s);
        format!(
            "normals turned, that of vertex {vertex} by {} at {at_s:.3} s",
            degrees(normal.moved)
        )
    });
    let Some(worst) = worst else {
        return format!("{name}: no vertex moved; {}", turned.unwrap_or_default());
    };
    let cause = match own {
        None => "with its joints".to_owned(),
        Some(own) if own.vertex == worst.vertex && own.moved >= worst.moved => {
            "the joints are not the cause: its weights or positions changed".to_owned()
        }
        Some(own) => format!(
            "without the joints vertex {} by {}: its weights or positions changed too",
            own.vertex,
            distance(own.moved, diagonal)
        ),
    };
    format!(
        "{name}: {vertices_moved} of {vertices} vertices moved, vertex {} farthest by {} at {:.3} s; {cause}",
        worst.vertex,
        distance(worst.moved, diagonal),
        worst.at_s
    )
}

fn degrees(angle: f32) -> String {
    if angle >= 0.01 { format!("{angle:.2}°") } else { format!("{angle:.1e}°") }
}

/// In units of the model, and as a share of its diagonal.
fn distance(distance: f32, diagonal: f32) -> String {
    let share = 100.0 * distance / diagonal;
    let digits = |value: f32| match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 0.001 => format!("{value:.1e}"),
        value => format!("{value:.3}"),
    };
    format!("{} ({} % of the diagonal)", digits(distance), digits(share))
}
