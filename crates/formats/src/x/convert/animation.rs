//! `AnimationSet` objects become clips, and ticks become seconds.

use super::frame::Frames;
use super::key::Keys;
use super::motion::{Motion, Set, read_sets, times};
use super::ticks::{TickRate, gaps, median, sort_numbers, tick_rate};
use crate::LoadOptions;
use crate::x::error::XError;
use crate::x::tree::Document;
use std::sync::Arc;
use tintype_base::amount::counted_as;
use tintype_base::deadline::{Deadline, TimedOut};
use tintype_model::math::Affine3;
use tintype_model::{
    Clip, FileRepair, Interpolation, NamedClip, SAME_POSITION_SHARE, Track, Tracks, Warning,
    is_same_rotation,
};

/// Gaps between keys are even if they differ by less than this fraction.
const EVEN_SHARE: f64 = 1.0e-3;

/// Makes a clip of each set.
///
/// # Errors
/// [`XError`] if a value that should be a number is not.
pub(super) fn build_clips(
    document: &Document,
    frames: &Frames,
    given: Option<f64>,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<NamedClip>, TickRate), XError> {
    let sets = read_sets(document, options, warnings)?;
    warn_unknown_frames(document, frames, &sets, warnings);
    let ticks = tick_rate(document, &sets, given, warnings)?;
    let clips = sets.into_iter().map(|set| {
        let clip = build_clip(&set, frames, ticks.per_second, &document.deadline)?;
        Ok(NamedClip { name: set.name, clip, options: set.options })
    });
    Ok((clips.collect::<Result<_, TimedOut>>()?, ticks))
}

fn build_clip(
    set: &Set,
    frames: &Frames,
    per_second: f64,
    deadline: &Deadline,
) -> Result<Clip, TimedOut> {
    deadline.check("building clips")?;
    let mut all: Vec<f64> = set.motions.iter().flat_map(times).flatten().collect();
    sort_numbers(&mut all, deadline)?;
    all.dedup();
    let (start, end) = (all.first().copied().unwrap_or(0.0), all.last().copied().unwrap_or(0.0));
    let gaps = gaps(&all);
    let step = median(gaps.clone(), deadline)?.unwrap_or(0.0);
    let is_even = gaps.iter().all(|gap| (gap - step).abs() <= step * EVEN_SHARE);
    let closes = closes(&set.motions, frames);
    let length_s = (end - start) / per_second;
    let mut share: Vec<Arc<[f64]>> = Vec::new();
    let joints = set.motions.iter().map(|motion| Tracks {
        name: motion.name.clone(),
        parent: None,
        translation: track(&motion.translation, per_second, &mut share),
        rotation: track(&motion.rotation, per_second, &mut share),
        scale: track(&motion.scale, per_second, &mut share),
    });
    let count = all.len();
    Ok(Clip {
        joints: joints.collect(),
        is_local: true,
        start_s: start / per_second,
        end_s: start / per_second + length_s,
        // Direct3D's mixer repeats a set at its last key, whether or not the poses at its ends are
        // the same.
        period_s: if count > 1 { length_s } else { 0.0 },
        closes,
        key_rate_hz: (is_even && step > 0.0).then(|| per_second / step),
        key_times_s: all.into_iter().map(|time| time / per_second).collect(),
        keys: 0..count,
        wrap: set.options.wrap().unwrap_or_default(),
        ..Clip::default()
    })
}

/// A track in seconds, with a single key if its value never changes. Tracks with equal times use
/// one copy of them.
fn track<T: Copy + PartialEq>(
    keys: &Keys<T>,
    per_second: f64,
    share: &mut Vec<Arc<[f64]>>,
) -> Track<T> {
    /// Tracks that are checked for shared times.
    const MAX_COMPARED: usize = 4;
    let Some(&(_, first)) = keys.first() else { return Track::unset() };
    if keys.iter().all(|&(_, value)| value == first) {
        return Track::constant(first);
    }
    let times: Vec<f64> = keys.iter().map(|&(time, _)| time / per_second).collect();
    let known = share.iter().rev().take(MAX_COMPARED).find(|known| ***known == *times).cloned();
    let times_s = known.unwrap_or_else(|| {
        let times: Arc<[f64]> = Arc::from(times);
        share.push(Arc::clone(&times));
        times
    });
    let values = keys.iter().map(|&(_, value)| value).collect();
    Track { times_s, values, interpolation: Interpolation::Linear }
}

/// True if the pose at the end equals the pose at the start.
///
/// Positions are compared in the space of the model, rotations on the parent. In a file without
/// frames, both are compared on the parent.
fn closes(motions: &[Motion], frames: &Frames) -> bool {
    let turns_back =
        motions.iter().all(|motion| match (motion.rotation.first(), motion.rotation.last()) {
            (Some(&(_, first)), Some(&(_, last))) => is_same_rotation(first, last),
            _ => true,
        });
    if !turns_back {
        return false;
    }
    let mut first: Vec<Affine3> = Vec::new();
    let mut last: Vec<Affine3> = Vec::new();
    let joints = frames.skeleton.joints();
    let mut by_joint: Vec<Option<&Motion>> = vec![None; joints.len()];
    for motion in motions {
        match frames.named(&motion.name).and_then(|joint| by_joint.get_mut(joint.index())) {
            Some(slot) => *slot = Some(motion),
            None => {
                first.push(placed(motion, Affine3::IDENTITY, false));
                last.push(placed(motion, Affine3::IDENTITY, true));
            }
        }
    }
    let lost = first.len();
    for ((joint, &rest), motion) in
        joints.iter().zip(frames.skeleton.parent_from_joint()).zip(by_joint)
    {
        for (pose, at_end) in [(&mut first, false), (&mut last, true)] {
            let local = motion.map_or(rest, |motion| placed(motion, rest, at_end));
            let parent = joint.parent.and_then(|parent| pose.get(lost + parent.index()).copied());
            pose.push(parent.unwrap_or(Affine3::IDENTITY) * local);
        }
    }
    let bounds: tintype_model::math::Aabb = first.iter().map(|joint| joint.translation).collect();
    let reach = bounds.diagonal() * SAME_POSITION_SHARE;
    first.iter().zip(&last).all(|(a, b)| (a.translation - b.translation).length() <= reach)
}

/// The transform of a motion at its first or last key.
fn placed(motion: &Motion, rest: Affine3, at_end: bool) -> Affine3 {
    fn end<T: Copy>(keys: &Keys<T>, at_end: bool) -> Option<T> {
        let key = if at_end { keys.last() } else { keys.first() };
        key.map(|&(_, value)| value)
    }
    let (scale, rotation, translation) = rest.to_scale_rotation_translation();
    Affine3::from_scale_rotation_translation(
        end(&motion.scale, at_end).unwrap_or(scale),
        end(&motion.rotation, at_end).unwrap_or(rotation),
        end(&motion.translation, at_end).unwrap_or(translation),
    )
}

/// Reports frames that are animated but missing in a file with frames.
fn warn_unknown_frames(
    document: &Document,
    frames: &Frames,
    sets: &[Set],
    warnings: &mut Vec<Warning>,
) {
    if !document.objects.iter().any(|object| object.is("Frame")) {
        return;
    }
    for set in sets {
        let mut lost = set.motions.iter().filter(|motion| frames.named(&motion.name).is_none());
        if let Some(first) = lost.next() {
            let message = format!(
                "AnimationSet {:?} moves {} missing from the file (first: {:?})",
                set.name,
                counted_as(lost.count() + 1, "frame", "frames"),
                first.name
            );
            warnings.push(FileRepair::NoTarget.told(message));
        }
    }
}
