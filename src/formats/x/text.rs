//! Tokens of the text encoding and their places.
//!
//! A token is a span of the file's bytes, so reading one allocates nothing. Blanks are space, tab, vertical tab, form feed
//! and the line ends LF, CR and CRLF. A word ends at a blank, a separator, a brace, a quote, `//` or a GUID, so words may hold
//! any other bytes, also signs and leading digits. The file ends at its last byte, or at NUL or Ctrl-Z bytes behind which only
//! blanks and more of them follow.

use super::error::XError;
use super::token::{Source, Token, TokenKind, Values, Within, number_value};
use super::tree::{Guid, Value};
use crate::formats::number::{ShortNumber, short_number};
use crate::formats::place::TextCursor;
use crate::formats::quote::quoted;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    /// A byte with which a number may begin.
    Number,
    Blank,
    LineEnd,
    Separator,
    Quote,
    Slash,
    Hash,
    Angle,
    Bracket(TokenKind),
    Brace(TokenKind),
    FileEnd,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Word; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = Class::Number;
        digit += 1;
    }
    table[b'-' as usize] = Class::Number;
    table[b'+' as usize] = Class::Number;
    table[b'.' as usize] = Class::Number;
    table[b' ' as usize] = Class::Blank;
    table[b'\t' as usize] = Class::Blank;
    table[0x0b] = Class::Blank;
    table[0x0c] = Class::Blank;
    table[b'\n' as usize] = Class::LineEnd;
    table[b'\r' as usize] = Class::LineEnd;
    table[b';' as usize] = Class::Separator;
    table[b',' as usize] = Class::Separator;
    table[b'"' as usize] = Class::Quote;
    table[b'/' as usize] = Class::Slash;
    table[b'#' as usize] = Class::Hash;
    table[b'<' as usize] = Class::Angle;
    table[b'[' as usize] = Class::Bracket(TokenKind::OpenBracket);
    table[b']' as usize] = Class::Bracket(TokenKind::CloseBracket);
    table[b'{' as usize] = Class::Brace(TokenKind::Open);
    table[b'}' as usize] = Class::Brace(TokenKind::Close);
    table[0x00] = Class::FileEnd;
    table[0x1a] = Class::FileEnd;
    table
};

#[inline]
fn class(byte: u8) -> Class {
    CLASS[usize::from(byte)]
}

/// Whether a number surely ends before this byte.
#[inline]
fn ends_number(byte: u8) -> bool {
    matches!(class(byte), Class::Separator | Class::Blank | Class::LineEnd | Class::Brace(_))
}

/// Walks over the bytes of a file, token by token.
pub(super) struct TextSource<'a> {
    cursor: TextCursor<'a>,
}

impl<'a> TextSource<'a> {
    /// Starts at byte `at` of the file, which is in the first line.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { cursor: TextCursor::new(bytes, at) }
    }

    fn span(&self, start: usize, end: usize) -> &'a [u8] {
        self.cursor.bytes.get(start..end).unwrap_or_default()
    }

    fn starts_comment(&self, at: usize) -> bool {
        matches!(self.cursor.bytes.get(at..), Some([b'/', b'/', ..]))
    }

    /// Passes blanks and comments; with `separators`, those too.
    fn skip_blanks(&mut self, separators: bool) {
        while let Some(&byte) = self.cursor.bytes.get(self.cursor.at) {
            match class(byte) {
                Class::Blank => self.cursor.at += 1,
                Class::Separator if separators => self.cursor.at += 1,
                Class::LineEnd => self.cursor.skip_line_end(byte),
                Class::Hash => self.cursor.skip_to_line_end(),
                Class::Slash if self.starts_comment(self.cursor.at) => {
                    self.cursor.skip_to_line_end()
                }
                _ => break,
            }
        }
    }

    /// The end of the word that starts here; at least one byte on.
    fn word_end(&self, within: Within) -> usize {
        let mut end = self.cursor.at;
        while let Some(&byte) = self.cursor.bytes.get(end) {
            match class(byte) {
                Class::Word | Class::Number | Class::Hash => {}
                Class::Slash if !self.starts_comment(end) => {}
                Class::Angle if end == self.cursor.at || self.guid_end(end).is_none() => {}
                Class::Bracket(_) if within == Within::Data => {}
                _ => break,
            }
            end += 1;
        }
        end
    }

    /// The byte of the `>` if a GUID stands in angle brackets here, however carelessly it is written.
    fn guid_end(&self, at: usize) -> Option<usize> {
        const LONGEST: usize = 80;
        let inside = self.cursor.bytes.get(at + 1..)?;
        let length = inside
            .iter()
            .take(LONGEST)
            .position(|byte| !byte.is_ascii_hexdigit() && !matches!(byte, b'-' | b' ' | b'\t'))?;
        (inside.get(length) == Some(&b'>')).then_some(at + 1 + length)
    }

    /// Takes a text that starts here and returns what is between the quotes.
    fn text(&mut self) -> Result<&'a [u8], XError> {
        let place = self.cursor.place();
        let inside = self.cursor.bytes.get(self.cursor.at + 1..).unwrap_or_default();
        let length = inside.iter().position(|&byte| byte == b'"');
        let text = inside.get(..length.unwrap_or(inside.len())).unwrap_or_default();
        if length.is_none() {
            return Err(XError::Syntax {
                place,
                found: format!("a text without an end: {}", quoted(text)),
                expected: "a closing quote".into(),
            });
        }
        let end = self.cursor.at + text.len() + 2;
        while self.cursor.at < end {
            match self.cursor.bytes.get(self.cursor.at) {
                Some(&byte) if matches!(byte, b'\n' | b'\r') => self.cursor.skip_line_end(byte),
                _ => self.cursor.at += 1,
            }
        }
        Ok(text)
    }
}

