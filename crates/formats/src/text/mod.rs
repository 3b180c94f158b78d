//! Text scanning: positions, character classes, tokens and numbers, shared by the MD5, `.mtr` and
//! `.x` readers.
//!
//! Input: the bytes of a file. Output: tokens and numbers with their [`SourcePosition`], and errors
//! that state it. A format adds its character classes and its grammar; no keyword is known here.
//!
//! MD5 and `.mtr` share one [`Lexer`]; lines of plain numbers take a fast path through it,
//! [`PlainLine`]. A `.x` file has separate tokens because they also come from a binary encoding;
//! its text encoding uses the same cursor, classes and numbers.

mod class;
mod cursor;
mod dialect;
mod error;
mod excerpt;
mod keyword;
mod lexer;
mod number;
mod plain_line;
mod position;

pub(super) use class::{ByteClass, ByteClasses};
pub(super) use cursor::{QuotedText, TextCursor};
pub(super) use dialect::Dialect;
pub(super) use error::SyntaxError;
pub use excerpt::decode_text;
pub(super) use excerpt::{as_utf8, quoted};
pub(super) use keyword::{listed, nearest};
pub(super) use lexer::{Lexer, Token, TokenKind};
pub(super) use number::{
    ShortNumber, begins_like_a_number, names_no_finite_number, number_of_any_language,
    parse_number, parse_whole, real_of_any_language, short_number, short_real, special_number,
};
pub(super) use plain_line::PlainLine;
pub use position::SourcePosition;
