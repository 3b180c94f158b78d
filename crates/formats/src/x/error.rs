//! Errors of `.x` files, with their positions.

use super::encoding::Encoding;
use crate::LimitExceeded;
use crate::LimitName;
use crate::text::{SourcePosition, SyntaxError};
use thiserror::Error;
use tintype_base::deadline::TimedOut;

/// Error of a `.x` file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum XError {
    /// The file is of another format.
    #[error("not a .x file: {found}; expected a header such as \"xof 0303txt 0032\"")]
    NotX {
        /// Description of the bytes.
        found: String,
    },
    /// An unsupported kind of `.x` file.
    #[error("{position}: {what} {found} is not supported; supported: {supported}")]
    Unsupported {
        /// The part of the header.
        position: SourcePosition,
        /// Name of the part.
        what: &'static str,
        /// The part, quoted.
        found: String,
        /// The accepted values.
        supported: &'static str,
    },
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
    /// A number, an index or a count out of range.
    #[error("{position}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number.
        position: SourcePosition,
        /// Name of the number.
        what: String,
        /// The value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// Compressed bytes that do not inflate.
    #[error("byte {offset} of the {encoding} file: {what}: found {found}; expected {expected}")]
    Packed {
        /// The byte of the file on disk.
        offset: usize,
        /// The kind of compressed file.
        encoding: Encoding,
        /// The part that is wrong.
        what: String,
        /// Its kind.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// The deadline was over before the file was read.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
    /// A count beyond a limit of [`crate::Limits`].
    #[error(transparent)]
    Limit(#[from] LimitExceeded<SourcePosition>),
}

impl XError {
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
impl From<SyntaxError> for XError {
    fn from(error: SyntaxError) -> Self {
        let SyntaxError { position, found, expected } = error;
        Self::Syntax { position, found, expected }
    }
}