impl<'a> Source<'a> for TextSource<'a> {
    fn take_values(&mut self, into: &mut Values) -> Result<(), XError> {
        loop {
            self.skip_blanks(true);
            let Some(&first) = self.cursor.bytes.get(self.cursor.at) else { return Ok(()) };
            let place = self.cursor.place();
            match class(first) {
                Class::Number => {
                    let rest = self.cursor.rest();
                    if let Some((number, length)) = short_number(rest)
                        && rest.get(length).is_none_or(|&byte| ends_number(byte))
                    {
                        let value = match number {
                            ShortNumber::Whole(whole) => Value::Whole(whole),
                            ShortNumber::Real(real) => Value::Real(real),
                        };
                        into.push(value, place)?;
                        self.cursor.at += length;
                        continue;
                    }
                    let is_inner =
                        |byte: u8| class(byte) == Class::Number || matches!(byte, b'e' | b'E');
                    let length =
                        rest.iter().position(|&byte| !is_inner(byte)).unwrap_or(rest.len());
                    let ends = rest.get(length).is_none_or(|&byte| ends_number(byte));
                    let end =
                        if ends { self.cursor.at + length } else { self.word_end(Within::Data) };
                    let Some(value) = number_value(self.span(self.cursor.at, end)) else {
                        return Ok(());
                    };
                    into.push(value, place)?;
                    self.cursor.at = end;
                }
                Class::Quote => {
                    let text = self.text()?;
                    into.push_text(text, place)?;
                    if self.cursor.line() > place.line {
                        into.warnings.add(place, || {
                            format!(
                                "the text {} goes on to line {}; is its closing quote missing?",
                                quoted(text),
                                self.cursor.line()
                            )
                        });
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn next_token(&mut self, within: Within) -> Result<Token<'a>, XError> {
        self.skip_blanks(false);
        let (start, place) = (self.cursor.at, self.cursor.place());
        let Some(&first) = self.cursor.bytes.get(start) else {
            return Ok(Token { kind: TokenKind::End, text: &[], place });
        };
        let (kind, text) = match class(first) {
            Class::Brace(kind) => {
                self.cursor.at += 1;
                (kind, self.span(start, self.cursor.at))
            }
            Class::Bracket(kind) if within == Within::Template => {
                self.cursor.at += 1;
                (kind, self.span(start, self.cursor.at))
            }
            Class::Separator => {
                self.skip_blanks(true);
                (TokenKind::Separator, self.span(start, start + 1))
            }
            Class::Quote => (TokenKind::Text, self.text()?),
            Class::FileEnd => {
                let rest = self.cursor.rest();
                if self.cursor.is_at_filler() {
                    self.cursor.at = self.cursor.bytes.len();
                    (TokenKind::End, rest)
                } else {
                    self.cursor.at += 1;
                    (TokenKind::Nul, rest)
                }
            }
            Class::Angle if let Some(end) = self.guid_end(start) => {
                self.cursor.at = end + 1;
                let digits = self.span(start + 1, end);
                (TokenKind::Guid(parse_guid(digits)), digits)
            }
            _ => {
                self.cursor.at = self.word_end(within).max(start + 1);
                (TokenKind::Word, self.span(start, self.cursor.at))
            }
        };
        Ok(Token { kind, text, place })
    }
}

/// The GUID of 32 hexadecimal digits, whatever stands between them.
fn parse_guid(text: &[u8]) -> Option<Guid> {
    let mut guid = [0_u8; 16];
    let mut digits = text.iter().filter_map(|&byte| char::from(byte).to_digit(16));
    for byte in &mut guid {
        let (high, low) = (digits.next()?, digits.next()?);
        *byte = u8::try_from(high << 4 | low).ok()?;
    }
    digits.next().is_none().then_some(Guid(guid))
}
