//! Mixing of two poses of the same skeleton.

use super::parts::{parent_from_joint, slerp_short};
use crate::math::Affine3;
use crate::{Pose, Skeleton};

/// Interpolates between `from` (0) and `to` (1) by `weight`.
///
/// Joints are mixed relative to their parents, so that limbs keep their length: translation and
/// scale linearly, rotation along the shorter arc. Weights of morph targets are mixed linearly. At
/// 0 and 1 the result is bit for bit the given pose.
#[must_use]
pub fn blend_poses(skeleton: &Skeleton, from: &Pose, to: &Pose, weight: f32) -> Pose {
    if weight <= 0.0 {
        return from.clone();
    }
    if weight >= 1.0 {
        return to.clone();
    }
    let mut matrices: Vec<Affine3> = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let (scale_a, rotation_a, translation_a) =
            parent_from_joint(from, index, joint.parent).to_scale_rotation_translation();
        let (scale_b, rotation_b, translation_b) =
            parent_from_joint(to, index, joint.parent).to_scale_rotation_translation();
        let mixed = Affine3::from_scale_rotation_translation(
            scale_a.lerp(scale_b, weight),
            slerp_short(rotation_a, rotation_b, weight),
            translation_a.lerp(translation_b, weight),
        );
        matrices.push(match joint.parent {
            Some(parent) => matrices[parent.index()] * mixed,
            None => mixed,
        });
    }
    let mix = |(from, to): (&f32, &f32)| from + (to - from) * weight;
    let morphs = from.morphs.iter().zip(&to.morphs).map(mix).collect();
    let none = vec![0.0; skeleton.expressions().len()];
    let [first, last] = [from, to].map(|pose| match pose.expressions.as_slice() {
        [] => none.as_slice(),
        asked => asked,
    });
    Pose { matrices, morphs, expressions: first.iter().zip(last).map(mix).collect() }
}
