//! Animation curves: keys of one number over time, with the slopes and weights of their tangents.
//!
//! A cubic span is a Bézier curve in time and value: a tangent reaches over a fraction of the span,
//! its weight, which is a third if the file gives none.

use super::tree::{Node, Value, real_of};
use tintype_model::math::{larger, smaller};
use tintype_model::{Channel, FileKeys, FileRepair, Interpolation};

/// Default weight of a tangent.
const THIRD: f64 = 1.0 / 3.0;
/// Differences of values below which clamped tangents are flat.
const LEVEL: f64 = 0.001;
/// Seconds after a key at which a value jumps to that of the next key.
const AFTER_S: f64 = 5.0e-7;

/// Flags of a key.
const CONSTANT: i64 = 0x2;
const CUBIC: i64 = 0x8;
const TANGENT_TCB: i64 = 0x200;
const TANGENT_USER: i64 = 0x400;
const CONSTANT_NEXT: i64 = 0x100;
const CLAMP: i64 = 0x1000;
const TIME_INDEPENDENT: i64 = 0x2000;
const CLAMP_PROGRESSIVE: i64 = 0x4000;
const WEIGHTED_RIGHT: i64 = 0x100_0000;
const WEIGHTED_NEXT_LEFT: i64 = 0x200_0000;

/// Course of a value from a key to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// Value of the key.
    Constant,
    /// Value of the next key.
    ConstantNext,
    Linear,
    Cubic,
}

/// End of a tangent: steps from its key in time and value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tangent {
    time_s: f64,
    value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    time_s: f64,
    value: f64,
    course: Course,
    /// Slopes into the key and out of it; both steps go forwards.
    left: Tangent,
    right: Tangent,
}

/// Continuation before the first key or after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extrapolation {
    Constant,
    Slope,
    Repeat,
    RepeatRelative,
    Mirror,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    keys: Vec<Key>,
    before: (Extrapolation, Option<f64>),
    after: (Extrapolation, Option<f64>),
}

/// A key as written in the file, before its tangents are computed.
struct Raw {
    time_s: f64,
    value: f64,
    flags: i64,
    /// Outgoing slope and weight, and those into the next key.
    right: (f64, f64),
    next_left: (f64, f64),
    tension: [f64; 3],
}

impl Curve {
    /// Reads the curve of a separate object, version 7000 and later; `tell` is called with faults
    /// of its keys.
    ///
    /// # Errors
    /// The reason why its arrays do not fit.
    pub(super) fn read(
        node: &Node,
        ticks_per_second: f64,
        tell: &mut dyn FnMut(FileRepair, &str),
    ) -> Result<Self, String> {
        let list = |name: &str| {
            let found = node.ints_of(name)?;
            found.ok_or_else(|| format!("it has no {name}"))
        };
        let times = list("KeyTime")?;
        let values = node.reals_of("KeyValueFloat")?.ok_or("it has no KeyValueFloat")?;
        if times.len() != values.len() {
            let (times, values) = (times.len(), values.len());
            let message =
                format!("{times} key times but {values} values; incomplete keys are skipped");
            tell(FileRepair::CountMismatch, &message);
        }
        let count_of_keys = times.len().min(values.len());
        let (flags, counts) = (list("KeyAttrFlags")?, list("KeyAttrRefCount")?);
        let data = node.child("KeyAttrDataFloat").ok_or("it has no KeyAttrDataFloat")?;
        // Weights are stored in the bits of a float, so text files write them as integers.
        let data: Vec<(f64, u32)> = match data.values.as_slice() {
            [Value::Ints(list)] => list.iter().map(|&bits| of_bits(bits)).collect(),
            _ => data.reals()?.into_iter().map(of_real).collect(),
        };
        if flags.len() != counts.len() || data.len() < 4 * flags.len() {
            return Err("the attributes of its keys do not match".to_owned());
        }
        let mut raws = Vec::new();
        let attributes = flags.iter().zip(&counts).zip(data.chunks_exact(4));
        let mut keys = times.iter().zip(&values);
        for ((&flags, &count), data) in attributes {
            let number = |index: usize| data.get(index).copied().unwrap_or_default();
            let bits = number(2).1;
            let weight = |is_set: bool, bits: u32| {
                if is_set { f64::from(bits & 0xffff) * 0.0001 } else { THIRD }
            };
            let count = usize::try_from(count).unwrap_or(0);
            for (&time, &value) in keys.by_ref().take(count) {
                raws.push(Raw {
                    time_s: real_of(time) / ticks_per_second,
                    value,
                    flags,
                    right: (number(0).0, weight(flags & WEIGHTED_RIGHT != 0, bits)),
                    next_left: (number(1).0, weight(flags & WEIGHTED_NEXT_LEFT != 0, bits >> 16)),
                    tension: [number(0).0, number(1).0, number(2).0],
                });
            }
        }
        if raws.len() < count_of_keys {
            return Err(format!("only {} of its {count_of_keys} keys have attributes", raws.len()));
        }
        Ok(Self::build(node, &Self::sound(raws, tell)?))
    }

