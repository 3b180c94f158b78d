//! The numbers of the records, of text or binary.

use super::header::{Element, Encoding, Header, Kind};
use crate::FilePlace;
use crate::text::number_of_any_language;
use crate::told::Told;
use tintype_model::FileRepair;

/// Reader of numbers.
pub(super) struct Data<'b> {
    bytes: &'b [u8],
    /// The next byte.
    at: usize,
    line: usize,
    encoding: Encoding,
}

impl<'b> Data<'b> {
    pub(super) fn new(bytes: &'b [u8], header: &Header) -> Self {
        Self { bytes, at: header.data, line: header.line, encoding: header.encoding }
    }

    /// The position of the next number.
    pub(super) fn place(&mut self) -> FilePlace {
        match self.encoding {
            Encoding::Text => {
                self.skip_blanks();
                FilePlace::Line(self.line)
            }
            Encoding::Binary { .. } => FilePlace::Byte(self.at),
        }
    }

    fn skip_blanks(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        let (count, lines) = blanks
            .fold((0, 0), |(count, lines), byte| (count + 1, lines + usize::from(*byte == b'\n')));
        self.at += count;
        self.line += lines;
    }

    /// True if bytes are left, ignoring blanks in text.
    pub(super) fn has_more(&self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match self.encoding {
            Encoding::Text => !rest.trim_ascii().is_empty(),
            Encoding::Binary { .. } => !rest.is_empty(),
        }
    }

    /// The next number. None at the end of the file. A word that is not a finite number becomes
    /// NaN.
    fn number(&mut self, kind: Kind, told: &mut Told) -> Option<f64> {
        match self.encoding {
            Encoding::Text => self.word(told),
            Encoding::Binary { is_big } => {
                let end = self.at.checked_add(kind.size())?;
                let mut eight = [0; 8];
                let own = eight.get_mut(..kind.size())?;
                own.copy_from_slice(self.bytes.get(self.at..end)?);
                if is_big {
                    own.reverse();
                }
                self.at = end;
                let [a, b, c, d, ..] = eight;
                Some(match kind {
                    Kind::I8 => f64::from(i8::from_le_bytes([a])),
                    Kind::U8 => f64::from(a),
                    Kind::I16 => f64::from(i16::from_le_bytes([a, b])),
                    Kind::U16 => f64::from(u16::from_le_bytes([a, b])),
                    Kind::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
                    Kind::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
                    Kind::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
                    Kind::F64 => f64::from_le_bytes(eight),
                })
            }
        }
    }

    fn word(&mut self, told: &mut Told) -> Option<f64> {
        self.skip_blanks();
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += length;
        let number = number_of_any_language(rest.get(..length)?);
        if number.is_some_and(|(_, has_comma)| has_comma) {
            let what = "a number contains a comma; it is read as a decimal point";
            told.note(FileRepair::WrongType, self.place(), what);
        }
        Some(number.map_or(f64::NAN, |(number, _)| number))
    }

    /// Reads a record: calls `take` with the index of each property and its number; the numbers of
    /// a list come one after the other. None at the end of the file.
    pub(super) fn record(
        &mut self,
        element: &Element,
        told: &mut Told,
        take: &mut dyn FnMut(usize, f64),
    ) -> Option<()> {
        for (number, property) in element.properties.iter().enumerate() {
            let count = match property.count {
                Some(kind) => self.number(kind, told)?,
                None => 1.0,
            };
            let mut item = 0.0;
            // A count that is not a number is 0.
            while item < count {
                take(number, self.number(property.kind, told)?);
                item += 1.0;
            }
        }
        Some(())
    }
}
