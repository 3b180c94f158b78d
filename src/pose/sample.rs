//! Sampling of clips between their keys.

use super::binding::{Binding, Driver};
pub(super) use crate::math::slerp_short;
use crate::math::{Affine3, Vec3};
use crate::model::{Clip, Pose, Skeleton, Track, Wrap};
use std::sync::Arc;

/// The pose in which the file defines its vertices.
#[must_use]
pub fn bind_pose(skeleton: &Skeleton) -> Pose {
    Pose { matrices: skeleton.joints().iter().map(|joint| joint.model_from_joint).collect() }
}

/// The moment of a clip that is shown `time_s` after its start.
///
/// The result lies in `start_s..=end_s`, or for [`Wrap::Loop`] in `start_s..start_s + period_s`, where a moment behind the
/// last key lies between the last key and the first.
#[must_use]
pub fn wrap_time(clip: &Clip, time_s: f64, wrap: Wrap) -> f64 {
    let length_s = clip.end_s - clip.start_s;
    clip.start_s + wrap.local_time_s(time_s, length_s, clip.period_s)
}

/// The pose of `skeleton` at a moment of `clip`, which [`wrap_time`] gave.
///
/// Translation and scale are interpolated linearly, rotation along the shorter arc at even speed. The clip's joints are
/// combined in the clip's own hierarchy, in `f32`.
#[must_use]
pub fn sample_clip(skeleton: &Skeleton, clip: &Clip, binding: &Binding, moment_s: f64) -> Pose {
    let mut cursor = Cursor::new(clip, moment_s);
    if clip.is_local {
        return sample_local(skeleton, clip, binding, &mut cursor);
    }
    let mut model_from_clip_joint: Vec<Affine3> = Vec::with_capacity(clip.joints.len());
    for joint in &clip.joints {
        let parent_from_joint = Affine3::from_scale_rotation_translation(
            cursor.sample(&joint.scale, Vec3::lerp),
            cursor.sample(&joint.rotation, slerp_short),
            cursor.sample(&joint.translation, Vec3::lerp),
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
    Pose { matrices }
}

/// The pose of a clip without a hierarchy: each joint on its parent in the skeleton.
fn sample_local<'a>(
    skeleton: &Skeleton,
    clip: &'a Clip,
    binding: &Binding,
    cursor: &mut Cursor<'a>,
) -> Pose {
    let mut matrices: Vec<Affine3> = Vec::with_capacity(skeleton.len());
    for (joint, driver) in skeleton.joints().iter().zip(&binding.drivers) {
        let parent_from_joint = match *driver {
            Driver::Parent(parent_from_joint) => parent_from_joint,
            Driver::Local(index, rest) => {
                let tracks = &clip.joints[index.index()];
                Affine3::from_scale_rotation_translation(
                    cursor.sample_or(&tracks.scale, rest.scale, Vec3::lerp),
                    cursor.sample_or(&tracks.rotation, rest.rotation, slerp_short),
                    cursor.sample_or(&tracks.translation, rest.translation, Vec3::lerp),
                )
            }
            Driver::Clip(_) => unreachable!("only clips with a hierarchy are bound so"),
        };
        matrices.push(match joint.parent {
            Some(parent) => matrices[parent.index()] * parent_from_joint,
            None => parent_from_joint,
        });
    }
    Pose { matrices }
}

/// Finds the keys around one moment, and remembers them for the next track with the same key times.
struct Cursor<'a> {
    clip: &'a Clip,
    moment_s: f64,
    last: Option<(&'a Arc<[f64]>, Between)>,
}

/// The key before a moment, the key after it, and how far it is between them.
#[derive(Clone, Copy)]
struct Between {
    before: usize,
    after: usize,
    fraction: f32,
}

impl<'a> Cursor<'a> {
    fn new(clip: &'a Clip, moment_s: f64) -> Self {
        Self { clip, moment_s, last: None }
    }

    /// As [`Cursor::sample`], with a default where the track has no value.
    fn sample_or<T: Copy>(&mut self, track: &'a Track<T>, rest: T, mix: fn(T, T, f32) -> T) -> T {
        if track.values.is_empty() { rest } else { self.sample(track, mix) }
    }

    fn sample<T: Copy>(&mut self, track: &'a Track<T>, mix: fn(T, T, f32) -> T) -> T {
        if track.values.len() == 1 {
            return track.values[0];
        }
        let between = match self.last {
            Some((times, between)) if Arc::ptr_eq(times, &track.times_s) => between,
            _ => self.find(&track.times_s),
        };
        self.last = Some((&track.times_s, between));
        if between.fraction == 0.0 {
            track.values[between.before] // a pose at a key time is the key, to the bit
        } else {
            mix(track.values[between.before], track.values[between.after], between.fraction)
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a fraction between keys")]
    fn find(&self, times_s: &[f64]) -> Between {
        let last = times_s.len() - 1;
        let after = times_s.partition_point(|&time_s| time_s <= self.moment_s);
        let (before, after, from_s, to_s) = if after == 0 {
            (0, 0, times_s[0], times_s[0])
        } else if after > last {
            // A track may end before its clip and holds; behind the clip's end it runs to its first key, which comes again one
            // period after the clip's start.
            let again_s = self.clip.start_s + self.clip.period_s;
            let from_s =
                if times_s[last] < self.clip.end_s { self.clip.end_s } else { times_s[last] };
            (last, 0, from_s, again_s)
        } else {
            (after - 1, after, times_s[after - 1], times_s[after])
        };
        let span_s = to_s - from_s;
        let fraction = if span_s > 0.0 { ((self.moment_s - from_s) / span_s) as f32 } else { 0.0 };
        Between { before, after, fraction: crate::math::clamp(fraction, 0.0, 1.0) }
    }
}
