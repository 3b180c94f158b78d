//! The error of the shared text scanners; each format wraps it in its own.

use super::position::SourcePosition;

/// A token that a text cannot hold at its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// Position of the token.
    pub(crate) position: SourcePosition,
    /// The token, quoted.
    pub(crate) found: String,
    /// The tokens that would be accepted.
    pub(crate) expected: String,
}
