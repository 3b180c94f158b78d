//! Tokens of the text encoding and their positions.
//!
//! A token is a span of the file's bytes, so reading one allocates nothing. Blanks are space, tab,
//! vertical tab, form feed and the line ends LF, CR and CRLF. A word ends at a blank, a separator,
//! a brace, a quote, `//` or a GUID, so words may contain any other bytes, including signs and
//! leading digits. The file ends at its last byte, or at NUL or Ctrl-Z bytes followed only by
//! blanks and more of them.

use super::error::XError;
use super::guid::parse_guid;
use super::mend::Separator;
use super::token::{Source, Token, TokenKind, Values, Within, number_value};
use super::tree::Value;
use crate::text::{
    ByteClass, ByteClasses, QuotedText, ShortNumber, TextCursor, quoted, short_number,
};
use tintype_model::FileRepair;

/// `#` begins a comment like `//`; a word may contain it, as may brackets outside of templates.
static CLASSES: ByteClasses = ByteClasses::TEXT
    .with(b"0123456789-+.", ByteClass::Number)
    .with(b";,", ByteClass::Separator)
    .with(b"#", ByteClass::Hash)
    .with(b"<", ByteClass::Angle)
    .with(b"[]", ByteClass::Bracket)
    .with(b"{}", ByteClass::Symbol);

#[inline]
fn class(byte: u8) -> ByteClass {
    CLASSES.of(byte)
}

/// True if a number surely ends before this byte.
#[inline]
fn ends_number(byte: u8) -> bool {
    matches!(
        class(byte),
        ByteClass::Separator | ByteClass::Blank | ByteClass::LineEnd | ByteClass::Symbol
    )
}

/// Walks the bytes of a file, token by token.
pub(super) struct TextSource<'a> {
    cursor: TextCursor<'a>,
}

impl<'a> TextSource<'a> {
    /// Starts at byte `at` of the file.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        let mut cursor = TextCursor::new(bytes, 0);
        while cursor.at < at
            && let Some(byte) = cursor.peek()
        {
            match byte {
                b'\n' | b'\r' => cursor.skip_line_end(byte),
                _ => cursor.at += 1,
            }
        }
        Self { cursor }
    }

    /// The text in quotes at the cursor; without a closing quote it is the rest of the line, with a
    /// warning.
    fn text(&mut self, into: &mut Values) -> &'a [u8] {
        let position = self.cursor.position();
        if let Ok(text) = self.cursor.quoted_text(QuotedText::MultiLine) {
            return text;
        }
        self.cursor.at += 1;
        let start = self.cursor.at;
        self.cursor.skip_to_line_end();
        let text = self.span(start, self.cursor.at);
        let text = text.trim_ascii_end();
        let text = text.strip_suffix(b";").unwrap_or(text);
        into.warnings.add(FileRepair::Malformed, position, || {
            format!("unterminated string {}; expected a closing quote", quoted(text))
        });
        text
    }

    fn span(&self, start: usize, end: usize) -> &'a [u8] {
        self.cursor.bytes.get(start..end).unwrap_or_default()
    }

    fn starts_comment(&self, at: usize) -> bool {
        matches!(self.cursor.bytes.get(at..), Some([b'/', b'/', ..]))
    }

    /// The end of the word that starts here; at least one byte further.
    fn word_end(&self, within: Within) -> usize {
        let mut end = self.cursor.at;
        while let Some(&byte) = self.cursor.bytes.get(end) {
            match class(byte) {
                ByteClass::Word | ByteClass::Number | ByteClass::Hash => {}
                ByteClass::Slash if !self.starts_comment(end) => {}
                ByteClass::Angle if end == self.cursor.at || self.guid_end(end).is_none() => {}
                ByteClass::Bracket if within == Within::Data => {}
                _ => break,
            }
            end += 1;
        }
        end
    }

    /// Offset of the `>` of the GUID in angle brackets here, if any, in any spelling.
    fn guid_end(&self, at: usize) -> Option<usize> {
        const LONGEST: usize = 80;
        let inside = self.cursor.bytes.get(at + 1..)?;
        let length = inside
            .iter()
            .take(LONGEST)
            .position(|byte| !byte.is_ascii_hexdigit() && !matches!(byte, b'-' | b' ' | b'\t'))?;
        (inside.get(length) == Some(&b'>')).then_some(at + 1 + length)
    }
}

