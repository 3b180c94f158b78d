//! Excerpts of a file for messages; the bytes may be anything.

/// The longest excerpt, in characters.
const SHOWN_CHARS: usize = 48;

/// Decodes bytes of a file as UTF-8, or as Latin-1 where they are not UTF-8.
pub(crate) fn decode_text(bytes: &[u8]) -> String {
    core::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}

/// Quotes bytes of a file for a message: control characters escaped, long excerpts cut.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let head = bytes.get(..SHOWN_CHARS * 4).unwrap_or(bytes);
    let text = decode_text(head);
    let mut shown: String = text.chars().take(SHOWN_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN_CHARS || head.len() < bytes.len() {
        shown.push_str("...");
    }
    format!("\"{shown}\"")
}
