//! What can be wrong with a `.x` file, and where.

use super::tree::Encoding;
use crate::model::Warning;
use core::fmt;
use thiserror::Error;

/// A place in a file: a line of text, or a byte of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1; LF, CR and CRLF each end one. 0 in binary.
    pub line: u32,
    /// The byte in the line, from 1. 0 in binary.
    pub column: u32,
    /// The byte in the file, from 0; of a compressed file, the byte in the inflated one, whose header of 16 bytes counts.
    pub offset: usize,
}

impl Place {
    /// The first byte of a text.
    pub const START: Self = Self { line: 1, column: 1, offset: 0 };

    /// A place in a binary file.
    #[must_use]
    pub const fn byte(offset: usize) -> Self {
        Self { line: 0, column: 0, offset }
    }

    /// A warning that tells the place: by its line, or where there are no lines in its words.
    pub(super) fn warning(self, message: &str) -> Warning {
        if self.line > 0 {
            Warning::new(self.line as usize, message)
        } else {
            Warning::new(0, format!("{self}: {message}"))
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(out, "line {}, column {}", self.line, self.column)
        } else {
            write!(out, "byte {}", self.offset)
        }
    }
}

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
    #[error("{place}: {what} {found} is not supported; supported is {supported}")]
    Unsupported {
        /// The part of the header.
        place: Place,
        /// What the part says.
        what: &'static str,
        /// The part, quoted.
        found: String,
        /// What it could be.
        supported: &'static str,
    },
    /// Something that cannot stand where it stands.
    #[error("{place}: found {found}; expected {expected}{}", nearest_hint(nearest.as_deref()))]
    Syntax {
        /// The token.
        place: Place,
        /// The token, quoted.
        found: String,
        /// What could stand there.
        expected: String,
        /// The word that was probably meant.
        nearest: Option<String>,
    },
    /// A number, an index or a count that does not fit the rest of the file.
    #[error("{place}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number.
        place: Place,
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
    /// More than this program is willing or able to hold.
    #[error("{place}: {what}: found {found}; the limit is {limit}")]
    Limit {
        /// Where the limit is passed.
        place: Place,
        /// What there is too much of.
        what: String,
        /// How much there is, or how much there was when the limit was passed.
        found: usize,
        /// How much may be.
        limit: usize,
    },
}

fn nearest_hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |word| format!("; did you mean \"{word}\"?"))
}
