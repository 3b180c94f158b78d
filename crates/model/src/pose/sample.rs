//! Sampling of clips between their keys.

use super::binding::{Binding, Driver};
use super::constrain::constrain;
use super::express::express;
use super::keyed::Keyed;
use super::parts::{Parts, local_of};
use super::spring::swing;
use crate::math::{Affine3, smaller};
use crate::{Clip, Interpolation, Pose, Skeleton, Track, Tracks, Wrap};
use std::sync::Arc;

/// The pose in which the file binds its vertices to joints, which may differ from the pose of its
/// joints.
#[must_use]
pub fn bound_pose(skeleton: &Skeleton) -> Pose {
    match skeleton.bind() {
        Some(bind) => Pose { morphs: rest_morphs(skeleton), ..Pose::new(bind.to_vec()) },
        None => bind_pose(skeleton),
    }
}

/// The pose of the joints in the file: in most formats the one that defines the vertices.
#[must_use]
pub fn bind_pose(skeleton: &Skeleton) -> Pose {
    let matrices = skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
    let mut pose = Pose { morphs: rest_morphs(skeleton), ..Pose::new(matrices) };
    constrain(skeleton, &mut pose, &[]);
    pose
}

/// Weights of morph targets not moved by a clip.
fn rest_morphs(skeleton: &Skeleton) -> Vec<f32> {
    skeleton.morphs().iter().map(|morph| morph.rest).collect()
}

/// The time of a clip that is shown `time_s` after its start.
///
/// The result is in `start_s..=end_s`, or for [`Wrap::Loop`] in `start_s..start_s + period_s`,
/// where a time after the last key is between the last key and the first.
#[must_use]
pub fn wrap_time(clip: &Clip, time_s: f64, wrap: Wrap) -> f64 {
    let length_s = clip.length_s();
    let local_s = wrap.local_time_s(time_s, length_s, clip.period_s);
    // The sum of start and length may miss the end by a rounding error.
    if local_s.to_bits() == length_s.to_bits() { clip.end_s } else { clip.start_s + local_s }
}

/// The pose of `skeleton` `time_s` after the start of `clip`, with springs that swing since then.
///
/// Springs start again with a clip that repeats, if its last pose is not its first.
#[must_use]
pub fn play_clip(
    skeleton: &Skeleton,
    clip: &Clip,
    binding: &Binding,
    time_s: f64,
    wrap: Wrap,
) -> Pose {
    let at = |time_s: f64| sample_clip(skeleton, clip, binding, wrap_time(clip, time_s, wrap));
    let mut pose = at(time_s);
    if skeleton.rig().springs.is_empty() {
        return pose;
    }
    let jumps = wrap == Wrap::Loop && !clip.closes;
    let start_s = if jumps || time_s < 0.0 {
        time_s - (wrap_time(clip, time_s, wrap) - clip.start_s)
    } else {
        0.0
    };
    // A step after that time does not continue with the repetition.
    let last_s = if jumps { clip.length_s() } else { f64::INFINITY };
    let since = |since_s: f64| at(start_s + smaller(since_s, last_s));
    swing(skeleton, &mut pose, time_s - start_s, &mut { since });
    pose
}

/// The pose of `skeleton` at a time of `clip` from [`wrap_time`]; its springs are at rest.
///
/// Translation and scale are interpolated linearly, rotation along the shorter arc at constant
/// speed. The clip's joints are combined in the clip's hierarchy, in `f32`.
#[must_use]
pub fn sample_clip(skeleton: &Skeleton, clip: &Clip, binding: &Binding, moment_s: f64) -> Pose {
    let mut cursor = Cursor::new(clip, moment_s);
    let morphs = match skeleton.morphs() {
        [] => Vec::new(),
        slots => {
            let sampled = sample_morphs_at(clip, binding, &mut cursor);
            let known = sampled.into_iter().chain(core::iter::repeat(None));
            slots.iter().zip(known).map(|(slot, weight)| weight.unwrap_or(slot.rest)).collect()
        }
    };
    if clip.is_local {
        let asked = sample_expressions(clip, binding, moment_s);
        let matrices = sample_local(skeleton, binding.joints(clip), binding, &mut cursor);
        let mut pose = Pose { morphs, ..Pose::new(matrices) };
        express(skeleton, &mut pose, &asked);
        constrain(skeleton, &mut pose, &[]);
        return pose;
    }
    let mut model_from_clip_joint: Vec<Affine3> = Vec::with_capacity(clip.joints.len());
    for joint in &*clip.joints {
        let parent_from_joint = Affine3::from_scale_rotation_translation(
            cursor.sample(&joint.scale),
            cursor.sample(&joint.rotation),
            cursor.sample(&joint.translation),
        );
        model_from_clip_joint.push(match joint.parent {
            Some(parent) => model_from_clip_joint[parent.index()] * parent_from_joint,
            None => parent_from_joint,
        });
    }
    let mut matrices: Vec<Affine3> = Vec::with_capacity(skeleton.len());
    for (joint, driver) in skeleton.joints().iter().zip(&binding.drivers) {
        matrices.push(match (*driver, joint.parent) {
            (Driver::Clip(index), _) => model_from_clip_joint[index.index()],
            (Driver::Parent(parent_from_joint), Some(parent)) => {
                matrices[parent.index()] * parent_from_joint
            }
            (Driver::Parent(model_from_joint), None) => model_from_joint,
            (Driver::Local(..), _) => unreachable!("only clips without a hierarchy are bound so"),
        });
    }
    Pose { morphs, ..Pose::new(matrices) }
}

