//! The encodings of a `.x` file.

use core::fmt;

/// Encoding of the bytes after the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `txt `
    Text,
    /// `bin `
    Binary,
    /// `tzip`: text, compressed.
    CompressedText,
    /// `bzip`: binary, compressed.
    CompressedBinary,
}

impl Encoding {
    /// True if it is text after decompression.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::CompressedText)
    }

    /// True if the bytes are compressed.
    #[must_use]
    pub fn is_compressed(self) -> bool {
        matches!(self, Self::CompressedText | Self::CompressedBinary)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Text => "text",
            Self::Binary => "binary",
            Self::CompressedText => "compressed text",
            Self::CompressedBinary => "compressed binary",
        })
    }
}
