//! Parsers of single values.

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use std::ffi::OsStr;
use std::path::PathBuf;
use tintype::FileScene;
use tintype::builder::{RootMotion, Springs};
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_base::suggest::{hint, nearest_word};

/// Parses a value; a mistake is reported by the option's name, as `--size: "0x10"; expected ...`.
#[derive(Clone, Copy)]
pub(crate) struct Checked<T>(pub fn(&str) -> Result<T, String>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Checked<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        let text =
            value.to_str().ok_or_else(|| Error::new(ErrorKind::InvalidUtf8).with_cmd(command))?;
        (self.0)(text).map_err(|message| {
            let name = argument.and_then(Arg::get_long).unwrap_or_default();
            let message = one_line(&message);
            Error::raw(ErrorKind::ValueValidation, format!("--{name}: {message}\n"))
                .with_cmd(command)
        })
    }
}

/// Takes any path or pattern of paths as a text: bytes that are not UTF-8 as private characters, as [`ShowPath::shown`] makes them.
#[derive(Clone, Copy)]
pub(super) struct PathText;

impl TypedValueParser for PathText {
    type Value = String;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        Ok(value.shown())
    }
}

/// Parses ticks per second: above 0 and at most 1e9, as in a scene.
pub(super) fn parse_ticks(text: &str) -> Result<f64, String> {
    let ticks = text.parse::<f64>().ok().filter(|ticks| *ticks > 0.0 && *ticks <= 1e9);
    ticks.ok_or_else(|| "expected a number above 0, at most 1e9".to_owned())
}

/// Parses the scene of a file: an index, or else a name.
pub(super) fn parse_file_scene(text: &str) -> Result<FileScene, String> {
    if text.trim().is_empty() {
        return Err("expected the name or the index of a scene".to_owned());
    }
    Ok(text.parse().map_or_else(|_| FileScene::Name(text.to_owned()), FileScene::Index))
}

/// Parses a picture for a shader: `NAME=FILE`.
pub(super) fn parse_texture(text: &str) -> Result<(String, PathBuf), String> {
    let parts = text.split_once('=').filter(|(_, file)| !file.is_empty());
    let parts = parts.map(|(name, file)| (name.to_owned(), PathBuf::from(file)));
    parts.ok_or_else(|| format!("{text:?}; expected NAME=FILE, such as body=skins/red.png"))
}

/// Parses the motion of the root joint, in the words of a scene.
pub(super) fn parse_root(text: &str) -> Result<RootMotion, String> {
    parse_word(text, RootMotion::WORDS)
}

/// Parses what becomes of springs, in the words of a scene.
pub(super) fn parse_springs(text: &str) -> Result<Springs, String> {
    parse_word(text, Springs::WORDS)
}

/// Parses one of a few words.
fn parse_word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let near = hint(nearest_word(text, names.iter().copied()));
        format!("{text:?}; expected {}{near}", names.join(", "))
    })
}

/// Parses a count of at least one.
pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&count| count > 0)
        .ok_or_else(|| "expected a whole number above 0".to_owned())
}

/// Parses a number of bytes, with or without a unit.
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes above 0, such as 500K, 64M or 2G".to_owned();
    let text = text.trim();
    let unit = text.chars().next_back().and_then(|last| "KMG".find(last.to_ascii_uppercase()));
    let (digits, shift) = match unit {
        Some(place) => (&text[..text.len() - 1], 10 * (place + 1)),
        None => (text, 0),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.filter(|&number| number > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_their_units() {
        for (text, number) in [("512", 512), ("64M", 64 << 20), ("2g", 2 << 30), (" 1K ", 1024)] {
            assert_eq!(parse_bytes(text), Ok(number), "{text}");
        }
        for text in ["", "0", "M", "-1", "1.5G", "99999999999G"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }
}
