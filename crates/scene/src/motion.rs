//! Values that change over the frames of a scene: vectors, factors of size, rotations, and steps
//! between true and false.
//!
//! Input: one value of the document. Output: a constant, a range over the frames, or keys at times
//! of the scene; a mistake is reported and returns none.

use super::bounds::{Bounds, narrow};
use super::curve::{Span, span_at};
use super::frame_number::FramePosition;
use super::reader::{Item, Table};
use super::value::{Ramp, ramp};
use tintype_model::math::slerp::slerp_short;
use tintype_model::math::{Mat3, Quat, Vec3, func};

/// Three numbers over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Each a constant or a range over the frames.
    Ramps([Ramp; 3]),
    /// Keys at times of the scene.
    Keys(VectorKeys),
}

/// Keys of three numbers; held before the first key and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorKeys {
    /// Times of the scene and values, in the order of their times; at least one.
    pub keys: Vec<(f64, [f64; 3])>,
    /// True if values follow a Catmull-Rom curve; otherwise they are linear from key to key.
    pub smooth: bool,
    /// True if a curve stays between the two keys around it, because a scale must not overshoot
    /// through 0.
    pub is_bounded: bool,
}

/// A rotation over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Rotation {
    /// Angles about x, y and z in degrees, applied about z first, then x, then y; positive is
    /// counter-clockwise seen from the tip of the axis.
    Angles(Motion),
    /// Times of the scene and unit quaternions, in the order of their times; at least one. Between
    /// two keys it turns the shorter way at even speed.
    Turns(Vec<(f64, Quat)>),
}

/// True or false over time.
#[derive(Clone, Debug, PartialEq)]
pub enum Switch {
    /// The same in every frame.
    Constant(bool),
    /// Times of the scene and values, in the order of their times: each lasts until the next, the
    /// first also before its time.
    Steps(Vec<(f64, bool)>),
}

/// Allowed values of a [`Motion`], for its reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    /// The numbers.
    pub bounds: Bounds,
    /// Kind of scale factors, if they are such; one number means all three.
    pub factors: Option<Factors>,
}

/// Factors of size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factors {
    /// Above or below 0, without passing through it.
    OfInstance,
    /// 0, which hides everything attached to the joint, or more: otherwise a part of a mesh would
    /// turn inside out.
    OfJoint,
}

impl Motion {
    /// The same three numbers in every frame.
    #[must_use]
    pub fn constant([x, y, z]: [f64; 3]) -> Self {
        Self::Ramps([x, y, z].map(Ramp::Constant))
    }

    /// The numbers, if they never change.
    #[must_use]
    pub fn as_constant(&self) -> Option<[f64; 3]> {
        match self {
            Self::Ramps([Ramp::Constant(x), Ramp::Constant(y), Ramp::Constant(z)]) => {
                Some([*x, *y, *z])
            }
            _ => None,
        }
    }

    /// Adds three numbers at all times.
    pub(super) fn move_by(&mut self, offset: [f64; 3]) {
        match self {
            Self::Ramps(ramps) => {
                for (ramp, offset) in ramps.iter_mut().zip(offset) {
                    match ramp {
                        Ramp::Constant(value) => *value += offset,
                        Ramp::Range { from, to } | Ramp::Steps { from, to, .. } => {
                            *from += offset;
                            *to += offset;
                        }
                    }
                }
            }
            Self::Keys(keys) => {
                for (_, value) in &mut keys.keys {
                    value.iter_mut().zip(offset).for_each(|(value, offset)| *value += offset);
                }
            }
        }
    }

    /// The numbers in one frame.
    #[must_use]
    pub fn at(&self, frame: FramePosition) -> [f64; 3] {
        match self {
            Self::Ramps(ramps) => ramps.each_ref().map(|ramp| ramp.at(frame.k, frame.n)),
            Self::Keys(keys) => keys.at(frame.time_s),
        }
    }

    /// The nearest vector in one frame.
    #[must_use]
    pub fn vector_at(&self, frame: FramePosition) -> Vec3 {
        Vec3::from_array(self.at(frame).map(narrow))
    }
}