/// Weights of the morph targets of a skeleton at a time of a clip. None for those that the clip
/// does not animate.
pub(super) fn sample_morphs(clip: &Clip, binding: &Binding, moment_s: f64) -> Vec<Option<f32>> {
    sample_morphs_at(clip, binding, &mut Cursor::new(clip, moment_s))
}

fn sample_morphs_at<'a>(
    clip: &'a Clip,
    binding: &Binding,
    cursor: &mut Cursor<'a>,
) -> Vec<Option<f32>> {
    let drivers = binding.morphs.iter();
    drivers.map(|driver| Some(cursor.sample(&clip.morphs.get((*driver)?)?.weight))).collect()
}

/// Weights of the expressions moved by a clip, by their indices.
pub(super) fn sample_expressions(
    clip: &Clip,
    binding: &Binding,
    moment_s: f64,
) -> Vec<(usize, f32)> {
    let mut cursor = Cursor::new(clip, moment_s);
    let sample = |&(index, track): &(usize, usize)| {
        Some((index, cursor.sample(&clip.morphs.get(track)?.weight)))
    };
    binding.expressions.iter().filter_map(sample).collect()
}

/// Transforms of joints relative to their parents in the skeleton at a time of a clip. None for
/// joints that the clip does not move.
pub(super) fn sample_parts(
    skeleton: &Skeleton,
    clip: &Clip,
    binding: &Binding,
    moment_s: f64,
) -> Vec<Option<Parts>> {
    let mut cursor = Cursor::new(clip, moment_s);
    let (drivers, joints) = (&binding.drivers, binding.joints(clip));
    // Joints with different parents in the clip and in the skeleton are placed through model space.
    let mut pose: Option<Pose> = None;
    let mut parts = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        parts.push(match drivers[index] {
            Driver::Parent(_) => None,
            Driver::Local(driver, rest) => {
                let tracks = &joints[driver.index()];
                Some(Parts {
                    scale: cursor.sample_or(&tracks.scale, rest.scale),
                    rotation: cursor.sample_or(&tracks.rotation, rest.rotation),
                    translation: cursor.sample_or(&tracks.translation, rest.translation),
                })
            }
            Driver::Clip(driver) => {
                let tracks = &joints[driver.index()];
                let of_parent = joint.parent.map(|parent| drivers[parent.index()]);
                let is_same = match (of_parent, tracks.parent) {
                    (None, None) => true,
                    (Some(Driver::Clip(own)), Some(theirs)) => own == theirs,
                    _ => false,
                };
                Some(if is_same {
                    Parts {
                        scale: cursor.sample(&tracks.scale),
                        rotation: cursor.sample(&tracks.rotation),
                        translation: cursor.sample(&tracks.translation),
                    }
                } else {
                    let pose =
                        pose.get_or_insert_with(|| sample_clip(skeleton, clip, binding, moment_s));
                    Parts::of(local_of(skeleton, pose, index))
                })
            }
        });
    }
    parts
}

