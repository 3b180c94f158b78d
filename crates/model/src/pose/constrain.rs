//! Constraints of a pose: joints whose rotation follows another joint.

use super::edit::{JointChange, edit_pose};
use super::parts::{Parts, local_of, slerp_short};
use crate::math::slerp::arc;
use crate::math::{Mat3, Quat, unit_or};
use crate::{Constraint, ConstraintKind, Pose, Skeleton};

/// Rotates the constrained joints of a pose after the joints that they follow, except `free` ones;
/// their descendants move with them. The result does not depend on their previous rotation.
///
/// # Source
/// VRM Consortium, `VRMC_node_constraint-1.0`.
pub fn constrain(skeleton: &Skeleton, pose: &mut Pose, free: &[usize]) {
    for constraint in skeleton.rig().constraints.iter().filter(|one| !free.contains(&one.joint)) {
        let rotation = Mat3::from_quat(turned(skeleton, pose, constraint));
        let set = JointChange::Set { translation: None, rotation: Some(rotation), scale: None };
        if rotation.is_finite() {
            edit_pose(skeleton, pose, &[(constraint.joint, set)]);
        }
    }
}

/// The rotation of a constrained joint on its parent.
fn turned(skeleton: &Skeleton, pose: &Pose, constraint: &Constraint) -> Quat {
    let Constraint { joint, source, weight, kind } = *constraint;
    let rest = skeleton.rest(joint).rotation;
    let source_rest = skeleton.rest(source).rotation;
    let of_source = || Parts::of(local_of(skeleton, pose, source)).rotation;
    let full = match kind {
        ConstraintKind::Rotation => rest * (source_rest.inverse() * of_source()),
        ConstraintKind::Roll(axis) => {
            let turn = rest.inverse() * of_source() * source_rest.inverse() * rest;
            rest * arc(turn * axis, axis) * turn
        }
        ConstraintKind::Aim(axis) => {
            let parent = skeleton.joints()[joint].parent;
            let above = parent
                .map_or(Quat::IDENTITY, |parent| Parts::of(pose.matrices[parent.index()]).rotation);
            let way = pose.matrices[source].translation - pose.matrices[joint].translation;
            let now = above * (rest * axis);
            above.inverse() * arc(now, unit_or(way, now)) * above * rest
        }
    };
    slerp_short(rest, full, weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Affine3, Vec3};
    use crate::pose::bind_pose;
    use crate::{Joint, JointIndex, Rig};

    /// A source, and beside it a joint with a child one above it.
    fn skeleton(kind: ConstraintKind, weight: f32) -> Skeleton {
        let joint = |parent: Option<u16>, place: Vec3| Joint {
            name: String::new(),
            parent: parent.map(JointIndex),
            model_from_joint: Affine3::from_translation(place),
        };
        let joints =
            vec![joint(None, Vec3::X * 2.0), joint(None, Vec3::ZERO), joint(Some(1), Vec3::Y)];
        let constraints = vec![Constraint { joint: 1, source: 0, weight, kind }];
        Skeleton::try_new(joints).unwrap().with_rig(Rig { constraints, ..Rig::default() })
    }

    /// The position of the child, with the source turned by a rotation.
    fn child(kind: ConstraintKind, weight: f32, turn: Quat) -> Vec3 {
        let skeleton = skeleton(kind, weight);
        let mut pose = bind_pose(&skeleton);
        pose.matrices[0].matrix3 = Mat3::from_quat(turn);
        constrain(&skeleton, &mut pose, &[]);
        let once = pose.clone();
        constrain(&skeleton, &mut pose, &[]);
        assert!(once.matrices[2].abs_diff_eq(pose.matrices[2], 1e-6), "twice is as once");
        pose.matrices[2].translation
    }

    #[test]
    fn constrained_joints_follow_their_source() {
        let half = core::f32::consts::FRAC_PI_2;
        let near = |found: Vec3, expected: Vec3| {
            assert!((found - expected).length() < 1e-5, "{found} {expected}");
        };
        let (about_z, about_x) = (Quat::from_rotation_z(half), Quat::from_rotation_x(half));
        near(child(ConstraintKind::Rotation, 1.0, about_z), -Vec3::X);
        let diagonal = core::f32::consts::FRAC_1_SQRT_2;
        near(child(ConstraintKind::Rotation, 0.5, about_z), Vec3::new(-diagonal, diagonal, 0.0));
        // From a rotation about two axes, a roll takes the part about its axis.
        near(child(ConstraintKind::Roll(Vec3::X), 1.0, about_x), Vec3::Z);
        near(child(ConstraintKind::Roll(Vec3::X), 1.0, about_z), Vec3::Y);
        near(child(ConstraintKind::Roll(Vec3::X), 1.0, about_z * about_x), Vec3::Z);
        // The source lies along X, also at rest.
        near(child(ConstraintKind::Aim(Vec3::Y), 1.0, Quat::IDENTITY), Vec3::X);
        let skeleton = skeleton(ConstraintKind::Aim(Vec3::Y), 1.0);
        near(bind_pose(&skeleton).matrices[2].translation, Vec3::X);
    }
}
