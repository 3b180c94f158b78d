//! Tokens of the MD5 text formats and their places; it knows no keyword and no number.
//!
//! A token is a span of the file's bytes, so reading one allocates nothing. Blanks are space, tab, vertical tab, form feed
//! and the line ends LF, CR and CRLF. Comments are `//` to the end of the line and `/* */`; neither starts within quotes.
//! The file ends at its last byte, or at NUL or Ctrl-Z bytes behind which only blanks and more of them follow.

use super::error::Md5Error;
use crate::formats::place::{Place, TextCursor};
use crate::formats::quote::quoted;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A run of bytes without blanks, quotes, braces or parentheses: a keyword or a number.
    Word,
    /// A text in quotes, without them. A backslash is a byte like any other.
    Text,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// Nothing follows.
    End,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    /// What it is.
    pub(super) kind: TokenKind,
    /// Its bytes; those between the quotes for [`TokenKind::Text`].
    pub(super) text: &'a [u8],
    /// Its first byte.
    pub(super) place: Place,
}

impl Token<'_> {
    /// Whether it is that word, in any case of letters.
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// The token for a message.
    pub(super) fn shown(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Text => format!("the text {}", quoted(self.text)),
            _ => quoted(self.text),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Blank,
    LineEnd,
    Quote,
    Slash,
    Single(TokenKind),
    FileEnd,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Word; 256];
    table[b' ' as usize] = Class::Blank;
    table[b'\t' as usize] = Class::Blank;
    table[0x0b] = Class::Blank;
    table[0x0c] = Class::Blank;
    table[b'\n' as usize] = Class::LineEnd;
    table[b'\r' as usize] = Class::LineEnd;
    table[b'"' as usize] = Class::Quote;
    table[b'/' as usize] = Class::Slash;
    table[b'{' as usize] = Class::Single(TokenKind::OpenBrace);
    table[b'}' as usize] = Class::Single(TokenKind::CloseBrace);
    table[b'(' as usize] = Class::Single(TokenKind::OpenParenthesis);
    table[b')' as usize] = Class::Single(TokenKind::CloseParenthesis);
    table[0x00] = Class::FileEnd;
    table[0x1a] = Class::FileEnd;
    table
};

fn class(byte: u8) -> Class {
    CLASS[usize::from(byte)]
}

