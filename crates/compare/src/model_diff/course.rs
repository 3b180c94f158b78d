//! Curves of tracks between their keys, in a normal form in which equal motions are equal, and the
//! differences between two clips.
//!
//! A value that never changes has no curve, so its interpolation flag makes no difference. A
//! quaternion and its negative are the same rotation, and interpolation takes the shorter way:
//! except for splines, each key is given the sign closest to the key before it. The sign of the
//! first key stays.

use crate::finding::{Element, Finding, Kind, Stage, Subject, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_model::math::{Quat, Vec3};
use tintype_model::{Clip, Interpolation, Track, Tracks};

/// A letter for the course of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// There is no key, or the value is constant.
    Still,
    /// According to the interpolation.
    Moving(Interpolation),
}

impl Course {
    /// Its letter in records.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Still => '-',
            Self::Moving(Interpolation::Linear) => 'l',
            Self::Moving(Interpolation::Step) => 's',
            Self::Moving(Interpolation::CubicSpline) => 'c',
        }
    }
}

/// The glTF word of a letter. None for a constant track.
#[must_use]
pub fn word(letter: char) -> Option<&'static str> {
    match letter {
        'l' => Some("LINEAR"),
        's' => Some("STEP"),
        'c' => Some("CUBICSPLINE"),
        _ => None,
    }
}

/// The values of a track at its keys, and the tangents of each for a spline.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<const N: usize> {
    /// One value per key; a single one if it never changes.
    pub values: Vec<[f32; N]>,
    /// Incoming and outgoing tangents, one per key; empty except for moving splines.
    pub tangents: Vec<[[f32; N]; 2]>,
    /// Its course.
    pub course: Course,
}

impl<const N: usize> Keys<N> {
    fn of<T: Copy>(track: &Track<T>, numbers: impl Fn(T) -> [f32; N], turns: bool) -> Self {
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        let number = |&value: &T| numbers(value).map(|value| value + 0.0);
        let mut values: Vec<[f32; N]> = if is_spline {
            track.values.chunks_exact(3).map(|key| number(&key[1])).collect()
        } else {
            track.values.iter().map(number).collect()
        };
        let mut tangents: Vec<[[f32; N]; 2]> = if is_spline {
            track.values.chunks_exact(3).map(|key| [number(&key[0]), number(&key[2])]).collect()
        } else {
            Vec::new()
        };
        // In a spline the sign of a key relative to the others matters.
        for key in 1..values.len() {
            let dot: f32 = values[key - 1].iter().zip(&values[key]).map(|(a, b)| a * b).sum();
            if turns && !is_spline && dot < 0.0 {
                values[key].iter_mut().for_each(|part| *part = -*part + 0.0);
            }
        }
        let is_still = values.windows(2).all(|pair| pair[0] == pair[1])
            && (values.len() < 2 || tangents.iter().flatten().flatten().all(|part| *part == 0.0));
        if is_still {
            values.truncate(1);
            tangents.clear();
        }
        let course = if is_still { Course::Still } else { Course::Moving(track.interpolation) };
        Self { values, tangents, course }
    }

    /// Positions or scales.
    #[must_use]
    pub fn of_vectors(track: &Track<Vec3>) -> Keys<3> {
        Keys::of(track, |value| value.to_array(), false)
    }

    /// Rotations.
    #[must_use]
    pub fn of_rotations(track: &Track<Quat>) -> Keys<4> {
        Keys::of(track, |value| value.to_array(), true)
    }

    /// Weights.
    #[must_use]
    pub fn of_weights(track: &Track<f32>) -> Keys<1> {
        Keys::of(track, |value| [value], false)
    }
}

/// The letters of position, rotation and scale.
#[must_use]
pub fn letters(tracks: &Tracks) -> String {
    let [position, scale] =
        [&tracks.translation, &tracks.scale].map(|track| Keys::<3>::of_vectors(track).course);
    let rotation = Keys::<4>::of_rotations(&tracks.rotation).course;
    [position, rotation, scale].map(Course::letter).iter().collect()
}

