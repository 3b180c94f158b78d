//! Tokens of material files and their places; it knows no keyword.
//!
//! Blanks and comments are those of the MD5 formats. There are two ways to cut a text: in words, where a path such as
//! `models/imp/skin-2.tga` is one token, and as parts of an expression, where `/` and `-` are signs. The reader says which it
//! wants.

use super::error::MtrError;
use crate::formats::place::{Place, TextCursor};
use crate::formats::quote::{decode, quoted};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A keyword, a name, a path or a number.
    Word,
    /// A text in quotes, without them.
    Text,
    /// One of `{ } ( ) ,`, and in an expression `[ ]` and the signs between numbers.
    Sign,
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
    /// Whether it is that sign.
    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.kind == TokenKind::Sign && self.text == sign.as_bytes()
    }

    /// Whether it is that word, in any case of letters.
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// Whether it is a word or a text in quotes.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Text)
    }

    /// Its text.
    pub(super) fn name(&self) -> String {
        decode(self.text)
    }

    /// The token for a message.
    pub(super) fn shown(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Text => format!("the text {}", quoted(self.text)),
            _ => quoted(self.text),
        }
    }

    /// The error that something else was expected here.
    pub(super) fn unexpected(&self, expected: impl Into<String>) -> MtrError {
        MtrError::Syntax { place: self.place, found: self.shown(), expected: expected.into() }
    }
}

/// The signs of an expression, longer ones before those that they begin with.
const OPERATORS: [&str; 15] =
    ["<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "[", "]"];

/// Walks over the bytes of a file, token by token.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    cursor: TextCursor<'a>,
    /// Where the last token began.
    last: Place,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte, or behind a UTF-8 byte order mark.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { cursor: TextCursor::new(bytes, 0), last: Place::START }
    }

    /// The next token, cut in words; [`TokenKind::End`] again and again at the end.
    pub(super) fn next_token(&mut self) -> Result<Token<'a>, MtrError> {
        self.cut(|byte| !matches!(byte, b'{' | b'}' | b'(' | b')' | b','), &[])
    }

    /// The next token, cut as a part of an expression.
    pub(super) fn next_operand(&mut self) -> Result<Token<'a>, MtrError> {
        let is_word =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | 0x80..);
        self.cut(is_word, &OPERATORS)
    }

    /// The next token, cut in words, which stays the next one.
    pub(super) fn peek(&self) -> Result<Token<'a>, MtrError> {
        self.clone().next_token()
    }

    /// Where the last token began.
    pub(super) fn last_place(&self) -> Place {
        self.last
    }

    /// Whether the next token stands on the line on which the last one ended.
    pub(super) fn has_more_on_line(&self) -> Result<bool, MtrError> {
        let line = self.cursor.line();
        let next = self.peek()?;
        Ok(next.kind != TokenKind::End && next.place.line == line)
    }

    fn cut(&mut self, is_word: fn(u8) -> bool, signs: &[&str]) -> Result<Token<'a>, MtrError> {
        self.skip_blanks()?;
        let place = self.cursor.place();
        self.last = place;
        let rest = self.cursor.rest();
        let Some(&first) = rest.first() else {
            return Ok(Token { kind: TokenKind::End, text: rest, place });
        };
        let (kind, skip, length) = match first {
            b'"' => {
                let inside = rest.get(1..).unwrap_or_default();
                let end = inside.iter().position(|byte| matches!(byte, b'"' | b'\n' | b'\r'));
                let length = end.unwrap_or(inside.len());
                if inside.get(length) != Some(&b'"') {
                    let text = inside.get(..length).unwrap_or_default();
                    return Err(MtrError::Syntax {
                        place,
                        found: format!("a text without an end: {}", quoted(text)),
                        expected: "a closing quote before the end of the line".into(),
                    });
                }
                (TokenKind::Text, 1, length)
            }
            0x00 | 0x1a => {
                if !self.cursor.is_at_filler() {
                    return Err(MtrError::Syntax {
                        place,
                        found: format!("the byte {first} amid the text"),
                        expected: "text".into(),
                    });
                }
                self.cursor.at = self.cursor.bytes.len();
                return Ok(Token { kind: TokenKind::End, text: &[], place });
            }
            _ => match signs.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
                Some(sign) => (TokenKind::Sign, 0, sign.len()),
                None if is_word(first) => (TokenKind::Word, 0, word_length(rest, is_word)),
                None => (TokenKind::Sign, 0, 1),
            },
        };
        self.cursor.at += skip + length + skip;
        Ok(Token { kind, text: rest.get(skip..skip + length).unwrap_or_default(), place })
    }

    fn skip_blanks(&mut self) -> Result<(), MtrError> {
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c => self.cursor.at += 1,
                b'\n' | b'\r' => self.cursor.skip_line_end(byte),
                b'/' => match self.cursor.bytes.get(self.cursor.at + 1) {
                    Some(b'/') => self.cursor.skip_to_line_end(),
                    Some(b'*') => self.skip_block_comment()?,
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(())
    }

    fn skip_block_comment(&mut self) -> Result<(), MtrError> {
        let place = self.cursor.place();
        self.cursor.at += 2;
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'*' if self.cursor.bytes.get(self.cursor.at + 1) == Some(&b'/') => {
                    self.cursor.at += 2;
                    return Ok(());
                }
                b'\n' | b'\r' => self.cursor.skip_line_end(byte),
                _ => self.cursor.at += 1,
            }
        }
        Err(MtrError::Syntax {
            place,
            found: "a comment without an end".into(),
            expected: "*/".into(),
        })
    }
}

