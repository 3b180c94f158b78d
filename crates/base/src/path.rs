//! Paths as reversible text, and lists of them.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The entries of a list, one per line, with their line numbers from 1: without a byte order mark,
/// empty lines, and lines that begin with `#`.
pub fn list_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_entry = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    (1..).zip(text.lines()).filter(move |(_, line)| is_entry(line))
}

/// Removes `folder/..` from the path. If the folder is a link, the result may name another file.
#[must_use]
pub fn without_detours(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        match (part, short.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => drop(short.pop()),
            _ => short.push(part),
        }
    }
    short
}

/// First private-use character for bytes of a name: U+10FF0A represents a line feed, U+10FFFF
/// `0xff`.
const FIRST_BYTE: u32 = 0x10_ff00;

/// The text of a path, as used in messages and in scenes.
pub trait ShowPath {
    /// The path with private-use characters (U+10FF01 to U+10FFFF) in place of control characters,
    /// backslashes on Unix, and bytes that are not UTF-8. [`path_of_text`] restores the same path,
    /// different names stay different, and a name is one line. Output for people shows these
    /// characters as escapes, so that a name can neither control a terminal nor begin a line.
    fn shown(&self) -> String;
}

impl ShowPath for OsStr {
    fn shown(&self) -> String {
        let text = text_of_bytes(self.as_encoded_bytes());
        if !text.chars().any(is_hidden) {
            return text;
        }
        let mut shown = String::with_capacity(text.len() + 16);
        for letter in text.chars() {
            if is_hidden(letter) {
                shown.extend(letter.encode_utf8(&mut [0; 4]).bytes().filter_map(private));
            } else {
                shown.push(letter);
            }
        }
        shown
    }
}

impl ShowPath for Path {
    fn shown(&self) -> String {
        self.as_os_str().shown()
    }
}

/// The text of a path with `/` between its parts, as in git, archives and reports on every system.
#[must_use]
pub fn slashed(path: &Path) -> String {
    path.shown().replace(std::path::MAIN_SEPARATOR, "/")
}

/// True if a character of a path is written as a private-use character: a control character and,
/// where it does not separate folders, a backslash, which scenes treat as a separator.
fn is_hidden(letter: char) -> bool {
    letter.is_control() || (cfg!(unix) && letter == '\\')
}

/// The character that represents a byte.
fn private(byte: u8) -> Option<char> {
    char::from_u32(FIRST_BYTE + u32::from(byte))
}

/// The text of bytes that contain paths, such as a list of files: as [`ShowPath::shown`], except
/// that control characters stay.
#[must_use]
pub fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().filter_map(private));
    }
    text
}

/// Parses a path that was written by [`ShowPath::shown`] or by hand.
#[must_use]
pub fn path_of_text(text: &str) -> PathBuf {
    #[cfg(unix)]
    if is_of_bytes(text) {
        use std::os::unix::ffi::OsStringExt;
        let mut bytes = Vec::with_capacity(text.len());
        for letter in text.chars() {
            match byte_of(letter) {
                Some(byte) => bytes.push(byte),
                None => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        return std::ffi::OsString::from_vec(bytes).into();
    }
    PathBuf::from(text)
}

/// True for the text of a path that has control characters or is not UTF-8.
#[must_use]
pub fn is_of_bytes(text: &str) -> bool {
    text.chars().any(|letter| byte_of(letter).is_some())
}

/// The byte encoded by a private-use character: a control character, a backslash, or a byte that is
/// not UTF-8.
#[must_use]
pub fn byte_of(letter: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(letter).checked_sub(FIRST_BYTE)?).ok()?;
    (byte != 0 && (byte.is_ascii_control() || !byte.is_ascii() || byte == b'\\')).then_some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_lines_are_those_of_entries() {
        let text = "\u{feff}a.x\r\n\r\n# note\n  \nb #1.x\n";
        assert_eq!(list_lines(text).collect::<Vec<_>>(), [(1, "a.x"), (5, "b #1.x")]);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_survive_as_texts() {
        use std::os::unix::ffi::OsStrExt;
        for name in
            [&b"plain"[..], b"caf\xe9", b"caf\xc3\xa9", b"\xff\xfe\x80/\xe4b", b"\xed\xa0\x80"]
        {
            let path = Path::new(std::ffi::OsStr::from_bytes(name));
            assert_eq!(path_of_text(&path.shown()), path);
        }
        assert_eq!(Path::new("a/b.x").shown(), "a/b.x");
        let line = Path::new("a\nb\u{7f}\u{1b}\t.x");
        assert_eq!(line.shown(), "a\u{10ff0a}b\u{10ff7f}\u{10ff1b}\u{10ff09}.x");
        assert_eq!(path_of_text(&line.shown()), line);
        let back = Path::new("a\\b.x");
        assert_eq!(
            (back.shown().as_str(), path_of_text(&back.shown())),
            ("a\u{10ff5c}b.x", back.to_owned())
        );
        let line = Path::new("c1\u{9b}31m\u{85}");
        assert!(!line.shown().chars().any(char::is_control));
        assert_eq!(path_of_text(&line.shown()), line);
        // Private-use characters of letters are themselves.
        assert_eq!((byte_of('\u{10ff41}'), byte_of('\u{10ff00}')), (None, None));
        let texts = [b"\xe8", b"\xe9"].map(|name| OsStr::from_bytes(name).shown());
        assert_ne!(texts[0], texts[1]);
    }
}
