//! `layers` of an `[[instance]]`: clips mixed and laid over its pose.

use super::bounds::{Bounds, SPEED, UNIT};
use super::clip_word::ClipChoice;
use super::motion::keys_of;
use super::reader::{Item, Table};
use super::value::{Ramp, ramp, wrap};
use tintype_model::Wrap;

/// A layer over the pose of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Clips that are mixed by their weights; a single one for a layer of one clip.
    pub tracks: Vec<LayerTrack>,
    /// Opacity of the layer, 0 to 1: 1 hides what is below it.
    pub weight: AnimatedNumber,
    /// Affected joints, each with its descendants; by default all joints.
    pub joints: Vec<String>,
}

/// A clip of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerTrack {
    /// The clip.
    pub clip: ClipChoice,
    /// Weight relative to the other clips of the layer.
    pub weight: AnimatedNumber,
    /// Seconds of the clip per second of the scene.
    pub speed: AnimatedNumber,
    /// Time of the clip at time 0 of the scene.
    pub start_s: f64,
    /// Behaviour beyond the ends of the clip; by default that of the instance.
    pub wrap: Option<Wrap>,
}

/// A number over the time of the scene.
#[derive(Clone, Debug, PartialEq)]
pub enum AnimatedNumber {
    /// Constant, or linear over the frames of the scene.
    Ramp(Ramp),
    /// Through keys, held before the first and after the last.
    Keys {
        /// Times of the scene and values, ascending in time; never empty.
        keys: Vec<(f64, f64)>,
        /// Course between two keys.
        easing: Easing,
    },
}

/// Course of a number from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Easing {
    /// At even speed.
    Linear,
    /// Slow at both ends: after the fraction `t` of the time, the fraction `t²(3 - 2t)` of the
    /// change.
    Ease,
    /// The value of the key before until the next.
    Step,
}

impl Easing {
    const WORDS: [(&'static str, Self); 3] =
        [("linear", Self::Linear), ("ease", Self::Ease), ("step", Self::Step)];

    /// The word that a scene uses for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, easing)| *easing == self).map_or("", |(word, _)| word)
    }

    /// Fraction of the change after a fraction of the time.
    fn way(self, t: f64) -> f64 {
        match self {
            Self::Linear => t,
            Self::Ease => t * t * (3.0 - 2.0 * t),
            Self::Step => 0.0,
        }
    }

    /// Integral of [`Easing::way`] from 0 to `t`.
    fn sum(self, t: f64) -> f64 {
        match self {
            Self::Linear => 0.5 * t * t,
            Self::Ease => t * t * t * (1.0 - 0.5 * t),
            Self::Step => 0.0,
        }
    }
}

impl AnimatedNumber {
    /// A number that never changes.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self::Ramp(Ramp::Constant(value))
    }

    /// The number in the frame at position `k` of the scene's `n` frames, at time `time_s` of the
    /// scene.
    #[must_use]
    pub fn at(&self, k: usize, n: usize, time_s: f64) -> f64 {
        match self {
            Self::Ramp(ramp) => ramp.at(k, n),
            Self::Keys { keys, easing } => match around(keys, time_s) {
                (Some((from_s, from)), Some((to_s, to))) => {
                    from + (to - from) * easing.way((time_s - from_s) / (to_s - from_s))
                }
                (Some((_, value)), None) | (None, Some((_, value))) => value,
                (None, None) => 0.0,
            },
        }
    }

    /// The integral over the time of the scene from 0 to `time_s`: the elapsed clip time at this
    /// speed.
    #[must_use]
    pub fn integral(&self, time_s: f64) -> f64 {
        match self {
            Self::Ramp(
                Ramp::Constant(value)
                | Ramp::Range { from: value, .. }
                | Ramp::Steps { from: value, .. },
            ) => value * time_s,
            Self::Keys { keys, easing } => {
                sum_to(keys, *easing, time_s) - sum_to(keys, *easing, 0.0)
            }
        }
    }

    /// True if the number is 0 at all times.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Ramp(Ramp::Constant(value)) => *value == 0.0,
            Self::Ramp(Ramp::Range { from, to } | Ramp::Steps { from, to, .. }) => {
                *from == 0.0 && *to == 0.0
            }
            Self::Keys { keys, .. } => keys.iter().all(|(_, value)| *value == 0.0),
        }
    }
}

