//! Numbers of JSON that are counts or indices.

use core::fmt;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// An integer from 0, written `3` or, by some exporters, `3.0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JsonInteger(pub(super) usize);

impl JsonInteger {
    /// An index or a count missing from the document; no list has this index.
    pub(super) const MISSING: Self = Self(usize::MAX);

    /// [`Self::MISSING`], for properties required by the format.
    pub(super) const fn missing() -> Self {
        Self::MISSING
    }
}

impl fmt::Display for JsonInteger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::MISSING => out.write_str("nothing"),
            Self(value) => value.fmt(out),
        }
    }
}

struct WholeVisitor;

/// 2^53: beyond it, not every integer is representable in JSON.
const MOST: f64 = 9_007_199_254_740_992.0;

impl Visitor<'_> for WholeVisitor {
    type Value = JsonInteger;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a whole number from 0")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<JsonInteger, E> {
        usize::try_from(value)
            .map(JsonInteger)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<JsonInteger, E> {
        usize::try_from(value)
            .map(JsonInteger)
            .map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    fn visit_f64<E: Error>(self, value: f64) -> Result<JsonInteger, E> {
        if (0.0..=MOST).contains(&value) && value.trunc() == value {
            Ok(JsonInteger(value as usize))
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }
}

impl<'de> Deserialize<'de> for JsonInteger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_a_fraction_of_zero() {
        for (text, expected) in [
            ("3", Some(3)),
            ("3.0", Some(3)),
            ("-0.0", Some(0)),
            ("3.5", None),
            ("-1", None),
            ("\"3\"", None),
            ("1e300", None),
        ] {
            let found = serde_json::from_str::<JsonInteger>(text).ok();
            assert_eq!(found, expected.map(JsonInteger), "{text}");
        }
    }
}
