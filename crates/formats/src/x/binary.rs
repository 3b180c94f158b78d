//! Tokens of the binary encoding: 16-bit little-endian marks, each followed by a record.
//!
//! Numbers come in lists whose boundaries need not match the members of an object, so they are read
//! as one stream. Integers are unsigned 32-bit; floats have the width stated in the header.
//! Separators may follow texts and are skipped. The file ends at its last byte, or at zero bytes
//! followed only by zero bytes.

use super::error::XError;
use super::guid::Guid;
use super::token::{Source, Token, TokenKind, Values, Within};
use super::tree::Value;
use crate::text::SourcePosition;

const NAME: u16 = 0x01;
const STRING: u16 = 0x02;
const INTEGER: u16 = 0x03;
const GUID: u16 = 0x05;
const INTEGER_LIST: u16 = 0x06;
const FLOAT_LIST: u16 = 0x07;
const COMMA: u16 = 0x13;
const SEMICOLON: u16 = 0x14;

/// Marks without a record: their tokens, and their spelling in text.
const PLAIN: [(u16, TokenKind, &[u8]); 24] = [
    (0x0a, TokenKind::Open, b"{"),
    (0x0b, TokenKind::Close, b"}"),
    (0x0c, TokenKind::Sign, b"("),
    (0x0d, TokenKind::Sign, b")"),
    (0x0e, TokenKind::OpenBracket, b"["),
    (0x0f, TokenKind::CloseBracket, b"]"),
    (0x10, TokenKind::Sign, b"<"),
    (0x11, TokenKind::Sign, b">"),
    (0x12, TokenKind::Sign, b"."),
    (COMMA, TokenKind::Separator, b","),
    (SEMICOLON, TokenKind::Separator, b";"),
    (0x1f, TokenKind::Word, b"template"),
    (0x28, TokenKind::Word, b"WORD"),
    (0x29, TokenKind::Word, b"DWORD"),
    (0x2a, TokenKind::Word, b"FLOAT"),
    (0x2b, TokenKind::Word, b"DOUBLE"),
    (0x2c, TokenKind::Word, b"CHAR"),
    (0x2d, TokenKind::Word, b"UCHAR"),
    (0x2e, TokenKind::Word, b"SWORD"),
    (0x2f, TokenKind::Word, b"SDWORD"),
    (0x31, TokenKind::Word, b"LPSTR"),
    (0x32, TokenKind::Word, b"UNICODE"),
    (0x33, TokenKind::Word, b"CSTRING"),
    (0x34, TokenKind::Word, b"array"),
];

/// Walks the bytes of a file, token by token.
pub(super) struct BinarySource<'a> {
    bytes: &'a [u8],
    at: usize,
    float_bytes: usize,
}

impl<'a> BinarySource<'a> {
    /// Starts at byte `at` of the file.
    pub(super) fn new(bytes: &'a [u8], at: usize, float_bits: u8) -> Self {
        Self { bytes, at, float_bytes: usize::from(float_bits / 8) }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn position(&self) -> SourcePosition {
        SourcePosition::byte(self.at)
    }

    /// The mark at this position. None at the end of the file.
    fn peek(&self) -> Result<Option<u16>, XError> {
        match self.rest() {
            [low, high, ..] if (*low, *high) != (0, 0) => {
                Ok(Some(u16::from_le_bytes([*low, *high])))
            }
            rest if rest.iter().all(|byte| *byte == 0) => Ok(None),
            rest => Err(XError::Syntax {
                position: self.position(),
                found: match rest {
                    [single] => format!("a single byte {single} at the end of the file"),
                    _ => "the token 0".into(),
                },
                expected: "a token of a binary .x file".into(),
            }),
        }
    }

    /// Takes the next `count` bytes of the record `what`.
    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], XError> {
        let taken = self.rest().get(..count).ok_or_else(|| XError::Range {
            position: self.position(),
            what: what.into(),
            found: format!("{} bytes up to the end of the file", self.rest().len()),
            expected: count.to_string(),
        })?;
        self.at += count;
        Ok(taken)
    }

    fn take_u32(&mut self, what: &str) -> Result<u32, XError> {
        let mut value = [0; 4];
        value.copy_from_slice(self.take(4, what)?);
        Ok(u32::from_le_bytes(value))
    }

