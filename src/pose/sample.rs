//! Sampling of clips between their keys.

use super::binding::{Binding, Driver};
use crate::math::{Affine3, Quat, Vec3, func};
use crate::model::{Clip, Interpolation, Pose, Skeleton, Track, Wrap};
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
    Pose { matrices }
}

/// Finds the keys around one moment, and remembers them for the next track with the same key times.
struct Cursor<'a> {
    clip: &'a Clip,
    moment_s: f64,
    last: Option<(&'a Arc<[f64]>, Between)>,
}

/// The key before a moment, the key after it, the way between them as a fraction, and their distance.
#[derive(Clone, Copy)]
struct Between {
    before: usize,
    after: usize,
    fraction: f32,
    span_s: f32,
}

impl<'a> Cursor<'a> {
    fn new(clip: &'a Clip, moment_s: f64) -> Self {
        Self { clip, moment_s, last: None }
    }

    /// As [`Cursor::sample`], with a default where the track has no value.
    fn sample_or<T: Keyed>(&mut self, track: &'a Track<T>, rest: T) -> T {
        if track.values.is_empty() { rest } else { self.sample(track) }
    }

    fn sample<T: Keyed>(&mut self, track: &'a Track<T>) -> T {
        if track.values.len() == 1 {
            return track.values[0];
        }
        let between = match self.last {
            Some((times, between)) if Arc::ptr_eq(times, &track.times_s) => between,
            _ => self.find(&track.times_s),
        };
        self.last = Some((&track.times_s, between));
        let Between { before, after, fraction, span_s } = between;
        match track.interpolation {
            // A pose at a key time is the key, to the bit.
            Interpolation::Linear | Interpolation::Step if fraction == 0.0 => track.values[before],
            Interpolation::Linear => T::mix(track.values[before], track.values[after], fraction),
            Interpolation::Step => track.values[before],
            Interpolation::CubicSpline if fraction == 0.0 => track.values[3 * before + 1],
            Interpolation::CubicSpline => T::spline(
                [track.values[3 * before + 1], track.values[3 * after + 1]],
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
        Between {
            before,
            after,
            fraction: crate::math::clamp(fraction, 0.0, 1.0),
            span_s: span_s as f32,
        }
    }
}

/// A value that keys may have.
trait Keyed: Copy {
    /// The value between two keys.
    fn mix(from: Self, to: Self, fraction: f32) -> Self;

    /// The value of a cubic Hermite spline through two keys, from the tangent that leaves the first and the one that enters the
    /// second, both per second.
    ///
    /// Source: glTF 2.0, appendix C.
    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self;
}

/// The factors of the two keys and the two tangents.
fn hermite(fraction: f32, span_s: f32) -> ([f32; 2], [f32; 2]) {
    let (square, cube) = (fraction * fraction, fraction * fraction * fraction);
    let to = 3.0 * square - 2.0 * cube;
    ([1.0 - to, to], [(cube - 2.0 * square + fraction) * span_s, (cube - square) * span_s])
}

impl Keyed for Vec3 {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        from.lerp(to, fraction)
    }

    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self {
        let (key, tangent) = hermite(fraction, span_s);
        keys[0] * key[0] + tangents[0] * tangent[0] + keys[1] * key[1] + tangents[1] * tangent[1]
    }
}

impl Keyed for Quat {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        slerp_short(from, to, fraction)
    }

    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self {
        let (key, tangent) = hermite(fraction, span_s);
        let sum = keys[0] * key[0]
            + tangents[0] * tangent[0]
            + keys[1] * key[1]
            + tangents[1] * tangent[1];
        let length = sum.length();
        if length > 0.0 { sum * (1.0 / length) } else { keys[0] }
    }
}

/// Spherical interpolation along the shorter arc; nearly equal rotations are mixed linearly.
///
/// Source: Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985.
pub(super) fn slerp_short(from: Quat, to: Quat, fraction: f32) -> Quat {
    const NEARLY_EQUAL: f32 = 0.9999;
    let cosine = from.dot(to);
    let (cosine, to) = if cosine < 0.0 { (-cosine, -to) } else { (cosine, to) };
    let (share_from, share_to) = if cosine > NEARLY_EQUAL {
        (1.0 - fraction, fraction)
    } else {
        let angle_rad = func::acos(cosine);
        (func::sin(angle_rad * (1.0 - fraction)), func::sin(angle_rad * fraction))
    };
    (from * share_from + to * share_to).normalize()
}
