//! Root motion: finds the joint that carries a model through space, and holds it in place.

use super::sample::sample_clip;
use super::{Binding, bind_pose};
use crate::math::{Affine3, Vec3};
use crate::{Clip, Mesh, Pose, Skeleton};

/// Distance below which a joint counts as still, as a fraction of the model's size.
const STILL_SHARE: f32 = 1.0e-4;
/// Number of compared times of a clip.
const MOMENTS: u32 = 16;

/// The joint that carries a model through space over a clip.
///
/// The search starts at the root with the most vertices on it and its descendants. While a joint
/// stays in place over the clip, the search continues with the child that has the most vertices, if
/// those are more than half: exporters put unmoving frames above the first bone. None if no joint
/// on that path moves.
#[must_use]
pub fn root_joint(
    skeleton: &Skeleton,
    meshes: &[Mesh],
    clip: &Clip,
    binding: &Binding,
) -> Option<usize> {
    let weights = vertices_below(skeleton, meshes);
    let joints = skeleton.joints();
    let heaviest = |of: Option<usize>| {
        let is_child = |&index: &usize| joints[index].parent.map(crate::JointIndex::index) == of;
        // Of equals the first.
        (0..joints.len()).filter(is_child).rev().max_by_key(|&index| weights[index])
    };
    let poses: Vec<Pose> = (0..=MOMENTS)
        .map(|step| {
            let share = f64::from(step) / f64::from(MOMENTS);
            let moment_s = clip.start_s + clip.length_s() * share;
            sample_clip(skeleton, clip, binding, moment_s)
        })
        .collect();
    let (first, others) = poses.split_first()?;
    let reach = size_of(&bind_pose(skeleton)) * STILL_SHARE;
    let moves = |index: usize| {
        let start = first.matrices[index].translation;
        others.iter().any(|pose| (pose.matrices[index].translation - start).length() > reach)
    };
    let mut joint = heaviest(None)?;
    while !moves(joint) {
        let all = weights[joint];
        joint = heaviest(Some(joint)).filter(|&child| weights[child] * 2 > all)?;
    }
    Some(joint)
}

/// Moves a joint of a pose back to a position, with all its descendants. Its motion along the unit
/// vector `up` is kept, if given.
pub fn hold_joint(
    skeleton: &Skeleton,
    pose: &mut Pose,
    joint: usize,
    position: Vec3,
    up: Option<Vec3>,
) {
    let back = position - pose.matrices[joint].translation;
    let back = match up {
        Some(up) => back - up * back.dot(up),
        None => back,
    };
    let shift = Affine3::from_translation(back);
    for (matrix, is_below) in pose.matrices.iter_mut().zip(skeleton.descendants(&[joint])) {
        if is_below {
            *matrix = shift * *matrix;
        }
    }
}

/// For each joint, the number of influences of it and its descendants on vertices.
fn vertices_below(skeleton: &Skeleton, meshes: &[Mesh]) -> Vec<usize> {
    let mut count = vec![0_usize; skeleton.len()];
    for influence in meshes.iter().flat_map(|mesh| &mesh.influences) {
        count[influence.joint().index()] += usize::from(influence.weight() != 0.0);
    }
    for index in (0..skeleton.len()).rev() {
        if let Some(parent) = skeleton.joints()[index].parent {
            count[parent.index()] += count[index];
        }
    }
    count
}

/// The diagonal of the box around all joints.
fn size_of(pose: &Pose) -> f32 {
    let bounds: crate::math::Aabb = pose.matrices.iter().map(|joint| joint.translation).collect();
    bounds.diagonal()
}
