//! The error of the common text scanners; each format wraps it.

use super::position::SourcePosition;

/// A token that is not allowed at its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// Position of the token.
    pub(crate) position: SourcePosition,
    /// The token, quoted.
    pub(crate) found: String,
    /// The tokens that would be accepted.
    pub(crate) expected: String,
}
