//! Transforms of joints relative to their parents, in parts that can be mixed.

use crate::math::{Affine3, Quat, func};
use crate::model::{JointIndex, LocalTransform, Pose, Skeleton};

/// Transform of a joint relative to its parent, in parts.
pub(super) type Parts = LocalTransform;

impl LocalTransform {
    /// The transform `share` of the way to another: rotation along the shorter arc, the rest linearly.
    pub(in crate::pose) fn toward(&self, other: &Self, share: f32) -> Self {
        Self {
            scale: self.scale.lerp(other.scale, share),
            rotation: slerp_short(self.rotation, other.rotation, share),
            translation: self.translation.lerp(other.translation, share),
        }
    }
}

/// The transform of a joint relative to its parent in a pose; in model space for a root.
pub(super) fn parent_from_joint(pose: &Pose, joint: usize, parent: Option<JointIndex>) -> Affine3 {
    match parent {
        Some(parent) => pose.matrices[parent.index()].inverse() * pose.matrices[joint],
        None => pose.matrices[joint],
    }
}

/// The transform of a joint of a pose on its parent; that of the bind pose on a parent without volume.
pub(super) fn local_of(skeleton: &Skeleton, pose: &Pose, index: usize) -> Affine3 {
    let local = parent_from_joint(pose, index, skeleton.joints()[index].parent);
    if local.is_finite() { local } else { skeleton.parent_from_joint()[index] }
}

/// Spherical interpolation along the shorter arc; nearly equal rotations are mixed linearly.
///
/// Source: Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985.
pub(super) fn slerp_short(from: Quat, to: Quat, fraction: f32) -> Quat {
    const NEARLY_EQUAL: f32 = 0.9999;
    let cosine = from.dot(to);
    let (cosine, to) = if cosine < 0.0 { (-cosine, -to) } else { (cosine, to) };
    let (share_from, share_to) = if cosine > NEARLY_EQUAL {
        (1.0 - fraction, fraction)
    } else {
        let angle_rad = func::acos(cosine);
        (func::sin(angle_rad * (1.0 - fraction)), func::sin(angle_rad * fraction))
    };
    (from * share_from + to * share_to).normalize()
}
