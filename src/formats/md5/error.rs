//! What can be wrong with an MD5 file, and where.

use crate::deadline::TimedOut;
use crate::formats::LimitName;
use crate::formats::limit::raised_by;
use crate::formats::place::Place;
use crate::formats::quote::nearest_hint;
use crate::model::SkeletonError;
use thiserror::Error;

/// Why an MD5 file was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Md5Error {
    /// The bytes are something else altogether.
    #[error("{place}: this is not an MD5 file: {found}; expected MD5Version 10")]
    NotMd5 {
        /// Where the first token stands or is missing.
        place: Place,
        /// What the bytes look like.
        found: String,
    },
    /// MD5, but another of its three kinds.
    #[error("{place}: found {found}, which belongs to {is}; expected {wanted}")]
    WrongKind {
        /// The keyword.
        place: Place,
        /// The keyword, quoted.
        found: String,
        /// The kind of file that has it.
        is: &'static str,
        /// The kind of file that was asked for.
        wanted: &'static str,
    },
    /// MD5 of a version that this program does not read.
    #[error("{place}: MD5Version {version} is not supported; supported is 10")]
    Unsupported {
        /// The number.
        place: Place,
        /// The version as written.
        version: String,
    },
    /// A token that cannot stand where it stands.
    #[error("{place}: found {found}; expected {expected}{}", nearest_hint(*nearest))]
    Syntax {
        /// The token.
        place: Place,
        /// The token, quoted.
        found: String,
        /// What could stand there.
        expected: String,
        /// The keyword that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A number, an index or a count that does not fit the rest of the file.
    #[error("{place}: {what}: found {found}; expected {expected}")]
    Range {
        /// The number or the line that holds it.
        place: Place,
        /// Whose number it is.
        what: String,
        /// The value.
        found: String,
        /// The values that would fit.
        expected: String,
    },
    /// More than this program is willing or able to hold.
    #[error("{place}: {what}: found {found}; the limit is {limit}; {}", raised_by(*option))]
    Limit {
        /// Where the limit is passed.
        place: Place,
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
    #[error("{place}: the joints make no skeleton")]
    Skeleton {
        /// The first joint.
        place: Place,
        /// The rule that they break.
        source: SkeletonError,
    },
}

/// The indices of `count` things in words.
pub(super) fn indices(count: usize, things: &str) -> String {
    match count {
        0 => format!("none, there are no {things}"),
        1 => "0".into(),
        _ => format!("0 to {}", count - 1),
    }
}
