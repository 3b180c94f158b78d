//! Errors of model files of most formats, with their line or byte.

use super::LimitName;
use super::limit::{KEYS_OF_ALL_CLIPS, LimitExceeded};
use core::fmt;
use thiserror::Error;
use tintype_base::deadline::TimedOut;

/// Position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for FilePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line {line}"),
            Self::Byte(byte) => write!(out, "byte {byte}"),
        }
    }
}

/// Error of a file of any format except MD5, `.x` and glTF, which have separate error types.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelFormatError {
    /// A value that breaks a rule of the format.
    #[error("{at}: {what}: found {found}; expected {expected}")]
    Value {
        /// Its position.
        at: FilePlace,
        /// Name of the quantity.
        what: String,
        /// Its value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// A count beyond a limit of [`crate::Limits`].
    #[error(transparent)]
    Limit(#[from] LimitExceeded<FilePlace>),
    /// The deadline was over before the file was read.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}

impl ModelFormatError {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::Limit(error) => error.option,
            _ => None,
        }
    }

    /// More keys of all clips than the limit allows.
    pub(crate) fn too_many_keys(at: FilePlace, found: usize, limit: usize) -> Self {
        let (what, option) = (KEYS_OF_ALL_CLIPS, Some(LimitName::Keys));
        Self::Limit(LimitExceeded::new(at, what, found, (limit, option)))
    }

    /// A value that breaks a rule of the format.
    pub fn value(
        at: FilePlace,
        what: impl Into<String>,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        let found = found.to_string();
        Self::Value { at, what: what.into(), found, expected: expected.into() }
    }
}
