//! Errors of MD5 files, with their positions.

use crate::LimitExceeded;
use crate::LimitName;
use crate::text::{SourcePosition, SyntaxError};
use thiserror::Error;
use tintype_base::deadline::TimedOut;
use tintype_base::suggest::hint;
use tintype_model::SkeletonError;

/// Error of an MD5 file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Md5Error {
    /// The file is of another format.
    #[error("{position}: not an MD5 file: {found}; expected MD5Version 10")]
    NotMd5 {
        /// Position of the first token, or of the end of the file.
        position: SourcePosition,
        /// Description of the bytes.
        found: String,
    },
    /// MD5, but another of its three kinds.
    #[error("{position}: found {found}, which belongs to {is}; expected {wanted}")]
    WrongKind {
        /// The keyword.
        position: SourcePosition,
        /// The keyword, quoted.
        found: String,
        /// The kind of file that has it.
        is: &'static str,
        /// The requested kind of file.
        wanted: &'static str,
    },
    /// An unsupported version of MD5.
    #[error("{position}: MD5Version {version} is not supported; supported: 10")]
    Unsupported {
        /// The number.
        position: SourcePosition,
        /// The version as written.
        version: String,
    },
    /// A token that is not accepted at its position.
    #[error("{position}: found {found}; expected {expected}{}", hint(*nearest))]
    Syntax {
        /// The token.
        position: SourcePosition,
        /// The token, quoted.
        found: String,
        /// The accepted tokens.
        expected: String,
        /// The nearest keyword.
        nearest: Option<&'static str>,
    },
    /// A number, an index or a count out of range.
    #[error("{position}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number or the line that contains it.
        position: SourcePosition,
        /// Name of the number.
        what: String,
        /// The value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// A count beyond a limit of [`crate::Limits`].
    #[error(transparent)]
    Limit(#[from] LimitExceeded<SourcePosition>),
    /// The deadline was over before the file was read.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
    /// Joints that do not make a skeleton.
    #[error("{position}: the joints do not form a skeleton")]
    Skeleton {
        /// The first joint.
        position: SourcePosition,
        /// The rule that they break.
        source: SkeletonError,
    },
}

impl Md5Error {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::Limit(error) => error.option,
            _ => None,
        }
    }

    /// The error of a value at a place where the block may also end.
    pub(crate) fn or_end(mut self) -> Self {
        if let Self::Syntax { expected, .. } = &mut self {
            expected.push_str(", or }");
        }
        self
    }
}

/// The error of the shared scanners as one of this format.
impl From<SyntaxError> for Md5Error {
    fn from(error: SyntaxError) -> Self {
        let SyntaxError { position, found, expected } = error;
        Self::Syntax { position, found, expected, nearest: None }
    }
}

/// The indices of `count` things in words.
pub(super) fn indices(count: usize, things: &str) -> String {
    match count {
        0 => format!("none, as there are no {things}"),
        1 => "0".into(),
        _ => format!("0 to {}", count - 1),
    }
}
