//! Joints moved by hand after the clips.

use super::parts::local_of;
use crate::math::{Affine3, Mat3, Quat, Vec3};
use crate::{Pose, Skeleton};

/// A change of one joint relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointChange {
    /// A transform in joint space, applied before that of the clip.
    Add(Affine3),
    /// Replaces parts of the clip's transform, in the space of the parent.
    Set {
        /// Position of the joint.
        translation: Option<Vec3>,
        /// Rotation of the joint.
        rotation: Option<Mat3>,
        /// Scale of the joint.
        scale: Option<Vec3>,
    },
}

impl JointChange {
    fn of(self, parent_from_joint: Affine3) -> Affine3 {
        match self {
            Self::Add(change) => parent_from_joint * change,
            Self::Set { translation, rotation, scale } => {
                let (old_scale, old_rotation, old_translation) =
                    parent_from_joint.to_scale_rotation_translation();
                // A joint flattened to a plane has no direction across it.
                let old = if old_rotation.is_finite() { old_rotation } else { Quat::IDENTITY };
                let linear = rotation.unwrap_or_else(|| Mat3::from_quat(old))
                    * Mat3::from_diagonal(scale.unwrap_or(old_scale));
                Affine3::from_mat3_translation(linear, translation.unwrap_or(old_translation))
            }
        }
    }
}

/// Changes joints of a pose in model space; the descendants of each move with it, and all other
/// joints keep their bits.
///
/// Several changes of one joint are applied in order.
pub fn edit_pose(skeleton: &Skeleton, pose: &mut Pose, changes: &[(usize, JointChange)]) {
    let old = pose.clone();
    let mut is_moved = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let follows = joint.parent.is_some_and(|parent| is_moved[parent.index()]);
        let mut own = changes.iter().filter(|(changed, _)| *changed == index).peekable();
        if !follows && own.peek().is_none() {
            continue;
        }
        let local = local_of(skeleton, &old, index);
        let local = own.fold(local, |local, (_, change)| change.of(local));
        pose.matrices[index] = match joint.parent {
            Some(parent) => pose.matrices[parent.index()] * local,
            None => local,
        };
        is_moved[index] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::bind_pose;
    use crate::{Joint, JointIndex};

    fn chain() -> Skeleton {
        let joint = |name: &str, parent: Option<u16>, y: f32| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            model_from_joint: Affine3::from_translation(Vec3::Y * y),
        };
        let joints = vec![
            joint("hip", None, 1.0),
            joint("knee", Some(0), 2.0),
            joint("foot", Some(1), 4.0),
            joint("tail", Some(0), 3.0),
        ];
        Skeleton::try_new(joints).unwrap()
    }

    #[test]
    fn children_follow_and_others_keep_their_bits() {
        let skeleton = chain();
        let mut pose = bind_pose(&skeleton);
        let quarter = Affine3::from_mat3(Mat3::from_rotation_z(core::f32::consts::FRAC_PI_2));
        edit_pose(&skeleton, &mut pose, &[(1, JointChange::Add(quarter))]);
        let bind = bind_pose(&skeleton);
        assert_eq!((pose.matrices[0], pose.matrices[3]), (bind.matrices[0], bind.matrices[3]));
        assert_eq!(pose.matrices[1].translation, Vec3::Y * 2.0);
        // The foot is two above the knee: turned about z it lies at -x.
        let foot = pose.matrices[2].translation;
        assert!((foot - Vec3::new(-2.0, 2.0, 0.0)).length() < 1e-6, "{foot}");
    }

    #[test]
    fn set_replaces_only_the_given_parts() {
        let skeleton = chain();
        let mut pose = bind_pose(&skeleton);
        let set = JointChange::Set {
            translation: Some(Vec3::X),
            rotation: None,
            scale: Some(Vec3::splat(2.0)),
        };
        edit_pose(&skeleton, &mut pose, &[(1, set)]);
        assert_eq!(pose.matrices[1].translation, Vec3::new(1.0, 1.0, 0.0));
        // Twice as large, its child is twice as far.
        assert_eq!(pose.matrices[2].translation, Vec3::new(1.0, 5.0, 0.0));
    }
}
