//! Errors of glTF files, with their byte or JSON path.

use super::path::JsonPath;
use crate::LimitExceeded;
use crate::LimitName;
use thiserror::Error;
use tintype_base::deadline::TimedOut;
use tintype_base::printable::one_line;

/// Records limited by [`Limits::max_instanced_corners`](crate::Limits::max_instanced_corners), as
/// named in a [`GltfError::Limit`].
pub const INSTANCED_CORNERS: &str = "corners of all instances";

/// Error of a glTF file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GltfError {
    /// The file is of another format.
    #[error(
        "not a glTF file: {found}; expected JSON with an \"asset\", or a binary file starting with \"glTF\""
    )]
    NotGltf {
        /// Description of the bytes.
        found: String,
    },
    /// The frame of a binary file (`.glb`) is damaged.
    #[error("byte {offset}: {what}: found {found}; expected {expected}")]
    Container {
        /// The byte of the file.
        offset: usize,
        /// The part that is wrong.
        what: &'static str,
        /// Its value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// The JSON text does not follow its grammar.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line of the JSON text, from 1.
        line: usize,
        /// Column in the line, from 1.
        column: usize,
        /// The found value, and the expected one.
        message: String,
    },
    /// A value that breaks a rule of the format.
    #[error("{path}: {what}: found {found}; expected {expected}")]
    Value {
        /// JSON path of the value.
        path: String,
        /// Name of the quantity.
        what: String,
        /// Its value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// An extension that is required to understand the file.
    #[error("{path}: the file requires the extension {}, which is not supported; supported: {}", one_line(name), supported.join(", "))]
    Extension {
        /// JSON path of the entry.
        path: String,
        /// Name of the extension.
        name: String,
        /// Names of the supported extensions.
        supported: Vec<&'static str>,
    },
    /// A file beside this one cannot be read.
    #[error("{path}: {uri:?}: {reason}")]
    External {
        /// JSON path of the URI.
        path: String,
        /// The URI as written.
        uri: String,
        /// The cause.
        reason: String,
    },
    /// The deadline was over before the file was read.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
    /// A count beyond a limit of [`crate::Limits`].
    #[error(transparent)]
    Limit(#[from] LimitExceeded<String>),
}

impl GltfError {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::Limit(error) => error.option,
            _ => None,
        }
    }

    /// Converts an error that affects only a part, so that the rest of the file can be read.
    ///
    /// # Errors
    /// Itself, if it ends the reading of the file.
    pub(super) fn of_part(self) -> Result<Self, Self> {
        match self {
            Self::Limit(_) | Self::TimedOut(_) => Err(self),
            part => Ok(part),
        }
    }

    /// A value that breaks a rule of the format.
    pub(super) fn value(
        path: &JsonPath,
        what: impl Into<String>,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        let (path, found) = (path.to_string(), found.to_string());
        Self::Value { path, what: what.into(), found, expected: expected.into() }
    }
}
