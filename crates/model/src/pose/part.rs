//! Parts of a clip, which play as separate clips.

use super::sample::Cursor;
use crate::math::{Aabb, Quat, Vec3};
use crate::{Clip, ClipRange, RangeUnit, SAME_POSITION_SHARE, is_same_rotation};
use core::ops::Range;
use thiserror::Error;

/// Tolerance in seconds by which a range may miss the ends of a clip: they are printed with three
/// decimals.
const ROUNDING_S: f64 = 5.0e-4;

/// Error of cutting a part out of a clip.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PartError {
    /// The clip does not reach so far.
    #[error("{unit} {range} are outside the clip, which has {unit} {has}", unit = unit.name())]
    Outside {
        /// The unit.
        unit: RangeUnit,
        /// The requested range.
        range: String,
        /// The range that the clip has.
        has: String,
    },
    /// The file of the clip has no ticks.
    #[error("ticks {range}: the clip's file does not use ticks; use keys or seconds")]
    NoTicks {
        /// The requested range.
        range: String,
    },
}

/// Cuts a part out of a clip; ticks need the tick rate of its file.
///
/// The part starts at the first time of the range and ends at the last. It repeats like a separate
/// clip: after its length, and [`Clip::open_gap_s`] later if its last pose differs from its first.
/// It shares the keys of the clip.
///
/// # Errors
/// [`PartError`] if the range reaches beyond the clip, or counts in ticks missing from the file.
pub fn part_of(
    clip: &Clip,
    range: &ClipRange,
    ticks_per_second: Option<f64>,
) -> Result<Clip, PartError> {
    let (start_s, end_s) = match range.unit {
        RangeUnit::Keys => moments_of_keys(clip, range)?,
        RangeUnit::Seconds => {
            let length_s = clip.length_s();
            if range.from < -ROUNDING_S || range.to > length_s + ROUNDING_S {
                return Err(outside(range, format!("0-{length_s:.3}")));
            }
            let moment = |time_s: f64| within(clip, clip.start_s + time_s);
            (moment(range.from), moment(range.to))
        }
        RangeUnit::Ticks => {
            let per_second =
                ticks_per_second.ok_or_else(|| PartError::NoTicks { range: range.plain() })?;
            let (from_s, to_s) = (range.from / per_second, range.to / per_second);
            if from_s < clip.start_s - ROUNDING_S || to_s > clip.end_s + ROUNDING_S {
                let [first, last] = [clip.start_s, clip.end_s].map(|end_s| end_s * per_second);
                return Err(outside(range, format!("{}-{}", rounded(first), rounded(last))));
            }
            (within(clip, from_s), within(clip, to_s))
        }
    };
    let first = clip.key_times_s.partition_point(|&key_s| key_s < start_s);
    let keys: Range<usize> = first..clip.key_times_s.partition_point(|&key_s| key_s <= end_s);
    let closes = is_same_pose(&placed(clip, start_s), &placed(clip, end_s))
        && has_same_weights(clip, start_s, end_s);
    let length_s = end_s - start_s;
    let gap_s = if closes || length_s <= 0.0 { 0.0 } else { clip.open_gap_s };
    Ok(Clip { start_s, end_s, period_s: length_s + gap_s, closes, keys, ..clip.clone() })
}

/// Converts a time in seconds of the file to a time of the clip.
fn within(clip: &Clip, moment_s: f64) -> f64 {
    if moment_s < clip.start_s {
        clip.start_s
    } else if moment_s > clip.end_s {
        clip.end_s
    } else {
        moment_s
    }
}

fn rounded(ticks: f64) -> f64 {
    (ticks * 1000.0).round() / 1000.0
}

fn outside(range: &ClipRange, has: String) -> PartError {
    PartError::Outside { unit: range.unit, range: range.plain(), has }
}

/// The times of the first and the last key of a range.
fn moments_of_keys(clip: &Clip, range: &ClipRange) -> Result<(f64, f64), PartError> {
    #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
    #[expect(clippy::cast_sign_loss, reason = "keys are not below 0")]
    let time_s = |key: f64| clip.key_time_s(key as usize);
    match (time_s(range.from), time_s(range.to)) {
        (Some(from_s), Some(to_s)) => Ok((from_s, to_s)),
        _ => Err(outside(range, format!("0-{}", clip.key_count().saturating_sub(1)))),
    }
}

/// Position and rotation of each joint of a clip, in the space of its roots.
///
/// Joints of a clip without a hierarchy are placed on their parents in the skeleton.
fn placed(clip: &Clip, moment_s: f64) -> Vec<(Vec3, Quat)> {
    let mut cursor = Cursor::new(clip, moment_s);
    let mut pose: Vec<(Vec3, Quat)> = Vec::with_capacity(clip.joints.len());
    for joint in clip.joints.iter() {
        let rotation = cursor.sample_or(&joint.rotation, Quat::IDENTITY);
        let position = cursor.sample_or(&joint.translation, Vec3::ZERO);
        let parent = joint.parent.and_then(|parent| pose.get(parent.index())).copied();
        pose.push(match parent {
            Some((origin, turn)) => (origin + turn * position, turn * rotation),
            None => (position, rotation),
        });
    }
    pose
}

/// True if the weights of morph targets are the same at two times.
fn has_same_weights(clip: &Clip, first_s: f64, last_s: f64) -> bool {
    let mut cursors = [first_s, last_s].map(|moment_s| Cursor::new(clip, moment_s));
    clip.morphs.iter().all(|track| {
        let [first, last] = cursors.each_mut().map(|cursor| cursor.sample_or(&track.weight, 0.0));
        (first - last).abs() <= SAME_POSITION_SHARE
    })
}

/// True if two poses are the same within the tolerance of the formats: 1e-4 of the diagonal and
/// 0.05°.
pub(super) fn is_same_pose(first: &[(Vec3, Quat)], last: &[(Vec3, Quat)]) -> bool {
    let bounds: Aabb = first.iter().map(|(position, _)| *position).collect();
    let reach = bounds.diagonal() * SAME_POSITION_SHARE;
    first.iter().zip(last).all(|((from, turn), (to, other))| {
        (*to - *from).length() <= reach && is_same_rotation(*turn, *other)
    })
}