/// Walks over the bytes of a file, token by token.
pub(super) struct Lexer<'a> {
    cursor: TextCursor<'a>,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte, or behind a UTF-8 byte order mark.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { cursor: TextCursor::new(bytes, 0) }
    }

    /// The next token; [`TokenKind::End`] again and again at the end.
    pub(super) fn next_token(&mut self) -> Result<Token<'a>, Md5Error> {
        self.skip_blanks()?;
        let place = self.cursor.place();
        let rest = self.cursor.rest();
        let token = |kind, text| Token { kind, text, place };
        let Some(&first) = rest.first() else {
            return Ok(token(TokenKind::End, rest));
        };
        match class(first) {
            Class::Quote => {
                let inside = rest.get(1..).unwrap_or_default();
                let end = inside.iter().position(|byte| matches!(byte, b'"' | b'\n' | b'\r'));
                let text = inside.get(..end.unwrap_or(inside.len())).unwrap_or_default();
                if end.and_then(|end| inside.get(end)) != Some(&b'"') {
                    return Err(Md5Error::Syntax {
                        place,
                        found: format!("a text without an end: {}", quoted(text)),
                        expected: "a closing quote before the end of the line".into(),
                        nearest: None,
                    });
                }
                self.cursor.at += text.len() + 2;
                Ok(token(TokenKind::Text, text))
            }
            Class::Single(kind) => {
                self.cursor.at += 1;
                Ok(token(kind, rest.get(..1).unwrap_or_default()))
            }
            Class::FileEnd => {
                if self.cursor.is_at_filler() {
                    self.cursor.at = self.cursor.bytes.len();
                    return Ok(token(TokenKind::End, &[]));
                }
                Err(Md5Error::Syntax {
                    place,
                    found: format!("the byte {first} amid the text"),
                    expected: "text".into(),
                    nearest: None,
                })
            }
            Class::Word | Class::Slash | Class::Blank | Class::LineEnd => {
                let mut length = 0;
                while let Some(&byte) = rest.get(length) {
                    match class(byte) {
                        Class::Word => {}
                        Class::Slash if !starts_comment(rest.get(length..)) => {}
                        _ => break,
                    }
                    length += 1;
                }
                self.cursor.at += length;
                Ok(token(TokenKind::Word, rest.get(..length).unwrap_or_default()))
            }
        }
    }

    /// Goes to the end of the line on which `token` stands and returns the token behind it.
    pub(super) fn token_after_line(&mut self, token: &Token<'a>) -> Result<Token<'a>, Md5Error> {
        if token.place.line == self.cursor.line() {
            self.cursor.skip_to_line_end();
        }
        self.next_token()
    }

    /// How many bytes follow.
    pub(super) fn bytes_left(&self) -> usize {
        self.cursor.rest().len()
    }

    fn skip_blanks(&mut self) -> Result<(), Md5Error> {
        while let Some(&byte) = self.cursor.bytes.get(self.cursor.at) {
            match class(byte) {
                Class::Blank => self.cursor.at += 1,
                Class::LineEnd => self.cursor.skip_line_end(byte),
                Class::Slash => match self.cursor.bytes.get(self.cursor.at + 1) {
                    Some(b'/') => self.cursor.skip_to_line_end(),
                    Some(b'*') => self.skip_block_comment()?,
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(())
    }

    fn skip_block_comment(&mut self) -> Result<(), Md5Error> {
        let place = self.cursor.place();
        self.cursor.at += 2;
        while let Some(&byte) = self.cursor.bytes.get(self.cursor.at) {
            match byte {
                b'*' if self.cursor.bytes.get(self.cursor.at + 1) == Some(&b'/') => {
                    self.cursor.at += 2;
                    return Ok(());
                }
                b'\n' | b'\r' => self.cursor.skip_line_end(byte),
                _ => self.cursor.at += 1,
            }
        }
        Err(Md5Error::Syntax {
            place,
            found: "a comment without an end".into(),
            expected: "*/".into(),
            nearest: None,
        })
    }
}

fn starts_comment(rest: Option<&[u8]>) -> bool {
    matches!(rest, Some([b'/', b'/' | b'*', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, u32, u32)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut found = Vec::new();
        loop {
            let token = lexer.next_token().unwrap();
            if token.kind == TokenKind::End {
                return found;
            }
            let text = String::from_utf8(token.text.to_vec()).unwrap();
            found.push((text, token.place.line, token.place.column));
        }
    }

    #[test]
    fn lexer_counts_every_kind_of_line_end_once() {
        let found = words("a\nb\r\nc\rd\n\r e/*\r\n\r*/f");
        let lines: Vec<_> = found.iter().map(|(text, line, _)| (text.as_str(), *line)).collect();
        assert_eq!(lines, [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 6), ("f", 8)]);
    }

    #[test]
    fn lexer_starts_no_comment_within_quotes() {
        let found = words("shader \"C:\\a // b /* c\" // rest\n/* x */ next a/b//c\nlast");
        let texts: Vec<_> = found.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(texts, ["shader", "C:\\a // b /* c", "next", "a/b", "last"]);
    }

    #[test]
    fn lexer_parts_braces_and_parentheses_without_blanks() {
        let found = words("joints{(1 2)}");
        let texts: Vec<_> = found.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(texts, ["joints", "{", "(", "1", "2", ")", "}"]);
        assert_eq!((found[3].1, found[3].2), (1, 9));
    }

    #[test]
    fn lexer_ends_at_trailing_nul_and_refuses_one_inside() {
        assert_eq!(words("a b\n\0\0 \n").len(), 2);
        assert_eq!(words("a\u{1a}").len(), 1);
        let mut lexer = Lexer::new(b"a \0 b");
        lexer.next_token().unwrap();
        let error = lexer.next_token().unwrap_err().to_string();
        assert_eq!(error, "line 1, column 3: found the byte 0 amid the text; expected text");
    }

    #[test]
    fn lexer_names_the_start_of_what_has_no_end() {
        let error = Lexer::new(b" \"abc\n\"").next_token().unwrap_err().to_string();
        let expected = "line 1, column 2: found a text without an end: \"abc\"; expected a closing \
                        quote before the end of the line";
        assert_eq!(error, expected);
        let error = Lexer::new(b"\n /* x\n").next_token().unwrap_err().to_string();
        assert_eq!(error, "line 2, column 2: found a comment without an end; expected */");
    }

    #[test]
    fn lexer_skips_a_byte_order_mark() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbfMD5Version");
        let token = lexer.next_token().unwrap();
        assert_eq!(
            (token.text, token.place),
            (&b"MD5Version"[..], Place { offset: 3, ..Place::START })
        );
    }
}
