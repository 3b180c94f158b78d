//! Places in a file, and the walk over the bytes of a text that keeps count of them.

use crate::model::Warning;
use core::fmt;

/// A place in a file: a line of text, or a byte of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1; LF, CR and CRLF each end one. 0 in binary.
    pub line: u32,
    /// The byte in the line, from 1. 0 in binary.
    pub column: u32,
    /// The byte in the file, from 0; of a compressed file, the byte in the inflated one, whose header of 16 bytes counts.
    pub offset: usize,
}

impl Place {
    /// The first byte of a text.
    pub const START: Self = Self { line: 1, column: 1, offset: 0 };

    /// A place in a binary file.
    #[must_use]
    pub const fn byte(offset: usize) -> Self {
        Self { line: 0, column: 0, offset }
    }

    /// A warning that tells the place: by its line, or where there are no lines in its words.
    pub(super) fn warning(self, message: &str) -> Warning {
        if self.line > 0 {
            Warning::new(self.line as usize, message)
        } else {
            Warning::new(0, format!("{self}: {message}"))
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(out, "line {}, column {}", self.line, self.column)
        } else {
            write!(out, "byte {}", self.offset)
        }
    }
}

/// The mark with which some programs begin a UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where a lexer stands in a text. It knows line ends and nothing else of the text.
#[derive(Clone)]
pub(super) struct TextCursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> TextCursor<'a> {
    /// Starts at byte `at`, which is in the first line, or behind a UTF-8 byte order mark.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        let line_start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { bytes, at: at.max(line_start), line: 1, line_start }
    }

    #[inline]
    pub(super) fn place(&self) -> Place {
        let column = u32::try_from(self.at - self.line_start).unwrap_or(u32::MAX);
        Place { line: self.line, column: column.saturating_add(1), offset: self.at }
    }

    #[inline]
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// The bytes from here on.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The byte that stands here.
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Passes the LF or CR that stands here, and with a CR the LF behind it.
    pub(super) fn skip_line_end(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'\r' && self.peek() == Some(b'\n') {
            self.at += 1;
        }
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    /// Goes to the LF or CR that ends the line, or to the end of the text.
    pub(super) fn skip_to_line_end(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    }

    /// Whether nothing stands from here on but blanks, and NUL and Ctrl-Z bytes, which end a text.
    pub(super) fn is_at_filler(&self) -> bool {
        let is_filler = |byte: &u8| matches!(byte, 0x00 | 0x1a | b' ' | 0x09..=0x0d);
        self.rest().iter().all(is_filler)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_counts_lines_from_behind_a_byte_order_mark() {
        let mut cursor = TextCursor::new(b"\xef\xbb\xbfab\r\nc", 0);
        assert_eq!(cursor.place().to_string(), "line 1, column 1");
        cursor.skip_to_line_end();
        assert_eq!(cursor.place().to_string(), "line 1, column 3");
        cursor.skip_line_end(b'\r');
        assert_eq!(cursor.place(), Place { line: 2, column: 1, offset: 7 });
        cursor.skip_to_line_end();
        assert_eq!((cursor.peek(), cursor.is_at_filler()), (None, true));
        assert_eq!(Place::byte(20).to_string(), "byte 20");
    }
}
