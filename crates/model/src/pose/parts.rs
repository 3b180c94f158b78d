//! Transforms of joints relative to their parents, in parts that can be mixed.

use crate::math::Affine3;
pub(super) use crate::math::slerp::slerp_short;
use crate::{JointIndex, LocalTransform, Pose, Skeleton};

/// Transform of a joint relative to its parent, in parts.
pub(super) type Parts = LocalTransform;

impl LocalTransform {
    /// Interpolates to another transform by `share`: rotation along the shorter arc, the rest
    /// linearly.
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

/// The transform of a joint of a pose relative to its parent; that of the bind pose if the parent
/// has no volume.
pub(super) fn local_of(skeleton: &Skeleton, pose: &Pose, index: usize) -> Affine3 {
    let local = parent_from_joint(pose, index, skeleton.joints()[index].parent);
    if local.is_finite() { local } else { skeleton.parent_from_joint()[index] }
}