    /// Reads the keys of a take's channel, before version 7000. None without keys.
    ///
    /// # Errors
    /// The reason why its keys cannot be read.
    pub(super) fn read_channel(
        node: &Node,
        version: u32,
        ticks_per_second: f64,
        tell: &mut dyn FnMut(FileRepair, &str),
    ) -> Result<Option<Self>, String> {
        let Some(keys) = node.child("Key") else { return Ok(None) };
        let stated = node.int_of("KeyVer").filter(|&stated| stated > 0);
        let key_version = stated.unwrap_or(match version {
            0..5000 => 4003,
            5000..6000 => 4004,
            _ => 4005,
        });
        // Keys of numbers alone were read as one list.
        let spread: Vec<Value> = match keys.values.as_slice() {
            [Value::Reals(list)] => list.iter().map(|&real| Value::Real(real)).collect(),
            [Value::Ints(list)] => list.iter().map(|&whole| Value::Int(whole)).collect(),
            list => list.to_vec(),
        };
        let mut words = Words { list: spread.iter() };
        let mut raws = Vec::new();
        let most = node.int_of("KeyCount").and_then(|count| usize::try_from(count).ok());
        while raws.len() < most.unwrap_or(usize::MAX) && !words.is_done() {
            raws.push(words.key(key_version, ticks_per_second)?);
        }
        Ok(Some(Self::build(node, &Self::sound(raws, tell)?)))
    }

    /// Only finite keys, by time.
    fn sound(
        mut raws: Vec<Raw>,
        tell: &mut dyn FnMut(FileRepair, &str),
    ) -> Result<Vec<Raw>, String> {
        let is_finite = |raw: &Raw| raw.time_s.is_finite() && raw.value.is_finite();
        if let Some(bad) = raws.iter().position(|raw| !is_finite(raw)) {
            let count = raws.len();
            raws.retain(is_finite);
            if raws.is_empty() {
                return Err("no key is finite".to_owned());
            }
            let gone = count - raws.len();
            let message = format!("key {bad} is not finite; {gone} of {count} keys are skipped");
            tell(FileRepair::NotFinite, &message);
        }
        if !raws.is_sorted_by(|a, b| a.time_s <= b.time_s) {
            raws.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
            tell(FileRepair::KeyTimes, "its key times do not increase; they are sorted");
        }
        Ok(raws)
    }