    /// Takes a count and as many records of `each` bytes.
    fn take_counted(&mut self, each: usize, what: &str) -> Result<&'a [u8], XError> {
        let position = self.position();
        let count = self.take_u32(what)?;
        let left = self.rest().len() / each.max(1);
        match usize::try_from(count).ok().filter(|count| *count <= left) {
            Some(count) => self.take(count * each, what),
            None => Err(XError::Range {
                position,
                what: what.into(),
                found: count.to_string(),
                expected: format!("at most {left}, as many as remain in the file"),
            }),
        }
    }

    fn take_guid(&mut self) -> Result<Guid, XError> {
        let mut guid = [0; 16];
        guid.copy_from_slice(self.take(16, "bytes of a GUID")?);
        // The first three parts are little-endian numbers.
        for part in [0..4, 4..6, 6..8] {
            guid.get_mut(part).unwrap_or_default().reverse();
        }
        Ok(Guid(guid))
    }
}

/// A name or text without the trailing zero bytes of some writers.
fn without_zeros(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    text.get(..end).unwrap_or_default()
}

impl<'a> Source<'a> for BinarySource<'a> {
    fn take_values(&mut self, into: &mut Values) -> Result<(), XError> {
        while let Some(mark) = self.peek()? {
            let position = self.position();
            let record = self.at + 2;
            match mark {
                COMMA | SEMICOLON => self.at = record,
                INTEGER => {
                    self.at = record;
                    let value = self.take_u32("bytes of an integer")?;
                    into.push(Value::Whole(i64::from(value)), position)?;
                }
                STRING => {
                    self.at = record;
                    let text = self.take_counted(1, "length of a text")?;
                    into.push_text(without_zeros(text), position)?;
                }
                INTEGER_LIST => {
                    self.at = record;
                    let list = self.take_counted(4, "length of a list of integers")?;
                    let (numbers, _) = list.as_chunks::<4>();
                    let first = SourcePosition::byte(record + 4);
                    into.push_list(first, 4, numbers, |bytes| {
                        Value::Whole(i64::from(u32::from_le_bytes(bytes)))
                    })?;
                }
                FLOAT_LIST => {
                    self.at = record;
                    let list = self.take_counted(self.float_bytes, "length of a list of floats")?;
                    let first = SourcePosition::byte(record + 4);
                    if self.float_bytes == 8 {
                        into.push_list(first, 8, list.as_chunks::<8>().0, |bytes| {
                            Value::Real(f64::from_le_bytes(bytes))
                        })?;
                    } else {
                        into.push_list(first, 4, list.as_chunks::<4>().0, |bytes| {
                            Value::Real(f64::from(f32::from_le_bytes(bytes)))
                        })?;
                    }
                }
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    fn next_token(&mut self, within: Within) -> Result<Token<'a>, XError> {
        let position = self.position();
        let token = |kind, text| Ok(Token { kind, text, position });
        let Some(mark) = self.peek()? else { return token(TokenKind::End, &[]) };
        if let Some((_, kind, text)) = PLAIN.iter().find(|(plain, ..)| *plain == mark) {
            self.at += 2;
            return token(*kind, text);
        }
        let record = self.at + 2;
        match mark {
            NAME => {
                self.at = record;
                token(TokenKind::Word, without_zeros(self.take_counted(1, "length of a name")?))
            }
            STRING => {
                self.at = record;
                token(TokenKind::Text, without_zeros(self.take_counted(1, "length of a text")?))
            }
            GUID => {
                self.at = record;
                token(TokenKind::Guid(Some(self.take_guid()?)), &[])
            }
            INTEGER if within == Within::Template => {
                self.at = record;
                token(TokenKind::Number(self.take_u32("bytes of an integer")?), &[])
            }
            INTEGER_LIST | FLOAT_LIST if within == Within::Template => {
                self.at = record;
                let each = if mark == INTEGER_LIST { 4 } else { self.float_bytes };
                self.take_counted(each, "length of a list")?;
                token(TokenKind::Number(0), &[])
            }
            INTEGER | INTEGER_LIST | FLOAT_LIST => token(TokenKind::Number(0), &[]),
            _ => Err(XError::Syntax {
                position,
                found: format!("the token {mark}"),
                expected: "a token of a binary .x file".into(),
            }),
        }
    }
}
