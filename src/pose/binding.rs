//! Which joint of a clip drives which joint of a skeleton.

use crate::math::Affine3;
use crate::model::{Clip, JointIndex, Mesh, Skeleton, Warning};
use std::collections::HashMap;
use thiserror::Error;

/// Why a clip cannot move a skeleton.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BindError {
    /// The skeleton has a joint that holds vertices, and the clip says nothing about it.
    #[error(
        "the clip has no joint \"{name}\" (joint {joint} of the model, which holds vertices); {missing} of the model's \
         {joints} joints are missing from the clip's {clip_joints}"
    )]
    MissingJoint {
        /// The first such joint.
        joint: usize,
        /// Its name.
        name: String,
        /// How many joints of the skeleton the clip lacks.
        missing: usize,
        /// How many joints the skeleton has.
        joints: usize,
        /// How many joints the clip has.
        clip_joints: usize,
    },
}

/// Per joint of a skeleton: where its matrix comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub(super) drivers: Vec<Driver>,
}

/// Where the matrix of one joint comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Driver {
    /// From this joint of the clip.
    Clip(JointIndex),
    /// The clip has no such joint, and no vertex needs it: it keeps its bind pose relative to its parent.
    Parent(Affine3),
}

/// Finds the joint of `clip` for each joint of `skeleton`.
///
/// Joints match by name; where a name repeats, the first matches the first, the second the second. A joint that no vertex of
/// `meshes` hangs on may be missing. If one with vertices is missing but both hierarchies have the same count and the same
/// parents, joints match by index, with a warning.
///
/// # Errors
/// [`BindError::MissingJoint`] if a joint with vertices is missing and the hierarchies differ.
pub fn bind_clip(
    skeleton: &Skeleton,
    meshes: &[Mesh],
    clip: &Clip,
) -> Result<(Binding, Vec<Warning>), BindError> {
    let by_name = match_names(skeleton, clip);
    let used = joints_with_vertices(skeleton, meshes);
    let missing = |joint: &usize| by_name[*joint].is_none();
    let Some(first) = (0..skeleton.len()).find(|joint| used[*joint] && missing(joint)) else {
        return Ok((binding(skeleton, &by_name), Vec::new()));
    };
    let count = (0..skeleton.len()).filter(missing).count();
    let name = &skeleton.joints()[first].name;
    if same_hierarchy(skeleton, clip) {
        let by_index: Vec<_> =
            (0..skeleton.len()).map(|joint| u16::try_from(joint).ok().map(JointIndex)).collect();
        let warning = Warning::new(
            0,
            format!(
                "{count} joints of the model, \"{name}\" first, are not named in the clip; the hierarchies are equal, so \
                 joints are matched by index"
            ),
        );
        return Ok((binding(skeleton, &by_index), vec![warning]));
    }
    Err(BindError::MissingJoint {
        joint: first,
        name: name.clone(),
        missing: count,
        joints: skeleton.len(),
        clip_joints: clip.joints.len(),
    })
}

/// Per joint of the skeleton: the joint of the clip with the same name, the n-th of a name with the n-th.
fn match_names(skeleton: &Skeleton, clip: &Clip) -> Vec<Option<JointIndex>> {
    let mut by_name: HashMap<(&str, u32), JointIndex> = HashMap::new();
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for (joint, tracks) in (0_u16..=u16::MAX).zip(&clip.joints) {
        let occurrence = seen.entry(&tracks.name).or_insert(0);
        by_name.insert((&tracks.name, *occurrence), JointIndex(joint));
        *occurrence += 1;
    }
    let mut seen: HashMap<&str, u32> = HashMap::new();
    skeleton
        .joints()
        .iter()
        .map(|joint| {
            let occurrence = seen.entry(&joint.name).or_insert(0);
            let found = by_name.get(&(joint.name.as_str(), *occurrence)).copied();
            *occurrence += 1;
            found
        })
        .collect()
}

fn joints_with_vertices(skeleton: &Skeleton, meshes: &[Mesh]) -> Vec<bool> {
    let mut used = vec![false; skeleton.len()];
    for mesh in meshes {
        for (joint, &bias) in mesh.joint.iter().zip(&mesh.bias) {
            used[joint.index()] |= bias != 0.0;
        }
    }
    used
}

fn same_hierarchy(skeleton: &Skeleton, clip: &Clip) -> bool {
    skeleton.len() == clip.joints.len()
        && skeleton
            .joints()
            .iter()
            .zip(&clip.joints)
            .all(|(joint, tracks)| joint.parent == tracks.parent)
}

fn binding(skeleton: &Skeleton, found: &[Option<JointIndex>]) -> Binding {
    let joints = skeleton.joints();
    let drivers = found
        .iter()
        .zip(joints)
        .map(|(driver, joint)| match (driver, joint.parent) {
            (Some(index), _) => Driver::Clip(*index),
            (None, Some(parent)) => Driver::Parent(
                joints[parent.index()].model_from_joint.inverse() * joint.model_from_joint,
            ),
            (None, None) => Driver::Parent(joint.model_from_joint),
        })
        .collect();
    Binding { drivers }
}
