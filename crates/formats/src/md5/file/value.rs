//! Converts tokens to the values of a line, and checks counts of lines against the header.

use super::{Count, DEFAULT_RATE_HZ, MAX_COORDINATE, MAX_RATE_HZ, Reader};
use crate::decide_plain_rate;
use crate::md5::error::Md5Error;
use crate::md5::lexer::DIALECT;
use crate::text::{PlainLine, Token, TokenKind, short_real};
use crate::text::{SourcePosition, SyntaxError};
use crate::text::{listed, names_no_finite_number, nearest};
use crate::text::{parse_number, parse_whole};
use tintype_base::precedence::DecidedBy;
use tintype_base::suggest::hint;
use tintype_model::FileRepair;

/// Warnings of a file that are kept.
const MAX_WARNINGS: usize = 100;
/// No count and no index of a file comes near this.
const MAX_WHOLE: i64 = 1_000_000_000_000_000_000;

/// The value of the next token.
impl<'a> Reader<'a> {
    pub(super) fn advance(&mut self) -> Result<Token<'a>, Md5Error> {
        self.watch.step()?;
        let next = self.next_token();
        self.last_line = self.token.position.line;
        Ok(core::mem::replace(&mut self.token, next))
    }

    /// The next token; a line with unbalanced quotes or a 0 byte is skipped.
    pub(super) fn next_token(&mut self) -> Token<'a> {
        loop {
            match self.lexer.next(&DIALECT) {
                Ok(token) => return token,
                Err(SyntaxError { position, found, expected }) => {
                    let cost = "the rest of the line is skipped";
                    let message = format!("found {found}; expected {expected}; {cost}");
                    self.fault(FileRepair::Malformed, position, message);
                    self.lexer.skip_line();
                }
            }
        }
    }

    /// Skips the rest of the block that begins at `start`: up to its closing brace, or a word that
    /// begins another one.
    pub(super) fn skip_block(&mut self, start: SourcePosition) -> Result<(), Md5Error> {
        while self.token.kind != TokenKind::End {
            if self.token.kind == TokenKind::Symbol(b'}') {
                self.advance()?;
                break;
            }
            let is_next = self.kind.keywords.iter().any(|word| self.token.is_keyword(word));
            if is_next && self.token.position.line != start.line {
                break;
            }
            self.advance()?;
        }
        Ok(())
    }

    /// Takes a line that begins with `keyword` in one pass, if it is written plainly; if `values`
    /// returns none, nothing is consumed.
    #[inline]
    pub(super) fn plain_line<T>(
        &mut self,
        keyword: &str,
        values: impl FnOnce(&mut PlainLine<'a>) -> Option<T>,
    ) -> Result<Option<T>, Md5Error> {
        if self.token.kind != TokenKind::Word || self.token.text != keyword.as_bytes() {
            return Ok(None);
        }
        let mut line = self.lexer.plain_line(&DIALECT);
        let Some(found) = values(&mut line) else { return Ok(None) };
        self.lexer.go_on_behind(line);
        self.advance()?;
        Ok(Some(found))
    }

    /// Takes numbers of at most [`MAX_COORDINATE`] in size in plain notation, except the last, and
    /// at most `most`.
    pub(super) fn plain_coordinates(
        &mut self,
        most: usize,
        into: &mut Vec<f64>,
    ) -> Result<(), Md5Error> {
        let whole = |(value, length)| (length == self.token.text.len()).then_some(value);
        let value = match self.token.kind {
            TokenKind::Word => short_real(self.token.text).and_then(whole),
            _ => None,
        };
        let Some(mut value) = value else { return Ok(()) };
        for _ in 0..most {
            if value.abs() > MAX_COORDINATE {
                break;
            }
            let Some((token, next)) = self.lexer.next_number(&DIALECT) else { break };
            self.watch.step()?;
            into.push(value);
            self.last_line = self.token.position.line;
            (self.token, value) = (token, next);
        }
        Ok(())
    }

    /// Skips the rest of the line of `token` and returns the next token.
    pub(super) fn token_after_line(&mut self, token: &Token<'a>) -> Result<Token<'a>, Md5Error> {
        if token.position.line == self.lexer.line() {
            self.lexer.skip_to_line_end();
        }
        Ok(self.next_token())
    }

    pub(super) fn at_keyword(&self, keyword: &str) -> bool {
        self.token.is_keyword(keyword)
    }

    /// One of `allowed`, as it is spelled there.
    pub(super) fn keyword(&mut self, allowed: &[&'static str]) -> Result<&'static str, Md5Error> {
        for keyword in allowed {
            if self.token.is_keyword(keyword) {
                self.advance()?;
                return Ok(keyword);
            }
        }
        Err(self.unexpected_keyword(allowed))
    }

    pub(super) fn unexpected_keyword(&self, allowed: &[&'static str]) -> Md5Error {
        let is_word = self.token.kind == TokenKind::Word;
        for (keyword, is) in self.kind.foreign {
            if self.at_keyword(keyword) {
                return Md5Error::WrongKind {
                    position: self.token.position,
                    found: self.token.describe(),
                    is,
                    wanted: self.kind.name,
                };
            }
        }
        Md5Error::Syntax {
            position: self.token.position,
            found: self.token.describe(),
            expected: listed(allowed),
            nearest: if is_word { nearest(self.token.text, allowed) } else { None },
        }
    }

    pub(super) fn unexpected(&self, expected: &str) -> Md5Error {
        self.token.unexpected(expected).into()
    }

    pub(super) fn expect(
        &mut self,
        kind: TokenKind,
        expected: &str,
    ) -> Result<SourcePosition, Md5Error> {
        if self.token.kind == kind {
            Ok(self.advance()?.position)
        } else {
            Err(self.unexpected(expected))
        }
    }

    pub(super) fn open_brace(&mut self) -> Result<SourcePosition, Md5Error> {
        self.expect(TokenKind::Symbol(b'{'), "{")
    }

    /// A text in quotes, or one bare word.
    pub(super) fn text(&mut self, expected: &str) -> Result<&'a [u8], Md5Error> {
        match self.token.kind {
            TokenKind::Text | TokenKind::Word => Ok(self.advance()?.text),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// An integer of at most [`MAX_WHOLE`] in size.
    pub(super) fn whole(&mut self, expected: &str) -> Result<(i64, SourcePosition), Md5Error> {
        let token = self.token;
        let value = match token.kind {
            TokenKind::Word => parse_whole(token.text),
            _ => None,
        };
        let value = value.ok_or_else(|| self.unexpected(expected))?;
        if value.abs() > MAX_WHOLE {
            return Err(Md5Error::Range {
                position: token.position,
                what: expected.into(),
                found: token.describe(),
                expected: format!("at most {MAX_WHOLE}"),
            });
        }
        self.advance()?;
        Ok((value, token.position))
    }

    /// A non-negative integer.
    pub(super) fn count(&mut self, expected: &str) -> Result<Count, Md5Error> {
        let (value, at) = self.whole(expected)?;
        let value = usize::try_from(value).map_err(|_| Md5Error::Range {
            position: at,
            what: expected.into(),
            found: value.to_string(),
            expected: "0 or more".into(),
        })?;
        Ok(Count { value, at })
    }

    /// A non-negative integer that fits a `u32`, like every index of a file below 4 GiB.
    pub(super) fn index(&mut self, expected: &str) -> Result<(u32, SourcePosition), Md5Error> {
        let count = self.count(expected)?;
        let index = u32::try_from(count.value).map_err(|_| Md5Error::Range {
            position: count.at,
            what: expected.into(),
            found: count.value.to_string(),
            expected: format!("at most {}", u32::MAX),
        })?;
        Ok((index, count.at))
    }

    /// Any finite number.
    pub(super) fn number(&mut self, expected: &str) -> Result<f64, Md5Error> {
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
                    position: self.token.position,
                    what: expected.into(),
                    found: format!("{}, which is not a finite number", self.token.describe()),
                    expected: "a finite number".into(),
                })
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A number of at most [`MAX_COORDINATE`] in size.
    pub(super) fn coordinate(&mut self, expected: &str) -> Result<f64, Md5Error> {
        let token = self.token;
        let value = self.number(expected)?;
        if value.abs() > MAX_COORDINATE {
            return Err(Md5Error::Range {
                position: token.position,
                what: expected.into(),
                found: token.describe(),
                expected: format!("-{MAX_COORDINATE:e} to {MAX_COORDINATE:e}"),
            });
        }
        Ok(value)
    }

    /// `( x y z )`
    pub(super) fn triple(&mut self, expected: &str) -> Result<[f64; 3], Md5Error> {
        self.expect(TokenKind::Symbol(b'('), "(")?;
        let triple =
            [self.coordinate(expected)?, self.coordinate(expected)?, self.coordinate(expected)?];
        self.expect(TokenKind::Symbol(b')'), ")")?;
        Ok(triple)
    }

    /// The value of a header line that may occur once.
    pub(super) fn header_count(
        &mut self,
        keyword: &str,
        slot: &mut Option<Count>,
    ) -> Result<(), Md5Error> {
        let start = self.token.position;
        match self.count(keyword) {
            Ok(count) if slot.is_none() => *slot = Some(count),
            Ok(count) => {
                let message = format!("found {keyword} a second time; the first one is used");
                self.fault(FileRepair::Duplicate, count.at, message);
            }
            Err(error) => {
                self.lose(error, "the lines are counted instead")?;
                self.skip_line_of(start)?;
            }
        }
        Ok(())
    }

    pub(super) fn once(
        &self,
        keyword: &str,
        at: SourcePosition,
        is_first: bool,
    ) -> Result<(), Md5Error> {
        if is_first {
            return Ok(());
        }
        Err(Md5Error::Syntax {
            position: at,
            found: format!("{keyword} a second time"),
            expected: "it once".into(),
            nearest: None,
        })
    }

    pub(super) fn frame_rate(&mut self, slot: &mut Option<f64>) -> Result<(), Md5Error> {
        let start = self.token.position;
        match self.rate() {
            Ok(rate_hz) if slot.is_none() => *slot = Some(rate_hz),
            Ok(_) => {
                let message = "found frameRate a second time; the first one is used";
                self.fault(FileRepair::Duplicate, start, message);
            }
            Err(error) => {
                self.lose(error, &format!("{DEFAULT_RATE_HZ} is used"))?;
                self.skip_line_of(start)?;
            }
        }
        Ok(())
    }

    fn rate(&mut self) -> Result<f64, Md5Error> {
        let token = self.token;
        let rate_hz = self.number("frames per second")?;
        if rate_hz <= 0.0 || rate_hz > MAX_RATE_HZ {
            return Err(Md5Error::Range {
                position: token.position,
                what: "frameRate".into(),
                found: token.describe(),
                expected: format!("more than 0 and at most {MAX_RATE_HZ}"),
            });
        }
        Ok(rate_hz)
    }

    pub(super) fn rate_or_default(&mut self, rate_hz: Option<f64>) -> f64 {
        let decided = decide_plain_rate(None, rate_hz, DEFAULT_RATE_HZ);
        if decided.by == DecidedBy::Convention {
            self.warn(0, format!("frameRate is missing; {DEFAULT_RATE_HZ} is used"));
        }
        decided.value
    }

    pub(super) fn warn(&mut self, line: u32, message: impl Into<String>) {
        self.warnings.push(FileRepair::MissingValue.at(line as usize, message));
    }

    /// Notes a fault that costs a part; more than [`MAX_WARNINGS`] are not kept.
    pub(super) fn fault(
        &mut self,
        fault: FileRepair,
        at: SourcePosition,
        message: impl Into<String>,
    ) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(at.fault(fault, &message.into()));
        }
    }

    /// Notes an error of a lost part; passes on errors that do not concern a part.
    pub(super) fn lose(&mut self, error: Md5Error, cost: &str) -> Result<(), Md5Error> {
        let (position, message, fault) = match error {
            Md5Error::Syntax { position, found, expected, nearest } => {
                let hint = hint(nearest);
                (
                    position,
                    format!("found {found}; expected {expected}{hint}; {cost}"),
                    FileRepair::Malformed,
                )
            }
            Md5Error::Range { position, what, found, expected } => {
                let message = format!("{what}: found {found}; expected {expected}; {cost}");
                (position, message, FileRepair::OutOfRange)
            }
            error => return Err(error),
        };
        self.fault(fault, position, message);
        Ok(())
    }

    /// Skips the rest of the line of `start`, up to a closing brace.
    pub(super) fn skip_line_of(&mut self, start: SourcePosition) -> Result<(), Md5Error> {
        while self.token.position.line == start.line
            && !matches!(self.token.kind, TokenKind::End | TokenKind::Symbol(b'}'))
        {
            self.advance()?;
        }
        Ok(())
    }
}

/// Counts of lines against the header.
impl Reader<'_> {
    /// Adds a warning at `position`, where the lines end, if their number is not `declared`, or if
    /// the header line is missing.
    pub(super) fn check_count(
        &mut self,
        things: &str,
        header: &str,
        present: usize,
        declared: Option<Count>,
        at: SourcePosition,
    ) -> Result<(), Md5Error> {
        match declared {
            Some(count) if present != count.value => {
                let (value, line) = (count.value, count.at.line);
                let message = format!(
                    "{things}: found {present}; expected {value}, from {header} on line {line}; the available ones are used"
                );
                self.fault(FileRepair::CountMismatch, at, message);
                Ok(())
            }
            Some(_) => Ok(()),
            None => {
                self.warn(0, format!("{header} is missing; the file has {present} {things}"));
                Ok(())
            }
        }
    }

    pub(super) fn missing(&self, block: &str) -> Md5Error {
        Md5Error::Syntax {
            position: self.token.position,
            found: self.token.describe(),
            expected: format!("{block}, which is missing"),
            nearest: None,
        }
    }
}

/// A coordinate of a plain line: [`Reader::coordinate`].
#[inline]
pub(super) fn plain_coordinate(line: &mut PlainLine<'_>) -> Option<f64> {
    line.real().filter(|value| value.abs() <= MAX_COORDINATE)
}
