//! The findings of a comparison, by stage.

use super::difference::ModelDiff;
use super::joint::{JointDiff, ROUNDING, ROUNDING_DEG, is_stretched};
use super::skin::MeshDiff;
use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit};

impl ModelDiff {
    /// The differences, ordered by stage. At most `most_joints` joints are listed. A mesh that only
    /// follows its joints comes last, because it is not a cause.
    #[must_use]
    pub fn findings(&self, most_joints: usize) -> Vec<Finding> {
        if let Some(factor) = self.factor {
            let all = Finding::new(Stage::Structure, Kind::Scaled, Subject::all(Element::Model));
            let mut found = vec![all.by(factor, Unit::Factor)];
            found.extend(self.structure.iter().chain(&self.weights).cloned());
            return found;
        }
        let mut found = self.structure.clone();
        found.extend(self.keys.iter().cloned());
        let joints = |names: &[String]| names.iter().map(Subject::joint).collect::<Vec<_>>();
        if !self.bind.is_empty() {
            let told = Finding::new(Stage::Bind, Kind::Moved, Subject::all(Element::Joint));
            found.push(told.property("bind pose").elements(joints(&self.bind)));
        }
        if !self.offsets.is_empty() {
            let told = Finding::new(Stage::Bind, Kind::Moved, Subject::all(Element::OffsetMatrix));
            let told = told.elements(joints(&self.offsets));
            found.push(told.by(self.farthest_offset, Unit::Distance));
        }
        found.extend(self.joints.iter().take(most_joints).map(|joint| self.of_joint(joint)));
        if self.joints.len() > most_joints {
            let told = Finding::new(Stage::Pose, Kind::More, Subject::all(Element::Joint));
            found.push(told.more(self.joints.len() - most_joints));
        }
        found.extend(self.weights.iter().cloned());
        let of_meshes = self.meshes.iter().filter_map(|mesh| self.of_mesh(mesh));
        let (follow, own): (Vec<_>, Vec<_>) =
            of_meshes.partition(|told| told.kind == Kind::Carried);
        found.extend(own);
        found.sort_by_key(|finding| finding.stage);
        found.extend(follow);
        found
    }

    fn of_joint(&self, joint: &JointDiff) -> Finding {
        let JointDiff { turned_deg, moved, .. } = *joint;
        // Rounding is not reported beside a larger difference.
        let has_turned = turned_deg > ROUNDING_DEG;
        let has_moved = moved > ROUNDING * self.diagonal;
        let is_scaled = is_stretched(joint.stretched);
        let kind = match (has_turned, has_moved) {
            (false, false) if is_scaled => Kind::Scaled,
            (false, true) => Kind::Moved,
            _ => Kind::Turned,
        };
        let mut told = Finding::new(Stage::Pose, kind, Subject::joint(&joint.name));
        if has_turned || !has_moved && !is_scaled {
            told = told.by(turned_deg, Unit::Degrees);
        }
        if has_moved || !has_turned && !is_scaled {
            told = told.by(moved, Unit::Distance).by(moved / self.diagonal, Unit::Diagonals);
        }
        let [x, y, z] = joint.stretched;
        told = if !is_scaled {
            told
        } else if (y - x).abs() + (z - x).abs() < 1e-4 * x {
            told.by(x, Unit::Factor)
        } else {
            joint.stretched.iter().fold(told, |told, by| told.by(*by, Unit::Factor))
        };
        told.at(joint.at_s).more(joint.followers)
    }

    /// None for a mesh that did not move.
    fn of_mesh(&self, mesh: &MeshDiff) -> Option<Finding> {
        let MeshDiff { of, worst, vertices_moved, vertices, normal, own } = mesh;
        let Some(worst) = worst else {
            let normal = (*normal)?;
            let told = Finding::new(Stage::Mesh, Kind::Turned, Subject::all(Element::Normal));
            let told = told.within(of.clone()).elements([Subject::vertex(normal.vertex)]);
            return Some(told.by(normal.moved, Unit::Degrees).at(normal.at_s));
        };
        let kind = if own.is_some() { Kind::Deformed } else { Kind::Carried };
        let mut told = Finding::new(Stage::Skin, kind, of.clone())
            .count(*vertices_moved, *vertices)
            .elements([Subject::vertex(worst.vertex)])
            .by(worst.moved, Unit::Distance)
            .by(worst.moved / self.diagonal, Unit::Diagonals)
            .at(worst.at_s);
        if let Some(own) = own {
            told = told.property("weights or positions");
            if own.vertex != worst.vertex || own.moved < worst.moved {
                told.elements.push(Subject::vertex(own.vertex));
                told = told.by(own.moved, Unit::Distance);
            }
        }
        Some(told)
    }
}
