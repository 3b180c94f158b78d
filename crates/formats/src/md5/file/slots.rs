//! Lines that carry their own index, such as `vert 3 ...`: the index gives the order, not the position in the file.

use super::{Count, Reader};
use crate::Limits;
use crate::md5::error::{Md5Error, indices};
use crate::text::SourcePosition;
use std::collections::BTreeMap;

/// The lines of one block that were declared with a count; each index from 0 must come exactly once.
pub(super) struct Slots<T> {
    keyword: &'static str,
    header: &'static str,
    declared: Count,
    /// Lines whose indices come in their order, as nearly all do.
    lines: Vec<T>,
    /// Those that come before one with a lower index.
    early: BTreeMap<usize, T>,
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
        Ok(Self { keyword, header, declared, lines, early: BTreeMap::new() })
    }

    /// Number of lines that the header declares.
    pub(super) fn declared(&self) -> usize {
        self.declared.value
    }

    fn is_taken(&self, index: usize) -> bool {
        index < self.lines.len() || self.early.contains_key(&index)
    }

    /// The index, if it is in range and not taken.
    #[inline]
    pub(super) fn free(&self, index: u32) -> Option<usize> {
        let index = index as usize;
        (index < self.declared.value && !self.is_taken(index)).then_some(index)
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
        if self.is_taken(index) {
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

    /// Stores a line at its index; `index` comes from [`Slots::index`] or [`Slots::free`].
    #[inline]
    pub(super) fn put(&mut self, index: usize, line: T) {
        if index != self.lines.len() {
            self.early.insert(index, line);
            return;
        }
        self.lines.push(line);
        while let Some(next) = self.early.remove(&self.lines.len()) {
            self.lines.push(next);
        }
    }

    /// All lines by index, if none is missing where the block ends at `end`.
    pub(super) fn finish(self, end: SourcePosition) -> Result<Vec<T>, Md5Error> {
        let gap = self.lines.len();
        if gap < self.declared.value {
            return Err(Md5Error::Range {
                position: end,
                what: format!("{} lines", self.keyword),
                found: format!("{}, none of them with index {gap}", gap + self.early.len()),
                expected: format!(
                    "{}, as {} says in line {}",
                    self.declared.value, self.header, self.declared.at.line
                ),
            });
        }
        Ok(self.lines)
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
