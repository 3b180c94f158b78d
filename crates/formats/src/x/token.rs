//! Tokens of both encodings, and the list of their values.

use super::error::XError;
use super::guid::Guid;
use super::mend::Separator;
use super::position_list::push_step;
use super::tree::{TextIndex, Value};
use crate::LimitExceeded;
use crate::text::SourcePosition;
use crate::text::{decode_text, quoted};
use crate::text::{parse_number, special_number};
use crate::{LimitName, LoadOptions};
use tintype_base::deadline::Deadline;
use tintype_model::{FileRepair, Warning};

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a keyword, or in text also a number.
    Word,
    /// A text in quotes.
    Text,
    /// A GUID in angle brackets. None if it does not have 32 digits.
    Guid(Option<Guid>),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `[`, between the braces of a template.
    OpenBracket,
    /// `]`, between the braces of a template.
    CloseBracket,
    /// A run of `;` and `,`.
    Separator,
    /// A number or a list of them, in binary only; within a template its value, elsewhere not
    /// consumed yet.
    Number(u32),
    /// Punctuation such as a parenthesis or a dot, in binary only.
    Sign,
    /// A NUL byte amid a text.
    Nul,
    /// The end of the file.
    End,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    /// Its kind.
    pub(super) kind: TokenKind,
    /// The bytes of a word, of a text without its quotes, or of a GUID without its brackets;
    /// otherwise those of the symbol.
    pub(super) text: &'a [u8],
    /// Its first byte.
    pub(super) position: SourcePosition,
}

impl Token<'_> {
    /// True if it is that word, in any case.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(word.as_bytes())
    }

    /// The token for a message.
    pub(super) fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Nul => "a null byte in the text".into(),
            TokenKind::Text => format!("the string {}", quoted(self.text)),
            TokenKind::Guid(Some(guid)) => format!("the GUID {guid}"),
            TokenKind::Guid(None) => format!("the GUID {}", quoted(self.text)),
            TokenKind::Number(_) => "numbers".into(),
            _ => quoted(self.text),
        }
    }
}

/// Context of the next token: a template has brackets, while the name of an object may contain
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// Between objects, or inside one.
    Data,
    /// Between the braces of a template.
    Template,
}

/// The tokens of a file in either encoding.
pub(super) trait Source<'a> {
    /// Takes all numbers, texts and separators up to the first other token.
    fn take_values(&mut self, into: &mut Values) -> Result<(), XError>;

    /// The next token; repeatedly [`TokenKind::End`] at the end.
    fn next_token(&mut self, within: Within) -> Result<Token<'a>, XError>;

    /// The separators after the value at offset `from`, up to the next one at `to`; a binary file
    /// has none.
    fn behind(&self, _from: usize, _to: usize) -> Separator {
        Separator::Nothing
    }
}

/// The values of all objects that are open, the innermost one's last; and the warnings.
pub(super) struct Values {
    /// Values of open objects.
    pub(super) values: Vec<Value>,
    /// Their positions, as encoded by [`push_step`].
    pub(super) steps: Vec<u8>,
    /// The position that the next step is relative to.
    pub(super) last: SourcePosition,
    /// The texts of all objects, open or not.
    pub(super) texts: Vec<String>,
    /// Warnings so far.
    pub(super) warnings: Warnings,
    limit: usize,
    /// Number of values until the next check of the deadline.
    left: usize,
    /// Number of values allowed after that.
    further: usize,
    deadline: Deadline,
}

/// Values between two checks of the deadline.
const VALUES: usize = 1 << 15;

impl Values {
    pub(super) fn new(options: &LoadOptions, start: SourcePosition) -> Self {
        let limit = options.limits.max_values;
        let left = if options.deadline.has_end() { 0 } else { limit };
        Self {
            values: Vec::new(),
            steps: Vec::new(),
            last: start,
            texts: Vec::new(),
            warnings: Warnings::default(),
            limit,
            left,
            further: limit - left,
            deadline: options.deadline.clone(),
        }
    }

