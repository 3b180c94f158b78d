//! Ranges of a clip: keys, seconds or ticks from one time to another, such as `168-187`,
//! `1.5s-2.5s` and `800t-1600t`.
//!
//! Input: the text of a scene or an option. Output: a checked [`ClipRange`]. Its ends are compared
//! with the clip when the part is cut.

use core::fmt;
use thiserror::Error;

/// The unit of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeUnit {
    /// Keys of the clip, from 0.
    Keys,
    /// Seconds from the first key of the clip.
    Seconds,
    /// Ticks of a `.x` file, from the file's zero.
    Ticks,
}

/// A part of a clip, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipRange {
    /// The unit of both ends.
    pub unit: RangeUnit,
    /// The start; finite.
    pub from: f64,
    /// The end; finite, not before the start.
    pub to: f64,
}

/// Mistake in the text of a range.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RangeError {
    /// It is not two numbers with a hyphen between them.
    #[error("{text:?} is not a range of {}; write {}", unit.map_or("keys, seconds or ticks", RangeUnit::name), example(*unit))]
    Form {
        /// The text.
        text: String,
        /// The requested unit, if it is fixed.
        unit: Option<RangeUnit>,
    },
    /// It ends before it starts.
    #[error(
        "{text:?} ends before it starts; write {turned:?} (with a negative speed to play it backwards)"
    )]
    Reversed {
        /// The text.
        text: String,
        /// The range with its ends exchanged.
        turned: String,
    },
    /// It has no length.
    #[error("{text:?} is empty; its end must be after its start")]
    Empty {
        /// The text.
        text: String,
    },
}

fn example(unit: Option<RangeUnit>) -> &'static str {
    match unit {
        None => "\"168-187\" for keys, \"1.5s-2.5s\" for seconds or \"800t-1600t\" for ticks",
        Some(RangeUnit::Keys) => "\"168-187\": whole numbers from 0, the last key included",
        Some(RangeUnit::Seconds) => "\"1.5-2.5\"",
        Some(RangeUnit::Ticks) => "\"800-1600\"",
    }
}

/// Times of keys and scenes are below this.
const LARGEST: f64 = 1e12;

impl RangeUnit {
    /// The unit in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Seconds => "seconds",
            Self::Ticks => "ticks",
        }
    }

    /// The letter after a number. None for keys.
    fn letter(self) -> &'static str {
        match self {
            Self::Keys => "",
            Self::Seconds => "s",
            Self::Ticks => "t",
        }
    }
}

impl ClipRange {
    /// Parses `168-187`, `1.5s-2.5s` or `800t-1600t`; a letter only at the end applies to both
    /// numbers, and a single number is a single time. With a fixed unit its letter may be omitted.
    ///
    /// # Errors
    /// [`RangeError`].
    pub fn parse(text: &str, unit: Option<RangeUnit>) -> Result<Self, RangeError> {
        let wrong = || RangeError::Form { text: text.to_owned(), unit };
        let (from, to) = ends(text.trim()).ok_or_else(wrong)?;
        let (from, first) = split_unit(from);
        let (to, last) = split_unit(to);
        let written = last.or(first);
        let agrees = first.is_none_or(|first| written == Some(first));
        let found = written.or(unit).unwrap_or(RangeUnit::Keys);
        if !agrees || unit.is_some_and(|unit| unit != found) {
            return Err(wrong());
        }
        let [from, to] = [from, to].map(|end| {
            let number: f64 = end.parse().ok()?;
            let is_plain = end.chars().all(|letter| letter.is_ascii_digit());
            let is_allowed = number.abs() <= LARGEST && (found != RangeUnit::Keys || is_plain);
            is_allowed.then_some(number)
        });
        let (from, to) = (from.ok_or_else(wrong)?, to.ok_or_else(wrong)?);
        if to < from {
            let turned = Self { unit: found, from: to, to: from }.to_string();
            return Err(RangeError::Reversed { text: text.to_owned(), turned });
        }
        let range = Self { unit: found, from, to };
        // One key, or one tick if ticks are keys, is a still picture.
        if found == RangeUnit::Seconds && from.to_bits() == to.to_bits() {
            return Err(RangeError::Empty { text: text.to_owned() });
        }
        Ok(range)
    }