impl<'a> Source<'a> for TextSource<'a> {
    fn behind(&self, from: usize, to: usize) -> Separator {
        Separator::of(self.span(from, to))
    }

    fn take_values(&mut self, into: &mut Values) -> Result<(), XError> {
        loop {
            self.cursor.skip_blanks(&CLASSES, true);
            let Some(&first) = self.cursor.bytes.get(self.cursor.at) else { return Ok(()) };
            let position = self.cursor.position();
            match class(first) {
                ByteClass::Number => {
                    let rest = self.cursor.rest();
                    if let Some((number, length)) = short_number(rest)
                        && rest.get(length).is_none_or(|&byte| ends_number(byte))
                    {
                        let value = match number {
                            ShortNumber::Whole(whole) => Value::Whole(whole),
                            ShortNumber::Real(real) => Value::Real(real),
                        };
                        into.push(value, position)?;
                        self.cursor.at += length;
                        continue;
                    }
                    let is_inner =
                        |byte: u8| class(byte) == ByteClass::Number || matches!(byte, b'e' | b'E');
                    let length =
                        rest.iter().position(|&byte| !is_inner(byte)).unwrap_or(rest.len());
                    let ends = rest.get(length).is_none_or(|&byte| ends_number(byte));
                    let end =
                        if ends { self.cursor.at + length } else { self.word_end(Within::Data) };
                    let Some(value) = number_value(self.span(self.cursor.at, end)) else {
                        return Ok(());
                    };
                    into.push(value, position)?;
                    self.cursor.at = end;
                }
                ByteClass::Quote => {
                    let text = self.text(into);
                    into.push_text(text, position)?;
                    if self.cursor.line() > position.line {
                        into.warnings.add(FileRepair::Malformed, position, || {
                            format!(
                                "the string {} continues to line {}; is its closing quote missing?",
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
        self.cursor.skip_blanks(&CLASSES, false);
        let (start, position) = (self.cursor.at, self.cursor.position());
        let Some(&first) = self.cursor.bytes.get(start) else {
            return Ok(Token { kind: TokenKind::End, text: &[], position });
        };
        let (kind, text) = match class(first) {
            ByteClass::Symbol => {
                self.cursor.at += 1;
                let kind = if first == b'{' { TokenKind::Open } else { TokenKind::Close };
                (kind, self.span(start, self.cursor.at))
            }
            ByteClass::Bracket if within == Within::Template => {
                self.cursor.at += 1;
                let is_open = first == b'[';
                let kind = if is_open { TokenKind::OpenBracket } else { TokenKind::CloseBracket };
                (kind, self.span(start, self.cursor.at))
            }
            ByteClass::Separator => {
                self.cursor.skip_blanks(&CLASSES, true);
                (TokenKind::Separator, self.span(start, start + 1))
            }
            ByteClass::Quote => (TokenKind::Text, self.cursor.quoted_text(QuotedText::MultiLine)?),
            ByteClass::FileEnd => {
                let rest = self.cursor.rest();
                if self.cursor.is_at_filler() {
                    self.cursor.at = self.cursor.bytes.len();
                    (TokenKind::End, rest)
                } else {
                    self.cursor.at += 1;
                    (TokenKind::Nul, rest)
                }
            }
            ByteClass::Angle if let Some(end) = self.guid_end(start) => {
                self.cursor.at = end + 1;
                let digits = self.span(start + 1, end);
                (TokenKind::Guid(parse_guid(digits)), digits)
            }
            _ => {
                self.cursor.at = self.word_end(within).max(start + 1);
                (TokenKind::Word, self.span(start, self.cursor.at))
            }
        };
        Ok(Token { kind, text, position })
    }
}