    fn build(node: &Node, raws: &[Raw]) -> Self {
        let mut keys = Vec::new();
        let mut left = (0.0, THIRD);
        for (index, raw) in raws.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| raws.get(before));
            let before = before.filter(|before| before.time_s < raw.time_s);
            let after = raws.get(index + 1).filter(|after| after.time_s > raw.time_s);
            let slope_to = |after: &Raw| (after.value - raw.value) / (after.time_s - raw.time_s);
            let (mut right, mut next_left) = (raw.right, raw.next_left);
            let course = if raw.flags & CONSTANT != 0 {
                (right, next_left) = ((0.0, THIRD), (0.0, THIRD));
                match raw.flags & CONSTANT_NEXT {
                    0 => Course::Constant,
                    _ => Course::ConstantNext,
                }
            } else if raw.flags & CUBIC != 0 {
                if raw.flags & TANGENT_TCB != 0 {
                    (left.0, right.0) = tcb_slopes(raw, before, after);
                    next_left = (0.0, THIRD);
                } else if raw.flags & TANGENT_USER == 0 {
                    (left.0, right.0) = auto_slopes(raw, before, after, left, right);
                }
                Course::Cubic
            } else {
                let slope = after.map_or(0.0, slope_to);
                (right, next_left) = ((slope, THIRD), (slope, THIRD));
                Course::Linear
            };
            let tangent = |(slope, weight): (f64, f64), span_s: f64| Tangent {
                time_s: weight * span_s,
                value: slope * weight * span_s,
            };
            let left_span = before.map_or(0.0, |before| raw.time_s - before.time_s);
            let right_span = after.map_or(0.0, |after| after.time_s - raw.time_s);
            let (time_s, value) = (raw.time_s, raw.value);
            let (left_end, right_end) = (tangent(left, left_span), tangent(right, right_span));
            keys.push(Key { time_s, value, course, left: left_end, right: right_end });
            left = next_left;
        }
        let before = beyond(node.child("Pre-Extrapolation"));
        let after = beyond(node.child("Post-Extrapolation"));
        Self { keys, before, after }
    }

    /// Times of its keys; `add` is called with each, and with true if the value jumps there. A key
    /// that is replaced by the next one still has its value at its time, and jumps right after it.
    pub(super) fn times(&self, mut add: impl FnMut(f64, bool)) {
        let mut jumps = false;
        for key in &self.keys {
            add(key.time_s, jumps);
            if key.course == Course::ConstantNext {
                add(key.time_s + AFTER_S, true);
            }
            jumps = key.course == Course::Constant;
        }
    }

    /// Its keys, with times from a start and values in a unit; not assigned to a joint yet.
    #[expect(clippy::cast_possible_truncation, reason = "to compare, and for people")]
    pub(super) fn file_keys(&self, start_s: f64, unit: f64) -> FileKeys {
        let tangents = |key: &Key| {
            let ends =
                [key.left, key.right].map(|end| [end.time_s as f32, (end.value * unit) as f32]);
            [ends[0][0], ends[0][1], ends[1][0], ends[1][1]]
        };
        let course = |key: &Key| match key.course {
            Course::Constant | Course::ConstantNext => Interpolation::Step,
            Course::Linear => Interpolation::Linear,
            Course::Cubic => Interpolation::CubicSpline,
        };
        FileKeys {
            joint: String::new(),
            channel: Channel::Position,
            axis: 0,
            times_s: self.keys.iter().map(|key| (key.time_s - start_s) as f32).collect(),
            values: self.keys.iter().map(|key| (key.value * unit) as f32).collect(),
            tangents: self.keys.iter().map(tangents).collect(),
            courses: self.keys.iter().map(course).collect(),
        }
    }

    /// Values of its keys.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.keys.iter().map(|key| key.value)
    }

    /// Span of its keys, and true if it repeats beyond them.
    pub(super) fn span(&self) -> Option<(f64, f64, bool)> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        let repeats = |beyond: Extrapolation| {
            !matches!(beyond, Extrapolation::Constant | Extrapolation::Slope)
        };
        Some((first.time_s, last.time_s, repeats(self.before.0) || repeats(self.after.0)))
    }

    /// The value at a time. None without keys.
    pub(super) fn value(&self, time_s: f64) -> Option<f64> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        if self.keys.len() > 1 && time_s < first.time_s {
            return Some(self.beyond(time_s, first, self.before, true));
        }
        if self.keys.len() > 1 && time_s > last.time_s {
            return Some(self.beyond(time_s, last, self.after, false));
        }
        Some(self.within(time_s).unwrap_or(last.value))
    }

    fn within(&self, time_s: f64) -> Option<f64> {
        let after = self.keys.partition_point(|key| key.time_s <= time_s);
        let to = self.keys.get(after)?;
        let Some(from) = after.checked_sub(1).and_then(|before| self.keys.get(before)) else {
            return Some(to.value);
        };
        if from.time_s >= time_s {
            return Some(from.value);
        }
        let span_s = to.time_s - from.time_s;
        let share = (time_s - from.time_s) / span_s;
        Some(match from.course {
            Course::Constant => from.value,
            Course::ConstantNext => to.value,
            Course::Linear => from.value + (to.value - from.value) * share,
            Course::Cubic => {
                let way = way_of(from.right.time_s / span_s, 1.0 - to.left.time_s / span_s, share);
                let points =
                    [from.value, from.value + from.right.value, to.value - to.left.value, to.value];
                bezier(points, way)
            }
        })
    }

    fn beyond(
        &self,
        time_s: f64,
        key: &Key,
        beyond: (Extrapolation, Option<f64>),
        is_before: bool,
    ) -> f64 {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else {
            return key.value;
        };
        let length_s = last.time_s - first.time_s;
        let count = beyond.1;
        match beyond.0 {
            Extrapolation::Constant => return key.value,
            Extrapolation::Slope => {
                let tangent = if is_before { key.right } else { key.left };
                let slope = tangent.value / tangent.time_s;
                let slope = if slope.is_finite() { slope } else { 0.0 };
                return key.value + slope * (time_s - key.time_s);
            }
            _ if count == Some(0.0) || length_s <= 0.0 => return key.value,
            _ => {}
        }
        let gone_s = if is_before { first.time_s - time_s } else { time_s - last.time_s };
        let mut round = (gone_s / length_s).floor();
        let mut rest_s = gone_s - round * length_s;
        if let Some(count) = count.filter(|&count| round >= count) {
            (round, rest_s) = (count - 1.0, length_s);
        }
        let is_even = round * 0.5 == (round * 0.5).floor();
        if beyond.0 == Extrapolation::Mirror && is_even {
            rest_s = length_s - rest_s;
        }
        if is_before {
            rest_s = length_s - rest_s;
        }
        let value = self.within(first.time_s + rest_s).unwrap_or(last.value);
        if beyond.0 != Extrapolation::RepeatRelative {
            return value;
        }
        let step = last.value - first.value;
        value + (round + 1.0) * if is_before { -step } else { step }
    }
}

