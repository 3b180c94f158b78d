//! The findings of a comparison, by stage.

use super::difference::ModelDiff;
use super::joint::{JointDiff, ROUNDING, ROUNDING_DEG};
use super::skin::MeshDiff;
use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit};

impl ModelDiff {
    /// The differences by stage, the first that differs first. At most `most_joints` joints are listed; a mesh that only goes with its
    /// joints comes last, as it is no cause.
    #[must_use]
    pub fn findings(&self, most_joints: usize) -> Vec<Finding> {
        let mut found = self.structure.clone();
        found.extend(self.resampled.clone());
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
        // What is only rounding is not told beside what is more.
        let has_turned = turned_deg > ROUNDING_DEG;
        let has_moved = moved > ROUNDING * self.diagonal;
        let kind = if has_moved && !has_turned { Kind::Moved } else { Kind::Turned };
        let mut told = Finding::new(Stage::Pose, kind, Subject::joint(&joint.name));
        if has_turned || !has_moved {
            told = told.by(turned_deg, Unit::Degrees);
        }
        if has_moved || !has_turned {
            told = told.by(moved, Unit::Distance).by(moved / self.diagonal, Unit::Diagonals);
        }
        told.at(joint.at_s).more(joint.followers)
    }

    /// None for a mesh of which nothing moved.
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
