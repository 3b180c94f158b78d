//! Words and commands in the syntax of a POSIX shell; names that are not UTF-8 in the syntax of
//! bash and zsh.

use crate::path::{ShowPath, byte_of, is_of_bytes};
use crate::printable::is_control;
use std::borrow::Cow;
use std::path::Path;

/// A command line from its words.
#[must_use]
pub fn command_line(argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word, in single quotes if it contains special characters; control characters, those that
/// change the direction of text, and bytes that are not UTF-8 are written as `$'\xe9'`.
#[must_use]
pub fn quoted(word: &str) -> String {
    if is_of_bytes(word) || word.chars().any(is_control) {
        let letter = |letter: char| match (byte_of(letter), letter) {
            (Some(byte), _) => format!("\\x{byte:02x}"),
            (None, letter) if is_control(letter) => {
                letter.to_string().bytes().map(|byte| format!("\\x{byte:02x}")).collect()
            }
            (None, '\'' | '\\') => format!("\\{letter}"),
            (None, letter) => letter.to_string(),
        };
        return format!("$'{}'", word.chars().map(letter).collect::<String>());
    }
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+%@^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A path as a word that no command takes for an option.
#[must_use]
pub fn path_word(path: &Path) -> String {
    quoted(&operand(path).shown())
}

/// A path that no command takes for an option: `./-a` for `-a`.
#[must_use]
pub fn operand(path: &Path) -> Cow<'_, Path> {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Cow::Owned(Path::new(".").join(path)),
        _ => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_where_they_need_it() {
        let argv = ["tintype", "a b.toml", "it's", ""].map(str::to_owned);
        assert_eq!(command_line(&argv), r"tintype 'a b.toml' 'it'\''s' ''");
        assert_eq!(path_word(Path::new("-a b.toml")), "'./-a b.toml'");
        // A private-use character represents the byte e9.
        assert_eq!(quoted("a\nb\u{202e}c"), r"$'a\x0ab\xe2\x80\xaec'");
        assert_eq!(quoted("it's caf\u{10ffe9}\\"), r"$'it\'s caf\xe9\\'");
    }
}
