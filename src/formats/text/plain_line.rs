//! Numbers of a line in one pass, where the line is written plainly.
//!
//! Nearly all bytes of a text model are lines of short numbers. A reader tries such a line here first. A line with anything else in
//! it, such as a comment, an exponent or a mistake, gives none; it is then read token by token, which knows all rules of the format and
//! tells mistakes. Both ways give the same values.

use super::dialect::Dialect;
use super::number::short_real;
use super::position::SourcePosition;

/// The rest of a line, taken value by value; none for a value that is not there or not written plainly.
pub(in crate::formats) struct PlainLine<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub(super) at: usize,
    start: SourcePosition,
    dialect: &'static Dialect,
}

impl<'a> PlainLine<'a> {
    /// The line from `start` on.
    #[inline]
    pub(super) fn new(bytes: &'a [u8], start: SourcePosition, dialect: &'static Dialect) -> Self {
        Self { bytes, at: start.offset, start, dialect }
    }

    /// The bytes behind spaces and tabs.
    #[inline]
    fn behind_blanks(&mut self) -> &'a [u8] {
        while let Some(b' ' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Position of the next value.
    #[inline]
    pub(in crate::formats) fn position(&mut self) -> SourcePosition {
        self.behind_blanks();
        let passed = u32::try_from(self.at - self.start.offset).unwrap_or(u32::MAX);
        let column = self.start.column.saturating_add(passed);
        SourcePosition { column, offset: self.at, ..self.start }
    }

    /// Takes this byte.
    #[inline]
    pub(in crate::formats) fn symbol(&mut self, symbol: u8) -> Option<()> {
        let is_there = self.behind_blanks().first() == Some(&symbol);
        self.at += usize::from(is_there);
        is_there.then_some(())
    }

    /// Takes digits alone.
    #[inline]
    pub(in crate::formats) fn index(&mut self) -> Option<u32> {
        /// So many digits fit.
        const MOST_DIGITS: usize = 9;
        let rest = self.behind_blanks();
        let (mut value, mut length) = (0, 0);
        for &byte in rest.iter().take(MOST_DIGITS + 1) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value * 10 + u64::from(digit);
            length += 1;
        }
        if length == 0 || length > MOST_DIGITS || !self.dialect.ends_word(rest.get(length)) {
            return None;
        }
        self.at += length;
        u32::try_from(value).ok()
    }

    /// Takes a number without an exponent.
    #[inline]
    pub(in crate::formats) fn real(&mut self) -> Option<f64> {
        let rest = self.behind_blanks();
        let (value, length) = short_real(rest)?;
        if !self.dialect.ends_word(rest.get(length)) {
            return None;
        }
        self.at += length;
        Some(value)
    }
}
