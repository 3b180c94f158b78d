//! Text for a terminal or a log: names from files can neither control it, begin a line, nor act as
//! a command.

use crate::path::byte_of;
use std::borrow::Cow;

/// Text that is safe for a terminal or a log. Characters that control it, or that change the
/// direction of writing, are shown as escapes such as `\u{1b}`, and bytes of names that are not
/// UTF-8 as `\xe9`. Line feeds and tabs stay, except in names, which
/// [`crate::path::ShowPath::shown`] marks: there they become `\n` and `\t`. No line can act as a
/// command for the service that reads the log.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| {
        matches!(letter, '\n' | '\t') || !is_control(letter) && byte_of(letter).is_none()
    };
    if text.chars().all(is_plain) {
        return without_commands(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match (is_plain(letter), byte_of(letter)) {
            (true, _) => shown.push(letter),
            (false, Some(byte)) if byte.is_ascii() => {
                shown.extend(char::from(byte).escape_default())
            }
            (false, Some(byte)) => shown.push_str(&format!("\\x{byte:02x}")),
            (false, None) => shown.extend(letter.escape_unicode()),
        }
    }
    let plain = match without_commands(&shown) {
        Cow::Owned(plain) => Some(plain),
        Cow::Borrowed(_) => None,
    };
    Cow::Owned(plain.unwrap_or(shown))
}

/// Formats a name from a file, or a text of one line that contains such names: as [`printable`],
/// with line feeds and tabs as escapes too.
#[must_use]
pub fn one_line(text: &str) -> String {
    // Names without an end of a line are the rule.
    let text = if text.contains(['\n', '\t']) {
        Cow::Owned(text.replace('\n', "\\n").replace('\t', "\\t"))
    } else {
        Cow::Borrowed(text)
    };
    printable(&text).into_owned()
}

/// Escapes lines that would be commands for a service that reads the log.
///
/// # Source
/// GitHub's runner (`ActionCommand.cs`) reads `::name::` at the start of a line after blanks, and
/// `##[name]` anywhere in it; Azure Pipelines reads `##vso[`, TeamCity `##teamcity[`; Open Job
/// Description `openjd_name: ` at the start of a line.
fn without_commands(text: &str) -> Cow<'_, str> {
    const STARTS: [&str; 2] = ["::", "openjd_"];
    if !text.contains("##") && !STARTS.iter().any(|start| text.contains(start)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let mut own = line.trim_start();
        shown.push_str(&line[..line.len() - own.len()]);
        if STARTS.iter().any(|start| own.starts_with(start)) {
            let (first, rest) = own.split_at(1);
            shown.extend(first.chars().flat_map(char::escape_unicode));
            own = rest;
        }
        shown.push_str(&with_brackets(own, "\\u{5b}"));
    }
    Cow::Owned(shown)
}

/// Replaces each bracket that forms a command by another text.
fn with_brackets(text: &str, other: &str) -> String {
    let mut parts = text.split('[');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let before = shown.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        shown.push_str(if before.ends_with("##") { other } else { "[" });
        shown.push_str(part);
    }
    shown
}

/// As [`printable`], for text and attribute values in HTML.
#[must_use]
pub fn escape_html(text: impl AsRef<str>) -> String {
    let text =
        printable(text.as_ref()).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// JSON text with such characters and log commands escaped; between its strings there are only line
/// feeds. Control characters of names are written as such.
#[must_use]
pub fn printable_json(json: &str) -> String {
    let json = if json.contains("##") { with_brackets(json, "\\u005b") } else { json.to_owned() };
    let mut shown = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter != '\n' && is_control(letter) {
            let control = byte_of(letter).filter(u8::is_ascii).map(char::from);
            let mut units = [0; 2];
            for unit in control.unwrap_or(letter).encode_utf16(&mut units) {
                shown.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// True if a character controls a terminal or the direction of writing, or ends a line for some
/// reader.
#[must_use]
pub fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
                | '\u{10ff01}'..='\u{10ffff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Diagnostic, Kind, Place};

    #[test]
    fn names_cannot_drive_a_terminal_or_start_a_line() {
        assert!(matches!(printable("a\tb\nc ä 名"), Cow::Borrowed(_)));
        assert_eq!(printable("x\u{1b}[2J\r\u{7}"), r"x\u{1b}[2J\u{d}\u{7}");
        assert_eq!(printable("gnp\u{202e}.x \u{9b}31m"), r"gnp\u{202e}.x \u{9b}31m");
        let json = "{\n  \"a\u{202e}\u{9b}\u{10ff80}\": \"\u{7f}\"\n}\n";
        let shown = "{\n  \"a\\u202e\\u009b\\udbff\\udf80\": \"\\u007f\"\n}\n";
        assert_eq!(printable_json(json), shown);
        assert_eq!(printable("a\u{10ff0a}b\nc\u{10ff1b}"), "a\\nb\nc\\u{1b}");
        assert_eq!(printable_json("\"a\u{10ff0a}\""), "\"a\\u000a\"");
        assert_eq!(one_line("a\nkind: Pod\u{2028}\tb"), r"a\nkind: Pod\u{2028}\tb");
        assert_eq!(one_line("a\r\n\u{85}\u{b}b"), r"a\u{d}\n\u{85}\u{b}b");
    }

    #[test]
    fn texts_of_a_page_are_no_markup() {
        assert_eq!(escape_html("<\"&\">\u{1b}"), r"&lt;&quot;&amp;&quot;&gt;\u{1b}");
    }

    #[test]
    fn names_are_no_commands_of_a_log() {
        for (text, shown) in [
            ("::error::x", r"\u{3a}:error::x"),
            ("a\n \t::add-mask::\nb", "a\n \t\\u{3a}:add-mask::\nb"),
            ("a ##[error]b ##vso[c]", r"a ##\u{5b}error]b ##vso\u{5b}c]"),
            ("###[a][b] [c]", r"###\u{5b}a][b] [c]"),
            ("openjd_env: A=1", r"\u{6f}penjd_env: A=1"),
            ("a::b openjd_env: # [c] ## 1 [d]", "a::b openjd_env: # [c] ## 1 [d]"),
        ] {
            assert_eq!(printable(text), shown);
            assert!(!one_line(text).contains('\n'));
        }
        assert_eq!(one_line("a\n::stop-commands::b"), r"a\n::stop-commands::b");
        assert_eq!(printable_json("[\"##[a]\", \"##\"]"), "[\"##\\u005ba]\", \"##\"]");
        let place = Place::Model { name: "a\n::b".to_owned(), clip: None };
        let told = Diagnostic::warning(Kind::Model, place, "c\nd").with_note("e\n::f");
        assert_eq!(told.to_string(), r"a\n::b: c\nd; e\n::f");
    }
}
