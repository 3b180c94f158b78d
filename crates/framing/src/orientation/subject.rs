//! Measured body: parts of a figure with their positions, and a sample of its surface.

use super::names::{End, Meaning, Part, Side, meaning};
use std::collections::BTreeMap;
use tintype_model::math::{Aabb, Vec3};

/// A joint in the pose that is judged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BodyJoint {
    pub meaning: Meaning,
    pub parent: Option<usize>,
    /// Position of the joint.
    pub position: Vec3,
    /// Centre of the vertices that it pulls most. None without such vertices.
    pub flesh: Option<Vec3>,
}

/// A figure in the judged pose, in axes of the caller.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub(super) joints: Vec<BodyJoint>,
    /// Vertices of triangles.
    pub(super) points: Vec<Vec3>,
    pub(super) bounds: Option<Aabb>,
    /// Number of joints with vertices.
    pub(super) pulling: usize,
    /// True if a mesh bends, because several joints pull it.
    pub(super) is_skinned: bool,
}

/// A joint from a file: name, parent, position, and the centre of its vertices.
pub type NamedJoint<'n> = (&'n str, Option<usize>, Vec3, Option<Vec3>);

impl Body {
    /// Reads the names of joints; `points` are the vertices of triangles, and `is_skinned` is true
    /// if several joints pull one mesh.
    #[must_use]
    pub fn new(joints: &[NamedJoint<'_>], points: Vec<Vec3>, is_skinned: bool) -> Self {
        let joints: Vec<BodyJoint> = joints
            .iter()
            .map(|&(name, parent, position, flesh)| BodyJoint {
                meaning: meaning(name),
                parent,
                position,
                flesh,
            })
            .collect();
        let bounds: Aabb = points.iter().copied().collect();
        let pulling = joints.iter().filter(|joint| joint.flesh.is_some()).count();
        let bounds = (!bounds.is_empty()).then_some(bounds);
        Self { joints, points, bounds, pulling, is_skinned }
    }

    /// The same body in other axes.
    #[must_use]
    pub fn turned(&self, turn: impl Fn(Vec3) -> Vec3) -> Self {
        let points: Vec<Vec3> = self.points.iter().map(|&point| turn(point)).collect();
        let joints = self.joints.iter().map(|joint| BodyJoint {
            position: turn(joint.position),
            flesh: joint.flesh.map(&turn),
            ..joint.clone()
        });
        let bounds: Aabb = points.iter().copied().collect();
        Self {
            joints: joints.collect(),
            bounds: (!bounds.is_empty()).then_some(bounds),
            points,
            pulling: self.pulling,
            is_skinned: self.is_skinned,
        }
    }

    /// Joints of a part of the body, without those that control others.
    pub(super) fn of(&self, part: Part) -> impl Iterator<Item = &BodyJoint> {
        self.joints
            .iter()
            .filter(move |joint| joint.meaning.part == Some(part) && !joint.meaning.is_control)
    }

    /// The centre of the joints of a part: of its vertices, if it has any.
    pub(super) fn middle(&self, part: Part) -> Option<Vec3> {
        mean(self.of(part).map(BodyJoint::place))
    }

    /// The centre of joints of legs, feet and toes of one of two pairs.
    pub(super) fn middle_of_pair(&self, end: End) -> Option<Vec3> {
        mean(self.joints.iter().filter(|joint| joint.meaning.end == Some(end)).filter_map(
            |joint| {
                let is_leg = matches!(joint.meaning.part, Some(Part::Leg | Part::Foot | Part::Toe));
                is_leg.then_some(joint.position)
            },
        ))
    }

    /// Vectors from right to left between joints whose names otherwise match; control joints count
    /// only if there are no others. A joint without a partner is paired with its parent.
    pub(super) fn right_to_left(&self) -> Vec<Vec3> {
        let parts = self.sides(false);
        if parts.is_empty() { self.sides(true) } else { parts }
    }

    fn sides(&self, are_controls: bool) -> Vec<Vec3> {
        type Key<'k> = (&'k str, Option<End>);
        let mut pairs: BTreeMap<Key<'_>, [Option<&BodyJoint>; 2]> = BTreeMap::new();
        for joint in self.joints.iter().filter(|joint| joint.meaning.is_control == are_controls) {
            if let Some(side) = joint.meaning.side {
                let key = (joint.meaning.base.as_str(), joint.meaning.end);
                pairs.entry(key).or_default()[usize::from(side == Side::Right)] = Some(joint);
            }
        }
        let both = |pair: &[Option<&BodyJoint>; 2]| Some(pair[0]?.position - pair[1]?.position);
        let found: Vec<Vec3> = pairs.values().filter_map(both).collect();
        if !found.is_empty() {
            return found;
        }
        let from_parent =
            |joint: &BodyJoint| Some(joint.position - self.joints[joint.parent?].position);
        let alone = |[left, right]: &[Option<&BodyJoint>; 2]| match (left, right) {
            (Some(left), _) => from_parent(left),
            (None, Some(right)) => from_parent(right).map(|right| -right),
            (None, None) => None,
        };
        pairs.values().filter_map(alone).collect()
    }

    /// The length of the diagonal of its box; 0 without points.
    pub(super) fn size(&self) -> f32 {
        self.bounds.map_or(0.0, |bounds| bounds.diagonal())
    }
}

impl BodyJoint {
    /// The centre of its vertices, otherwise its position.
    pub(super) fn place(&self) -> Vec3 {
        self.flesh.unwrap_or(self.position)
    }
}

/// The mean of positions. None without any.
pub(super) fn mean(positions: impl Iterator<Item = Vec3>) -> Option<Vec3> {
    let (count, sum) =
        positions.fold((0.0_f32, Vec3::ZERO), |(count, sum), at| (count + 1.0, sum + at));
    (count > 0.0).then(|| sum / count)
}