impl VectorKeys {
    fn at(&self, time_s: f64) -> [f64; 3] {
        let key = |index: usize| self.keys.get(index).copied().unwrap_or_default();
        match span_at(self.keys.len(), |index| key(index).0, self.smooth, time_s) {
            Span::Held(index) => key(index).1,
            Span::Between { keys: [before, a, b, beyond], curve } => {
                let ends = [before, a, b, beyond].map(|index| key(index).1);
                let [before, a, b, beyond] = ends;
                core::array::from_fn(|axis| {
                    let along = |value: [f64; 3]| value.get(axis).copied().unwrap_or_default();
                    let (a, b) = (along(a), along(b));
                    let value = curve.number([along(before), a, b, along(beyond)]);
                    let (least, most) = if a < b { (a, b) } else { (b, a) };
                    if !self.is_bounded {
                        value
                    } else if value < least {
                        least
                    } else if value > most {
                        most
                    } else {
                        value
                    }
                })
            }
        }
    }
}

impl Rotation {
    /// No rotation.
    #[must_use]
    pub fn none() -> Self {
        Self::Angles(Motion::constant([0.0; 3]))
    }

    /// The rotation matrix in one frame.
    #[must_use]
    pub fn at(&self, frame: FramePosition) -> Mat3 {
        match self {
            Self::Angles(angles) => {
                let [x, y, z] = angles.at(frame).map(|angle| func::radians(narrow(angle % 360.0)));
                Mat3::from_rotation_y(y) * Mat3::from_rotation_x(x) * Mat3::from_rotation_z(z)
            }
            Self::Turns(keys) => {
                let key = |index: usize| keys.get(index).map_or((0.0, Quat::IDENTITY), |&key| key);
                Mat3::from_quat(
                    match span_at(keys.len(), |index| key(index).0, false, frame.time_s) {
                        Span::Held(index) => key(index).1,
                        Span::Between { keys: [_, a, b, _], curve } => {
                            slerp_short(key(a).1, key(b).1, narrow(curve.share)).normalize()
                        }
                    },
                )
            }
        }
    }
}

impl Switch {
    /// The value at a time of the scene.
    #[must_use]
    pub fn at(&self, time_s: f64) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Steps(steps) => {
                let last = steps.iter().take_while(|(at_s, _)| *at_s <= time_s).last();
                last.or(steps.first()).is_none_or(|(_, value)| *value)
            }
        }
    }
}

/// Reads numbers over time: `[x, y, z]` whose numbers may be ranges, `{ from, to }` of vectors, or
/// `{ keys = [{ at_s, value }] }`.
pub(super) fn motion(item: &Item<'_>, allowed: Allowed) -> Option<Motion> {
    let expected = if allowed.factors.is_some() {
        "a number, [x, y, z], { from, to } or { keys = [{ at_s, value }] }"
    } else {
        "[x, y, z], { from, to } or { keys = [{ at_s, value }] }"
    };
    let motion = if item.is_array() {
        let [x, y, z] = item.array_of::<3>(expected)?.map(|part| ramp(&part, allowed.bounds));
        Motion::Ramps([x?, y?, z?])
    } else if item.is_table() {
        let table = item.table(expected)?;
        if table.has("keys") {
            table.refuse("from", "keys", "to");
            table.refuse("to", "keys", "from");
            Motion::Keys(read_keys(&table, allowed)?)
        } else {
            table.refuse("interpolation", "{ from, to }", "keys");
            let [from, to] = table.ends(|end| triple(end, allowed));
            let ([x, y, z], to) = (from?, to?);
            let mut to = to.into_iter();
            let mut ramp = |from| Ramp::Range { from, to: to.next().unwrap_or(from) };
            Motion::Ramps([ramp(x), ramp(y), ramp(z)])
        }
    } else if allowed.factors.is_some() && item.as_text().is_none() {
        Motion::constant([item.number_within(allowed.bounds)?; 3])
    } else {
        return item.wrong_type(expected);
    };
    let (message, allowed) = match allowed.factors {
        Some(Factors::OfInstance) if passes_zero(&motion) => (
            "a scale factor is 0, or passes through 0",
            "factors must stay above 0, or below 0 to mirror",
        ),
        Some(Factors::OfJoint) if is_below_zero(&motion) => (
            "a joint would be mirrored",
            "joint factors must be 0 or more; only instances can be mirrored",
        ),
        _ => return Some(motion),
    };
    item.invalid(message, allowed)
}

/// True if one of the three factors is 0 or changes its sign.
fn passes_zero(motion: &Motion) -> bool {
    let is_zero = |value: &f64| narrow(*value) == 0.0;
    let changes = |pair: &[f64]| pair.iter().product::<f64>() < 0.0;
    (0..3)
        .map(|axis| values_of(motion, axis))
        .any(|values| values.iter().any(is_zero) || values.windows(2).any(changes))
}

