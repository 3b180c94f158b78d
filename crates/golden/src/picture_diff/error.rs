//! Errors of comparing picture files.

use std::fmt;
use std::path::Path;
use tintype_host::OutputError;
use tintype_render::asset::FileError;

/// The end of the message about a file that is too long.
pub(super) const RAISE_BYTES: &str = "; raise the limit `bytes`";

/// Error of comparing picture files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureDiffError {
    pub(super) message: String,
    pub(super) is_temporary: bool,
}

impl PictureDiffError {
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_temporary: false }
    }

    pub(super) fn temporary(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_temporary: true }
    }

    pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let error = FileError::new(path, error);
        Self { message: error.to_string(), is_temporary: error.is_temporary() }
    }

    /// True if another attempt can succeed.
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
