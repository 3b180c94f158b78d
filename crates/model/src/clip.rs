//! Keyframed motion, in the hierarchy of its file.

use super::{JointIndex, Skeleton};
use crate::math::{Aabb, Quat, Vec3, func};
use core::ops::Range;
use std::sync::Arc;

/// Values at key times, interpolated between keys and held or wrapped outside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<T> {
    /// Key times in seconds, ascending; tracks with the same keys refer to one list.
    pub times_s: Arc<[f64]>,
    /// One value per key. A single value applies at all times. Empty only in a clip that is
    /// [`Clip::is_local`]: there the joint keeps the skeleton's value.
    /// [`Interpolation::CubicSpline`] has three per key: incoming tangent, value, outgoing tangent.
    pub values: Vec<T>,
    /// Course of the value between two keys.
    pub interpolation: Interpolation,
}

/// Course of a value between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Linear; rotations along the shorter arc at even speed.
    #[default]
    Linear,
    /// The value of the key before.
    Step,
    /// A cubic Hermite spline with tangents per second; rotations are normalized afterwards.
    CubicSpline,
}

impl<T> Track<T> {
    /// A track that never changes.
    pub fn constant(value: T) -> Self {
        Self {
            times_s: Arc::from([0.0]),
            values: vec![value],
            interpolation: Interpolation::Linear,
        }
    }
}

impl<T> Track<T> {
    /// A track that leaves the joint of the skeleton unchanged.
    #[must_use]
    pub fn unset() -> Self {
        Self { times_s: Arc::from([]), values: Vec::new(), interpolation: Interpolation::Linear }
    }
}

impl<T> Track<T> {
    /// The positions of the keys among the values: the first, and the stride.
    fn places(&self) -> (usize, usize) {
        match self.interpolation {
            Interpolation::CubicSpline => (1, 3),
            Interpolation::Linear | Interpolation::Step => (0, 1),
        }
    }

    /// The value of a key, without its tangents.
    ///
    /// # Panics
    /// If the key does not exist.
    #[inline]
    #[must_use]
    pub fn key(&self, key: usize) -> T
    where
        T: Copy,
    {
        let (first, step) = self.places();
        self.values[first + step * key]
    }

    /// The values of the first and the last key. None without keys.
    #[must_use]
    pub fn ends(&self) -> Option<(T, T)>
    where
        T: Copy,
    {
        let last = self.times_s.len().checked_sub(1)?;
        Some((self.key(0), self.key(last)))
    }

    /// The values of all keys, without their tangents.
    pub fn keys_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let (first, step) = self.places();
        self.values.iter_mut().skip(first).step_by(step)
    }
}

/// The motion of one joint relative to its parent **in the clip's hierarchy**.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracks {
    /// The name of the joint in the clip's file.
    pub name: String,
    /// The parent in the clip's hierarchy.
    pub parent: Option<JointIndex>,
    /// Parent from joint: translation.
    pub translation: Track<Vec3>,
    /// Parent from joint: unit quaternions.
    pub rotation: Track<Quat>,
    /// Parent from joint: scale along the joint's axes, applied first.
    pub scale: Track<Vec3>,
}

impl Tracks {
    /// True if the joint changes over the clip.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        /// In a spline, a nonzero tangent moves the joint too, though the value of every key is the
        /// same.
        fn changes<T: PartialEq>(track: &Track<T>, zero: &T) -> bool {
            match track.interpolation {
                Interpolation::Linear | Interpolation::Step => {
                    track.values.windows(2).any(|pair| pair[0] != pair[1])
                }
                Interpolation::CubicSpline => {
                    let keys: Vec<&[T]> = track.values.chunks_exact(3).collect();
                    keys.windows(2).any(|pair| {
                        pair[0][1] != pair[1][1] || pair[0][2] != *zero || pair[1][0] != *zero
                    })
                }
            }
        }
        changes(&self.translation, &Vec3::ZERO)
            || changes(&self.rotation, &Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))
            || changes(&self.scale, &Vec3::ZERO)
    }
}

