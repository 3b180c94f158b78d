//! Values that files state and users may say otherwise: keys a second of a clip, and the unit of length.

use tintype_base::precedence::{Decided, Guesses, Precedence};

/// Keys, ticks or numbered files a second of a clip; `guess` judges by the keys of files that state nothing.
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

/// [`decide_rate`] of formats whose keys tell nothing of their rate.
#[must_use]
pub fn decide_plain_rate(
    wish: Option<f64>,
    statement: Option<f64>,
    convention: f64,
) -> Decided<f64> {
    Precedence { wish, statement, convention, guesses: Guesses::Never }.decide_without_guess()
}

/// Metres of a unit of length of a file. No user says it and nothing guesses it today.
#[must_use]
pub(crate) fn decide_unit(
    wish: Option<f64>,
    statement: Option<f64>,
    convention: f64,
) -> Decided<f64> {
    Precedence { wish, statement, convention, guesses: Guesses::Never }.decide_without_guess()
}