/// The tracks of a clip with changed curves: for each joint its name, its letters before, and its
/// letters now.
#[must_use]
pub fn findings(clip: &Subject, all: &[(&str, &str, &str)]) -> Vec<Finding> {
    // Joints and channels by their interpolation before and now.
    let mut groups: BTreeMap<(&str, &str), Vec<(&str, &str)>> = BTreeMap::new();
    let mut moving = 0;
    for (joint, before, now) in all {
        for ((channel, from), to) in CHANNELS.into_iter().zip(before.chars()).zip(now.chars()) {
            let [from, to] = [from, to].map(word);
            moving += usize::from(to.is_some());
            // A key between constant spans may have other values.
            if let (Some(from), Some(to)) = (from, to)
                && from != to
            {
                groups.entry((from, to)).or_default().push((joint, channel));
            }
        }
    }
    let mut found = Vec::new();
    for ((from, to), tracks) in groups {
        let tracks_of = Subject::all(Element::Track);
        let told = Finding::new(Stage::Pose, Kind::InterpolationChanged, tracks_of)
            .within(clip.clone())
            .from_to(Value::from(from), Value::from(to));
        let first = tracks[0].0;
        if tracks.len() == moving {
            found.push(told);
        } else if tracks.iter().all(|(joint, _)| *joint == first) {
            let of_channel = |(joint, channel): (&str, &str)| {
                told.clone().elements([Subject::joint(joint)]).property(channel)
            };
            found.extend(tracks.into_iter().map(of_channel));
        } else {
            found.push(told.count(tracks.len(), moving).elements([Subject::joint(first)]));
        }
    }
    found
}

/// The channels of a joint.
const CHANNELS: [&str; 3] = ["position", "rotation", "scale"];

/// True if all tracks are linear between their keys.
pub(super) fn is_straight(clip: &Clip) -> bool {
    let is = |interpolation| interpolation == Interpolation::Linear;
    clip.joints.iter().all(|tracks| {
        is(tracks.translation.interpolation)
            && is(tracks.rotation.interpolation)
            && is(tracks.scale.interpolation)
    }) && clip.morphs.iter().all(|track| is(track.weight.interpolation))
}

/// The tracks of two clips, by the names of their joints.
fn pairs(clips: [&Clip; 2]) -> Vec<(&Tracks, &Tracks)> {
    let by_name: BTreeMap<&str, &Tracks> =
        clips[1].joints.iter().rev().map(|tracks| (tracks.name.as_str(), tracks)).collect();
    let of_old = clips[0].joints.iter();
    of_old.filter_map(|own| Some((own, *by_name.get(own.name.as_str())?))).collect()
}

/// Joints among those that `has_moved` with a different number of keys, or different key times.
/// None if there are many, as in a rewritten clip.
pub(super) fn other_keys(clips: [&Clip; 2], has_moved: impl Fn(&str) -> bool) -> Vec<Finding> {
    const MOST: usize = 3;
    /// The number of significant keys, and their times.
    fn keys<T, const N: usize>(track: &Track<T>, keys: &Keys<N>) -> (usize, Arc<[f64]>) {
        (keys.values.len(), Arc::clone(&track.times_s))
    }
    let channels = |own: &Tracks| {
        let Tracks { translation, rotation, scale, .. } = own;
        [
            keys(translation, &Keys::<3>::of_vectors(translation)),
            keys(rotation, &Keys::<4>::of_rotations(rotation)),
            keys(scale, &Keys::<3>::of_vectors(scale)),
        ]
    };
    let mut found = Vec::new();
    for (old, new) in pairs(clips).into_iter().filter(|(old, _)| has_moved(&old.name)) {
        let both = channels(old).into_iter().zip(channels(new));
        for (((was, times_s), (is, to_times_s)), channel) in both.zip(CHANNELS) {
            let joint = Subject::joint(new.name.as_str());
            let has_gap =
                || times_s.iter().zip(&*to_times_s).any(|(was, is)| (was - is).abs() > 1e-4);
            if was > 1 && is > 1 && was != is {
                let keys = Subject::all(Element::Key);
                let told = Finding::new(Stage::Pose, Kind::CountChanged, keys).within(joint);
                let [was, is] = [was, is].map(Value::count);
                found.push(told.property(channel).from_to(was, is));
            } else if was > 1 && was == is && has_gap() {
                found.push(Finding::new(Stage::Pose, Kind::KeysMoved, joint).property(channel));
            }
        }
    }
    if found.len() > MOST { Vec::new() } else { found }
}

