//! Values of the TOML of a record, each with the error that names its key; and the errors of a
//! record.

use thiserror::Error;
use tintype_base::git::{LFS_POINTER, MERGE_CONFLICT};
use toml::{Table, Value};

/// Version of the text; a record of another version is not compared.
pub const VERSION: u32 = 2;

/// Error of the text of a record.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextError {
    /// It is a pointer of Git LFS.
    #[error("{LFS_POINTER}")]
    LfsPointer,
    /// It has the marks of a merge.
    #[error("line {line}: {MERGE_CONFLICT}")]
    Conflict {
        /// Number of the first, from 1.
        line: usize,
    },
    /// It is not TOML.
    #[error("line {line}: {message}")]
    Syntax {
        /// Number of the line, from 1.
        line: usize,
        /// Error of the TOML reader.
        message: String,
    },
    /// It was written by another version of the program.
    #[error("record version {found}, but this program writes {VERSION}")]
    Version {
        /// Its version.
        found: i64,
    },
    /// A part of it is missing from the folder of parts, or was changed there.
    #[error("its part {name} {why}; restore it from git")]
    Part {
        /// The file, from the golden folder.
        name: String,
        /// The rest of a sentence.
        why: String,
    },
    /// A key is missing, or has a value of another type.
    #[error("{key}: expected {expected}")]
    Shape {
        /// The key.
        key: String,
        /// The accepted values.
        expected: &'static str,
    },
}

pub(super) fn shape(key: &str, expected: &'static str) -> TextError {
    TextError::Shape { key: key.to_owned(), expected }
}

/// The text written by a function; writing to a string cannot fail.
pub(super) fn text_by(write: impl FnOnce(&mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    let _ = write(&mut text);
    text
}

/// A string with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let shown = Value::from(text).to_string();
    if !shown.starts_with("\"\"\"") && !shown.starts_with("'''") {
        return shown;
    }
    // Multi-line, for text with both kinds of quotes or a line feed: no key is written like that.
    let mut line = String::with_capacity(text.len() + 2);
    for letter in text.chars() {
        match letter {
            '"' | '\\' => line.extend(['\\', letter]),
            letter if letter.is_control() => {
                line.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => line.push(letter),
        }
    }
    format!("\"{line}\"")
}

pub(super) fn table<'a>(own: &'a Table, key: &str) -> Result<&'a Table, TextError> {
    own.get(key).and_then(Value::as_table).ok_or_else(|| shape(key, "a table"))
}

pub(super) fn list<'a>(own: &'a Table, key: &str) -> Result<&'a Vec<Value>, TextError> {
    own.get(key).and_then(Value::as_array).ok_or_else(|| shape(key, "a list"))
}

pub(super) fn string(own: &Table, key: &str) -> Result<String, TextError> {
    let text = own.get(key).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| shape(key, "a text in quotes"))
}

pub(super) fn whole(own: &Table, key: &str) -> Result<i64, TextError> {
    own.get(key).and_then(Value::as_integer).ok_or_else(|| shape(key, "a whole number"))
}

pub(super) fn count<T: TryFrom<i64>>(own: &Table, key: &str) -> Result<T, TextError> {
    whole(own, key)?.try_into().map_err(|_| shape(key, "a whole number in range"))
}

#[expect(clippy::cast_possible_truncation, reason = "it was written as an f32")]
#[expect(clippy::cast_precision_loss, reason = "it was written as an f32")]
pub(super) fn float(value: &Value) -> Option<f32> {
    value.as_float().map(|value| value as f32).or(value.as_integer().map(|value| value as f32))
}

pub(super) fn floats(own: &Table, key: &str) -> Result<Vec<f32>, TextError> {
    let values = list(own, key)?.iter().map(float).collect::<Option<_>>();
    values.ok_or_else(|| shape(key, "numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_keys_and_values_of_one_line() {
        for text in ["", "plain", "it's", "\"", "a\"b'c", "a\nb'\"\\", "'''\"\"\"", "\u{7f}\u{1b}"]
        {
            let line = format!("{0} = {0}\n", quoted(text));
            assert_eq!(line.lines().count(), 1, "{line}");
            let read: Table = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(read[text].as_str(), Some(text));
        }
    }
}
