//! Mirrors of the three kinds of MD5 file, in file order and in the file's axes.
//!
//! This room checks syntax, and that a block has the lines that its header declares. It makes no other judgement: whether an
//! index points to something is for `build`.
//!
//! Header lines and blocks may stand in any order; keywords are compared without case. A second `MD5Version` at the top level
//! starts a second document, which is not read: equal or not, [`Document::warnings`] says that it is there.

pub(super) mod anim;
pub(super) mod camera;
pub(super) mod mesh;
mod slots;

use super::error::{Md5Error, Place, quoted};
use super::lexer::{Lexer, Token, TokenKind};
use super::number::{parse_number, parse_whole};
use crate::formats::Limits;
use crate::model::Warning;

/// The first word of every MD5 file.
pub(super) const VERSION_KEYWORD: &str = "MD5Version";
/// The only version that is read.
const VERSION: i64 = 10;
/// A coordinate beyond this is a mistake of the exporter, not a place.
pub(super) const MAX_COORDINATE: f64 = 1.0e9;
/// The frame rate where a file gives none.
const DEFAULT_RATE_HZ: f64 = 24.0;
/// The highest frame rate.
const MAX_RATE_HZ: f64 = 10_000.0;

/// The first document of a file.
pub(super) struct Document<T> {
    /// Its lines.
    pub(super) content: T,
    /// What was skipped or filled in.
    pub(super) warnings: Vec<Warning>,
}

/// A number of a header line.
#[derive(Clone, Copy, Debug)]
struct Count {
    value: usize,
    place: Place,
}

/// One kind of file: its name for messages, and the words that may stand at its top level.
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
}

