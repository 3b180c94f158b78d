//! Words and names in job files and messages.

use crate::diagnostic::printable;
use std::borrow::Cow;

/// A string as YAML and JSON write it. YAML ends lines at more characters than JSON escapes, and readers of a terminal see all.
pub(super) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut shown = String::with_capacity(json.len());
    for letter in json.chars() {
        let mut units = [0; 2];
        match printable(letter.encode_utf8(&mut [0; 4])) {
            Cow::Borrowed(plain) => shown.push_str(plain),
            Cow::Owned(_) => {
                let units = letter.encode_utf16(&mut units).iter();
                units.for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    shown
}

/// A name that engines accept: lower-case letters, digits and hyphens, a letter first.
pub(super) fn job_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let word: String = name.chars().map(safe).take(32).collect();
    format!("tintype-{}", word.trim_matches('-')).trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_strings_hold_no_end_of_a_line() {
        let text = "a\nb\u{85}\u{2028}\u{7f}\u{1b}\u{202e}\"\\ {{ }} $(x)";
        let json = quoted(text);
        assert!(json.chars().all(|letter| letter == ' ' || letter.is_ascii_graphic()), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
