//! Positions of the values of an object, in about one byte per value.
//!
//! The first position belongs to the object; every further one is a step from the one before it. A
//! step within a line of fewer than [`FURTHER`] bytes takes one byte, a step to the next line three
//! or more.

use crate::text::SourcePosition;

/// The step leads to another line or is long: lines, column and bytes follow as numbers of seven
/// bits per byte.
const FURTHER: u8 = 0xff;

/// Positions of the values of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionList {
    steps: Vec<u8>,
}

impl PositionList {
    /// Takes over steps written by [`push_step`].
    pub(super) fn from_steps(steps: Vec<u8>) -> Self {
        Self { steps }
    }

    /// Position of value `index` of an object at `start`; beyond the last value, that of the last.
    pub(super) fn of(&self, index: usize, start: SourcePosition) -> SourcePosition {
        self.all(start).take(index.saturating_add(1)).last().unwrap_or(start)
    }

    /// Positions of all values of an object at `start`.
    pub(super) fn all(&self, start: SourcePosition) -> impl Iterator<Item = SourcePosition> {
        let mut position = start;
        let mut steps = self.steps.iter().copied();
        std::iter::from_fn(move || {
            let step = steps.next()?;
            if step < FURTHER {
                position.offset += usize::from(step);
                if position.line > 0 {
                    position.column = position.column.saturating_add(u32::from(step));
                }
                return Some(position);
            }
            let mut number = || {
                let (mut value, mut shift) = (0_usize, 0_u32);
                for byte in steps.by_ref() {
                    value |= usize::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
                    shift += 7;
                    if byte < 0x80 {
                        break;
                    }
                }
                value
            };
            let (lines, column, bytes) = (number(), number(), number());
            let line = u32::try_from(lines).unwrap_or(u32::MAX);
            position.line = position.line.saturating_add(line);
            position.column = u32::try_from(column).unwrap_or(u32::MAX);
            position.offset += bytes;
            Some(position)
        })
    }
}

/// Writes the step between two positions, the second not before the first.
#[inline]
pub(super) fn push_step(steps: &mut Vec<u8>, from: SourcePosition, to: SourcePosition) {
    let bytes = to.offset.saturating_sub(from.offset);
    match u8::try_from(bytes) {
        Ok(step) if step < FURTHER && from.line == to.line => steps.push(step),
        _ => push_long_step(steps, from, to, bytes),
    }
}

fn push_long_step(steps: &mut Vec<u8>, from: SourcePosition, to: SourcePosition, bytes: usize) {
    steps.push(FURTHER);
    for mut value in [to.line.saturating_sub(from.line) as usize, to.column as usize, bytes] {
        while value >= 0x80 {
            #[expect(clippy::cast_possible_truncation, reason = "the low seven bits are meant")]
            steps.push(value as u8 | 0x80);
            value >>= 7;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        steps.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_as_they_were_pushed() {
        let at = |line, column, offset| SourcePosition { line, column, offset };
        for positions in [
            vec![
                at(3, 5, 40),
                at(3, 6, 41),
                at(3, 259, 294),
                at(3, 260, 295),
                at(3, 700, 735),
                at(4, 1, 737),
                at(90_000, 300, 1 << 33),
            ],
            vec![at(0, 0, 16), at(0, 0, 20), at(0, 0, 24), at(0, 0, 3000)],
        ] {
            let mut steps = Vec::new();
            for pair in positions.windows(2) {
                push_step(&mut steps, pair[0], pair[1]);
            }
            let found = PositionList::from_steps(steps);
            for (index, position) in positions[1..].iter().enumerate() {
                assert_eq!(found.of(index, positions[0]), *position);
            }
            assert_eq!(found.of(1000, positions[0]), *positions.last().unwrap());
        }
    }
}
