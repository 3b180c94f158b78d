//! Positions in a source file, for messages and warnings.

use core::fmt;
use tintype_model::{FileRepair, Warning};

/// A position in a file: line and column of a text, or a byte of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePosition {
    /// The line, from 1; LF, CR and CRLF each end one. 0 in binary.
    pub line: u32,
    /// The byte in the line, from 1. 0 in binary.
    pub column: u32,
    /// The byte in the file, from 0; in a compressed file, the byte of the decompressed data,
    /// including its header of 16 bytes.
    pub offset: usize,
}

impl SourcePosition {
    /// The first byte of a text.
    pub const START: Self = Self { line: 1, column: 1, offset: 0 };

    /// A position in a binary file.
    #[must_use]
    pub const fn byte(offset: usize) -> Self {
        Self { line: 0, column: 0, offset }
    }

    /// A warning at this position: by its line number, or in a binary file by the byte offset
    /// before the message.
    pub(crate) fn fault(self, fault: FileRepair, message: &str) -> Warning {
        if self.line > 0 {
            fault.at(self.line as usize, message)
        } else {
            fault.told(format!("{self}: {message}"))
        }
    }
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(out, "line {}, column {}", self.line, self.column)
        } else {
            write!(out, "byte {}", self.offset)
        }
    }
}
