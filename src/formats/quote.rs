//! Bytes of a file in words for a message; they may be any bytes at all.

/// The longest piece of a file that a message repeats, in characters.
const SHOWN_CHARS: usize = 48;

/// Bytes of a file as text: UTF-8 if they are, else Latin-1.
pub(super) fn decode(bytes: &[u8]) -> String {
    core::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}

/// Bytes of a file in quotes for a message: control characters escaped, long pieces cut.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let head = bytes.get(..SHOWN_CHARS * 4).unwrap_or(bytes);
    let text = decode(head);
    let mut shown: String = text.chars().take(SHOWN_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN_CHARS || head.len() < bytes.len() {
        shown.push_str("...");
    }
    format!("\"{shown}\"")
}

/// The end of a message that ends with the word that was probably meant, if there is one.
pub(super) fn nearest_hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |word| format!("; did you mean \"{word}\"?"))
}
