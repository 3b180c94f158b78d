//! Mirrors of the three kinds of MD5 file, in file order and in the file's axes.
//!
//! This module checks syntax, and that a block has as many lines as its header declares. It makes
//! no other judgement: `build` checks indices.
//!
//! Header lines and blocks may come in any order; keywords are case-insensitive. A second
//! `MD5Version` at the top level starts a second document, which is not read;
//! [`Document::warnings`] reports it.

pub(super) mod anim;
pub(super) mod camera;
pub(super) mod mesh;
mod slots;
mod value;

use super::error::Md5Error;
use super::lexer::DIALECT;
use crate::LimitExceeded;
use crate::recognize::describe_foreign;
use crate::text::SourcePosition;
use crate::text::{Lexer, Token, TokenKind};
use crate::text::{begins_like_a_number, decode_text, nearest};
use crate::{LimitName, LoadOptions};
use tintype_base::deadline::Watch;
use tintype_model::{FileRepair, Warning};

/// The first word of every MD5 file.
pub(super) const VERSION_KEYWORD: &str = "MD5Version";
/// The only version that is read.
const VERSION: i64 = 10;
/// A coordinate beyond this is a mistake of the exporter.
pub(super) const MAX_COORDINATE: f64 = 1.0e9;
/// The default frame rate.
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

/// One kind of file: its name for messages, and the words accepted at its top level.
struct Kind {
    name: &'static str,
    keywords: &'static [&'static str],
    /// Top-level words of the other kinds, with the kinds that have them.
    foreign: &'static [(&'static str, &'static str)],
    /// True to skip statements with an unknown word, with a warning.
    skips_unknown: bool,
}

/// Reads tokens one ahead and turns them into the values of a line.
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
        let limit = (options.limits.max_bytes, Some(LimitName::Bytes));
        LimitExceeded::check(SourcePosition::START, "bytes of the file", bytes.len(), limit)?;
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
                    Md5Error::NotMd5 { position: at, found: "only whitespace".into() }
                }
                TokenKind::Word if nearest(reader.token.text, &[VERSION_KEYWORD]).is_some() => {
                    reader.unexpected_keyword(&[VERSION_KEYWORD])
                }
                _ => Md5Error::NotMd5 {
                    position: at,
                    found: format!("text starting with {}", reader.token.describe()),
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

    /// The next word of the top level. None at the end of the document, which is the end of the
    /// file or the start of another document.
    fn top_keyword(&mut self) -> Result<Option<&'static str>, Md5Error> {
        loop {
            if self.token.kind == TokenKind::End || self.at_keyword(VERSION_KEYWORD) {
                return Ok(None);
            }
            if self.kind.skips_unknown && self.skip_unknown(self.kind.keywords)? {
                continue;
            }
            let start = self.token;
            let keyword = match self.keyword(self.kind.keywords) {
                Ok(keyword) => keyword,
                // An unknown word or symbol: its arguments are skipped.
                Err(error @ Md5Error::Syntax { .. }) if self.kind.skips_unknown => {
                    self.lose(error, "skipped")?;
                    self.advance()?;
                    self.skip_block(start.position)?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            match keyword {
                "commandline" => self.skip_command_line()?,
                keyword => return Ok(Some(keyword)),
            }
        }
    }

    /// Skips a statement with a word that is not `allowed`, with a warning: its line, or its block
    /// if a brace follows. A word similar to an allowed one, or belonging to another kind of file,
    /// is left as an error.
    fn skip_unknown(&mut self, allowed: &[&'static str]) -> Result<bool, Md5Error> {
        let start = self.token;
        let is_known = |words: &[&str]| words.iter().any(|word| start.is_keyword(word));
        if start.kind != TokenKind::Word
            || is_known(allowed)
            || is_known(&[VERSION_KEYWORD])
            || self.kind.foreign.iter().any(|(word, _)| start.is_keyword(word))
            || nearest(start.text, allowed).is_some()
            || begins_like_a_number(start.text)
        {
            return Ok(false);
        }
        self.advance()?;
        let mut depth = 0_usize;
        let mut is_over = false;
        while self.token.kind != TokenKind::End {
            match self.token.kind {
                TokenKind::Symbol(b'{') if !is_over => depth += 1,
                TokenKind::Symbol(b'}') if depth == 0 => break,
                TokenKind::Symbol(b'}') => {
                    depth -= 1;
                    is_over = depth == 0;
                }
                _ if depth == 0 && (is_over || self.token.position.line != start.position.line) => {
                    break;
                }
                _ => {}
            }
            self.advance()?;
        }
        let word = decode_text(start.text);
        self.warnings.push(FileRepair::UnknownPart.at(
            start.position.line as usize,
            format!("column {}: unknown statement {word:?} is skipped", start.position.column),
        ));
        Ok(true)
    }

    /// The text after a mark in the first comment between a brace and the next token, as exporters
    /// name meshes: `// meshes: torso`.
    fn comment_after(&self, brace: SourcePosition, mark: &[u8]) -> &'a [u8] {
        let between = brace.offset.saturating_add(1)..self.token.position.offset;
        let Some(between) = self.bytes.get(between) else { return &[] };
        let lines = between.split(|&byte| matches!(byte, b'\n' | b'\r'));
        let named = |line: &'a [u8]| {
            let text = line.trim_ascii().strip_prefix(b"//")?.trim_ascii();
            Some(text.strip_prefix(mark)?.trim_ascii())
        };
        lines.filter_map(named).next().unwrap_or_default()
    }

    /// Skips the text after `commandline`, which does not describe the model.
    ///
    /// An exporter that writes quotes within the quotes ends the text early; the rest of the line
    /// is skipped unless it is a keyword. A `commandline` without a text ends with its line.
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

    /// Adds a warning if other documents follow, and returns all warnings.
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
        self.warnings.push(FileRepair::Leftover.at(
            second.position.line as usize,
            match (rest.is_empty(), times) {
                (true, _) => format!("the file contains the same document {times} times; one is read"),
                (false, 1) => "a second, different document starts here; it is ignored".into(),
                (false, _) => format!(
                    "the file contains the same document {times} times, then another one; the first is read"
                ),
            },
        ));
        self.warnings
    }
}
