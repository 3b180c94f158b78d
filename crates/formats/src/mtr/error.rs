//! Errors of Doom 3 material files, with their positions.

use crate::LimitExceeded;
use crate::LimitName;
use crate::text::{SourcePosition, SyntaxError};
use thiserror::Error;

/// Error of a material file or of one of its materials.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MtrError {
    /// A token that is not accepted at its position.
    #[error("{position}: found {found}; expected {expected}")]
    Syntax {
        /// The token.
        position: SourcePosition,
        /// The token, quoted.
        found: String,
        /// The accepted tokens.
        expected: String,
    },
    /// A number out of its range.
    #[error("{position}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number.
        position: SourcePosition,
        /// Name of the number.
        what: &'static str,
        /// The value.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// A count beyond a limit of [`crate::Limits`].
    #[error(transparent)]
    Limit(#[from] LimitExceeded<SourcePosition>),
}

impl MtrError {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::Limit(error) => error.option,
            _ => None,
        }
    }
}

/// The error of the shared scanners as one of this format.
impl From<SyntaxError> for MtrError {
    fn from(error: SyntaxError) -> Self {
        let SyntaxError { position, found, expected } = error;
        Self::Syntax { position, found, expected }
    }
}
