//! Transforms of joints relative to their parents, in parts that can be mixed.

pub(super) use crate::math::slerp_short;
use crate::math::{Affine3, Quat, Vec3};
use crate::model::{JointIndex, Pose, Skeleton};

/// Transform of a joint relative to its parent, in parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) scale: Vec3,
    pub(super) rotation: Quat,
    pub(super) translation: Vec3,
}

impl Parts {
    /// The parts of a matrix; a sheared one loses its shear.
    pub(super) fn of(matrix: Affine3) -> Self {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        // A joint flattened to a plane has no direction across it.
        let rotation = if rotation.is_finite() { rotation } else { Quat::IDENTITY };
        Self { scale, rotation, translation }
    }

    pub(super) fn matrix(&self) -> Affine3 {
        Affine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The transform `share` of the way to another: rotation along the shorter arc, the rest linearly.
    pub(super) fn toward(&self, other: &Self, share: f32) -> Self {
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