/// Interpolations and tangents that differ between two clips, joint by joint.
pub(super) fn differences(clips: [&Clip; 2]) -> Vec<Finding> {
    let pairs = pairs(clips);
    let letters: Vec<(&str, String, String)> =
        pairs.iter().map(|(old, new)| (new.name.as_str(), letters(old), letters(new))).collect();
    let all: Vec<(&str, &str, &str)> =
        letters.iter().map(|(name, old, new)| (*name, old.as_str(), new.as_str())).collect();
    let mut found = findings(&Subject::all(Element::Clip), &all);
    for (old, new) in pairs {
        let vectors = |tracks: &Tracks, k: usize| {
            let track = if k == 0 { &tracks.translation } else { &tracks.scale };
            Keys::<3>::of_vectors(track)
        };
        let turned = [old, new].map(|tracks| Keys::<4>::of_rotations(&tracks.rotation));
        let moved = [old, new].map(|tracks| vectors(tracks, 0));
        let scaled = [old, new].map(|tracks| vectors(tracks, 1));
        fn changed<const N: usize>([old, new]: &[Keys<N>; 2]) -> bool {
            let sign = |value: &f32| if old.values == new.values { *value } else { -value };
            let turned = |values: &[f32; N]| values.each_ref().map(sign);
            old.course == new.course
                && old.values.iter().map(turned).eq(new.values.iter().copied())
                && !old.tangents.iter().flatten().map(turned).eq(new
                    .tangents
                    .iter()
                    .flatten()
                    .copied())
        }
        let are_changed = [changed(&moved), changed(&turned), changed(&scaled)];
        for (channel, _) in CHANNELS.into_iter().zip(are_changed).filter(|(_, is)| *is) {
            let joint = Subject::joint(new.name.as_str());
            found.push(Finding::new(Stage::Pose, Kind::TangentsChanged, joint).property(channel));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, values: Vec<Quat>) -> Track<Quat> {
        Track { times_s: Arc::from([0.0, 1.0]), values, interpolation }
    }

    #[test]
    fn equal_motions_have_equal_keys() {
        let (a, b) = (Quat::from_xyzw(0.6, 0.0, 0.0, 0.8), Quat::from_xyzw(0.0, 0.6, 0.0, 0.8));
        let keys = |interpolation, values| Keys::<4>::of_rotations(&track(interpolation, values));
        let plain = keys(Interpolation::Linear, vec![a, b]);
        assert_eq!(
            keys(Interpolation::Linear, vec![-a, b]),
            keys(Interpolation::Linear, vec![-a, -b])
        );
        assert_eq!(plain, keys(Interpolation::Linear, vec![a, -b]));
        assert_ne!(plain, keys(Interpolation::Step, vec![a, b]));
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let spline = |last: Quat, out: Quat| {
            keys(Interpolation::CubicSpline, vec![zero, a, out, zero, last, zero])
        };
        assert_ne!(spline(a, zero), spline(-a, zero));
        assert_ne!(spline(a, zero).course, spline(a, b).course);
        for interpolation in [Interpolation::Linear, Interpolation::Step] {
            assert_eq!(keys(interpolation, vec![a, a]).course, Course::Still);
            assert_eq!(keys(interpolation, vec![a, -a]).values.len(), 1);
        }
    }

    #[test]
    fn courses_are_told_together() {
        let told = |all: &[(&str, &str, &str)]| {
            let found = findings(&Subject::named(Element::Clip, "wave"), all);
            found.iter().map(Finding::sentence).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(told(&[("a", "-l-", "-l-"), ("b", "-l-", "---")]), "");
        assert_eq!(
            told(&[("a", "-l-", "-s-"), ("b", "ll-", "ss-")]),
            "clip wave: interpolation of all tracks is STEP, was LINEAR"
        );
        assert_eq!(
            told(&[("a", "-l-", "-l-"), ("b", "ll-", "sl-")]),
            "clip wave: interpolation of the position of joint b is STEP, was LINEAR"
        );
    }
}
