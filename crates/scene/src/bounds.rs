//! Ranges of the numbers of scenes.

/// The numbers that a key allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// From the first to the second.
    Within(f64, f64),
    /// Above the first, up to the second.
    Above(f64, f64),
}

/// Coordinates of positions.
pub(super) const COORDINATE: Bounds = Bounds::Within(-1e9, 1e9);
/// Playing speeds; negative runs backwards.
pub(super) const SPEED: Bounds = Bounds::Within(-1e3, 1e3);
/// Angles in degrees.
pub(super) const DEGREES: Bounds = Bounds::Within(-1e6, 1e6);
/// Fractions.
pub(super) const UNIT: Bounds = Bounds::Within(0.0, 1.0);

impl Bounds {
    /// True if a number is allowed.
    pub(super) fn hold(self, number: f64) -> bool {
        match self {
            Self::Within(low, high) => (low..=high).contains(&number),
            Self::Above(low, high) => number > low && number <= high,
        }
    }

    /// The numbers in words.
    pub(super) fn allowed(self) -> String {
        match self {
            Self::Within(low, high) => format!("expected {low} to {high}"),
            Self::Above(low, high) => format!("expected above {low}, at most {high}"),
        }
    }
}

/// The nearest `f32`; the numbers of a scene are far below its limit.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
pub(super) fn narrow(number: f64) -> f32 {
    number as f32
}