/// Words of the keys of a channel.
struct Words<'w, 'a> {
    list: std::slice::Iter<'w, Value<'a>>,
}

impl Words<'_, '_> {
    fn is_done(&self) -> bool {
        self.list.as_slice().is_empty()
    }

    fn real(&mut self) -> Result<f64, String> {
        let found = self.list.next().and_then(Value::real);
        found.ok_or_else(|| "its keys end inside a key, or a number is missing".to_owned())
    }

    fn letter(&mut self) -> Result<u8, String> {
        let found = self.list.next().and_then(Value::letter);
        found.ok_or_else(|| "its keys end inside a key, or a letter is missing".to_owned())
    }

    fn key(&mut self, version: i64, ticks_per_second: f64) -> Result<Raw, String> {
        let (time_s, value) = (self.real()? / ticks_per_second, self.real()?);
        let (right, next_left) = ((0.0, THIRD), (0.0, THIRD));
        let mut raw = Raw { time_s, value, flags: 0, right, next_left, tension: [0.0; 3] };
        match self.letter()? {
            b'L' => {}
            b'C' => {
                let is_next = version >= 4004 && self.letter()? == b'n';
                raw.flags = CONSTANT | if is_next { CONSTANT_NEXT } else { 0 };
            }
            b'U' => self.cubic(version, &mut raw)?,
            other => return Err(format!("a key of unknown kind {:?}", char::from(other))),
        }
        Ok(raw)
    }