/// The weights of one morph target, or of an expression, over a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTrack {
    /// The joint of the meshes that it deforms, by its name in the clip's file; empty for an
    /// expression.
    pub joint: String,
    /// Index of the target within its meshes.
    pub target: usize,
    /// The name of the target, or of the expression; empty in a file without that mesh.
    pub name: String,
    /// Its weights.
    pub weight: Track<f32>,
}

impl MorphTrack {
    /// True if it moves an expression.
    #[must_use]
    pub fn is_expression(&self) -> bool {
        self.joint.is_empty() && !self.name.is_empty()
    }

    /// True if the weight changes over the clip.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.weight.values.windows(2).any(|pair| pair[0] != pair[1])
    }
}

/// A number of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Its translation, in units of the model.
    Position,
    /// Its rotation by angles in degrees.
    Rotation,
    /// Its scale.
    Scale,
}

/// The keys of one number of a joint as stored in the file, from which the reader made others; kept
/// to compare two states of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileKeys {
    /// The name of the joint in the clip's file.
    pub joint: String,
    /// The transform that it belongs to.
    pub channel: Channel,
    /// Its axis, 0 to 2.
    pub axis: u8,
    /// Seconds from the start of the clip.
    pub times_s: Vec<f32>,
    /// The value of each.
    pub values: Vec<f32>,
    /// The tangents of each, in and out: seconds and values to their ends.
    pub tangents: Vec<[f32; 4]>,
    /// The interpolation after each key.
    pub courses: Vec<Interpolation>,
}

/// A clip, or a part of one: one set of tracks for each joint of its hierarchy, parents before
/// children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Its joints and their motion, common to a clip and its parts, so tracks may have keys before
    /// its start and after its end.
    pub joints: Arc<[Tracks]>,
    /// Weights of morph targets, each the first of its joint and target; common to a clip and its
    /// parts.
    pub morphs: Arc<[MorphTrack]>,
    /// True if the clip has no separate hierarchy: its joints, matched by name (the first match
    /// counts), move relative to their parents in the skeleton, and other joints keep their
    /// transform relative to their parents.
    pub is_local: bool,
    /// The time of the first key, normally 0.
    pub start_s: f64,
    /// The time of the last key.
    pub end_s: f64,
    /// Seconds after which the motion repeats; never below `end_s - start_s`, and 0 for a clip of
    /// one key.
    ///
    /// `end_s - start_s`, plus [`Clip::open_gap_s`] if the last pose differs from the first.
    pub period_s: f64,
    /// Seconds from the last key to the first key of the repetition, if their poses differ: one key
    /// in formats whose last key is a pose like any other, 0 in formats that repeat at the last
    /// key.
    pub open_gap_s: f64,
    /// True if the last pose equals the first.
    pub closes: bool,
    /// Keys per second if the file has an even rate; for `inspect` and for naming a time by its
    /// key.
    pub key_rate_hz: Option<f64>,
    /// Times of all keys of the set in seconds, ascending; common to a clip and its parts.
    pub key_times_s: Arc<[f64]>,
    /// The range of keys that belong to this clip: all, or those of a part.
    pub keys: Range<usize>,
    /// Wrapping before its first and after its last key, as stated by its file; [`Wrap::Loop`] by
    /// default.
    pub wrap: Wrap,
    /// The bounding box that the file states for each key of the set, in model space: one for each
    /// of `key_times_s`, or none. It is not used for drawing or culling.
    pub stated_boxes: Arc<[Aabb]>,
    /// The skeleton of its file, whose rest pose it is relative to. None if the file has none. A
    /// model with another skeleton gets the clip [carried over](crate::pose::bind_clip).
    pub rest: Option<Arc<Skeleton>>,
    /// Keys of the file, if those of the tracks were computed from them.
    pub file_keys: Arc<[FileKeys]>,
}