    /// Checks the deadline, and reserves room for at least this many values.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, needed: usize, position: SourcePosition) -> Result<(), XError> {
        let all = self.left + self.further;
        if all < needed {
            return Err(self.too_many(position));
        }
        self.deadline.check("reading values")?;
        self.left = needed.max(VALUES).min(all);
        self.further = all - self.left;
        Ok(())
    }

    /// Adds a value of the innermost object.
    #[inline(always)]
    pub(super) fn push(&mut self, value: Value, position: SourcePosition) -> Result<(), XError> {
        if self.left == 0 {
            self.refill(1, position)?;
        }
        self.left -= 1;
        self.values.push(value);
        push_step(&mut self.steps, self.last, position);
        self.last = position;
        Ok(())
    }

    /// Adds consecutive numbers of the innermost object, `stride` bytes apart.
    pub(super) fn push_list<const N: usize>(
        &mut self,
        first: SourcePosition,
        stride: u8,
        numbers: &[[u8; N]],
        value: impl Fn([u8; N]) -> Value,
    ) -> Result<(), XError> {
        let Some((head, tail)) = numbers.split_first() else { return Ok(()) };
        if self.left < numbers.len() {
            self.refill(numbers.len(), first)?;
        }
        self.push(value(*head), first)?;
        self.left -= tail.len();
        self.values.extend(tail.iter().map(|bytes| value(*bytes)));
        self.steps.resize(self.steps.len() + tail.len(), stride);
        self.last.offset += tail.len() * usize::from(stride);
        Ok(())
    }

    #[cold]
    fn too_many(&self, position: SourcePosition) -> XError {
        let (found, limit) = (self.limit.saturating_add(1), (self.limit, Some(LimitName::Values)));
        LimitExceeded::new(position, "values of the file", found, limit).into()
    }

    /// Adds a text of the innermost object.
    pub(super) fn push_text(
        &mut self,
        text: &[u8],
        position: SourcePosition,
    ) -> Result<(), XError> {
        let Ok(index) = u32::try_from(self.texts.len()) else {
            return Err(self.too_many(position));
        };
        self.push(Value::Text(TextIndex(index)), position)?;
        self.texts.push(decode_text(text));
        Ok(())
    }
}

/// Warnings, up to a maximum number.
#[derive(Default)]
pub(super) struct Warnings {
    kept: Vec<Warning>,
    dropped: usize,
}

impl Warnings {
    /// The maximum number of warnings that is useful to read.
    const MAX: usize = 100;

    pub(super) fn add(
        &mut self,
        fault: FileRepair,
        position: SourcePosition,
        message: impl FnOnce() -> String,
    ) {
        if self.kept.len() < Self::MAX {
            self.kept.push(position.fault(fault, &message()));
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn finish(mut self) -> Vec<Warning> {
        if self.dropped > 0 {
            self.kept
                .push(FileRepair::MoreWarnings.told(format!("and {} more warnings", self.dropped)));
        }
        self.kept
    }
}

/// A word of text as a number: also `1.#INF`, `-1.#IND00`, `nan` and similar.
#[inline]
pub(super) fn number_value(text: &[u8]) -> Option<Value> {
    /// Number of digits that always fit.
    const SAFE_DIGITS: usize = 18;
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut whole = 0_i64;
    for (index, byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 || index >= SAFE_DIGITS {
            return parse_number(text)
                .or_else(|| special_number(digits, negative))
                .map(Value::Real);
        }
        whole = whole * 10 + i64::from(digit);
    }
    if digits.is_empty() {
        return None;
    }
    Some(Value::Whole(if negative { -whole } else { whole }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_value_keeps_whole_numbers_apart() {
        for (text, whole) in [("0", 0), ("-1", -1), ("+7", 7), ("4294967295", 4_294_967_295)] {
            assert_eq!(number_value(text.as_bytes()), Some(Value::Whole(whole)), "{text}");
        }
        for (text, real) in [
            ("1.", 1.0),
            ("-.5", -0.5),
            ("1e3", 1e3),
            ("9223372036854775808", 9_223_372_036_854_775_808.0),
        ] {
            assert_eq!(number_value(text.as_bytes()), Some(Value::Real(real)), "{text}");
        }
        for text in ["", "-", "294_screen", "1.2.3", "-x", "1,5", "nano", "info"] {
            assert_eq!(number_value(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn number_value_reads_what_c_prints_for_no_number() {
        for text in ["-1.#IND00", "1.#QNAN0", "1.#SNAN", "nan", "-nan(ind)", "NaN"] {
            let Some(Value::Real(real)) = number_value(text.as_bytes()) else { panic!("{text}") };
            assert!(real.is_nan(), "{text}");
        }
        assert_eq!(number_value(b"-1.#INF00"), Some(Value::Real(f64::NEG_INFINITY)));
        assert_eq!(number_value(b"inf"), Some(Value::Real(f64::INFINITY)));
    }
}
