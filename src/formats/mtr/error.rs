//! What can be wrong with a Doom 3 material file, and where.

use crate::formats::LimitName;
use crate::formats::limit::raised_by;
use crate::formats::text::{SourcePosition, SyntaxError};
use thiserror::Error;

/// Why a material file, or one material of it, was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MtrError {
    /// A token that cannot stand where it stands.
    #[error("{position}: found {found}; expected {expected}")]
    Syntax {
        /// The token.
        position: SourcePosition,
        /// The token, quoted.
        found: String,
        /// What could stand there.
        expected: String,
    },
    /// A number outside of what it means.
    #[error("{position}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number.
        position: SourcePosition,
        /// Whose number it is.
        what: &'static str,
        /// The value.
        found: String,
        /// The values that would fit.
        expected: &'static str,
    },
    /// More than this program is willing or able to hold.
    #[error("{position}: {what}: found {found}; the limit is {limit}; {}", raised_by(*option))]
    Limit {
        /// Where the limit is passed.
        position: SourcePosition,
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much may be.
        limit: usize,
        /// Which limit it is; none if no option raises it.
        option: Option<LimitName>,
    },
}

/// The error of the shared scanners as one of this format.
impl From<SyntaxError> for MtrError {
    fn from(error: SyntaxError) -> Self {
        let SyntaxError { position, found, expected } = error;
        Self::Syntax { position, found, expected }
    }
}