impl Clip {
    /// A clip of evenly spaced keys from 0, `rate_hz` per second, whose joints move relative to
    /// their parents in the skeleton; `key_times_s` are their times. If it does not close, its last
    /// pose lasts as long as the others.
    #[must_use]
    pub fn of_even_keys(
        joints: Vec<Tracks>,
        morphs: Vec<MorphTrack>,
        (key_times_s, rate_hz): (Arc<[f64]>, f64),
        closes: bool,
    ) -> Self {
        let count = key_times_s.len();
        let end_s = key_times_s.last().copied().unwrap_or_default();
        let open_gap_s = if closes || count <= 1 { 0.0 } else { 1.0 / rate_hz };
        Self {
            joints: joints.into(),
            morphs: morphs.into(),
            is_local: true,
            end_s,
            period_s: if count > 1 { end_s + open_gap_s } else { 0.0 },
            open_gap_s,
            closes,
            key_rate_hz: (count > 1).then_some(rate_hz),
            keys: 0..count,
            key_times_s,
            ..Self::default()
        }
    }

    /// Number of key times.
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.keys.len()
    }

    /// The time of a key in seconds, counted from 0 at the first key of this clip. None beyond the
    /// last.
    #[must_use]
    pub fn key_time_s(&self, key: usize) -> Option<f64> {
        let index = self.keys.start.checked_add(key).filter(|index| self.keys.contains(index))?;
        self.key_times_s.get(index).copied()
    }

    /// The box that the file states for a time: the union of the boxes of both adjacent keys, as in
    /// Doom 3. None if the file states none, or none that is finite.
    #[must_use]
    pub fn stated_box(&self, moment_s: f64) -> Option<Aabb> {
        let times_s = self.key_times_s.get(self.keys.clone())?;
        let boxes = self.stated_boxes.get(self.keys.clone())?;
        let after = times_s.partition_point(|&key_s| key_s <= moment_s);
        let before = after.saturating_sub(1);
        let mut found = *boxes.get(before)?;
        if times_s.get(before).is_some_and(|&key_s| key_s < moment_s) {
            // After the last key a repeated clip continues with its first.
            found.merge(boxes.get(after).or_else(|| boxes.first())?);
        }
        (found.min.is_finite() && found.max.is_finite()).then_some(found)
    }

    /// Seconds from the first key to the last.
    #[must_use]
    pub fn length_s(&self) -> f64 {
        self.end_s - self.start_s
    }
}

/// Positions of joints are the same if they differ by less than this fraction of the diagonal of a
/// pose.
pub const SAME_POSITION_SHARE: f32 = 1.0e-4;
/// Rotations that differ by less than this are the same.
const SAME_ROTATION_DEG: f32 = 0.05;

/// True if two unit quaternions are the same rotation, within the tolerance for closed clips.
#[must_use]
pub fn is_same_rotation(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() >= func::cos(func::radians(SAME_ROTATION_DEG) * 0.5)
}

/// Flips neighbouring rotations to the same hemisphere, so that blending takes the shorter way.
pub fn align_hemispheres<'r>(rotations: impl IntoIterator<Item = &'r mut Quat>) {
    let mut before: Option<Quat> = None;
    for rotation in rotations {
        if before.is_some_and(|before| before.dot(*rotation) < 0.0) {
            *rotation = -*rotation;
        }
        before = Some(*rotation);
    }
}

/// A clip of a file with several.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedClip {
    /// Its name; made from its index if the file has none.
    pub name: String,
    /// The clip.
    pub clip: Clip,
    /// Playback options of the file.
    pub options: ClipOptions,
}

/// Playback options of a clip in its file, as counts of its animations, each of which moves one
/// joint, and of keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClipOptions {
    /// All animations.
    pub animations: usize,
    /// Those that are open: played once. The clip is played once if all are.
    pub open: usize,
    /// Those that are explicitly closed: repeated.
    pub closed: usize,
    /// Animations that request spline positions. Positions are still interpolated linearly, as in
    /// the library (D3DX) that plays such files.
    pub spline: usize,
    /// Rotation keys, and the number of them that are not of length 1 and are normalized.
    pub rotations: [usize; 2],
}

