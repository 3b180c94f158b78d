//! Numbers of a line in one pass, if the line is written plainly.
//!
//! Nearly all bytes of a text model are lines of short numbers, so a reader tries this fast path
//! first. It returns nothing for a line with anything else in it, such as a comment, an exponent or
//! a mistake; such a line is then read token by token, with all rules of the format and error
//! reporting. Both paths give the same values.

use super::cursor::TextCursor;
use super::dialect::Dialect;
use super::number::{ShortNumber, short_number, short_real};
use super::position::SourcePosition;

/// The rest of a line, read value by value. None for a value that is missing or not written
/// plainly.
pub(crate) struct PlainLine<'a> {
    pub(super) cursor: TextCursor<'a>,
    pub(super) dialect: &'static Dialect,
}

impl PlainLine<'_> {
    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.cursor.peek() {
            self.cursor.at += 1;
        }
    }

    /// Position of the next value.
    #[inline]
    pub(crate) fn position(&mut self) -> SourcePosition {
        self.skip_blanks();
        self.cursor.position()
    }

    /// Takes this byte.
    #[inline]
    pub(crate) fn symbol(&mut self, symbol: u8) -> Option<()> {
        self.skip_blanks();
        let is_there = self.cursor.peek() == Some(symbol);
        self.cursor.at += usize::from(is_there);
        is_there.then_some(())
    }

    /// Takes a non-negative integer.
    #[inline]
    pub(crate) fn index(&mut self) -> Option<u32> {
        match self.word(short_number)? {
            ShortNumber::Whole(whole) => u32::try_from(whole).ok(),
            ShortNumber::Real(_) => None,
        }
    }

    /// Takes a number without an exponent.
    #[inline]
    pub(crate) fn real(&mut self) -> Option<f64> {
        self.word(short_real)
    }

    /// Takes the value of a whole word; `read` returns the value at the start of a text and its
    /// length in bytes.
    #[inline]
    fn word<T>(&mut self, read: impl FnOnce(&[u8]) -> Option<(T, usize)>) -> Option<T> {
        self.skip_blanks();
        let rest = self.cursor.rest();
        let (value, length) = read(rest)?;
        if !self.dialect.ends_word(rest.get(length)) {
            return None;
        }
        self.cursor.at += length;
        Some(value)
    }
}
