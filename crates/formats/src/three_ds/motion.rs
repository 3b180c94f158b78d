//! The clip: keys of all nodes, as splines or samples.

use super::file::ThreeDsFile;
use super::keyframer::{KeyTrack, Node, Turn};
use super::spline::{Factors, eased, frames};
use crate::node_model::node_clip;
use crate::stated::decide_frame_rate;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::sync::Arc;
use tintype_base::precedence::Decided;
use tintype_model::math::slerp::slerp_short;
use tintype_model::math::{Quat, Vec3, func, max};
use tintype_model::{FileRepair, Interpolation, NamedClip, Track, Tracks};

/// Default frames per second; no file states them.
const USUAL_RATE_HZ: f64 = 30.0;
/// Maximum number of recursive halvings of the span between two keys.
const MAX_HALVES: u32 = 6;

/// Frames per second; a requested rate overrides the program's.
pub(super) fn rate(wish: Option<f64>) -> Result<Decided<f64>, ModelFormatError> {
    decide_frame_rate(wish, None, USUAL_RATE_HZ)
}

/// The clip of a file of this size in bytes, if a node has more than one key in a track.
///
/// # Errors
/// [`ModelFormatError`] for limits.
pub(super) fn build(
    file: &ThreeDsFile,
    names: &[String],
    (rate_hz, size, options): (f64, usize, &LoadOptions),
    told: &mut Told,
) -> Result<Vec<NamedClip>, ModelFormatError> {
    options.deadline.check("building clips")?;
    let ends = |node: &Node| {
        let of = |first: Option<i32>, last: Option<i32>| first.zip(last).filter(|(a, b)| a < b);
        [
            of(node.positions.first(), node.positions.last()),
            of(node.rotations.first(), node.rotations.last()),
            of(node.scales.first(), node.scales.last()),
        ]
    };
    let moving = || file.nodes.iter().flat_map(ends).flatten();
    let Some((first, last)) = moving().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
        return Ok(Vec::new());
    };
    let limit = options.limits.max_keys(size);
    let length = |first: i32, last: i32| {
        usize::try_from(i64::from(last) - i64::from(first)).ok().filter(|length| *length < limit)
    };
    let stated = file.segment.filter(|[first, last]| first < last);
    let sound = stated.filter(|[first, last]| length(*first, *last).is_some());
    if stated != sound {
        let what = "the segment has too many frames; the clip ends with its keys";
        told.note(FileRepair::OutOfRange, FilePlace::Byte(0), what);
    }
    let [first, last] = sound.unwrap_or([first, last]);
    let Some(count) = length(first, last) else { return Err(too_many(limit, usize::MAX)) };
    let mut maker = Maker { first, last, rate_hz, left: limit, limit };
    maker.spend(count + 1)?;
    let mut joints = Vec::new();
    for (node, name) in file.nodes.iter().zip(names) {
        options.deadline.check("building clips")?;
        if ends(node).iter().any(Option::is_some) {
            joints.push(Tracks {
                name: name.clone(),
                parent: None,
                translation: maker.vectors(&node.positions)?,
                rotation: maker.rotations(&node.rotations)?,
                scale: maker.vectors(&node.scales)?,
            });
        }
    }
    let times: Arc<[f64]> = (first..=last).map(|frame| maker.time_s(frame)).collect();
    Ok(vec![node_clip(joints, (times, rate_hz), false)])
}

fn too_many(limit: usize, found: usize) -> ModelFormatError {
    ModelFormatError::too_many_keys(FilePlace::Byte(0), found, limit)
}

impl<T> KeyTrack<T> {
    fn first(&self) -> Option<i32> {
        self.keys.first().map(|key| key.frame)
    }

    fn last(&self) -> Option<i32> {
        self.keys.last().map(|key| key.frame)
    }
}

/// Maker of tracks.
struct Maker {
    first: i32,
    last: i32,
    rate_hz: f64,
    /// Keys that may still be made.
    left: usize,
    limit: usize,
}

impl Maker {
    fn time_s(&self, frame: i32) -> f64 {
        (f64::from(frame) - f64::from(self.first)) / self.rate_hz
    }

    fn spend(&mut self, keys: usize) -> Result<(), ModelFormatError> {
        let found = (self.limit - self.left).saturating_add(keys);
        self.left = self.left.checked_sub(keys).ok_or_else(|| too_many(self.limit, found))?;
        Ok(())
    }

