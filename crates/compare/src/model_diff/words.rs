//! A difference in sentences.

use super::cause::{Finding, Stage};
use super::difference::ModelDiff;
use super::joint::{ROUNDING, ROUNDING_DEG};
use super::skin::MeshDiff;
use tintype_base::amount::counted;
use tintype_base::printable::one_line;

impl ModelDiff {
    /// The differences by stage, the first that differs first: the time base, the structure, the bind pose, joints of poses,
    /// weights and vertices, triangles and texture coordinates, materials. At most `most_joints` joints are listed; a mesh that only
    /// goes with its joints comes last, as it is no cause.
    #[must_use]
    pub fn findings(&self, most_joints: usize) -> Vec<Finding> {
        let mut found = self.findings.clone();
        let mut add = |stage, text: String| found.push(Finding::new(stage, text));
        if !self.bind.is_empty() {
            add(Stage::Bind, self.bind_sentence());
        }
        if !self.offsets.is_empty() {
            let (count, names) = (counted(self.offsets.len(), "joint"), self.offsets.join(", "));
            let by = self.farthest_offset;
            add(
                Stage::Bind,
                format!("offset matrices of {count} changed, by up to {by:.4}: {names}"),
            );
        }
        self.joint_sentences(most_joints).into_iter().for_each(|text| add(Stage::Pose, text));
        self.weights.iter().for_each(|text| add(Stage::Skin, text.clone()));
        let mut follow = Vec::new();
        for mesh in &self.meshes {
            let text = of_mesh(mesh, self.diagonal);
            match mesh {
                MeshDiff { worst: None, .. } => add(Stage::Mesh, text),
                MeshDiff { own: Some(_), .. } => add(Stage::Skin, text),
                _ => follow.push(Finding::new(Stage::Skin, text)),
            }
        }
        found.sort_by_key(|finding| finding.stage);
        found.extend(follow);
        found
    }

    /// The differences, a sentence each, the worst first; joints before the meshes that they carry. At most `most_joints` joints
    /// are listed.
    #[must_use]
    pub fn sentences(&self, most_joints: usize) -> Vec<String> {
        let mut found = self.structure.clone();
        if !self.bind.is_empty() {
            found.push(self.bind_sentence());
        }
        found.extend(self.joint_sentences(most_joints));
        found.extend(self.weights.iter().cloned());
        found.extend(self.meshes.iter().map(|mesh| of_mesh(mesh, self.diagonal)));
        found
    }

    fn bind_sentence(&self) -> String {
        let (count, names) = (counted(self.bind.len(), "joint"), one_line(&self.bind.join(", ")));
        format!("in the bind pose {count} moved: {names}")
    }

    fn joint_sentences(&self, most_joints: usize) -> Vec<String> {
        let mut found = Vec::new();
        for joint in self.joints.iter().take(most_joints) {
            let follow = match joint.followers {
                0 => String::new(),
                1 => " (1 joint below it follows)".to_owned(),
                count => format!(" ({count} joints below it follow)"),
            };
            // What is only rounding is not told beside what is more.
            let turned = joint.turned_deg > ROUNDING_DEG;
            let moved = joint.moved > ROUNDING * self.diagonal;
            let amount = match (turned, moved) {
                (true, false) => format!("turned {}", degrees(joint.turned_deg)),
                (false, true) => format!("moved {}", distance(joint.moved, self.diagonal)),
                _ => format!(
                    "turned {} and moved {}",
                    degrees(joint.turned_deg),
                    distance(joint.moved, self.diagonal)
                ),
            };
            let name = one_line(&joint.name);
            found.push(format!("joint {name} {amount} at {:.3} s{follow}", joint.at_s));
        }
        if self.joints.len() > most_joints {
            found.push(counted(self.joints.len() - most_joints, "more joint"));
        }
        found
    }
}

fn of_mesh(mesh: &MeshDiff, diagonal: f32) -> String {
    let MeshDiff { name, worst, vertices_moved, vertices, normal, own } = mesh;
    let name = &one_line(name);
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
