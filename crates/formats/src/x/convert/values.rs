//! The numbers of one object in order, each with its name and position.

use super::axes::{our_point, our_transform};
use crate::text::SourcePosition;
use crate::x::error::XError;
use crate::x::tree::{Document, Object, Value, label};
use tintype_base::deadline::{TimedOut, Watch};
use tintype_model::math::{Affine3, Vec3};
use tintype_model::{FileRepair, Warning};

/// A part of an object, or its default with a warning if the part is invalid; `cost` describes the
/// consequence.
///
/// # Errors
/// Passes on errors that are not faults of the part: limits and the deadline.
pub(super) fn or_warn<T: Default>(
    part: Result<T, XError>,
    cost: &str,
    warnings: &mut Vec<Warning>,
) -> Result<T, XError> {
    match part {
        Err(XError::Range { position, what, found, expected }) => {
            let message = format!("{what}: found {found}; expected {expected}; {cost}");
            warnings.push(position.fault(FileRepair::OutOfRange, &message));
            Ok(T::default())
        }
        part => part,
    }
}

/// Larger numbers are not coordinates: their squares would leave the range of `f32`.
const LARGEST: f64 = 1.0e9;

/// Reads the values of an object in order.
pub(super) struct Values<'d> {
    document: &'d Document,
    object: &'d Object,
    at: usize,
    watch: Watch,
}

/// Values between two checks of the deadline.
const STEPS: u32 = 1 << 14;

impl<'d> Values<'d> {
    pub(super) fn new(document: &'d Document, object: &'d Object) -> Self {
        Self {
            document,
            object,
            at: 0,
            watch: document.deadline.watch("building from values", STEPS),
        }
    }

    /// Called before this many values are taken: checks the deadline from time to time.
    #[inline]
    pub(super) fn before(&mut self, values: usize) -> Result<(), TimedOut> {
        self.watch.take(values)
    }

    /// Number of values left.
    pub(super) fn left(&self) -> usize {
        self.object.values.len().saturating_sub(self.at)
    }

    /// The next value, without taking it; `ahead` values further on.
    pub(super) fn peek(&self, ahead: usize) -> Option<f64> {
        self.object.values.get(self.at + ahead).and_then(|value| value.number())
    }

    /// Passes values over.
    pub(super) fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    /// Index of the next value.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to a value by its index.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Position of the next value.
    pub(super) fn position(&self) -> SourcePosition {
        self.object.position_of(self.at)
    }

    /// The error for an unexpected next value.
    pub(super) fn wrong(&self, what: &str, expected: impl Into<String>) -> XError {
        let found = match self.object.values.get(self.at) {
            None => format!("the end of {}", label(self.object)),
            Some(Value::Whole(number)) => number.to_string(),
            Some(Value::Real(number)) => number.to_string(),
            Some(Value::Text(text)) => format!("the string {:?}", self.document.text(*text)),
        };
        let what = format!("{what} of {}", label(self.object));
        XError::Range { position: self.position(), what, found, expected: expected.into() }
    }

    /// A number of a size that geometry may have.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, XError> {
        let number = self.peek(0).filter(|number| number.abs() <= LARGEST);
        let number = number.ok_or_else(|| self.wrong(what, "a number of at most 1e9"))?;
        self.at += 1;
        Ok(number)
    }

    /// As [`Values::number`], but 0 for values that are not numbers or too large: for harmless
    /// attributes.
    pub(super) fn lenient(&mut self) -> f64 {
        let number = self.peek(0).filter(|number| number.abs() <= LARGEST);
        self.at += 1;
        number.unwrap_or(0.0)
    }

    /// The next value as a 32-bit word, written with or without a sign; 0 for a value that is not a
    /// number.
    pub(super) fn lenient_word(&mut self) -> u32 {
        let number = self.peek(0);
        self.at += 1;
        number.map_or(0, as_word)
    }

    /// A non-negative integer.
    pub(super) fn whole(&mut self, what: &str) -> Result<usize, XError> {
        let number = match self.object.values.get(self.at) {
            Some(Value::Whole(number)) => usize::try_from(*number).ok(),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole and within 2^32"
            )]
            Some(Value::Real(number))
                if number.fract() == 0.0 && (0.0..=4.3e9).contains(number) =>
            {
                Some(*number as usize)
            }
            _ => None,
        };
        let number = number.ok_or_else(|| self.wrong(what, "a whole number"))?;
        self.at += 1;
        Ok(number)
    }

    /// An index below `count` of things called `noun`.
    pub(super) fn index(&mut self, what: &str, count: usize, noun: &str) -> Result<u32, XError> {
        let start = self.at;
        let number = self.whole(what)?;
        if number < count {
            return u32::try_from(number).map_err(|_| self.wrong(what, "an index of 32 bits"));
        }
        self.at = start;
        let expected = match count {
            0 => format!("none, as there are no {noun}"),
            1 => format!("0, as there is 1 in the list of {noun}"),
            count => format!("0 to {}, as there are {count} {noun}", count - 1),
        };
        Err(self.wrong(what, expected))
    }

    /// A count of records of at least `each` values, of which none may follow.
    pub(super) fn count(&mut self, what: &str, each: usize) -> Result<usize, XError> {
        if self.left() == 0 {
            return Ok(0); // an empty object is an object of nothing
        }
        let start = self.at;
        let count = self.whole(what)?;
        if count.checked_mul(each).is_some_and(|values| values <= self.left()) {
            return Ok(count);
        }
        let most = self.left() / each.max(1);
        self.at = start;
        Err(self.wrong(what, format!("at most {most}, the number of values that follow")))
    }

    /// A text.
    pub(super) fn text(&mut self, what: &str) -> Result<&'d str, XError> {
        match self.object.values.get(self.at) {
            Some(Value::Text(text)) => {
                self.at += 1;
                Ok(self.document.text(*text))
            }
            _ => Err(self.wrong(what, "a quoted string")),
        }
    }

    /// Three numbers as a point in our axes. None if one of them is not a number of a valid size
    /// for geometry.
    pub(super) fn point(&mut self) -> Option<Vec3> {
        let numbers = [0, 1, 2].map(|at| self.peek(at).filter(|number| number.abs() <= LARGEST));
        self.skip(3);
        let [Some(x), Some(y), Some(z)] = numbers else { return None };
        Some(our_point([x, y, z]))
    }

    /// Sixteen numbers as a transform in our axes.
    pub(super) fn matrix(&mut self, what: &str) -> Result<Affine3, XError> {
        let mut rows = [[0.0; 4]; 4];
        for number in rows.iter_mut().flatten() {
            *number = self.number(what)?;
        }
        Ok(our_transform(&rows))
    }
}

/// A word as in the file: with or without a sign.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the low 32 bits are the word"
)]
pub(super) fn as_word(number: f64) -> u32 {
    (number as i64) as u32
}