    /// Positions or scales. None for a single key, which equals the joint's rest value.
    fn vectors(&mut self, track: &KeyTrack<Vec3>) -> Result<Track<Vec3>, ModelFormatError> {
        let keys = &track.keys;
        if keys.len() < 2 {
            return Ok(Track::unset());
        }
        let tangents: Vec<[Vec3; 2]> = (0..keys.len()).map(|key| tangents(track, key)).collect();
        if keys.iter().any(|key| key.ease_from != 0.0 || key.ease_to != 0.0) {
            let evaluate = |key: usize, share: f32| hermite(track, &tangents, key, share);
            let is_near = |a: Vec3, b: Vec3| a.distance(b) <= 1.0e-4 * (1.0e-3 + a.length());
            return self.sampled(track, &evaluate, Vec3::lerp, is_near, |_| 1);
        }
        self.spend(keys.len())?;
        #[expect(clippy::cast_possible_truncation, reason = "a rate has a nearest f32")]
        let rate_hz = self.rate_hz as f32;
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (number, (key, [enter, leave])) in keys.iter().zip(&tangents).enumerate() {
            let span = |a: usize, b: usize| {
                let ends = keys.get(a).zip(keys.get(b));
                ends.map_or(1.0, |(a, b)| frames(a.frame, b.frame)) / rate_hz
            };
            let before_s = if number == 0 { 1.0 } else { span(number - 1, number) };
            times.push(self.time_s(key.frame));
            values.extend([*enter / before_s, key.value, *leave / span(number, number + 1)]);
        }
        let made =
            Track { times_s: times.into(), values, interpolation: Interpolation::CubicSpline };
        self.repeated(made, track.repeats)
    }

    fn rotations(&mut self, track: &KeyTrack<Turn>) -> Result<Track<Quat>, ModelFormatError> {
        if track.keys.len() < 2 {
            return Ok(Track::unset());
        }
        let controls: Vec<[Quat; 2]> =
            (0..track.keys.len()).map(|key| controls(track, key)).collect();
        let evaluate = |key: usize, share: f32| squad(track, &controls, key, share);
        let is_near = |a: Quat, b: Quat| 1.0 - a.dot(b).abs() <= 1.0e-8;
        // A quarter turn each: samples of whole turns would be indistinguishable.
        let pieces = |key: usize| {
            let angle = track.keys.get(key + 1).map_or(0.0, |key| key.value.angle_rad.abs());
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it saturates"
            )]
            let quarters = (angle / core::f32::consts::FRAC_PI_2) as u32;
            quarters.clamp(1, 256)
        };
        self.sampled(track, &evaluate, slerp_short, is_near, pieces)
    }

    /// Samples between keys, as many as required by linear interpolation; each span between two
    /// keys starts with several pieces.
    #[expect(clippy::cast_precision_loss, reason = "few pieces")]
    fn sampled<K, T: Copy>(
        &mut self,
        track: &KeyTrack<K>,
        evaluate: &dyn Fn(usize, f32) -> T,
        mix: fn(T, T, f32) -> T,
        is_near: fn(T, T) -> bool,
        pieces: impl Fn(usize) -> u32,
    ) -> Result<Track<T>, ModelFormatError> {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (number, pair) in track.keys.windows(2).enumerate() {
            let [from, to] = pair else { continue };
            let (from_s, to_s) = (self.time_s(from.frame), self.time_s(to.frame));
            let count = pieces(number);
            let mut spans: Vec<(f32, f32, u32)> = (0..count)
                .rev()
                .map(|piece| {
                    (piece as f32 / count as f32, (piece + 1) as f32 / count as f32, MAX_HALVES)
                })
                .collect();
            while let Some((a, b, halves)) = spans.pop() {
                let (at_a, at_b) = (evaluate(number, a), evaluate(number, b));
                let is_straight = [0.25, 0.5, 0.75].into_iter().all(|share| {
                    is_near(evaluate(number, a + (b - a) * share), mix(at_a, at_b, share))
                });
                if !is_straight && halves > 0 {
                    let middle = a + (b - a) * 0.5;
                    spans.extend([(middle, b, halves - 1), (a, middle, halves - 1)]);
                    continue;
                }
                self.spend(1)?;
                times.push(from_s + (to_s - from_s) * f64::from(a));
                values.push(at_a);
            }
        }
        let last = track.keys.len().saturating_sub(1);
        times.extend(track.keys.last().map(|key| self.time_s(key.frame)));
        values.push(evaluate(last - 1, 1.0));
        let made = Track { times_s: times.into(), values, interpolation: Interpolation::Linear };
        self.repeated(made, track.repeats)
    }

    /// A looping track, repeated from its last key until the clip ends.
    fn repeated<T: Copy>(
        &mut self,
        mut made: Track<T>,
        repeats: bool,
    ) -> Result<Track<T>, ModelFormatError> {
        let (Some(&first_s), Some(&last_s)) = (made.times_s.first(), made.times_s.last()) else {
            return Ok(made);
        };
        let (length_s, end_s) = (last_s - first_s, self.time_s(self.last));
        if !repeats || length_s <= 0.0 {
            return Ok(made);
        }
        let (mut times, own) = (made.times_s.to_vec(), made.values.clone());
        let width = own.len() / times.len().max(1);
        let mut shift_s = length_s;
        while first_s + shift_s < end_s {
            self.spend(made.times_s.len())?;
            // The last key is the first of the next round.
            times.extend(made.times_s.iter().skip(1).map(|time_s| time_s + shift_s));
            made.values.extend(own.iter().skip(width));
            shift_s += length_s;
        }
        made.times_s = times.into();
        Ok(made)
    }
}