impl<'a> Reader<'a> {
    /// Checks the size, the first word and the version.
    fn open(bytes: &'a [u8], limits: &Limits, kind: &'static Kind) -> Result<Self, Md5Error> {
        if bytes.len() > limits.max_bytes {
            return Err(Md5Error::Limit {
                place: Place::START,
                what: "bytes of the file".into(),
                found: bytes.len(),
                limit: limits.max_bytes,
            });
        }
        if let Some(found) = describe_foreign(bytes) {
            return Err(Md5Error::NotMd5 { place: Place::START, found });
        }
        let mut lexer = Lexer::new(bytes);
        let token = lexer.next_token()?;
        let document_start = token.start;
        let mut reader =
            Self { bytes, lexer, token, kind, last_line: 1, document_start, warnings: Vec::new() };
        if !reader.at_keyword(VERSION_KEYWORD) {
            let place = reader.token.place;
            return Err(match reader.token.kind {
                TokenKind::End => Md5Error::NotMd5 { place, found: "nothing but blanks".into() },
                TokenKind::Word if nearest(reader.token.text, &[VERSION_KEYWORD]).is_some() => {
                    reader.unexpected_keyword(&[VERSION_KEYWORD])
                }
                _ => Md5Error::NotMd5 {
                    place,
                    found: format!("a text that begins with {}", reader.token.shown()),
                },
            });
        }
        reader.advance()?;
        let version = reader.token;
        if reader.whole("the version, 10")?.0 != VERSION {
            return Err(Md5Error::Unsupported {
                place: version.place,
                version: super::error::decode(version.text),
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
            line = self.token.place.line;
            self.advance()?;
        }
        let is_top_word = |token: &Token<'_>| {
            let known = |keyword: &&str| token.text.eq_ignore_ascii_case(keyword.as_bytes());
            token.kind == TokenKind::Word
                && (known(&VERSION_KEYWORD) || self.kind.keywords.iter().any(known))
        };
        if self.token.kind != TokenKind::End
            && self.token.place.line == line
            && !is_top_word(&self.token)
        {
            let token = self.token;
            self.token = self.lexer.token_after_line(&token)?;
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
        let first = trim(self.bytes.get(self.document_start..second.start).unwrap_or_default());
        let mut rest = trim(self.bytes.get(second.start..).unwrap_or_default());
        let mut times = 1_usize;
        while let Some(behind) = rest.strip_prefix(first)
            && !first.is_empty()
        {
            times += 1;
            rest = trim(behind);
        }
        self.warnings.push(Warning::new(
            second.place.line as usize,
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

/// The value of a token.
impl<'a> Reader<'a> {
    fn advance(&mut self) -> Result<Token<'a>, Md5Error> {
        let next = self.lexer.next_token()?;
        self.last_line = self.token.place.line;
        Ok(core::mem::replace(&mut self.token, next))
    }

    fn at_keyword(&self, keyword: &str) -> bool {
        self.token.kind == TokenKind::Word
            && self.token.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// One of `allowed`, as it is spelled there.
    fn keyword(&mut self, allowed: &[&'static str]) -> Result<&'static str, Md5Error> {
        if self.token.kind == TokenKind::Word {
            for keyword in allowed {
                if self.token.text.eq_ignore_ascii_case(keyword.as_bytes()) {
                    self.advance()?;
                    return Ok(keyword);
                }
            }
        }
        Err(self.unexpected_keyword(allowed))
    }

    fn unexpected_keyword(&self, allowed: &[&'static str]) -> Md5Error {
        let is_word = self.token.kind == TokenKind::Word;
        for (keyword, is) in self.kind.foreign {
            if is_word && self.at_keyword(keyword) {
                return Md5Error::WrongKind {
                    place: self.token.place,
                    found: self.token.shown(),
                    is,
                    wanted: self.kind.name,
                };
            }
        }
        Md5Error::Syntax {
            place: self.token.place,
            found: self.token.shown(),
            expected: listed(allowed),
            nearest: if is_word { nearest(self.token.text, allowed) } else { None },
        }
    }

    fn unexpected(&self, expected: &str) -> Md5Error {
        Md5Error::Syntax {
            place: self.token.place,
            found: self.token.shown(),
            expected: expected.into(),
            nearest: None,
        }
    }

    fn expect(&mut self, kind: TokenKind, expected: &str) -> Result<Place, Md5Error> {
        if self.token.kind == kind {
            Ok(self.advance()?.place)
        } else {
            Err(self.unexpected(expected))
        }
    }

    fn open_brace(&mut self) -> Result<Place, Md5Error> {
        self.expect(TokenKind::OpenBrace, "{")
    }

    /// A text in quotes, or one bare word.
    fn text(&mut self, expected: &str) -> Result<&'a [u8], Md5Error> {
        match self.token.kind {
            TokenKind::Text | TokenKind::Word => Ok(self.advance()?.text),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn whole(&mut self, expected: &str) -> Result<(i64, Place), Md5Error> {
        let value = match self.token.kind {
            TokenKind::Word => parse_whole(self.token.text),
            _ => None,
        };
        let value = value.ok_or_else(|| self.unexpected(expected))?;
        Ok((value, self.advance()?.place))
    }

    /// A whole number that is not negative.
    fn count(&mut self, expected: &str) -> Result<Count, Md5Error> {
        let (value, place) = self.whole(expected)?;
        let value = usize::try_from(value).map_err(|_| Md5Error::Range {
            place,
            what: expected.into(),
            found: value.to_string(),
            expected: "0 or more".into(),
        })?;
        Ok(Count { value, place })
    }

    /// A whole number that fits a `u32`; larger ones become `u32::MAX`, which no index reaches.
    fn index(&mut self, expected: &str) -> Result<(u32, Place), Md5Error> {
        let count = self.count(expected)?;
        Ok((u32::try_from(count.value).unwrap_or(u32::MAX), count.place))
    }

    /// Any finite number.
    fn number(&mut self, expected: &str) -> Result<f64, Md5Error> {
        let value = match self.token.kind {
            TokenKind::Word => parse_number(self.token.text),
            _ => None,
        };
        match value {
            Some(value) if value.is_finite() => {
                self.advance()?;
                Ok(value)
            }
            _ if self.token.kind == TokenKind::Word && names_no_finite_number(self.token.text) => {
                Err(Md5Error::Range {
                    place: self.token.place,
                    what: expected.into(),
                    found: format!("{}, which is not a finite number", self.token.shown()),
                    expected: "a finite number".into(),
                })
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A number of at most [`MAX_COORDINATE`] in size.
    fn coordinate(&mut self, expected: &str) -> Result<f64, Md5Error> {
        let token = self.token;
        let value = self.number(expected)?;
        if value.abs() > MAX_COORDINATE {
            return Err(Md5Error::Range {
                place: token.place,
                what: expected.into(),
                found: token.shown(),
                expected: format!("-{MAX_COORDINATE:e} to {MAX_COORDINATE:e}"),
            });
        }
        Ok(value)
    }

    /// `( x y z )`
    fn triple(&mut self, expected: &str) -> Result<[f64; 3], Md5Error> {
        self.expect(TokenKind::OpenParenthesis, "(")?;
        let triple =
            [self.coordinate(expected)?, self.coordinate(expected)?, self.coordinate(expected)?];
        self.expect(TokenKind::CloseParenthesis, ")")?;
        Ok(triple)
    }

    /// The value of a header line that may stand once.
    fn header_count(&mut self, keyword: &str, slot: &mut Option<Count>) -> Result<(), Md5Error> {
        let count = self.count("a count")?;
        self.once(keyword, count.place, slot.is_none())?;
        *slot = Some(count);
        Ok(())
    }

    fn once(&self, keyword: &str, place: Place, is_first: bool) -> Result<(), Md5Error> {
        if is_first {
            return Ok(());
        }
        Err(Md5Error::Syntax {
            place,
            found: format!("{keyword} for the second time"),
            expected: "it once".into(),
            nearest: None,
        })
    }

    fn frame_rate(&mut self, slot: &mut Option<f64>) -> Result<(), Md5Error> {
        let token = self.token;
        let rate_hz = self.number("frames per second")?;
        self.once("frameRate", token.place, slot.is_none())?;
        if rate_hz <= 0.0 || rate_hz > MAX_RATE_HZ {
            return Err(Md5Error::Range {
                place: token.place,
                what: "frameRate".into(),
                found: token.shown(),
                expected: format!("more than 0 and at most {MAX_RATE_HZ}"),
            });
        }
        *slot = Some(rate_hz);
        Ok(())
    }

    fn rate_or_default(&mut self, rate_hz: Option<f64>) -> f64 {
        rate_hz.unwrap_or_else(|| {
            self.warn(0, format!("frameRate is missing; {DEFAULT_RATE_HZ} is used"));
            DEFAULT_RATE_HZ
        })
    }

    fn warn(&mut self, line: u32, message: impl Into<String>) {
        self.warnings.push(Warning::new(line as usize, message));
    }
}

/// Counts of lines against the header.
impl Reader<'_> {
    /// Fails at the line that is one more than `declared`.
    fn check_room(
        &self,
        things: &str,
        header: &str,
        present: usize,
        declared: Option<Count>,
    ) -> Result<(), Md5Error> {
        match declared {
            Some(count) if present >= count.value => {
                Err(mismatch(self.token.place, things, header, present + 1, count))
            }
            _ => Ok(()),
        }
    }

    /// Fails at `place`, where the lines end, if they are not `declared` many; a missing header line is only a warning.
    fn check_count(
        &mut self,
        things: &str,
        header: &str,
        present: usize,
        declared: Option<Count>,
        place: Place,
    ) -> Result<(), Md5Error> {
        match declared {
            Some(count) if present != count.value => {
                Err(mismatch(place, things, header, present, count))
            }
            Some(_) => Ok(()),
            None => {
                self.warn(0, format!("{header} is missing; the file holds {present} {things}"));
                Ok(())
            }
        }
    }

    fn missing(&self, block: &str) -> Md5Error {
        Md5Error::Syntax {
            place: self.token.place,
            found: self.token.shown(),
            expected: format!("{block}, which is missing"),
            nearest: None,
        }
    }
}

fn mismatch(place: Place, things: &str, header: &str, present: usize, count: Count) -> Md5Error {
    Md5Error::Range {
        place,
        what: things.into(),
        found: present.to_string(),
        expected: format!("{}, as {header} says in line {}", count.value, count.place.line),
    }
}

fn listed(keywords: &[&str]) -> String {
    match keywords {
        [] => "nothing".into(),
        [only] => (*only).into(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

/// The keyword that `word` is a slip of the keys away from.
fn nearest(word: &[u8], keywords: &[&'static str]) -> Option<&'static str> {
    const LONGEST: usize = 40;
    let word = core::str::from_utf8(word).ok().filter(|word| word.len() <= LONGEST)?;
    let word = word.to_ascii_lowercase();
    keywords
        .iter()
        .map(|keyword| {
            (strsim::damerau_levenshtein(&word, &keyword.to_ascii_lowercase()), *keyword)
        })
        .filter(|(distance, keyword)| *distance <= (keyword.len() / 3).clamp(1, 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, keyword)| keyword)
}

/// Whether a word stands for a number that is infinite or none: `nan`, `-inf`, `1.#IND00`, `1e999`.
fn names_no_finite_number(word: &[u8]) -> bool {
    let unsigned = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    let starts = |name: &[u8]| {
        unsigned.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    starts(b"nan") || starts(b"inf") || starts(b"1.#") || parse_number(word).is_some()
}

/// What a file is that cannot be MD5, as far as its bytes tell; none if they may be.
fn describe_foreign(bytes: &[u8]) -> Option<String> {
    const SEEN: usize = 512;
    let head = bytes.get(..SEEN).unwrap_or(bytes);
    let text = head.trim_ascii_start();
    let starts =
        |start: &[u8]| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if bytes.is_empty() {
        return Some("an empty file".into());
    }
    if starts(b"version https://git-lfs") {
        return Some("a Git LFS pointer; fetch the file itself with `git lfs pull`".into());
    }
    if starts(b"<!doctype html") || starts(b"<html") {
        return Some("an HTML page, such as a download that failed".into());
    }
    if starts(b"<?xml") || starts(b"<") {
        return Some("an XML file".into());
    }
    if starts(b"xof ") {
        return Some("a DirectX .x file".into());
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("UTF-16 text; save it as plain text".into());
    }
    let last_byte = head.iter().rposition(|byte| !matches!(byte, 0 | 0x1a)).map_or(0, |at| at + 1);
    let is_control = |byte: &&u8| **byte < 0x20 && !byte.is_ascii_whitespace() && **byte != 0x0b;
    let control = head.get(..last_byte).unwrap_or_default().iter().filter(is_control).count();
    let has_version = head
        .windows(VERSION_KEYWORD.len())
        .any(|window| window.eq_ignore_ascii_case(VERSION_KEYWORD.as_bytes()));
    if control > 0 && !has_version {
        return Some(format!(
            "binary data that begins with {}",
            quoted(head.get(..8).unwrap_or(head))
        ));
    }
    None
}

#[cfg(test)]
mod tests;
