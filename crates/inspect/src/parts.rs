//! Proposed parts of a clip with several actions: ranges of keys whose last pose equals their
//! first, and still ranges.
//!
//! Input: a clip and its model. Output: ranges of keys, to paste into a scene.

use serde::Serialize;
use tintype_model::math::{Quat, Vec3, func};
use tintype_model::pose::{Binding, sample_clip};
use tintype_model::{Clip, Model};

/// Positions that differ by less than this fraction of the model's size are the same pose.
const SAME_POSITION_SHARE: f32 = 1.0e-3;
/// Rotations that differ by less than this are the same pose.
const SAME_ROTATION_DEG: f32 = 0.5;
/// Minimum number of key steps of a part.
const MIN_STEPS: usize = 3;
/// Clips with a larger number of keys times joints are not searched.
const MAX_TRANSFORMS: usize = 4_000_000;
/// A step between two keys that is this many times as large as nine of ten other steps is a cut
/// between two actions.
const CUT: f32 = 4.0;

/// A range of keys that may be a separate action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProposedPart {
    /// First and last key.
    pub keys: [usize; 2],
    /// True if the model is still in it.
    pub still: bool,
}

/// Joints at one key in model space.
type KeyPose = Vec<(Vec3, Quat)>;

/// Finds parts of a clip. Empty unless there are two or more, so that a clip of one action has
/// none.
///
/// The search goes from the first key to the last. At each key it looks for the next key with the
/// same pose after other poses, and continues while the same pose returns; then it continues after
/// that part. A part does not cross a cut, where the model jumps.
#[must_use]
pub fn proposed_parts(model: &Model, clip: &Clip, binding: &Binding) -> Vec<ProposedPart> {
    let count = clip.key_count();
    if count.saturating_mul(model.skeleton.len()) > MAX_TRANSFORMS {
        return Vec::new();
    }
    let poses: Vec<KeyPose> = clip
        .key_times_s
        .get(clip.keys.clone())
        .unwrap_or_default()
        .iter()
        .map(|&moment_s| {
            let pose = sample_clip(&model.skeleton, clip, binding, moment_s);
            let joint = |matrix: &tintype_model::math::Affine3| {
                (matrix.translation, matrix.to_scale_rotation_translation().1)
            };
            pose.matrices.iter().map(joint).collect()
        })
        .collect();
    let reach = size_of(&poses) * SAME_POSITION_SHARE;
    let mut found = Vec::new();
    let mut start = 0;
    for end in ends_of_actions(&poses, reach) {
        let mut key = start;
        while key + MIN_STEPS <= end {
            match part_from(&poses, key, end, reach) {
                Some(part) => {
                    key = part.keys[1] + 1;
                    found.push(part);
                }
                None => key += 1,
            }
        }
        start = end + 1;
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The last keys before cuts, and the last key of all.
fn ends_of_actions(poses: &[KeyPose], reach: f32) -> Vec<usize> {
    let farthest = |pair: &[KeyPose]| {
        let apart = pair[0].iter().zip(&pair[1]).map(|((a, _), (b, _))| (*a - *b).length());
        apart.fold(0.0, tintype_model::math::max)
    };
    let steps: Vec<f32> = poses.windows(2).map(farthest).collect();
    let mut moving: Vec<f32> = steps.iter().copied().filter(|&step| step > reach).collect();
    moving.sort_unstable_by(f32::total_cmp);
    let usual = moving.get(moving.len() * 9 / 10).copied().unwrap_or(0.0);
    let is_cut = |&key: &usize| steps[key] > reach && steps[key] > usual * CUT;
    (0..steps.len()).filter(is_cut).chain(poses.len().checked_sub(1)).collect()
}

/// The part that starts at a key, if one does.
fn part_from(poses: &[KeyPose], start: usize, end: usize, reach: f32) -> Option<ProposedPart> {
    let is_same = |a: usize, b: usize| is_same_pose(&poses[a], &poses[b], reach);
    let moved = (start + 1..=end).find(|&key| !is_same(start, key));
    let Some(moved) = moved else {
        return (end - start >= MIN_STEPS)
            .then_some(ProposedPart { keys: [start, end], still: true });
    };
    let mut last = None;
    for key in moved..=end {
        if is_same(start, key) && key - start >= MIN_STEPS {
            last = Some(key);
        }
    }
    match last {
        Some(last) => Some(ProposedPart { keys: [start, last], still: false }),
        None => (moved - 1 - start >= MIN_STEPS)
            .then_some(ProposedPart { keys: [start, moved - 1], still: true }),
    }
}

fn is_same_pose(a: &KeyPose, b: &KeyPose, reach: f32) -> bool {
    let cosine = func::cos(func::radians(SAME_ROTATION_DEG) * 0.5);
    a.iter().zip(b).all(|((from, turn), (to, other))| {
        (*to - *from).length() <= reach && turn.dot(*other).abs() >= cosine
    })
}

/// The diagonal of the box around the joints in the first key.
fn size_of(poses: &[KeyPose]) -> f32 {
    let joints = poses.first().into_iter().flatten();
    let bounds: tintype_model::math::Aabb = joints.map(|(position, _)| *position).collect();
    bounds.diagonal()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of one joint at these heights.
    fn poses(heights: &[f32]) -> Vec<KeyPose> {
        let pose = |&y: &f32| vec![(Vec3::ZERO, Quat::IDENTITY), (Vec3::Y * y, Quat::IDENTITY)];
        heights.iter().map(pose).collect()
    }

    fn part(heights: &[f32], start: usize) -> Option<([usize; 2], bool)> {
        let found = part_from(&poses(heights), start, heights.len() - 1, 0.01)?;
        Some((found.keys, found.still))
    }

    #[test]
    fn part_ends_where_its_first_pose_returns_for_the_last_time() {
        assert_eq!(part(&[1.0, 2.0, 3.0, 2.0, 1.0, 5.0], 0), Some(([0, 4], false)));
        assert_eq!(part(&[1.0, 2.0, 1.0, 2.0, 1.0, 5.0], 0), Some(([0, 4], false)));
        assert_eq!(part(&[1.0, 1.0, 1.0, 1.0, 2.0], 0), Some(([0, 3], true)));
        assert_eq!(part(&[1.0, 1.0, 1.0, 1.0], 0), Some(([0, 3], true)));
        assert_eq!(part(&[1.0, 2.0, 3.0, 4.0, 5.0], 0), None);
        assert_eq!(part(&[1.0, 2.0, 1.0], 0), None, "too short");
    }

    #[test]
    fn action_ends_at_a_jump() {
        let heights = [0.0, 0.1, 0.2, 0.1, 0.0, 9.0, 9.1, 9.2, 9.1, 9.0, 9.1, 9.0, 9.1];
        assert_eq!(ends_of_actions(&poses(&heights), 0.01), [4, 12]);
        assert_eq!(ends_of_actions(&poses(&heights[..5]), 0.01), [4]);
        assert_eq!(ends_of_actions(&[], 0.01), Vec::<usize>::new());
    }
}