impl ClipOptions {
    /// The option common to all animations. None if the file sets none.
    #[must_use]
    pub fn wrap(&self) -> Option<Wrap> {
        match (self.open, self.closed) {
            (0, 0) => None,
            (open, _) if open == self.animations => Some(Wrap::Clamp),
            _ => Some(Wrap::Loop),
        }
    }
}

/// Continuation of a clip before its first and after its last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// It starts again after its period.
    #[default]
    Loop,
    /// Both ends are held.
    Clamp,
    /// It runs forwards, then backwards.
    PingPong,
}

impl Wrap {
    /// Maps seconds since a clip's first key into the clip: `0..=length_s`, or `0..period_s` for
    /// [`Wrap::Loop`].
    ///
    /// `length_s` is the time from the first to the last key and `period_s` is at least as long. A
    /// clip of a single key has neither and returns 0.
    #[must_use]
    pub fn local_time_s(self, elapsed_s: f64, length_s: f64, period_s: f64) -> f64 {
        let repeated = |period_s: f64| {
            let rest_s = if period_s > 0.0 { elapsed_s.rem_euclid(period_s) } else { 0.0 };
            // A tiny negative time rounds up to the period itself.
            if rest_s < period_s { rest_s } else { 0.0 }
        };
        match self {
            Self::Loop => repeated(period_s),
            Self::Clamp if elapsed_s > 0.0 => {
                if elapsed_s < length_s {
                    elapsed_s
                } else {
                    length_s
                }
            }
            Self::Clamp => 0.0,
            Self::PingPong => {
                let there_and_back_s = repeated(2.0 * length_s);
                if there_and_back_s > length_s {
                    2.0 * length_s - there_and_back_s
                } else {
                    there_and_back_s
                }
            }
        }
    }
}

/// One key of a recorded camera, in model space axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraKey {
    /// The eye.
    pub position: Vec3,
    /// World from view: the view looks along its -Z with +Y up.
    pub rotation: Quat,
    /// The horizontal field of view in radians.
    pub fov_x_rad: f32,
}

/// A recorded camera (`.md5camera`): one key per frame, with cuts without interpolation.
///
/// A cut takes no time: when the last key of a shot is due, the first key of the next shot is
/// shown. Each cut therefore shortens the recording by one key step, as in its engine.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraClip {
    /// One key a frame; never empty.
    pub keys: Vec<CameraKey>,
    /// Keys per second.
    pub key_rate_hz: f64,
    /// Keys at which a new shot starts, increasing, each above 0.
    pub cuts: Vec<usize>,
}

impl CameraClip {
    /// Key steps from the first key to the last, without the cuts.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.keys.len().saturating_sub(1).saturating_sub(self.cuts.len())
    }

    /// The key after this number of whole steps, at most the last.
    #[must_use]
    pub fn key_after(&self, steps: usize) -> usize {
        let mut key = steps;
        for &cut in &self.cuts {
            if key + 1 < cut {
                break;
            }
            key += 1;
        }
        key.min(self.keys.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_brings_every_time_into_the_clip() {
        for (wrap, elapsed_s, local_s) in [
            (Wrap::Loop, 1.25, 1.25),
            (Wrap::Loop, 2.5, 0.5),
            (Wrap::Loop, -0.5, 1.5),
            (Wrap::Loop, -1e-20, 0.0),
            (Wrap::Clamp, 1.25, 1.25),
            (Wrap::Clamp, 9.0, 1.5),
            (Wrap::Clamp, -1.0, 0.0),
            (Wrap::PingPong, 1.25, 1.25),
            (Wrap::PingPong, 2.0, 1.0),
            (Wrap::PingPong, 3.5, 0.5),
            (Wrap::PingPong, -0.5, 0.5),
        ] {
            assert_eq!(wrap.local_time_s(elapsed_s, 1.5, 2.0), local_s, "{wrap:?} {elapsed_s}");
        }
        for wrap in [Wrap::Loop, Wrap::Clamp, Wrap::PingPong] {
            assert_eq!(wrap.local_time_s(3.0, 0.0, 0.0), 0.0, "a clip of one moment");
        }
    }
}
