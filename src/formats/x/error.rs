//! What can be wrong with a `.x` file, and where.

use super::encoding::Encoding;
use crate::deadline::TimedOut;
use crate::formats::LimitName;
use crate::formats::limit::raised_by;
use crate::formats::text::{SourcePosition, SyntaxError};
use thiserror::Error;

/// Why a `.x` file was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum XError {
    /// The bytes are something else altogether.
    #[error("this is not a .x file: {found}; expected a header such as \"xof 0303txt 0032\"")]
    NotX {
        /// What the bytes look like.
        found: String,
    },
    /// A `.x` file of a kind that this program does not read.
    #[error("{position}: {what} {found} is not supported; supported is {supported}")]
    Unsupported {
        /// The part of the header.
        position: SourcePosition,
        /// What the part says.
        what: &'static str,
        /// The part, quoted.
        found: String,
        /// What it could be.
        supported: &'static str,
    },
    /// Something that cannot stand where it stands.
    #[error("{position}: found {found}; expected {expected}")]
    Syntax {
        /// The token.
        position: SourcePosition,
        /// The token, quoted.
        found: String,
        /// What could stand there.
        expected: String,
    },
    /// A number, an index or a count that does not fit the rest of the file.
    #[error("{position}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number.
        position: SourcePosition,
        /// Whose number it is.
        what: String,
        /// The value.
        found: String,
        /// The values that would fit.
        expected: String,
    },
    /// Compressed bytes that do not inflate.
    #[error("byte {offset} of the {encoding} file: {what}: found {found}; expected {expected}")]
    Packed {
        /// The byte of the file as it lies on the disk.
        offset: usize,
        /// The kind of compressed file.
        encoding: Encoding,
        /// The part that is wrong.
        what: String,
        /// What it is.
        found: String,
        /// What it could be.
        expected: String,
    },
    /// Reading took longer than somebody would wait.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
    /// More than this program is willing or able to hold.
    #[error("{position}: {what}: found {found}; the limit is {limit}; {}", raised_by(*option))]
    Limit {
        /// Where the limit is passed.
        position: SourcePosition,
        /// What there is too much of.
        what: String,
        /// How much there is, or how much there was when the limit was passed.
        found: usize,
        /// How much may be.
        limit: usize,
        /// Which limit it is; none if no option raises it.
        option: Option<LimitName>,
    },
}

/// The error of the shared scanners as one of this format.
impl From<SyntaxError> for XError {
    fn from(error: SyntaxError) -> Self {
        let SyntaxError { position, found, expected } = error;
        Self::Syntax { position, found, expected }
    }
}
