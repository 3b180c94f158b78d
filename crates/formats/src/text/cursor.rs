//! A cursor over the bytes of a text that counts lines.

use super::class::{ByteClass, ByteClasses};
use super::error::SyntaxError;
use super::excerpt::quoted;
use super::position::SourcePosition;

/// The byte order mark that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Rule for a text in quotes that continues after the end of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotedText {
    /// The closing quote is on the line of the opening one.
    SingleLine,
    /// The text may contain line ends.
    MultiLine,
}

/// The read position of a lexer in a text.
#[derive(Clone)]
pub(crate) struct TextCursor<'a> {
    /// The whole text.
    pub(crate) bytes: &'a [u8],
    /// The offset of the next byte.
    pub(crate) at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> TextCursor<'a> {
    /// Starts at byte `at` of the first line, or after a UTF-8 byte order mark.
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        let line_start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { bytes, at: at.max(line_start), line: 1, line_start }
    }

    /// Position of the next byte.
    #[inline]
    pub(crate) fn position(&self) -> SourcePosition {
        let column = u32::try_from(self.at - self.line_start).unwrap_or(u32::MAX);
        SourcePosition { line: self.line, column: column.saturating_add(1), offset: self.at }
    }

    /// Line of the next byte, from 1.
    #[inline]
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    /// The bytes from the cursor on.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next byte.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips `byte`, the LF or CR at the cursor, and the LF of a CRLF.
    pub(crate) fn skip_line_end(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'\r' && self.peek() == Some(b'\n') {
            self.at += 1;
        }
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    /// Moves to the LF or CR that ends the line, or to the end of the text.
    pub(crate) fn skip_to_line_end(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    }

    /// Skips blanks, line ends and comments that end with their line (`//` and
    /// [`ByteClass::Hash`]); with `separators`, those too.
    #[inline]
    pub(crate) fn skip_blanks(&mut self, classes: &ByteClasses, separators: bool) {
        while let Some(byte) = self.peek() {
            match classes.of(byte) {
                ByteClass::Blank => self.at += 1,
                ByteClass::Separator if separators => self.at += 1,
                ByteClass::LineEnd => self.skip_line_end(byte),
                ByteClass::Hash => self.skip_to_line_end(),
                ByteClass::Slash if self.bytes.get(self.at + 1) == Some(&b'/') => {
                    self.skip_to_line_end();
                }
                _ => break,
            }
        }
    }

    /// Takes the text in quotes at the cursor and returns the bytes between the quotes. Backslashes
    /// are not special.
    ///
    /// # Errors
    /// [`SyntaxError`] at the opening quote if the closing one is missing.
    pub(crate) fn quoted_text(&mut self, extent: QuotedText) -> Result<&'a [u8], SyntaxError> {
        let inside = self.bytes.get(self.at + 1..).unwrap_or_default();
        let ends_text = |&byte: &u8| match extent {
            QuotedText::SingleLine => matches!(byte, b'"' | b'\n' | b'\r'),
            QuotedText::MultiLine => byte == b'"',
        };
        let length = inside.iter().position(ends_text).unwrap_or(inside.len());
        let text = inside.get(..length).unwrap_or_default();
        if inside.get(length) != Some(&b'"') {
            return Err(SyntaxError {
                position: self.position(),
                found: format!("an unterminated string: {}", quoted(text)),
                expected: match extent {
                    QuotedText::SingleLine => "a closing quote before the end of the line".into(),
                    QuotedText::MultiLine => "a closing quote".into(),
                },
            });
        }
        let end = self.at + length + 2;
        match extent {
            QuotedText::SingleLine => self.at = end,
            QuotedText::MultiLine => {
                while self.at < end {
                    match self.peek() {
                        Some(byte @ (b'\n' | b'\r')) => self.skip_line_end(byte),
                        _ => self.at += 1,
                    }
                }
            }
        }
        Ok(text)
    }

    /// True if only blanks, NUL and Ctrl-Z bytes follow, which end a text.
    pub(crate) fn is_at_filler(&self) -> bool {
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
        assert_eq!(cursor.position().to_string(), "line 1, column 1");
        cursor.skip_to_line_end();
        assert_eq!(cursor.position().to_string(), "line 1, column 3");
        cursor.skip_line_end(b'\r');
        assert_eq!(cursor.position(), SourcePosition { line: 2, column: 1, offset: 7 });
        cursor.skip_to_line_end();
        assert_eq!((cursor.peek(), cursor.is_at_filler()), (None, true));
        assert_eq!(SourcePosition::byte(20).to_string(), "byte 20");
    }
}
