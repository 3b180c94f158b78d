//! The error of the shared text scanners; each format wraps it in its own.

use super::position::SourcePosition;

/// A token that a text cannot hold at its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::formats) struct SyntaxError {
    /// Position of the token.
    pub(in crate::formats) position: SourcePosition,
    /// The token, quoted.
    pub(in crate::formats) found: String,
    /// The tokens that would be accepted.
    pub(in crate::formats) expected: String,
}