/// The key at or before a time, and the key after it.
type Around = (Option<(f64, f64)>, Option<(f64, f64)>);

fn around(keys: &[(f64, f64)], time_s: f64) -> Around {
    let after = keys.partition_point(|(at_s, _)| *at_s <= time_s);
    let before = after.checked_sub(1).and_then(|before| keys.get(before)).copied();
    (before, keys.get(after).copied())
}

/// The integral from the first key to a time; below 0 before the first key.
fn sum_to(keys: &[(f64, f64)], easing: Easing, time_s: f64) -> f64 {
    let Some(&(first_s, first)) = keys.first() else { return 0.0 };
    if time_s <= first_s {
        return first * (time_s - first_s);
    }
    let mut sum = 0.0;
    for pair in keys.windows(2) {
        let [(from_s, from), (to_s, to)] = *pair else { continue };
        let span_s = to_s - from_s;
        let t = if time_s < to_s { (time_s - from_s) / span_s } else { 1.0 };
        sum += span_s * (from * t + (to - from) * easing.sum(t));
        if time_s < to_s {
            return sum;
        }
    }
    keys.last().map_or(sum, |(last_s, last)| sum + last * (time_s - last_s))
}

impl LayerTrack {
    /// Time of its clip at time `time_s` of the scene, before wrapping.
    #[must_use]
    pub fn clip_time_s(&self, time_s: f64) -> f64 {
        self.start_s + self.speed.integral(time_s)
    }
}

/// Weights of clips beside each other.
const WEIGHT: Bounds = Bounds::Within(0.0, 1e6);

/// Reads the layers of an instance; `read_clip` reads the choice of a clip.
pub(super) fn read_layers(
    item: &Item<'_>,
    read_clip: &mut dyn FnMut(&Item<'_>) -> Option<ClipChoice>,
) -> Vec<Layer> {
    const EXPECTED: [&str; 2] = [
        "an array of { clip, weight, joint } or { mix, weight, joint }",
        "{ clip, weight, joint } or { mix, weight, joint }",
    ];
    let read = |table: &Table<'_>| {
        let tracks = match table.item("mix") {
            Some(mix) => {
                let goes_with = "a layer with one clip; in a mix, each clip has its own";
                for key in ["clip", "start_s", "speed", "wrap"] {
                    table.refuse(key, "mix", goes_with);
                }
                read_mix(&mix, read_clip)
            }
            None => vec![read_track(table, read_clip, AnimatedNumber::constant(1.0))],
        };
        let weight = table.get("weight", |item| level(item, UNIT));
        let joints = table.item("joint").map_or_else(Vec::new, |item| read_joints(&item));
        Layer { tracks, weight: weight.unwrap_or(AnimatedNumber::constant(1.0)), joints }
    };
    item.tables(EXPECTED).unwrap_or_default().iter().map(read).collect()
}

fn read_mix(
    item: &Item<'_>,
    read_clip: &mut dyn FnMut(&Item<'_>) -> Option<ClipChoice>,
) -> Vec<LayerTrack> {
    let tables = item.tables(["an array of { clip, weight }", "{ clip, weight }"]);
    let read = |table: &Table<'_>| {
        let weight = table.get("weight", |item| level(item, WEIGHT));
        read_track(table, read_clip, weight.unwrap_or(AnimatedNumber::constant(1.0)))
    };
    let tracks: Vec<LayerTrack> = tables.unwrap_or_default().iter().map(read).collect();
    if item.is_array() && tracks.iter().all(|track| track.weight.is_zero()) {
        let message = if tracks.is_empty() {
            "the mix has no clips"
        } else {
            "all weights of the mix are always 0"
        };
        item.invalid::<()>(message, "a mix needs a clip with a weight above 0");
    }
    tracks
}

