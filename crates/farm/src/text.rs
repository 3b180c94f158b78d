//! Words and names in job files and messages.

use tintype_base::printable::printable_json;

/// A string in the syntax of both YAML and JSON. YAML ends lines at more characters than JSON
/// escapes, and terminals interpret all.
pub(super) fn quoted(text: &str) -> String {
    printable_json(&serde_json::Value::from(text).to_string())
}

/// Paths in submissions, as texts that can represent any name.
pub(super) mod path_text {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::path::{Path, PathBuf};
    use tintype_base::path::{ShowPath, path_of_text};

    pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&path.shown())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PathBuf, D::Error> {
        String::deserialize(deserializer).map(|text| path_of_text(&text))
    }
}

/// A name accepted by engines: lower-case letters, digits and hyphens, a letter first.
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
