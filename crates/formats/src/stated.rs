//! Values that files state and users may override: keys per second of a clip, and the unit of
//! length.

use super::{FilePlace, ModelFormatError};
use tintype_base::precedence::{Decided, Guesses, Precedence};

/// Keys, ticks or numbered files per second of a clip; `guess` judges by the keys of files that
/// state nothing.
///
/// # Errors
/// The error of `guess`.
pub fn decide_rate<E>(
    wish: Option<f64>,
    statement: Option<f64>,
    convention: f64,
    guess: impl FnOnce() -> Result<Option<f64>, E>,
) -> Result<Decided<f64>, E> {
    let guesses = Guesses::OverConvention;
    Precedence { wish, statement, convention, guesses }.decide(guess)
}

/// [`decide_rate`] for formats whose keys carry no evidence of their rate.
#[must_use]
pub fn decide_plain_rate(
    wish: Option<f64>,
    statement: Option<f64>,
    convention: f64,
) -> Decided<f64> {
    Precedence { wish, statement, convention, guesses: Guesses::Never }.decide_without_guess()
}

/// [`decide_plain_rate`], checked to be a valid rate.
///
/// # Errors
/// [`ModelFormatError::Value`] for a requested rate that is not above 0.
pub(crate) fn decide_frame_rate(
    wish: Option<f64>,
    statement: Option<f64>,
    convention: f64,
) -> Result<Decided<f64>, ModelFormatError> {
    let rate_hz = decide_plain_rate(wish, statement, convention);
    if rate_hz.value.is_finite() && rate_hz.value > 0.0 {
        return Ok(rate_hz);
    }
    let found = format!("{} a second", rate_hz.value);
    Err(ModelFormatError::value(FilePlace::Byte(0), "the frames", found, "above 0"))
}

/// Metres per unit of length of a file. Currently no user sets it and nothing guesses it.
#[must_use]
pub(crate) fn decide_unit(
    wish: Option<f64>,
    statement: Option<f64>,
    convention: f64,
) -> Decided<f64> {
    Precedence { wish, statement, convention, guesses: Guesses::Never }.decide_without_guess()
}
