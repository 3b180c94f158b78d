//! Runs of frames as clips: each frame is a key where its weight is 1.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tintype_model::clip::{Interpolation, MorphTrack, Track};
use tintype_model::math::{Affine3, Quat, Vec3};
use tintype_model::{Clip, LocalTransform, Tracks, Wrap};

/// Default frames per second, as in the engines.
pub(super) const USUAL_RATE_HZ: f64 = 10.0;
/// Name of a clip of unnamed frames.
const NAMELESS: &str = "frames";

/// A clip before its tracks.
pub(super) struct Motion {
    pub(super) name: String,
    /// For each part of the model its frame at each key, or its single frame.
    pub(super) frames: Vec<Vec<usize>>,
    pub(super) times_s: Arc<[f64]>,
    pub(super) rate_hz: f64,
    /// True if each frame lasts until the next, and the last key repeats the first frame.
    pub(super) is_stepped: bool,
    /// Behaviour before its first and after its last key.
    pub(super) wrap: Wrap,
}

impl Motion {
    /// A run of frames at an even rate.
    pub(super) fn run(name: &str, frames: Vec<Vec<usize>>, rate_hz: f64) -> Self {
        let count = frames.iter().map(Vec::len).max().unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "frames are counted in far fewer bits")]
        let times_s = (0..count).map(|key| key as f64 / rate_hz).collect();
        let name = if name.trim().is_empty() { NAMELESS } else { name };
        Self {
            name: name.to_owned(),
            frames,
            times_s,
            rate_hz,
            is_stepped: false,
            wrap: Wrap::Loop,
        }
    }

    /// The clip of the tracks of all parts.
    pub(super) fn clip(&self, joints: Vec<Tracks>, morphs: Vec<MorphTrack>) -> Clip {
        let times = (Arc::clone(&self.times_s), self.rate_hz);
        let mut clip = Clip::of_even_keys(joints, morphs, times, self.is_stepped);
        if self.is_stepped {
            clip.key_rate_hz = None;
        }
        clip.wrap = self.wrap;
        clip
    }

    /// Tracks of the weights of frames, by the number of the frame: keys where it begins, is shown,
    /// and has ended. The first frame has none.
    pub(super) fn weights(&self, part: usize) -> Vec<(usize, Track<f32>)> {
        let frames = &self.frames[part];
        let mut keys: BTreeMap<usize, BTreeMap<usize, f32>> = BTreeMap::new();
        for (key, &frame) in frames.iter().enumerate().filter(|(_, frame)| **frame > 0) {
            keys.entry(frame).or_default().insert(key, 1.0);
        }
        let ends = |(frame, mut own): (usize, BTreeMap<usize, f32>)| {
            let shown: Vec<usize> = own.keys().copied().collect();
            let beside = shown.iter().flat_map(|&key| [key.checked_sub(1), Some(key + 1)]);
            for key in beside.flatten().filter(|key| *key < frames.len()) {
                own.entry(key).or_insert(0.0);
            }
            (frame, self.track(own.into_iter()))
        };
        keys.into_iter().map(ends).collect()
    }

    /// The tracks of a joint with a transform in each frame.
    pub(super) fn tracks(&self, part: usize, name: &str, poses: &[Affine3]) -> Tracks {
        let frames = self.frames[part].iter().enumerate();
        let own = |(key, frame): (usize, &usize)| {
            (key, LocalTransform::of(poses.get(*frame).copied().unwrap_or(Affine3::IDENTITY)))
        };
        let keys: Vec<(usize, LocalTransform)> = frames.map(own).collect();
        let keys = keys.iter();
        Tracks {
            name: name.to_owned(),
            parent: None,
            translation: self.track::<Vec3>(keys.clone().map(|(key, own)| (*key, own.translation))),
            rotation: self.track::<Quat>(keys.clone().map(|(key, own)| (*key, own.rotation))),
            scale: self.track::<Vec3>(keys.map(|(key, own)| (*key, own.scale))),
        }
    }

    fn track<T>(&self, keys: impl Iterator<Item = (usize, T)>) -> Track<T> {
        let time = |key: usize| self.times_s.get(key).copied().unwrap_or(0.0);
        let (times, values): (Vec<f64>, Vec<T>) = keys.map(|(key, on)| (time(key), on)).unzip();
        let interpolation =
            if self.is_stepped { Interpolation::Step } else { Interpolation::Linear };
        Track { times_s: times.into(), values, interpolation }
    }
}

/// The name of a frame without its number.
pub(super) fn stem(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Runs of frames whose names differ only in numbers; all frames as one run if no two in order have
/// a common name.
pub(super) fn runs(names: &[String]) -> Vec<(&str, Range<usize>)> {
    let mut runs: Vec<(&str, Range<usize>)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        match runs.last_mut() {
            Some((last, range)) if *last == stem(name) => range.end = index + 1,
            _ => runs.push((stem(name), index..index + 1)),
        }
    }
    if runs.len() > 1 && runs.len() == names.len() { vec![("", 0..names.len())] } else { runs }
}
