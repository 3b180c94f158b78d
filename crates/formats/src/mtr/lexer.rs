//! Lexical rules of material files, without keywords.
//!
//! Blanks and comments are those of the MD5 formats. A text is split in one of two ways: into
//! words, where a path such as `models/imp/skin-2.tga` is one token, or into the parts of an
//! expression, where `/` and `-` are operators. The reader chooses.

use super::error::MtrError;
use crate::text::{self, ByteClass, ByteClasses, Dialect, SourcePosition, Token, TokenKind};

/// Words may contain paths.
static WORDS: Dialect = Dialect {
    classes: ByteClasses::TEXT.with(b"{}(),", ByteClass::Symbol),
    words_hold_slashes: true,
    operators: &[],
};

/// Words are names and numbers; every other byte is an operator.
static EXPRESSION: Dialect = Dialect {
    classes: ByteClasses::TEXT.with_plain_words(),
    words_hold_slashes: false,
    operators: &["<=", ">=", "==", "!=", "&&", "||"],
};

/// Cuts the bytes of a material file into tokens.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    lexer: text::Lexer<'a>,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte, or after a UTF-8 byte order mark.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { lexer: text::Lexer::new(bytes) }
    }

    /// The next token, cut into words; repeatedly [`TokenKind::End`] at the end.
    pub(super) fn next_token(&mut self) -> Result<Token<'a>, MtrError> {
        Ok(self.lexer.next(&WORDS)?)
    }

    /// The next token of an expression.
    pub(super) fn next_operand(&mut self) -> Result<Token<'a>, MtrError> {
        Ok(self.lexer.next(&EXPRESSION)?)
    }

    /// The next token, cut into words, without taking it.
    pub(super) fn peek(&self) -> Result<Token<'a>, MtrError> {
        self.clone().next_token()
    }

    /// Skips to the next line; false at the end of the text.
    pub(super) fn skip_line(&mut self) -> bool {
        self.lexer.skip_line()
    }

    /// Position of the last token.
    pub(super) fn last_position(&self) -> SourcePosition {
        self.lexer.last_position()
    }

    /// True if the next token is on the same line as the end of the last one.
    pub(super) fn has_more_on_line(&self) -> Result<bool, MtrError> {
        let line = self.lexer.line();
        let next = self.peek()?;
        Ok(next.kind != TokenKind::End && next.position.line == line)
    }
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
        let expected = "line 1, column 3: found an unterminated string: \"b\"; expected a closing \
                        quote before the end of the line";
        assert_eq!(message(b"a \"b\n\""), expected);
        assert_eq!(
            message(b"\n/* x"),
            "line 2, column 1: found an unterminated comment; expected */"
        );
        assert_eq!(
            message(b"a \0 b"),
            "line 1, column 3: found the byte 0 inside the text; expected text"
        );
    }
}
