//! Lines with an explicit index, such as `vert 3 ...`: the index determines the order, not the
//! position in the file.

use super::{Count, Reader};
use crate::Limits;
use crate::md5::error::{Md5Error, indices};
use crate::text::SourcePosition;
use std::collections::BTreeMap;
use tintype_model::FileRepair;

/// The replacement for a lost line: nothing may use it.
pub(in crate::md5) trait Hole {
    fn hole(at: SourcePosition) -> Self;
}

/// The lines of one block; each index from 0 should occur exactly once, as many as declared.
pub(super) struct Slots<T> {
    keyword: &'static str,
    header: &'static str,
    /// None if the header is missing.
    declared: Option<Count>,
    /// The maximum number of lines that the rest of the file may contain.
    room: usize,
    /// Lines with indices in order, as in nearly all files.
    lines: Vec<T>,
    /// Lines that precede one with a lower index.
    early: BTreeMap<usize, T>,
}

impl<T> Slots<T> {
    /// Takes the count after `header`. `line_bytes` is the minimum size of a line in a file.
    ///
    /// A count larger than the rest of the file can contain is ignored, with a warning, so that
    /// allocation is safe from here on.
    pub(super) fn declare(
        reader: &mut Reader<'_>,
        keyword: &'static str,
        header: &'static str,
        line_bytes: usize,
    ) -> Result<Self, Md5Error> {
        let declared = reader.count(header)?;
        let mut slots = Self::undeclared(reader, keyword, header, line_bytes);
        let (left, room) = (reader.lexer.bytes_left() + reader.token.text.len(), slots.room);
        if declared.value > room {
            let message = format!(
                "{header}: found {}; expected at most {room}, as only {left} bytes follow; the {keyword} lines are counted instead",
                declared.value
            );
            reader.fault(FileRepair::CountMismatch, declared.at, message);
            return Ok(slots);
        }
        slots.lines = Limits::reserved(declared.value, left, line_bytes);
        slots.declared = Some(declared);
        Ok(slots)
    }

    /// Lines without a known count.
    pub(super) fn undeclared(
        reader: &Reader<'_>,
        keyword: &'static str,
        header: &'static str,
        line_bytes: usize,
    ) -> Self {
        let left = reader.lexer.bytes_left() + reader.token.text.len();
        // The next token is already taken; 64 bytes of slack cover it and the blanks around it.
        let room = (left + 64) / line_bytes;
        Self { keyword, header, declared: None, room, lines: Vec::new(), early: BTreeMap::new() }
    }

    /// Number of lines that the header declares.
    fn declared(&self) -> usize {
        self.declared.map_or(0, |count| count.value)
    }

    /// True if the header declares no line.
    pub(super) fn declares_none(&self) -> bool {
        self.declared.is_some_and(|count| count.value == 0)
    }

    fn is_taken(&self, index: usize) -> bool {
        index < self.lines.len() || self.early.contains_key(&index)
    }

    /// The index, if it is in range and not taken.
    #[inline]
    pub(super) fn free(&self, index: u32) -> Option<usize> {
        let index = index as usize;
        (index < self.room && !self.is_taken(index)).then_some(index)
    }

    /// The next line's index, in range and not taken.
    pub(super) fn index(
        &self,
        reader: &mut Reader<'_>,
    ) -> Result<(usize, SourcePosition), Md5Error> {
        let Count { value: index, at } = reader.count("a line index")?;
        if index >= self.room {
            return Err(Md5Error::Range {
                position: at,
                what: self.keyword.into(),
                found: format!("index {index}"),
                expected: indices(self.room.min(self.declared().max(1)), "such lines"),
            });
        }
        if self.is_taken(index) {
            let expected = "each index once".to_owned();
            return Err(Md5Error::Range {
                position: at,
                what: self.keyword.into(),
                found: format!("index {index} a second time"),
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

    /// All lines by index, with holes for those missing at the end of the block, `end`, and a
    /// warning; `cost` describes the consequence.
    pub(super) fn finish(
        mut self,
        reader: &mut Reader<'_>,
        end: SourcePosition,
        cost: &str,
    ) -> Vec<T>
    where
        T: Hole,
    {
        let gap = self.lines.len();
        let found = gap + self.early.len();
        let declared = self.declared.map(|count| count.value);
        let last = self.early.last_key_value().map_or(gap, |(index, _)| index + 1);
        let count = last.max(declared.unwrap_or(0));
        if declared != Some(found) || found < count {
            let wanted = match self.declared {
                Some(Count { value, at }) => {
                    format!("expected {value}, from {} on line {}", self.header, at.line)
                }
                None => format!("expected {} before them", self.header),
            };
            let (which, cost) = if found < count {
                (format!(", none with index {gap}"), cost)
            } else {
                (String::new(), "all are read")
            };
            let message = format!("{} lines: found {found}{which}; {wanted}; {cost}", self.keyword);
            reader.fault(FileRepair::CountMismatch, end, message);
        }
        while self.lines.len() < count {
            let line = self.early.remove(&self.lines.len());
            self.lines.push(line.unwrap_or_else(|| T::hole(end)));
        }
        self.lines
    }
}