/// True if one of the three factors is below 0.
fn is_below_zero(motion: &Motion) -> bool {
    (0..3).any(|axis| values_of(motion, axis).iter().any(|&value| value < 0.0))
}

/// The values of one axis: a constant, both ends of a range, or the values of all keys.
fn values_of(motion: &Motion, axis: usize) -> Vec<f64> {
    match motion {
        Motion::Ramps(ramps) => match ramps.get(axis) {
            Some(Ramp::Constant(value)) => vec![*value],
            Some(Ramp::Range { from, to } | Ramp::Steps { from, to, .. }) => vec![*from, *to],
            None => Vec::new(),
        },
        Motion::Keys(keys) => {
            keys.keys.iter().filter_map(|(_, value)| value.get(axis).copied()).collect()
        }
    }
}

/// Three numbers, or for a factor of size one.
fn triple(item: &Item<'_>, allowed: Allowed) -> Option<[f64; 3]> {
    if allowed.factors.is_some() && !item.is_array() && !item.is_table() && item.as_text().is_none()
    {
        return item.number_within(allowed.bounds).map(|number| [number; 3]);
    }
    let expected = if allowed.factors.is_some() { "a number or [x, y, z]" } else { "[x, y, z]" };
    let [x, y, z] = item.array_of::<3>(expected)?.map(|part| part.number_within(allowed.bounds));
    Some([x?, y?, z?])
}

/// Reads `interpolation`; returns true if keys lie on a curve.
pub(super) fn is_smooth(table: &Table<'_>) -> bool {
    const WORDS: [(&str, bool); 2] = [("smooth", true), ("linear", false)];
    table.get("interpolation", |item| item.word("interpolation", &WORDS)).unwrap_or(true)
}

fn read_keys(table: &Table<'_>, allowed: Allowed) -> Option<VectorKeys> {
    let smooth = is_smooth(table);
    let keys = keys_of(&table.item("keys")?, |value| triple(value, allowed))?;
    Some(VectorKeys { keys, smooth, is_bounded: allowed.factors.is_some() })
}

/// Reads `[{ at_s, value }]`: at least one key, times ascending.
pub(super) fn keys_of<T>(
    item: &Item<'_>,
    read: impl Fn(&Item<'_>) -> Option<T>,
) -> Option<Vec<(f64, T)>> {
    const EXPECTED: [&str; 3] =
        ["an array of { at_s, value }", "{ at_s, value }", "the time of the key in seconds"];
    if item.is_empty_array() {
        item.invalid::<()>("there are no keys", "there is at least one key");
    }
    let value = |key: &Table<'_>| key.require("value", "the value at that time", &read);
    item.timed(EXPECTED, value).filter(|keys| !keys.is_empty())
}

/// Reads a rotation: `[x, y, z, w]`, the rows of a rotation matrix, or keys of such values.
pub(super) fn rotation(item: &Item<'_>) -> Option<Rotation> {
    const EXPECTED: &str =
        "a quaternion [x, y, z, w], three rows of a matrix, or { keys = [{ at_s, value }] }";
    if !item.is_table() {
        return quaternion(item, EXPECTED).map(|turn| Rotation::Turns(vec![(0.0, turn)]));
    }
    let table = item.table(EXPECTED)?;
    let keys = table.required("keys", "an array of { at_s, value }")?;
    let expected = "a quaternion [x, y, z, w], or three rows of a matrix";
    keys_of(&keys, |value| quaternion(value, expected)).map(Rotation::Turns)
}

fn quaternion(item: &Item<'_>, expected: &str) -> Option<Quat> {
    let parts = item.array(expected)?;
    if parts.len() == 3 && parts.iter().all(Item::is_array) {
        return matrix_turn(item, &parts);
    }
    let [x, y, z, w] =
        item.array_of::<4>(expected)?.map(|part| part.number_within(Bounds::Within(-1e6, 1e6)));
    let parts = [x?, y?, z?, w?];
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length < 1e-6 {
        let allowed = "the length must be at least 0.000001; it is normalized";
        return item.invalid("the quaternion has no length", allowed);
    }
    Some(Quat::from_array(parts.map(|part| narrow(part / length))))
}

/// The rotation of a matrix whose rows are perpendicular and of length 1, to 0.001.
fn matrix_turn(item: &Item<'_>, rows: &[Item<'_>]) -> Option<Quat> {
    const TOLERANCE: f32 = 1e-3;
    let mut read = rows.iter().map(|row| row_of::<3>(row));
    let (x, y, z) = (read.next()??, read.next()??, read.next()??);
    let [x, y, z] = [x, y, z].map(|row| Vec3::from_array(row.map(narrow)));
    let is_near = |found: f32, wanted: f32| (found - wanted).abs() <= TOLERANCE;
    let is_square = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|&cosine| is_near(cosine, 0.0));
    let is_unit = [x, y, z].iter().all(|row| is_near(row.length_squared(), 1.0));
    if !is_square || !is_unit || x.cross(y).dot(z) < 0.0 {
        let allowed = "rows must have length 1 and be at right angles, not mirrored; for any other transform, use matrix = [...]";
        return item.invalid("the matrix is not a rotation", allowed);
    }
    Some(Quat::from_mat3(&Mat3::from_cols(x, y, z).transpose()).normalize())
}

