//! Ratio of bone lengths in a pose to those in the bind pose.

use crate::math::max;
use crate::{Pose, Skeleton};

/// A bone shorter than this fraction of the longest one counts as having no length.
pub(super) const SHORT_BONE: f32 = 1.0e-3;

/// The median ratio of bone lengths in a pose to the bind pose, and the number of bones; `counts`
/// selects the joints, each for the bone to its parent. None without such a bone.
#[must_use]
pub fn bone_ratio(
    skeleton: &Skeleton,
    pose: &Pose,
    counts: impl Fn(usize) -> bool,
) -> Option<(f32, usize)> {
    let joints = skeleton.joints();
    let lengths: Vec<(f32, f32)> = (joints.iter().enumerate().filter(|(index, _)| counts(*index)))
        .filter_map(|(index, joint)| {
            let parent = joint.parent?.index();
            let bind =
                joint.model_from_joint.translation - joints[parent].model_from_joint.translation;
            let posed = pose.matrices[index].translation - pose.matrices[parent].translation;
            Some((bind.length(), posed.length()))
        })
        .collect();
    let longest = lengths.iter().fold(0.0_f32, |most, (bind, _)| max(most, *bind));
    let long = lengths.iter().filter(|(bind, _)| *bind > longest * SHORT_BONE);
    let mut ratios: Vec<f32> = long.map(|(bind, posed)| posed / bind).collect();
    ratios.sort_unstable_by(f32::total_cmp);
    Some((*ratios.get(ratios.len() / 2)?, ratios.len()))
}
