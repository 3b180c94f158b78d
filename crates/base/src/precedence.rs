//! Precedence of sources: what the user sets overrides what a file states, which overrides the
//! convention of its format. A guess from evidence overrides the convention, and also statements of
//! files that are known to be wrong.
//!
//! Each value with several sources has one function that decides it, in the crate that defines it;
//! `docs/architecture.md` lists them.

use std::convert::Infallible;

/// The side that decided a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The user: an option, a key of a scene, an argument.
    Wish,
    /// The file.
    Statement,
    /// The convention of the file's format, or of the command.
    Convention,
    /// A guess from evidence.
    Guess,
}

/// A value, and who decided it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided<T> {
    /// The value.
    pub value: T,
    /// The side that decided it.
    pub by: DecidedBy,
}

/// Position of a guess with evidence; a guess without evidence decides nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guesses {
    /// Guesses are not used.
    Never,
    /// Before the convention.
    #[default]
    OverConvention,
    /// Before the statement of the file too.
    OverStatement,
}

/// The sources of a value, from strongest to weakest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precedence<T> {
    /// The user's value.
    pub wish: Option<T>,
    /// The file's value.
    pub statement: Option<T>,
    /// The value if no source sets it.
    pub convention: T,
    /// Position of the guess.
    pub guesses: Guesses,
}

impl<T> Precedence<T> {
    /// The first value in the order of precedence; `guess` is called only where it counts.
    ///
    /// # Errors
    /// The error of `guess`.
    pub fn decide<E>(self, guess: impl FnOnce() -> Result<Option<T>, E>) -> Result<Decided<T>, E> {
        let Self { wish, statement, convention, guesses } = self;
        if let Some(value) = wish {
            return Ok(Decided { value, by: DecidedBy::Wish });
        }
        let is_asked = match guesses {
            Guesses::Never => false,
            Guesses::OverConvention => statement.is_none(),
            Guesses::OverStatement => true,
        };
        if is_asked && let Some(value) = guess()? {
            return Ok(Decided { value, by: DecidedBy::Guess });
        }
        Ok(match statement {
            Some(value) => Decided { value, by: DecidedBy::Statement },
            None => Decided { value: convention, by: DecidedBy::Convention },
        })
    }

    /// [`Precedence::decide`] without evidence for a guess.
    pub fn decide_without_guess(self) -> Decided<T> {
        let Ok(decided) = self.decide(|| Ok::<_, Infallible>(None));
        decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_that_says_something_decides() {
        let by = |wish: Option<u8>, statement: Option<u8>, guesses, guess: Option<u8>| {
            let said = Precedence { wish, statement, convention: 3, guesses };
            let Ok(decided) = said.decide(|| Ok::<_, Infallible>(guess));
            (decided.value, decided.by)
        };
        let over_convention = Guesses::OverConvention;
        assert_eq!(by(Some(1), Some(2), over_convention, Some(4)), (1, DecidedBy::Wish));
        assert_eq!(by(None, Some(2), over_convention, Some(4)), (2, DecidedBy::Statement));
        assert_eq!(by(None, None, over_convention, Some(4)), (4, DecidedBy::Guess));
        assert_eq!(by(None, None, over_convention, None), (3, DecidedBy::Convention));
        assert_eq!(by(None, None, Guesses::Never, Some(4)), (3, DecidedBy::Convention));
        assert_eq!(by(None, Some(2), Guesses::OverStatement, Some(4)), (4, DecidedBy::Guess));
        assert_eq!(by(None, Some(2), Guesses::OverStatement, None), (2, DecidedBy::Statement));
        assert_eq!(by(Some(1), None, Guesses::OverStatement, Some(4)), (1, DecidedBy::Wish));
    }

    #[test]
    fn guess_that_does_not_count_is_not_asked() {
        let said = Precedence {
            wish: None,
            statement: Some(2),
            convention: 3,
            guesses: Guesses::default(),
        };
        assert_eq!(said.decide(|| Err("asked")).map(|decided| decided.value), Ok(2));
    }
}