/// One row of a matrix.
pub(super) fn row_of<const N: usize>(item: &Item<'_>) -> Option<[f64; N]> {
    let numbers = item.array_of::<N>(&format!("a row of {N} numbers"))?;
    let mut row = [0.0; N];
    let mut is_sound = true;
    for (into, number) in row.iter_mut().zip(numbers) {
        match number.number_within(Bounds::Within(-1e9, 1e9)) {
            Some(number) => *into = number,
            None => is_sound = false,
        }
    }
    is_sound.then_some(row)
}

/// Reads true, false or `{ keys = [{ at_s, value }] }`.
pub(super) fn switch(item: &Item<'_>) -> Option<Switch> {
    const EXPECTED: &str = "true, false or { keys = [{ at_s, value }] }";
    if !item.is_table() {
        return item.truth(EXPECTED).map(Switch::Constant);
    }
    let table = item.table(EXPECTED)?;
    let keys = table.required("keys", "an array of { at_s, value }")?;
    keys_of(&keys, |value| value.truth("true or false")).map(Switch::Steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(k: usize, n: usize, time_s: f64) -> FramePosition {
        FramePosition { k, n, time_s }
    }

    #[test]
    fn keys_are_met_held_outside_and_smooth_between() {
        let keys = vec![(1.0, [0.0, 1.0, 2.0]), (2.0, [10.0, 1.0, 2.0]), (4.0, [10.0, 5.0, 2.0])];
        for smooth in [false, true] {
            let motion = Motion::Keys(VectorKeys { keys: keys.clone(), smooth, is_bounded: false });
            assert_eq!(motion.at(at(0, 1, 0.0)), [0.0, 1.0, 2.0]);
            assert_eq!(motion.at(at(0, 1, 2.0)), [10.0, 1.0, 2.0]);
            assert_eq!(motion.at(at(0, 1, 9.0)), [10.0, 5.0, 2.0]);
        }
        let linear = Motion::Keys(VectorKeys { keys, smooth: false, is_bounded: false });
        assert_eq!(linear.at(at(0, 1, 1.5)), [5.0, 1.0, 2.0]);
    }

    #[test]
    fn factors_of_one_sign_never_reach_zero_on_a_curve() {
        let keys = vec![(0.0, [9.0; 3]), (1.0, [0.01; 3]), (2.0, [0.01; 3]), (3.0, [9.0; 3])];
        let motion = Motion::Keys(VectorKeys { keys, smooth: true, is_bounded: true });
        for step in 0..=300 {
            let [x, _, _] = motion.at(at(0, 1, f64::from(step) * 0.01));
            assert!(x >= 0.01, "{step}: {x}");
        }
    }

    #[test]
    fn turns_go_the_shorter_way() {
        let turn = |angle: f32| Quat::from_rotation_y(angle);
        let rotation = Rotation::Turns(vec![(0.0, turn(0.2)), (1.0, -turn(0.6))]);
        let found = rotation.at(at(0, 1, 0.5)) * Vec3::X;
        assert!((found - Mat3::from_rotation_y(0.4) * Vec3::X).length() < 1e-6, "{found}");
    }

    #[test]
    fn steps_hold_until_the_next() {
        let steps = Switch::Steps(vec![(1.0, false), (2.0, true)]);
        assert_eq!(
            [0.0, 1.0, 1.9, 2.0, 7.0].map(|time_s| steps.at(time_s)),
            [false, false, false, true, true]
        );
    }
}