    fn cubic(&mut self, version: i64, raw: &mut Raw) -> Result<(), String> {
        let kind = self.letter()?;
        // Kinds without explicit slopes are automatic; the meaning of their numbers is unknown.
        raw.flags = CUBIC | CLAMP_PROGRESSIVE | TIME_INDEPENDENT;
        let (skipped, weights) = match kind {
            b's' | b'b' => {
                raw.flags = CUBIC | TANGENT_USER;
                (raw.right.0, raw.next_left.0) = (self.real()?, self.real()?);
                (0, usize::from(version != 4003))
            }
            b'a' => (0, usize::from(version > 4004)),
            b'p' | b'q' => (2, if version <= 4004 { 1 } else { 2 }),
            b't' => (3, 0),
            b'd' => (1, 1),
            other => return Err(format!("a key of unknown slope {:?}", char::from(other))),
        };
        for _ in 0..skipped {
            self.list.next();
        }
        for _ in 0..weights {
            match self.letter()? {
                b'n' | b'c' => {}
                b'a' => (raw.right.1, raw.next_left.1) = (self.real()?, self.real()?),
                b'l' => raw.next_left.1 = self.real()?,
                b'r' => raw.right.1 = self.real()?,
                other => {
                    return Err(format!("a key of unknown weight {:?}", char::from(other)));
                }
            }
        }
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of attributes have 32 bits")]
fn of_real(real: f64) -> (f64, u32) {
    (real, (real as f32).to_bits())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits as a number")]
fn of_bits(bits: i64) -> (f64, u32) {
    let bits = bits as u32;
    (f64::from(f32::from_bits(bits)), bits)
}

fn beyond(node: Option<&Node>) -> (Extrapolation, Option<f64>) {
    let kind = node.and_then(|node| node.child("Type")?.values.first()?.letter());
    let count = node.and_then(|node| node.int_of("Repetition")).filter(|&count| count >= 0);
    let kind = match kind {
        Some(b'K') => Extrapolation::Slope,
        Some(b'R') => Extrapolation::Repeat,
        Some(b'A') => Extrapolation::RepeatRelative,
        Some(b'M') => Extrapolation::Mirror,
        _ => Extrapolation::Constant,
    };
    (kind, count.map(real_of))
}

/// Slopes of tension, continuity and bias.
fn tcb_slopes(raw: &Raw, before: Option<&Raw>, after: Option<&Raw>) -> (f64, f64) {
    let slope = |from: &Raw, to: &Raw| (to.value - from.value) / (to.time_s - from.time_s);
    let left = before.map_or(0.0, |before| slope(before, raw));
    let right = after.map_or(0.0, |after| slope(raw, after));
    let share = if before.is_some() && after.is_some() { 0.5 } else { 1.0 };
    let [tension, continuity, bias] = raw.tension;
    let factor =
        |bias: f64, continuity: f64| share * (1.0 - tension) * (1.0 + bias) * (1.0 + continuity);
    (
        factor(bias, -continuity) * left + factor(-bias, continuity) * right,
        factor(bias, continuity) * left + factor(-bias, -continuity) * right,
    )
}

/// Slopes of automatic tangents into a key and out of it. The slopes stored in the file are their
/// bias, separate for left and right if they are not opposite.
fn auto_slopes(
    raw: &Raw,
    before: Option<&Raw>,
    after: Option<&Raw>,
    left: (f64, f64),
    right: (f64, f64),
) -> (f64, f64) {
    match (before, after) {
        (Some(before), Some(after)) => {
            let slope = |bias: f64| auto_slope([before, raw, after], [left.1, right.1], bias);
            if (left.0 + right.0).abs() <= 0.0001 {
                let both = slope(right.0);
                (both, both)
            } else {
                (slope(-left.0), slope(right.0))
            }
        }
        (Some(before), None) => {
            let both = end_slope(raw, before, raw, -left.0);
            (both, both)
        }
        (None, Some(after)) => {
            let both = end_slope(raw, raw, after, right.0);
            (both, both)
        }
        (None, None) => (0.0, 0.0),
    }
}

/// Bias beyond 5 adds an extra slope.
fn excess(bias: f64) -> f64 {
    let over = larger(bias.abs() / 100.0 - 5.0, 0.0);
    over * over * 40.0
}

/// The slope at the first or the last key.
fn end_slope(raw: &Raw, from: &Raw, to: &Raw, bias: f64) -> f64 {
    let is_level = raw.flags & CLAMP != 0 && (to.value - from.value).abs() <= LEVEL;
    if raw.flags & CLAMP_PROGRESSIVE != 0 || is_level {
        return 0.0;
    }
    let slope = (to.value - from.value) / (to.time_s - from.time_s);
    match raw.flags & TIME_INDEPENDENT {
        0 => slope + if bias > 0.0 { excess(bias) } else { -excess(bias) },
        _ => slope,
    }
}

fn auto_slope([before, raw, after]: [&Raw; 3], weights: [f64; 2], bias: f64) -> f64 {
    let near = smaller((before.value - raw.value).abs(), (after.value - raw.value).abs());
    if raw.flags & CLAMP != 0 && near <= LEVEL {
        return 0.0;
    }
    let spans_s = [raw.time_s - before.time_s, after.time_s - raw.time_s];
    let steps = [raw.value - before.value, after.value - raw.value];
    let mut slope = (after.value - before.value) / (after.time_s - before.time_s);
    if raw.flags & TIME_INDEPENDENT == 0 {
        let slopes = [steps[0] / spans_s[0], steps[1] / spans_s[1]];
        let share = spans_s[0] / (spans_s[0] + spans_s[1]);
        slope = slope * 0.5 + (slopes[0] * (1.0 - share) + slopes[1] * share) * 0.5;
        let weight = bias.abs() / 100.0;
        if weight > 0.0001 {
            let target = if bias > 0.0 { slopes[1] } else { slopes[0] };
            let way = target - slope;
            slope = slope * (1.0 - weight) + target * weight;
            let turn = if way.abs() > 0.00001 { way } else { bias };
            slope += if turn > 0.0 { excess(bias) } else { -excess(bias) };
        }
    }
    if raw.flags & CLAMP_PROGRESSIVE != 0 {
        // A tangent ends at most at the neighbouring key.
        let sign = if slope >= 0.0 { 1.0 } else { -1.0 };
        let mut size = slope * sign;
        for ((weight, span_s), step) in weights.into_iter().zip(spans_s).zip(steps) {
            let most = sign * step / (weight * span_s);
            size = smaller(size, if most > 0.0 { most } else { 0.0 });
        }
        slope = size * sign;
    }
    slope
}

fn bezier([a, b, c, d]: [f64; 4], way: f64) -> f64 {
    let rest = 1.0 - way;
    rest * rest * rest * a + 3.0 * rest * way * (rest * b + way * c) + way * way * way * d
}

/// The parameter of a Bézier curve from 0 to 1, with the inner points `x1` and `x2`, at which its
/// time is `time`.
fn way_of(x1: f64, x2: f64, time: f64) -> f64 {
    const STEPS: usize = 64;
    const NEAR: f64 = 1.0e-7;
    if (x1 - THIRD).abs() < NEAR && (x2 - 2.0 * THIRD).abs() < NEAR {
        return time;
    }
    let (mut low, mut high, mut way) = (0.0, 1.0, time);
    for _ in 0..STEPS {
        let found = bezier([0.0, x1, x2, 1.0], way) - time;
        if found.abs() < 1.0e-14 {
            break;
        }
        if found > 0.0 {
            high = way
        } else {
            low = way
        }
        let rest = 1.0 - way;
        let slope =
            3.0 * (rest * rest * x1 + 2.0 * rest * way * (x2 - x1) + way * way * (1.0 - x2));
        let next = way - found / slope;
        way = if next > low && next < high { next } else { (low + high) * 0.5 };
    }
    way
}