/// The tangents of a key, scaled to the whole span from the previous key and to the next one.
fn tangents(track: &KeyTrack<Vec3>, number: usize) -> [Vec3; 2] {
    let keys = &track.keys;
    let value = |number: usize| keys.get(number).map(|key| key.value);
    let Some(own) = keys.get(number) else { return [Vec3::ZERO; 2] };
    if let Some([(before, ahead), (next, behind)]) = track.neighbours(number) {
        let Factors { enter, leave } = Factors::of(own, ahead, behind);
        // In a loop the first key and the last one are the same.
        let (from, to) = (own.value - before.value, next.value - own.value);
        return [from * enter[0] + to * enter[1], from * leave[0] + to * leave[1]];
    }
    let other = if number == 0 { value(1) } else { value(number - 1) };
    let way = other.map_or(Vec3::ZERO, |other| other - own.value);
    [if number == 0 { way } else { -way }; 2]
}

/// The position at a fraction of the time between two keys.
fn hermite(track: &KeyTrack<Vec3>, tangents: &[[Vec3; 2]], number: usize, share: f32) -> Vec3 {
    let pair = track.keys.get(number).zip(track.keys.get(number + 1));
    let slopes = tangents.get(number).zip(tangents.get(number + 1));
    let (Some((from, to)), Some((leave, enter))) = (pair, slopes) else {
        return track.keys.get(number).map_or(Vec3::ZERO, |key| key.value);
    };
    let way = eased(share, from, to);
    let (square, cube) = (way * way, way * way * way);
    let end = 3.0 * square - 2.0 * cube;
    from.value * (1.0 - end)
        + to.value * end
        + leave[1] * (cube - 2.0 * square + way)
        + enter[0] * (cube - square)
}

/// Half the axis of a rotation, as long as its angle.
fn log(rotation: Quat) -> Vec3 {
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let length = axis.length();
    if length < 1.0e-9 { Vec3::ZERO } else { axis * (func::atan2(length, rotation.w) / length) }
}

fn exp(half: Vec3) -> Quat {
    let angle = half.length();
    let axis = if angle < 1.0e-9 { half } else { half * (func::sin(angle) / angle) };
    Quat::from_xyzw(axis.x, axis.y, axis.z, func::cos(angle)).normalize()
}

/// The control rotations that bend the curve into a key and out of it.
fn controls(track: &KeyTrack<Turn>, number: usize) -> [Quat; 2] {
    let Some(key) = track.keys.get(number) else { return [Quat::IDENTITY; 2] };
    let own = key.value.rotation;
    let next_turn = track.keys.get(number + 1).map_or(0.0, |next| next.value.angle_rad.abs());
    let is_wide = max(key.value.angle_rad.abs(), next_turn) > core::f32::consts::PI;
    let Some([(before, ahead), (next, behind)]) = track.neighbours(number).filter(|_| !is_wide)
    else {
        return [own; 2];
    };
    let Factors { enter, leave } = Factors::of(key, ahead, behind);
    let near = |other: Quat| if other.dot(own) < 0.0 { -other } else { other };
    let from = log(near(before.value.rotation).inverse() * own);
    let to = log(own.inverse() * near(next.value.rotation));
    let into = (from * (1.0 - enter[0]) - to * enter[1]) * 0.5;
    let out = (from * leave[0] + to * (leave[1] - 1.0)) * 0.5;
    [own * exp(into), own * exp(out)]
}

/// The rotation at a fraction of the time between two keys; a rotation by more than half a turn is
/// interpolated evenly.
fn squad(track: &KeyTrack<Turn>, controls: &[[Quat; 2]], number: usize, share: f32) -> Quat {
    let pair = track.keys.get(number).zip(track.keys.get(number + 1));
    let bends = controls.get(number).zip(controls.get(number + 1));
    let (Some((from, to)), Some((out, into))) = (pair, bends) else {
        return track.keys.get(number).map_or(Quat::IDENTITY, |key| key.value.rotation);
    };
    let way = eased(share, from, to);
    let (a, b) = (from.value.rotation, to.value.rotation);
    if to.value.angle_rad.abs() > core::f32::consts::PI {
        return to.value.by(way) * a;
    }
    slerp_short(slerp_short(a, b, way), slerp_short(out[1], into[0], way), 2.0 * way * (1.0 - way))
}
