//! The lexer of C-like texts: words, texts in quotes, symbols, and comments `//` and `/* */`.
//!
//! A token is a slice of the file's bytes, so reading one allocates nothing. Blanks are space, tab,
//! vertical tab, form feed and the line ends LF, CR and CRLF. A comment cannot begin within quotes.
//! The text ends at its last byte, or at NUL or Ctrl-Z bytes followed only by blanks and more of
//! them.

use super::class::ByteClass;
use super::cursor::{QuotedText, TextCursor};
use super::dialect::Dialect;
use super::error::SyntaxError;
use super::excerpt::{decode_text, quoted};
use super::plain_line::PlainLine;
use super::position::SourcePosition;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A keyword, a name, a path or a number.
    Word,
    /// A text in quotes.
    Text,
    /// A token of this one byte, such as `{`.
    Symbol(u8),
    /// One of [`Dialect::operators`].
    Operator,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    /// Its kind.
    pub(crate) kind: TokenKind,
    /// Its bytes; those between the quotes for [`TokenKind::Text`].
    pub(crate) text: &'a [u8],
    /// Position of its first byte.
    pub(crate) position: SourcePosition,
}

impl Token<'_> {
    /// True if it is this symbol or operator.
    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind, TokenKind::Symbol(_) | TokenKind::Operator)
            && self.text == symbol.as_bytes()
    }

    /// True if it is this word, in any case.
    pub(crate) fn is_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// True if it is a word or a text in quotes.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Text)
    }

    /// Its text, decoded.
    pub(crate) fn name(&self) -> String {
        decode_text(self.text)
    }

    /// Describes the token for a message.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Text => format!("the string {}", quoted(self.text)),
            _ => quoted(self.text),
        }
    }

    /// The error that this token is not one of the expected ones.
    pub(crate) fn unexpected(&self, expected: impl Into<String>) -> SyntaxError {
        SyntaxError { position: self.position, found: self.describe(), expected: expected.into() }
    }
}

/// Cuts the bytes of a file into tokens.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    cursor: TextCursor<'a>,
    /// Position of the last token.
    last: SourcePosition,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte, or after a UTF-8 byte order mark.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { cursor: TextCursor::new(bytes, 0), last: SourcePosition::START }
    }

    /// Position of the last token.
    pub(crate) fn last_position(&self) -> SourcePosition {
        self.last
    }

    /// Line of the byte after the last token.
    pub(crate) fn line(&self) -> u32 {
        self.cursor.line()
    }

    /// The number of bytes that follow.
    pub(crate) fn bytes_left(&self) -> usize {
        self.cursor.rest().len()
    }

    /// Skips the rest of the line.
    pub(crate) fn skip_to_line_end(&mut self) {
        self.cursor.skip_to_line_end();
    }

    /// Skips to the next line; false at the end of the text.
    pub(crate) fn skip_line(&mut self) -> bool {
        self.cursor.skip_to_line_end();
        match self.cursor.peek() {
            Some(byte) => self.cursor.skip_line_end(byte),
            None => return false,
        }
        true
    }

    /// The next token; repeatedly [`TokenKind::End`] at the end.
    ///
    /// # Errors
    /// [`SyntaxError`] for an unclosed text or comment, and for a NUL byte followed by text.
    #[inline]
    pub(crate) fn next(&mut self, dialect: &Dialect) -> Result<Token<'a>, SyntaxError> {
        self.skip_blanks(dialect)?;
        let position = self.cursor.position();
        self.last = position;
        let rest = self.cursor.rest();
        let token = |kind, text| Token { kind, text, position };
        let Some(&first) = rest.first() else {
            return Ok(token(TokenKind::End, rest));
        };
        let (kind, length) = match dialect.classes.of(first) {
            ByteClass::Quote => {
                return Ok(token(
                    TokenKind::Text,
                    self.cursor.quoted_text(QuotedText::SingleLine)?,
                ));
            }
            ByteClass::FileEnd => {
                if !self.cursor.is_at_filler() {
                    return Err(SyntaxError {
                        position,
                        found: format!("the byte {first} inside the text"),
                        expected: "text".into(),
                    });
                }
                self.cursor.at = self.cursor.bytes.len();
                return Ok(token(TokenKind::End, &[]));
            }
            ByteClass::Symbol => {
                let starts = |operator: &&&str| rest.starts_with(operator.as_bytes());
                match dialect.operators.iter().find(starts) {
                    Some(operator) => (TokenKind::Operator, operator.len()),
                    None => (TokenKind::Symbol(first), 1),
                }
            }
            ByteClass::Slash if !dialect.words_hold_slashes => (TokenKind::Symbol(first), 1),
            _ => (TokenKind::Word, word_length(rest, dialect)),
        };
        self.cursor.at += length;
        Ok(token(kind, rest.get(..length).unwrap_or_default()))
    }

    /// The rest of the line after the last token.
    #[inline]
    pub(crate) fn plain_line(&self, dialect: &'static Dialect) -> PlainLine<'a> {
        PlainLine { cursor: self.cursor.clone(), dialect }
    }

    /// Continues after the values taken from the line.
    #[inline]
    pub(crate) fn go_on_behind(&mut self, line: PlainLine<'a>) {
        self.cursor = line.cursor;
    }

    /// The next token and its value if it is a short number without an exponent; otherwise nothing
    /// is consumed.
    #[inline]
    pub(crate) fn next_number(&mut self, dialect: &'static Dialect) -> Option<(Token<'a>, f64)> {
        let mut line = self.plain_line(dialect);
        line.cursor.skip_blanks(&dialect.classes, false);
        let position = line.position();
        let value = line.real()?;
        let text = self.cursor.bytes.get(position.offset..line.cursor.at)?;
        self.go_on_behind(line);
        self.last = position;
        Some((Token { kind: TokenKind::Word, text, position }, value))
    }

    fn skip_blanks(&mut self, dialect: &Dialect) -> Result<(), SyntaxError> {
        loop {
            self.cursor.skip_blanks(&dialect.classes, false);
            match self.cursor.rest() {
                [b'/', b'*', ..] => self.skip_block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_block_comment(&mut self) -> Result<(), SyntaxError> {
        let position = self.cursor.position();
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
        let found = "an unterminated comment".into();
        Err(SyntaxError { position, found, expected: "*/".into() })
    }
}

/// The length of the word at the start of `rest`: up to a comment or a byte that cannot be part of
/// a word.
#[inline]
fn word_length(rest: &[u8], dialect: &Dialect) -> usize {
    let mut length = 0;
    while let Some(&byte) = rest.get(length) {
        match dialect.classes.of(byte) {
            ByteClass::Word => {}
            ByteClass::Slash
                if dialect.words_hold_slashes
                    && !matches!(rest.get(length + 1), Some(b'/' | b'*')) => {}
            _ => break,
        }
        length += 1;
    }
    length
}
