//! Values of several tables: vectors, colours, ranges over the frames, and words.
//!
//! Input: one value of the document. Output: the checked value, or none after reporting a mistake.

use super::bounds::{Bounds, COORDINATE, narrow};
use super::color_word::{color_codes, meant_color};
use super::error::Problem;
use super::reader::{Item, Table};
use super::words::WRAP_WORDS;
use tintype_model::math::Vec3;
use tintype_model::{LinearRgb, Wrap};

/// A value that is constant or changes linearly over the frames of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ramp {
    /// The same in every frame.
    Constant(f64),
    /// Linear between both ends; the end is reached one frame after the last: 0 to 360 closes a
    /// turn.
    Range {
        /// The value of the first frame.
        from: f64,
        /// The value of the frame after the last.
        to: f64,
    },
    /// As a range, but the frames are divided into this number of equal runs, and all frames of a
    /// run have the value of its first.
    Steps {
        /// The value of the first run.
        from: f64,
        /// The value of a run after the last one.
        to: f64,
        /// Number of runs, at least 1.
        steps: u32,
    },
}

impl Ramp {
    /// The value of the frame at position `k` of the `n` frames of `output.frames`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a list has at most 10,000,000 frames")]
    pub fn at(&self, k: usize, n: usize) -> f64 {
        match *self {
            Self::Constant(value) => value,
            Self::Range { from, to } => from + (to - from) * k as f64 / n.max(1) as f64,
            Self::Steps { from, to, steps } => {
                let steps = u64::from(steps.max(1));
                let step = (k as u64).saturating_mul(steps) / n.max(1) as u64;
                from + (to - from) * step as f64 / steps as f64
            }
        }
    }
}

/// Range of colour components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Brightness {
    /// Reflectance or picture colour: 0 to 1.
    Surface,
    /// Light: 0 to 1000.
    Light,
}

const COLOR: &str = "\"#rgb\", \"#rrggbb\" in sRGB, or [r, g, b] in linear light";

/// Reads a colour, converted to linear light.
pub(super) fn color(item: &Item<'_>, brightness: Brightness) -> Option<LinearRgb> {
    if let Some(text) = item.as_text() {
        return color_codes(text).map(LinearRgb::from_codes).or_else(|| {
            let nearest = meant_color(text);
            item.report(Problem::Color { found: text.to_owned(), allowed: COLOR, nearest });
            None
        });
    }
    let bounds = match brightness {
        Brightness::Surface => Bounds::Within(0.0, 1.0),
        Brightness::Light => Bounds::Within(0.0, 1000.0),
    };
    let expected = format!("a colour: {COLOR}");
    let [r, g, b] =
        item.array_of::<3>(&expected)?.map(|part| part.number_within(bounds).map(narrow));
    Some(LinearRgb::new(r?, g?, b?))
}

/// Reads a position or a direction.
pub(super) fn vector(item: &Item<'_>) -> Option<Vec3> {
    let parts = item.array_of::<3>("[x, y, z]")?;
    let [x, y, z] = parts.map(|part| part.number_within(COORDINATE).map(narrow));
    Some(Vec3::new(x?, y?, z?))
}

/// Reads a vector of length above 0.
pub(super) fn direction(item: &Item<'_>) -> Option<Vec3> {
    let vector = vector(item)?;
    if vector.length_squared() > 1e-12 {
        return Some(vector);
    }
    let message = format!("[{}, {}, {}] has no direction", vector.x, vector.y, vector.z);
    item.invalid(message, "its length must be at least 0.000001")
}

/// Reads a number or `{ from, to }`.
pub(super) fn ramp(item: &Item<'_>, bounds: Bounds) -> Option<Ramp> {
    if !item.is_table() {
        if item.as_text().is_some() || item.is_array() {
            return item.wrong_type("a number or { from, to }");
        }
        return item.number_within(bounds).map(Ramp::Constant);
    }
    let table = item.table("a number or { from, to }")?;
    let [from, to] = table.ends(|end| end.number_within(bounds));
    let steps = table.item("steps").map(|item| read_steps(&item));
    let (from, to) = (from?, to?);
    Some(match steps {
        None => Ramp::Range { from, to },
        Some(steps) => Ramp::Steps { from, to, steps: steps? },
    })
}

/// Reads the number of runs of a range.
fn read_steps(item: &Item<'_>) -> Option<u32> {
    const ALLOWED: &str = "a whole number from 1 to 10000";
    item.whole_within(1..=10_000, ALLOWED, format!("it is {ALLOWED}"))
}

/// Reads `wrap = "loop"`, `"clamp"` or `"ping-pong"`.
pub(super) fn wrap(table: &Table<'_>) -> Option<Wrap> {
    table.get("wrap", |item| item.word("wrap", WRAP_WORDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramp_reaches_its_end_after_the_last_frame() {
        let turn = Ramp::Range { from: 0.0, to: 360.0 };
        assert_eq!([0, 1, 2, 3].map(|k| turn.at(k, 4)), [0.0, 90.0, 180.0, 270.0]);
        assert_eq!(Ramp::Constant(7.0).at(3, 4), 7.0);
        assert_eq!(turn.at(0, 0), 0.0);
    }

    #[test]
    fn steps_hold_their_value_for_a_run_of_frames() {
        let turn = Ramp::Steps { from: 10.0, to: 370.0, steps: 4 };
        let found: Vec<f64> = (0..8).map(|k| turn.at(k, 8)).collect();
        assert_eq!(found, [10.0, 10.0, 100.0, 100.0, 190.0, 190.0, 280.0, 280.0]);
    }
}
