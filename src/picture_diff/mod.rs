//! Differences of picture files: two files, two folders, or two sequences of frames.
//!
//! Input: two paths. Output: pairs of pictures that belong together, the difference of each pair by [`crate::compare`], the
//! pictures that show it, and a JSON report. [`pairs`] finds the pairs, [`compared`] compares one of them, [`json`] is the report.

mod compared;
mod json;
mod pairs;

pub use compared::{Compared, Origin, State};
pub use json::{Sides, encode_json};
pub use pairs::{Pair, Pairs};

use crate::asset::FileError;
use crate::output::OutputError;
use std::fmt;
use std::path::Path;

/// Why pictures cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureDiffError {
    message: String,
    is_temporary: bool,
}

impl PictureDiffError {
    fn invalid(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_temporary: false }
    }

    fn temporary(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_temporary: true }
    }

    fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let error = FileError::new(path, error);
        Self { message: error.to_string(), is_temporary: error.is_temporary() }
    }

    /// Whether another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }
}

impl fmt::Display for PictureDiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PictureDiffError {}

impl From<&OutputError> for PictureDiffError {
    fn from(error: &OutputError) -> Self {
        let message = format!("{error}: {}", error.source);
        Self { message, is_temporary: error.is_temporary() }
    }
}
