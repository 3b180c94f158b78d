//! Syntax errors of a TOML text.
//!
//! Input: the text. Output: every error with its position and the message of the `toml` crate,
//! without consequences of other errors: an unclosed bracket causes an error on each following
//! line, so the text is parsed again from the next statement.

use super::error::quoted;
use std::ops::Range;
use toml::de::DeTable;

/// Syntax errors in the order of the text, at most one per line.
pub(super) struct SyntaxErrors {
    /// Positions and messages.
    pub(super) found: Vec<(Range<usize>, String)>,
    /// True if a bracket stays open, so that the TOML tree confuses statements.
    pub(super) open_bracket: bool,
}

/// All syntax errors of a text whose first parse gave `first`.
pub(super) fn find(text: &str, first: &[toml::de::Error]) -> SyntaxErrors {
    /// Maximum number of times that a text is parsed; each open bracket costs one.
    const MAX_READINGS: usize = 50;
    let mut found = Vec::new();
    let mut errors = sorted(text, first);
    let mut start = 0;
    for _ in 0..MAX_READINGS {
        let next = errors.iter().find_map(|(span, message)| {
            let at = swallowed_statement(text, span.start, message)?;
            (at > start).then_some(at)
        });
        let Some(next) = next else { break };
        errors.retain(|(span, _)| span.start < next);
        found.append(&mut errors);
        let line = line_at(text, next);
        found
            .push((next..next + line.len(), "a bracket before this line is not closed".to_owned()));
        start = next;
        errors = sorted(text, &DeTable::parse_recoverable(&blanked(text, start)).1);
    }
    found.append(&mut errors);
    let mut last_line = None;
    found.retain(|(span, _)| {
        let line = text.get(..span.start).map_or(0, |before| before.matches('\n').count());
        last_line.replace(line) != Some(line)
    });
    SyntaxErrors { found, open_bracket: start > 0 }
}

fn sorted(text: &str, errors: &[toml::de::Error]) -> Vec<(Range<usize>, String)> {
    let place = |error: &toml::de::Error| {
        let span = error.span().unwrap_or(text.len()..text.len());
        let start = text.floor_char_boundary(span.start);
        let span = start..text.ceil_char_boundary(span.end).max(start);
        let message = plainer(error.message(), text.get(span.clone()).unwrap_or_default());
        (span, message)
    };
    let mut errors: Vec<(Range<usize>, String)> = errors.iter().map(place).collect();
    errors.sort_by_key(|(span, _)| span.start);
    errors
}

/// Replaces the message about a value without quotes, where the `toml` crate guesses a type by the
/// first letter.
fn plainer(message: &str, found: &str) -> String {
    // `frames = 0-19` reads like the start of a date.
    let is_range = found.split_once('-').is_some_and(|(first, last)| {
        let is_count =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_count(first) && is_count(last.trim_end())
    });
    if is_range && message.contains("date") {
        let found = found.trim_end();
        return format!(
            "{} is not a value; put frame ranges in quotes: \"{found}\"",
            quoted(found)
        );
    }
    let guesses = [
        "string values must be quoted",
        "invalid float, expected `inf`",
        "invalid float, expected `nan`",
        "invalid boolean",
    ];
    if !guesses.iter().any(|guess| message.starts_with(guess)) {
        return message.strip_suffix(", expected nothing").unwrap_or(message).to_owned();
    }
    let found_text = quoted(found);
    if found.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter)) {
        format!("{found_text} is not a number; separate values with commas")
    } else {
        format!("{found_text} is not a value; put strings in quotes")
    }
}

/// The rest of the line at a byte, without blanks at its end.
fn line_at(text: &str, at: usize) -> &str {
    text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim_end()
}

/// The start of the statement of an error message, if it was read as a part of an open bracket.
fn swallowed_statement(text: &str, at: usize, message: &str) -> Option<usize> {
    let in_array = message.starts_with("missing comma between array elements");
    let in_table = message.starts_with("missing comma between key-value pairs")
        || message.starts_with("missing key for inline table element");
    let line_start = text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
    let line = line_at(text, line_start);
    let statement = line.trim_start();
    let name = |text: &str| {
        let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let rest = text.trim_start_matches(plain);
        (rest.len() < text.len()).then(|| rest.trim_start().to_owned())
    };
    let is_header = statement.strip_prefix('[').is_some_and(|inside| {
        let inside = inside.strip_prefix('[').unwrap_or(inside);
        let letter_first = inside.starts_with(|letter: char| letter.is_alphabetic());
        letter_first && name(inside).is_some_and(|rest| rest.is_empty() || rest.starts_with(']'))
    });
    // In an inline table, `key = value` may be one more of its entries.
    let is_key = in_array && name(statement).is_some_and(|rest| rest.starts_with('='));
    let swallowed = (in_array || in_table) && (is_header || is_key);
    swallowed.then(|| line_start + (line.len() - statement.len()))
}

/// The text with blanks for everything before a byte, so that positions stay.
fn blanked(text: &str, start: usize) -> String {
    let (before, rest) = text.split_at(start);
    let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
    before.bytes().map(blank).collect::<String>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str) -> Vec<usize> {
        let errors = find(text, &DeTable::parse_recoverable(text).1);
        errors.found.iter().map(|(span, _)| text[..span.start].matches('\n').count() + 1).collect()
    }

    #[test]
    fn open_bracket_is_one_mistake() {
        assert_eq!(lines_of("a = [1, 2\nb = 3\n\n[c]\nd = 4\n"), [2]);
        assert_eq!(lines_of("a = [1, 2\n[b]\nc = [3\n[[d]]\ne = 'x\nf = 5\n"), [2, 4, 5]);
        assert_eq!(lines_of("a = { b = 1\n[c]\nd = 4\n"), [2]);
        assert_eq!(lines_of("a = [\n  { b = 1 },\n  { b = 2 }\nc = 3\n"), [4]);
    }

    #[test]
    fn forgotten_comma_is_one_mistake() {
        assert_eq!(lines_of("a = [\n  [1]\n  [2]\n]\nb = 1\n"), [3]);
        assert_eq!(lines_of("a = [1 2]\nb = { c = 1 d = 2 }\n"), [1, 2]);
    }

    #[test]
    fn good_text_has_no_mistake() {
        assert!(lines_of("a = [\n  1,\n]\n[b]\nc = 'd'\n").is_empty());
    }
}
