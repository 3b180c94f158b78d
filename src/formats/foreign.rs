//! Guesses for messages: which keyword was meant, and what a file is that is not of the format that was asked for.

use super::number::parse_number;
use super::quote::quoted;

pub(super) fn listed(keywords: &[&str]) -> String {
    match keywords {
        [] => "nothing".into(),
        [only] => (*only).into(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

/// The keyword that `word` is a slip of the keys away from.
pub(super) fn nearest(word: &[u8], keywords: &[&'static str]) -> Option<&'static str> {
    const LONGEST: usize = 40;
    let word = core::str::from_utf8(word).ok().filter(|word| word.len() <= LONGEST)?;
    let word = word.to_ascii_lowercase();
    keywords
        .iter()
        .map(|keyword| {
            (strsim::damerau_levenshtein(&word, &keyword.to_ascii_lowercase()), *keyword)
        })
        .filter(|(distance, keyword)| *distance <= (keyword.len() / 3).clamp(1, 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, keyword)| keyword)
}

/// Whether a word stands for a number that is infinite or none: `nan`, `-inf`, `1.#IND00`, `1e999`.
pub(super) fn names_no_finite_number(word: &[u8]) -> bool {
    let unsigned = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    let starts = |name: &[u8]| {
        unsigned.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    starts(b"nan") || starts(b"inf") || starts(b"1.#") || parse_number(word).is_some()
}

/// What a file is that cannot be of the format whose files begin with the word `own`, as far as its bytes tell; none if they
/// may be.
pub(super) fn describe_foreign(bytes: &[u8], own: &str) -> Option<String> {
    const SEEN: usize = 512;
    let head = bytes.get(..SEEN).unwrap_or(bytes);
    let text = head.trim_ascii_start();
    let starts =
        |start: &[u8]| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if bytes.is_empty() {
        return Some("an empty file".into());
    }
    if starts(b"version https://git-lfs") {
        return Some("a Git LFS pointer; fetch the file itself with `git lfs pull`".into());
    }
    if starts(b"<!doctype html") || starts(b"<html") {
        return Some("an HTML page, such as a download that failed".into());
    }
    if starts(b"<?xml") || starts(b"<") {
        return Some("an XML file".into());
    }
    for (start, is) in [("xof ", "a DirectX .x file"), ("MD5Version", "an MD5 file")] {
        if starts(start.as_bytes()) && start != own {
            return Some(is.into());
        }
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("UTF-16 text; save it as plain text".into());
    }
    let last_byte = head.iter().rposition(|byte| !matches!(byte, 0 | 0x1a)).map_or(0, |at| at + 1);
    let is_control = |byte: &&u8| **byte < 0x20 && !byte.is_ascii_whitespace() && **byte != 0x0b;
    let control = head.get(..last_byte).unwrap_or_default().iter().filter(is_control).count();
    let has_own = head.windows(own.len()).any(|window| window.eq_ignore_ascii_case(own.as_bytes()));
    if control > 0 && !has_own {
        return Some(format!(
            "binary data that begins with {}",
            quoted(head.get(..8).unwrap_or(head))
        ));
    }
    None
}
