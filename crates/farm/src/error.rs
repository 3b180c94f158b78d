//! The error of this layer: a message, and true if a retry can succeed.

use std::fmt;
use std::path::Path;
use tintype_host::OutputError;
use tintype_render::asset::FileError;

/// Error of submitting a job, or of examining a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmitError {
    message: String,
    is_temporary: bool,
}

impl SubmitError {
    /// An error that another attempt meets again.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_temporary: false }
    }

    /// An error that can pass on retry, such as a controller that does not answer.
    pub fn temporary(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_temporary: true }
    }

    /// A file or folder that cannot be read or created.
    #[must_use]
    pub fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::from(&FileError::new(path, error))
    }

    /// True if another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    /// The same error with a suffix to its message.
    #[must_use]
    pub fn with_suffix(mut self, text: &str) -> Self {
        self.message += text;
        self
    }
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SubmitError {}

impl From<&FileError> for SubmitError {
    fn from(error: &FileError) -> Self {
        Self { message: error.to_string(), is_temporary: error.is_temporary() }
    }
}

impl From<&OutputError> for SubmitError {
    fn from(error: &OutputError) -> Self {
        let message = format!("{error}: {}", error.source);
        Self { message, is_temporary: error.is_temporary() }
    }
}
