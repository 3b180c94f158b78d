//! Texts of JSON that are one of a few words of the format.

use core::fmt;
use core::ops::Deref;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use std::borrow::Cow;

/// A text that is mostly a word of the format, which then takes no memory: large files have tens of
/// thousands of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word(Cow<'static, str>);

/// Words of accessors and animations.
const KNOWN: [&str; 14] = [
    "SCALAR",
    "VEC2",
    "VEC3",
    "VEC4",
    "MAT2",
    "MAT3",
    "MAT4",
    "LINEAR",
    "STEP",
    "CUBICSPLINE",
    "translation",
    "rotation",
    "scale",
    "weights",
];

impl Word {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

struct WordVisitor;

impl Visitor<'_> for WordVisitor {
    type Value = Word;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
        let known = KNOWN.into_iter().find(|known| *known == text);
        Ok(Word(known.map_or_else(|| Cow::Owned(text.to_owned()), Cow::Borrowed)))
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_format_take_no_memory_and_others_are_kept() {
        let of = |text: &str| serde_json::from_str::<Word>(text).unwrap();
        assert!(matches!(of("\"VEC3\"").0, Cow::Borrowed("VEC3")));
        assert_eq!(of("\"VEC\\u0033\"").as_str(), "VEC3");
        assert_eq!(of("\"vec3\"").as_str(), "vec3");
        let error = serde_json::from_str::<Word>("3").unwrap_err().to_string();
        assert!(error.starts_with("invalid type: integer `3`, expected a string"), "{error}");
    }
}
