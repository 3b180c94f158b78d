//! Splines of the keyframer: tangents of tension, continuity and bias, and easing.
//!
//! # Source
//! Kochanek and Bartels, "Interpolating Splines with Local Tension, Continuity, and Bias Control",
//! SIGGRAPH 1984; lib3ds, `tracks.c`, for unevenly spaced keys; Eberly, "Quaternion Algebra and
//! Calculus", for rotations.

use super::keyframer::{Key, KeyTrack};
use tintype_model::math::{clamp, max};

/// Factors of the differences to the previous and the next key, for the incoming and the outgoing
/// tangent.
pub(super) struct Factors {
    pub(super) enter: [f32; 2],
    pub(super) leave: [f32; 2],
}

impl Factors {
    /// Tangent weights of a key with frames between it and both of its neighbours.
    pub(super) fn of<T>(key: &Key<T>, before: f32, behind: f32) -> Self {
        let middle = max(0.5 * (before + behind), 1.0e-6);
        let size = clamp(key.continuity.abs(), 0.0, 1.0);
        let [first, second] = [before, behind].map(|frames| {
            let share = frames / middle;
            share + size - size * share
        });
        let slack = 0.5 * (1.0 - key.tension);
        let (less, more) = (1.0 - key.continuity, 1.0 + key.continuity);
        let (from, to) = (1.0 + key.bias, 1.0 - key.bias);
        Self {
            enter: [slack * less * from * first, slack * more * to * first],
            leave: [slack * more * from * second, slack * less * to * second],
        }
    }
}

impl<T> KeyTrack<T> {
    /// Frames from the previous key and to the next, with those keys; in a track with joined ends,
    /// the first key is preceded by the last one's neighbour. None at ends.
    pub(super) fn neighbours(&self, key: usize) -> Option<[(&Key<T>, f32); 2]> {
        let last = self.keys.len().checked_sub(1)?;
        let is_end = key == 0 || key == last;
        if is_end && (!self.is_looped || last < 2) {
            return None;
        }
        let span = |a: usize, b: usize| {
            let (a, b) = (self.keys.get(a)?, self.keys.get(b)?);
            Some(frames(a.frame, b.frame))
        };
        let before = if key == 0 { last - 1 } else { key - 1 };
        let behind = if key == last { 1 } else { key + 1 };
        let own_before = if key == 0 { span(last - 1, last)? } else { span(key - 1, key)? };
        let own_behind = if key == last { span(0, 1)? } else { span(key, key + 1)? };
        Some([(self.keys.get(before)?, own_before), (self.keys.get(behind)?, own_behind)])
    }
}

/// Frames from one to another.
#[expect(clippy::cast_precision_loss, reason = "frames are counted in far fewer bits")]
pub(super) fn frames(from: i32, to: i32) -> f32 {
    to.wrapping_sub(from) as f32
}

/// The eased fraction of the way between two keys at a fraction of the time: the first key is left,
/// and the second reached, with constant or increasing speed.
///
/// # Source
/// The keyframer of 3D Studio: two parabolas, and a line between them.
pub(super) fn eased<T>(share: f32, from: &Key<T>, to: &Key<T>) -> f32 {
    let [mut leave, mut reach] = [from.ease_from, to.ease_to].map(|ease| clamp(ease, 0.0, 1.0));
    let sum = leave + reach;
    if sum <= 0.0 {
        return share;
    }
    if sum > 1.0 {
        (leave, reach) = (leave / sum, reach / sum);
    }
    let speed = 1.0 / (2.0 - leave - reach);
    if share < leave {
        speed / leave * share * share
    } else if share < 1.0 - reach {
        speed * (2.0 * share - leave)
    } else {
        let rest = 1.0 - share;
        if reach > 0.0 { 1.0 - speed / reach * rest * rest } else { 1.0 }
    }
}