/// How many bytes a word takes: to a blank, a quote, a comment, the end of the text, or a byte that is no part of a word.
fn word_length(rest: &[u8], is_word: fn(u8) -> bool) -> usize {
    let ends = |at: usize, byte: u8| {
        matches!(byte, b' ' | 0x09..=0x0d | b'"' | 0x00 | 0x1a)
            || !is_word(byte)
            || (byte == b'/' && matches!(rest.get(at + 1), Some(b'/' | b'*')))
    };
    (0..).zip(rest).find(|&(at, &byte)| ends(at, byte)).map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(mut next: impl FnMut() -> Result<Token<'static>, MtrError>) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            let token = next().unwrap();
            if token.kind == TokenKind::End {
                return found;
            }
            found.push(token.name());
        }
    }

    #[test]
    fn lexer_keeps_a_path_in_one_word() {
        let mut lexer = Lexer::new(b"map models\\imp/skin-2.tga// x\n\"a b\"{add(c,1)}/* y */d");
        let words = ["map", "models\\imp/skin-2.tga", "a b", "{", "add", "(", "c", ",", "1", ")"];
        assert_eq!(texts(|| lexer.next_token()), [&words[..], &["}", "d"]].concat());
    }

    #[test]
    fn lexer_cuts_an_expression_at_its_signs() {
        let mut lexer = Lexer::new(b"-time*2.5/sinTable[ parm3<=1 ]&&.5");
        let parts = ["-", "time", "*", "2.5", "/", "sinTable", "[", "parm3", "<=", "1", "]", "&&"];
        assert_eq!(texts(|| lexer.next_operand()), [&parts[..], &[".5"]].concat());
    }

    #[test]
    fn lexer_knows_what_stands_on_one_line() {
        let mut lexer = Lexer::new(b"a b // c\nd");
        lexer.next_token().unwrap();
        assert!(lexer.has_more_on_line().unwrap());
        lexer.next_token().unwrap();
        assert!(!lexer.has_more_on_line().unwrap());
    }

    #[test]
    fn lexer_names_the_start_of_what_has_no_end() {
        let message = |text: &'static [u8]| {
            let mut lexer = Lexer::new(text);
            loop {
                match lexer.next_token() {
                    Err(error) => return error.to_string(),
                    Ok(token) => assert!(token.kind != TokenKind::End),
                }
            }
        };
        let expected = "line 1, column 3: found a text without an end: \"b\"; expected a closing \
                        quote before the end of the line";
        assert_eq!(message(b"a \"b\n\""), expected);
        assert_eq!(
            message(b"\n/* x"),
            "line 2, column 1: found a comment without an end; expected */"
        );
        assert_eq!(
            message(b"a \0 b"),
            "line 1, column 3: found the byte 0 amid the text; expected text"
        );
    }
}