    /// The ends without letters, as in the keys of a scene.
    #[must_use]
    pub fn plain(&self) -> String {
        format!("{}-{}", self.from, self.to)
    }
}

/// `168-187`, `1.5s-2.5s`, `800t-1600t`.
impl fmt::Display for ClipRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.unit.letter();
        write!(out, "{}{letter}-{}{letter}", self.from, self.to)
    }
}

/// Both ends of a range. They are separated by the first hyphen that is not the sign of a number or
/// of its exponent.
fn ends(text: &str) -> Option<(&str, &str)> {
    let mut before = None;
    for (at, letter) in text.char_indices() {
        let is_sign = before.is_none_or(|before: char| "eE ".contains(before));
        if letter == '-' && (!is_sign || before == Some(' ')) {
            let (from, to) = (text.get(..at)?.trim(), text.get(at + 1..)?.trim());
            return (!from.is_empty() && !to.is_empty()).then_some((from, to));
        }
        before = Some(letter);
    }
    (!text.is_empty()).then_some((text, text))
}

fn split_unit(end: &str) -> (&str, Option<RangeUnit>) {
    let strip = |letter| end.strip_suffix(letter).map(str::trim_end);
    match (strip('s'), strip('t')) {
        (Some(number), _) => (number, Some(RangeUnit::Seconds)),
        (_, Some(number)) => (number, Some(RangeUnit::Ticks)),
        _ => (end, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_is_read_in_all_units() {
        use RangeUnit::{Keys, Seconds, Ticks};
        for (text, fixed, unit, from, to) in [
            ("168-187", None, Keys, 168.0, 187.0),
            (" 168 - 187 ", Some(Keys), Keys, 168.0, 187.0),
            ("5", None, Keys, 5.0, 5.0),
            ("5-5", Some(Ticks), Ticks, 5.0, 5.0),
            ("1.5s-2.5s", None, Seconds, 1.5, 2.5),
            ("1.5-2.5s", None, Seconds, 1.5, 2.5),
            ("1.5-2.5", Some(Seconds), Seconds, 1.5, 2.5),
            ("1e-3-2.5", Some(Seconds), Seconds, 0.001, 2.5),
            ("-15t-30t", None, Ticks, -15.0, 30.0),
            ("-30--15", Some(Ticks), Ticks, -30.0, -15.0),
        ] {
            let found = ClipRange::parse(text, fixed).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(found, ClipRange { unit, from, to }, "{text}");
            assert_eq!(ClipRange::parse(&found.to_string(), None).unwrap(), found, "{text}");
            assert_eq!(ClipRange::parse(&found.plain(), Some(unit)).unwrap(), found, "{text}");
        }
    }

    #[test]
    fn mistake_says_what_is_wrong_and_what_to_write() {
        for text in [
            "",
            "-",
            "168-",
            "a-b",
            "1-2-3",
            "1.5-2.5",
            "-1-2",
            "1s-2t",
            "nan-2s",
            "1s-infs",
            "1e99s-2e99s",
            "1..2",
        ] {
            let error = ClipRange::parse(text, None).expect_err(text);
            assert!(matches!(error, RangeError::Form { .. }), "{text}: {error}");
        }
        let message = |text, unit| ClipRange::parse(text, unit).unwrap_err().to_string();
        assert_eq!(
            message("187-168", None),
            "\"187-168\" ends before it starts; write \"168-187\" (with a negative speed to play it backwards)"
        );
        assert_eq!(message("1s-1s", None), "\"1s-1s\" is empty; its end must be after its start");
        assert_eq!(
            message("1s-2s", Some(RangeUnit::Keys)),
            "\"1s-2s\" is not a range of keys; write \"168-187\": whole numbers from 0, the last key included"
        );
    }
}
