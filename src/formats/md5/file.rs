//! Mirrors of the three kinds of MD5 file, in file order and in the file's axes.
//!
//! This module checks syntax, and that a block has the lines that its header declares. It makes no other judgement: whether an
//! index points to something is for `build`.
//!
//! Header lines and blocks may come in any order; keywords are compared without case. A second `MD5Version` at the top level
//! starts a second document, which is not read: equal or not, [`Document::warnings`] says that it is there.

pub(super) mod anim;
pub(super) mod camera;
pub(super) mod mesh;
mod slots;
mod value;

use super::error::Md5Error;
use super::lexer::DIALECT;
use crate::deadline::Watch;
use crate::formats::recognize::describe_foreign;
use crate::formats::text::SourcePosition;
use crate::formats::text::decode_text;
use crate::formats::text::nearest;
use crate::formats::text::{Lexer, Token, TokenKind};
use crate::formats::{LimitName, LoadOptions};
use crate::model::Warning;

/// The first word of every MD5 file.
pub(super) const VERSION_KEYWORD: &str = "MD5Version";
/// The only version that is read.
const VERSION: i64 = 10;
/// A coordinate beyond this is a mistake of the exporter.
pub(super) const MAX_COORDINATE: f64 = 1.0e9;
/// The frame rate where a file gives none.
const DEFAULT_RATE_HZ: f64 = 24.0;
/// The highest frame rate.
const MAX_RATE_HZ: f64 = 10_000.0;

/// Tokens between two checks of the deadline.
const TOKENS: u32 = 1 << 14;

/// The first document of a file.
pub(super) struct Document<T> {
    /// Its lines.
    pub(super) content: T,
    /// Warnings: parts that were skipped or filled in.
    pub(super) warnings: Vec<Warning>,
}

/// A number of a header line.
#[derive(Clone, Copy, Debug)]
struct Count {
    value: usize,
    at: SourcePosition,
}

/// One kind of file: its name for messages, and the words that are accepted at its top level.
struct Kind {
    name: &'static str,
    keywords: &'static [&'static str],
    /// Top-level words of the other kinds, with the kinds that have them.
    foreign: &'static [(&'static str, &'static str)],
}

/// Reads tokens one ahead and turns them into the values that a line needs.
struct Reader<'a> {
    bytes: &'a [u8],
    lexer: Lexer<'a>,
    /// The next token, not yet taken.
    token: Token<'a>,
    kind: &'static Kind,
    /// The line of the token that was taken last.
    last_line: u32,
    document_start: usize,
    warnings: Vec<Warning>,
    watch: Watch,
}

impl<'a> Reader<'a> {
    /// Checks the size, the first word and the version.
    fn open(bytes: &'a [u8], options: &LoadOptions, kind: &'static Kind) -> Result<Self, Md5Error> {
        if bytes.len() > options.limits.max_bytes {
            return Err(Md5Error::Limit {
                position: SourcePosition::START,
                what: "bytes of the file".into(),
                found: bytes.len(),
                limit: options.limits.max_bytes,
                option: Some(LimitName::Bytes),
            });
        }
        if let Some(found) = describe_foreign(bytes, VERSION_KEYWORD) {
            return Err(Md5Error::NotMd5 { position: SourcePosition::START, found });
        }
        let mut lexer = Lexer::new(bytes);
        let token = lexer.next(&DIALECT)?;
        let document_start = token.position.offset;
        let watch = options.deadline.watch("reading it", TOKENS);
        let (last_line, warnings) = (1, Vec::new());
        let mut reader =
            Self { bytes, lexer, token, kind, last_line, document_start, warnings, watch };
        if !reader.at_keyword(VERSION_KEYWORD) {
            let at = reader.token.position;
            return Err(match reader.token.kind {
                TokenKind::End => {
                    Md5Error::NotMd5 { position: at, found: "nothing but blanks".into() }
                }
                TokenKind::Word if nearest(reader.token.text, &[VERSION_KEYWORD]).is_some() => {
                    reader.unexpected_keyword(&[VERSION_KEYWORD])
                }
                _ => Md5Error::NotMd5 {
                    position: at,
                    found: format!("a text that begins with {}", reader.token.describe()),
                },
            });
        }
        reader.advance()?;
        let version = reader.token;
        if reader.whole("the version, 10")?.0 != VERSION {
            return Err(Md5Error::Unsupported {
                position: version.position,
                version: decode_text(version.text),
            });
        }
        Ok(reader)
    }

    /// The next word of the top level; none at the end of the document, be it the file's or the start of another one.
    fn top_keyword(&mut self) -> Result<Option<&'static str>, Md5Error> {
        loop {
            if self.token.kind == TokenKind::End || self.at_keyword(VERSION_KEYWORD) {
                return Ok(None);
            }
            match self.keyword(self.kind.keywords)? {
                "commandline" => self.skip_command_line()?,
                keyword => return Ok(Some(keyword)),
            }
        }
    }

    /// Passes the text behind `commandline`, which says nothing about the model.
    ///
    /// An exporter that writes quotes within the quotes ends the text early; what is left of the line goes with it unless
    /// it is a keyword. A `commandline` without a text ends with its line.
    fn skip_command_line(&mut self) -> Result<(), Md5Error> {
        let mut line = self.last_line;
        if self.token.kind == TokenKind::Text {
            line = self.token.position.line;
            self.advance()?;
        }
        let mut known = self.kind.keywords.iter().chain(&[VERSION_KEYWORD]);
        let is_top_word = known.any(|keyword| self.token.is_keyword(keyword));
        if self.token.kind != TokenKind::End && self.token.position.line == line && !is_top_word {
            let token = self.token;
            self.token = self.token_after_line(&token)?;
        }
        Ok(())
    }

    /// Adds a warning if other documents follow, and gives all warnings out.
    fn finish(mut self) -> Vec<Warning> {
        if self.token.kind == TokenKind::End {
            return self.warnings;
        }
        let second = self.token;
        let trim = |bytes: &'a [u8]| {
            let is_blank = |&byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0x1a);
            let end = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(0, |last| last + 1);
            let bytes = bytes.get(..end).unwrap_or_default();
            let start = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(end);
            bytes.get(start..).unwrap_or_default()
        };
        let first =
            trim(self.bytes.get(self.document_start..second.position.offset).unwrap_or_default());
        let mut rest = trim(self.bytes.get(second.position.offset..).unwrap_or_default());
        let mut times = 1_usize;
        while let Some(behind) = rest.strip_prefix(first)
            && !first.is_empty()
        {
            times += 1;
            rest = trim(behind);
        }
        self.warnings.push(Warning::new(
            second.position.line as usize,
            match (rest.is_empty(), times) {
                (true, _) => format!("the file holds the same document {times} times; one is read"),
                (false, 1) => "a second, different document starts here; it is ignored".into(),
                (false, _) => format!(
                    "the file holds the same document {times} times, and then another one; the first is read"
                ),
            },
        ));
        self.warnings
    }
}
