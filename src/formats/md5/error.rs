//! What can be wrong with an MD5 file, and where.

use crate::deadline::TimedOut;
use crate::formats::LimitName;
use crate::formats::limit::raised_by;
use crate::formats::text::nearest_hint;
use crate::formats::text::{SourcePosition, SyntaxError};
use crate::model::SkeletonError;
use thiserror::Error;

/// Why an MD5 file was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Md5Error {
    /// The bytes are something else altogether.
    #[error("{position}: this is not an MD5 file: {found}; expected MD5Version 10")]
    NotMd5 {
        /// Where the first token stands or is missing.
        position: SourcePosition,
        /// What the bytes look like.
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
        /// The kind of file that was asked for.
        wanted: &'static str,
    },
    /// MD5 of a version that this program does not read.
    #[error("{position}: MD5Version {version} is not supported; supported is 10")]
    Unsupported {
        /// The number.
        position: SourcePosition,
        /// The version as written.
        version: String,
    },
    /// A token that cannot stand where it stands.
    #[error("{position}: found {found}; expected {expected}{}", nearest_hint(*nearest))]
    Syntax {
        /// The token.
        position: SourcePosition,
        /// The token, quoted.
        found: String,
        /// What could stand there.
        expected: String,
        /// The keyword that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A number, an index or a count that does not fit the rest of the file.
    #[error("{position}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number or the line that holds it.
        position: SourcePosition,
        /// Whose number it is.
        what: String,
        /// The value.
        found: String,
        /// The values that would fit.
        expected: String,
    },
    /// More than this program is willing or able to hold.
    #[error("{position}: {what}: found {found}; the limit is {limit}; {}", raised_by(*option))]
    Limit {
        /// Where the limit is passed.
        position: SourcePosition,
        /// What there is too much of.
        what: String,
        /// How much there is.
        found: usize,
        /// How much may be.
        limit: usize,
        /// Which limit it is; none if no option raises it.
        option: Option<LimitName>,
    },
    /// Reading took longer than somebody would wait.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
    /// Joints that do not make a skeleton.
    #[error("{position}: the joints make no skeleton")]
    Skeleton {
        /// The first joint.
        position: SourcePosition,
        /// The rule that they break.
        source: SkeletonError,
    },
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
        0 => format!("none, there are no {things}"),
        1 => "0".into(),
        _ => format!("0 to {}", count - 1),
    }
}
