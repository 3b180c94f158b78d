//! Lines that carry their own index, such as `vert 3 ...`: the index gives the order, not the position in the file.

use super::{Count, Reader};
use crate::formats::Limits;
use crate::formats::md5::error::{Md5Error, indices};
use crate::formats::text::SourcePosition;

/// The lines of one block that were declared with a count; each index from 0 must come exactly once.
pub(super) struct Slots<T> {
    keyword: &'static str,
    header: &'static str,
    declared: Count,
    lines: Vec<Option<T>>,
    filled: usize,
}

impl<T> Slots<T> {
    /// Takes the count behind `header`. `line_bytes` is the least that one line takes in a file.
    ///
    /// # Errors
    /// [`Md5Error::Range`] if the rest of the file cannot hold so many lines: from here on the count is safe to allocate.
    pub(super) fn declare(
        reader: &mut Reader<'_>,
        keyword: &'static str,
        header: &'static str,
        line_bytes: usize,
    ) -> Result<Self, Md5Error> {
        let declared = reader.count(header)?;
        let left = reader.lexer.bytes_left() + reader.token.text.len();
        // The next token is taken already; 64 bytes of slack cover it and the blanks around it.
        let room = (left + 64) / line_bytes;
        if declared.value > room {
            return Err(Md5Error::Range {
                position: declared.at,
                what: header.into(),
                found: declared.value.to_string(),
                expected: format!(
                    "at most {room}: {left} bytes follow, too few for more {keyword} lines"
                ),
            });
        }
        let lines = Limits::reserved(declared.value, left, line_bytes);
        Ok(Self { keyword, header, declared, lines, filled: 0 })
    }

    /// Number of lines that the header declares.
    pub(super) fn declared(&self) -> usize {
        self.declared.value
    }

    /// The next line's index, in range and not taken.
    pub(super) fn index(
        &self,
        reader: &mut Reader<'_>,
    ) -> Result<(usize, SourcePosition), Md5Error> {
        let Count { value: index, at } = reader.count("an index of such a line")?;
        if index >= self.declared.value {
            return Err(self.refuse(at, index, &indices(self.declared.value, "such lines")));
        }
        if self.lines.get(index).is_some_and(Option::is_some) {
            let expected = format!("each of {} once", indices(self.declared.value, "such lines"));
            return Err(Md5Error::Range {
                position: at,
                what: self.keyword.into(),
                found: format!("index {index} for the second time"),
                expected,
            });
        }
        Ok((index, at))
    }

    /// Stores a line at its index; `index` comes from [`Slots::index`].
    pub(super) fn put(&mut self, index: usize, line: T) {
        if index >= self.lines.len() {
            self.lines.resize_with(index, || None);
            self.lines.push(Some(line));
        } else if let Some(slot) = self.lines.get_mut(index) {
            *slot = Some(line);
        }
        self.filled += 1;
    }

    /// All lines by index, if none is missing where the block ends at `end`.
    pub(super) fn finish(self, end: SourcePosition) -> Result<Vec<T>, Md5Error> {
        if self.filled < self.declared.value {
            let gap = self.lines.iter().position(Option::is_none).unwrap_or(self.lines.len());
            return Err(Md5Error::Range {
                position: end,
                what: format!("{} lines", self.keyword),
                found: format!("{}, none of them with index {gap}", self.filled),
                expected: format!(
                    "{}, as {} says in line {}",
                    self.declared.value, self.header, self.declared.at.line
                ),
            });
        }
        Ok(self.lines.into_iter().flatten().collect())
    }

    fn refuse(&self, at: SourcePosition, index: usize, allowed: &str) -> Md5Error {
        Md5Error::Range {
            position: at,
            what: self.keyword.into(),
            found: format!("index {index}"),
            expected: format!(
                "{allowed}, as {} says in line {}",
                self.header, self.declared.at.line
            ),
        }
    }
}
