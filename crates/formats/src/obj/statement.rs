//! Statements of OBJ and MTL texts: a word and its arguments, one per line.

use crate::text::{decode_text, parse_number, quoted};
use crate::{FilePlace, ModelFormatError};

/// A line without comment, with its continuation lines.
pub(super) struct Statement<'b> {
    /// Its line, from 1.
    pub(super) line: usize,
    /// The first word.
    pub(super) word: &'b [u8],
    rest: &'b [u8],
}

/// The statements of a text, in order; empty lines and comments are skipped.
pub(super) struct Statements<'b> {
    rest: &'b [u8],
    line: usize,
}

impl<'b> Statements<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 1 }
    }
}

impl<'b> Iterator for Statements<'b> {
    type Item = Statement<'b>;

    fn next(&mut self) -> Option<Statement<'b>> {
        while !self.rest.is_empty() {
            let line = self.line;
            let mut end = 0;
            // A backslash at the end of a line continues it; the words of both are read as one
            // line.
            let (text, next) = loop {
                let tail = self.rest.get(end..).unwrap_or_default();
                let Some(length) = tail.iter().position(|byte| matches!(byte, b'\n' | b'\r'))
                else {
                    break (self.rest, self.rest.len());
                };
                let stop = end + length;
                let is_pair = self.rest.get(stop..stop + 2) == Some(b"\r\n");
                let next = stop + if is_pair { 2 } else { 1 };
                self.line += 1;
                let text = self.rest.get(..stop).unwrap_or_default();
                if !text.ends_with(b"\\") {
                    break (text, next);
                }
                end = next;
            };
            self.rest = self.rest.get(next..).unwrap_or_default();
            let text = text.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
            let length = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
            let (word, rest) = text.split_at(length);
            if !word.is_empty() {
                return Some(Statement { line, word, rest });
            }
        }
        None
    }
}

impl<'b> Statement<'b> {
    /// The arguments.
    pub(super) fn words(&self) -> impl Iterator<Item = &'b [u8]> + use<'b> {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
        // A backslash is a gap only before the end of a line; names of files have others, and are
        // read as text.
        self.rest.split(is_gap).filter(|word| !word.is_empty())
    }

    /// Everything after the first word, as one text.
    pub(super) fn text(&self) -> String {
        decode_text(self.rest.trim_ascii())
    }

    /// The arguments after the first `count` ones, as one text.
    pub(super) fn text_after(&self, count: usize) -> String {
        let mut rest = self.rest.trim_ascii();
        for _ in 0..count {
            let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            rest = rest.get(length..).unwrap_or_default().trim_ascii();
        }
        decode_text(rest)
    }

    /// The position of the statement.
    pub(super) fn at(&self) -> FilePlace {
        FilePlace::Line(self.line)
    }

    /// A finite number.
    #[expect(clippy::cast_possible_truncation, reason = "checked to be finite")]
    pub(super) fn real(&self, word: &[u8], what: &str) -> Result<f32, ModelFormatError> {
        let number = parse_number(word).map(|number| number as f32);
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            ModelFormatError::value(self.at(), what, quoted(word), "a finite number")
        })
    }

    /// The numbers of all arguments; empty if there are fewer than `least`.
    pub(super) fn reals(&self, least: usize, what: &str) -> Result<Vec<f32>, ModelFormatError> {
        let numbers: Result<Vec<f32>, _> = self.words().map(|word| self.real(word, what)).collect();
        let numbers = numbers?;
        if numbers.len() < least {
            let found = format!("{} numbers", numbers.len());
            let expected = format!("at least {least}");
            return Err(ModelFormatError::value(self.at(), what, found, expected));
        }
        Ok(numbers)
    }
}