fn read_track(
    table: &Table<'_>,
    read_clip: &mut dyn FnMut(&Item<'_>) -> Option<ClipChoice>,
    weight: AnimatedNumber,
) -> LayerTrack {
    let clip = table.require("clip", "the clip of the layer", read_clip);
    let speed = table.get("speed", |item| {
        let speed = level(item, SPEED)?;
        if let AnimatedNumber::Ramp(Ramp::Range { .. }) = speed {
            return item.wrong_type("a number or { keys = [{ at_s, value }] }");
        }
        Some(speed)
    });
    LayerTrack {
        clip: clip.unwrap_or(ClipChoice::Bind),
        weight,
        speed: speed.unwrap_or(AnimatedNumber::constant(1.0)),
        start_s: table.number("start_s"),
        wrap: wrap(table),
    }
}

/// Reads the name of a joint, or several.
fn read_joints(item: &Item<'_>) -> Vec<String> {
    const EXPECTED: &str = "the name of a joint, or an array of names";
    if !item.is_array() {
        return item.filled_text(EXPECTED).map(str::to_owned).into_iter().collect();
    }
    if item.is_empty_array() {
        let allowed = "expected the name of a joint; without the key, the layer affects all joints";
        item.invalid::<()>("the list is empty", allowed);
    }
    let elements = item.array(EXPECTED).unwrap_or_default();
    elements
        .iter()
        .filter_map(|name| name.filled_text("the name of a joint"))
        .map(str::to_owned)
        .collect()
}

/// Reads a number, `{ from, to }` or `{ keys = [{ at_s, value }], interpolation }`.
pub(super) fn level(item: &Item<'_>, bounds: Bounds) -> Option<AnimatedNumber> {
    const EXPECTED: &str = "a number, { from, to } or { keys = [{ at_s, value }] }";
    if !item.is_table() {
        return if item.as_text().is_some() || item.is_array() {
            item.wrong_type(EXPECTED)
        } else {
            item.number_within(bounds).map(AnimatedNumber::constant)
        };
    }
    let table = item.table(EXPECTED)?;
    let Some(list) = table.item("keys") else {
        table.refuse("interpolation", "{ from, to }", "keys");
        return ramp(item, bounds).map(AnimatedNumber::Ramp);
    };
    table.refuse("from", "keys", "to");
    table.refuse("to", "keys", "from");
    let easing = table.get("interpolation", |item| item.word("interpolation", &Easing::WORDS));
    let keys = keys_of(&list, |value| value.number_within(bounds))?;
    Some(AnimatedNumber::Keys { keys, easing: easing.unwrap_or(Easing::Linear) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(easing: Easing) -> AnimatedNumber {
        AnimatedNumber::Keys { keys: vec![(1.0, 0.0), (3.0, 1.0), (4.0, 0.5)], easing }
    }

    #[test]
    fn level_meets_its_keys_and_is_held_outside() {
        for easing in [Easing::Linear, Easing::Ease, Easing::Step] {
            let level = keys(easing);
            let at = [0.0, 1.0, 3.0, 4.0, 9.0].map(|time_s| level.at(0, 1, time_s));
            assert_eq!(at, [0.0, 0.0, 1.0, 0.5, 0.5], "{easing:?}");
        }
        assert_eq!(keys(Easing::Linear).at(0, 1, 1.5), 0.25);
        assert_eq!(keys(Easing::Ease).at(0, 1, 1.5), 0.15625);
        assert_eq!(keys(Easing::Step).at(0, 1, 2.9), 0.0);
        assert_eq!(AnimatedNumber::Ramp(Ramp::Range { from: 0.0, to: 1.0 }).at(1, 4, 7.0), 0.25);
    }

    #[test]
    fn integral_of_a_speed_is_the_sum_of_small_steps() {
        for easing in [Easing::Linear, Easing::Ease, Easing::Step] {
            let level = keys(easing);
            for end_s in [-1.0_f64, 0.5, 2.2, 3.0, 3.7, 6.0] {
                let steps = 40_000_u32;
                let step_s = end_s / f64::from(steps);
                let middle = |step: u32| (f64::from(step) + 0.5) * step_s;
                let sum: f64 = (0..steps).map(|step| level.at(0, 1, middle(step)) * step_s).sum();
                assert!((level.integral(end_s) - sum).abs() < 1e-4, "{easing:?} {end_s}");
            }
        }
        assert_eq!(AnimatedNumber::constant(2.0).integral(1.5), 3.0);
    }
}