/// Joints in the pose of a clip without a hierarchy: each on its parent in the skeleton.
fn sample_local<'a>(
    skeleton: &Skeleton,
    joints: &'a [Tracks],
    binding: &Binding,
    cursor: &mut Cursor<'a>,
) -> Vec<Affine3> {
    let mut matrices: Vec<Affine3> = Vec::with_capacity(skeleton.len());
    for (joint, driver) in skeleton.joints().iter().zip(&binding.drivers) {
        let parent_from_joint = match *driver {
            Driver::Parent(parent_from_joint) => parent_from_joint,
            Driver::Local(index, rest) => {
                let tracks = &joints[index.index()];
                Affine3::from_scale_rotation_translation(
                    cursor.sample_or(&tracks.scale, rest.scale),
                    cursor.sample_or(&tracks.rotation, rest.rotation),
                    cursor.sample_or(&tracks.translation, rest.translation),
                )
            }
            Driver::Clip(_) => unreachable!("only clips with a hierarchy are bound so"),
        };
        matrices.push(match joint.parent {
            Some(parent) => matrices[parent.index()] * parent_from_joint,
            None => parent_from_joint,
        });
    }
    matrices
}

/// Samples tracks at one time of a clip.
pub(super) struct Cursor<'a> {
    /// The time; beyond the clip's end, the end.
    here: Finder<'a>,
    /// Beyond the clip's end: the start of the repetition, and the fraction of the way to it.
    next: Option<(Finder<'a>, f32)>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(clip: &Clip, moment_s: f64) -> Self {
        let gap_s = clip.period_s - clip.length_s();
        if moment_s <= clip.end_s || gap_s <= 0.0 {
            return Self { here: Finder::new(moment_s), next: None };
        }
        // The same as the fraction from the end to `start_s + period_s`, where the first key
        // recurs.
        let again_s = clip.start_s + clip.period_s;
        #[expect(clippy::cast_possible_truncation, reason = "a share of 0..=1")]
        let share = ((moment_s - clip.end_s) / (again_s - clip.end_s)) as f32;
        let next = (Finder::new(clip.start_s), crate::math::clamp(share, 0.0, 1.0));
        Self { here: Finder::new(clip.end_s), next: Some(next) }
    }

    /// As [`Cursor::sample`], with a default for a track without value.
    pub(super) fn sample_or<T: Keyed>(&mut self, track: &'a Track<T>, rest: T) -> T {
        if track.values.is_empty() { rest } else { self.sample(track) }
    }

    fn sample<T: Keyed>(&mut self, track: &'a Track<T>) -> T {
        if track.values.len() == 1 {
            return track.values[0];
        }
        let here = self.here.sample(track);
        match &mut self.next {
            Some((next, share)) if *share > 0.0 => T::mix(here, next.sample(track), *share),
            _ => here,
        }
    }
}

/// Finds the keys around one time, and remembers them for the next track with the same key times.
struct Finder<'a> {
    moment_s: f64,
    last: Option<(&'a Arc<[f64]>, Between)>,
}

/// The key before a time, the key after it, the position between them as a fraction, and their
/// distance.
#[derive(Clone, Copy)]
struct Between {
    before: usize,
    after: usize,
    fraction: f32,
    span_s: f32,
}

impl<'a> Finder<'a> {
    fn new(moment_s: f64) -> Self {
        Self { moment_s, last: None }
    }

    /// Samples a track of two or more keys; it is held before its first key and after its last.
    fn sample<T: Keyed>(&mut self, track: &'a Track<T>) -> T {
        let between = match self.last {
            Some((times, between)) if Arc::ptr_eq(times, &track.times_s) => between,
            _ => self.find(&track.times_s),
        };
        self.last = Some((&track.times_s, between));
        let Between { before, after, fraction, span_s } = between;
        match track.interpolation {
            // A pose at a key time is the key, to the bit.
            Interpolation::Linear if fraction == 0.0 => track.values[before],
            Interpolation::Linear => T::mix(track.values[before], track.values[after], fraction),
            Interpolation::Step => track.values[before],
            Interpolation::CubicSpline if fraction == 0.0 => track.key(before),
            Interpolation::CubicSpline => T::spline(
                [track.key(before), track.key(after)],
                [track.values[3 * before + 2], track.values[3 * after]],
                fraction,
                span_s,
            ),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a fraction between keys")]
    fn find(&self, times_s: &[f64]) -> Between {
        let last = times_s.len() - 1;
        let after = times_s.partition_point(|&time_s| time_s <= self.moment_s);
        if after == 0 || after > last {
            let held = if after == 0 { 0 } else { last };
            return Between { before: held, after: held, fraction: 0.0, span_s: 0.0 };
        }
        let (from_s, to_s) = (times_s[after - 1], times_s[after]);
        let fraction = ((self.moment_s - from_s) / (to_s - from_s)) as f32;
        let fraction = crate::math::clamp(fraction, 0.0, 1.0);
        Between { before: after - 1, after, fraction, span_s: (to_s - from_s) as f32 }
    }
}
