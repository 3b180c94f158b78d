//! Words and commands as a POSIX shell reads them.

/// A command line from its words.
#[must_use]
pub fn command_line(argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// A word, in single quotes if it has characters with a meaning.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@^".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A path as a word.
#[must_use]
pub fn path_word(path: &std::path::Path) -> String {
    quoted(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_where_they_need_it() {
        let argv = ["tintype", "a b.toml", "it's", ""].map(str::to_owned);
        assert_eq!(command_line(&argv), r"tintype 'a b.toml' 'it'\''s' ''");
    }
}
