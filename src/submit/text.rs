//! Words and names in job files and messages.

/// A string as YAML and JSON write it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A name that engines accept: lower-case letters, digits and hyphens, a letter first.
pub(super) fn job_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let word: String = name.chars().map(safe).take(32).collect();
    format!("tintype-{}", word.trim_matches('-')).trim_end_matches('-').to_owned()
}
