//! Excerpts of a file for messages; the bytes may be anything.

use encoding_rs::{Encoding, GBK, SHIFT_JIS, UTF_8};
use std::borrow::Cow;

/// Maximum length of an excerpt, in characters.
const SHOWN_CHARS: usize = 48;

/// Decodes bytes of a file as UTF-8; otherwise as Shift-JIS, GBK or Latin-1.
///
/// Files of Japanese and Chinese tools use Shift-JIS and GBK, whose letters have two bytes, so two
/// bytes beyond ASCII are adjacent, or the first is a control character in Latin-1. Where both are
/// possible, a text of the common ideographs of GBK alone is GBK.
#[must_use]
pub fn decode_text(bytes: &[u8]) -> String {
    if let Ok(text) = core::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let is_control = bytes.iter().any(|byte| matches!(byte, 0x81..=0x9f));
    if is_control || bytes.windows(2).any(|pair| pair.iter().all(|byte| *byte >= 0x80)) {
        let plain = |encoding: &'static Encoding| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
            // Private-use characters do not occur in names.
            (!text.chars().any(|letter| matches!(letter, '\u{e000}'..='\u{f8ff}'))).then_some(text)
        };
        let (japanese, chinese) = (plain(SHIFT_JIS), plain(GBK));
        let is_half_width =
            |text: &str| text.chars().any(|letter| matches!(letter, '\u{ff61}'..='\u{ff9f}'));
        match (japanese, chinese) {
            (Some(japanese), Some(chinese))
                if is_half_width(&japanese) && !has_other_bytes(bytes) =>
            {
                return chinese.into_owned();
            }
            (Some(text), _) | (None, Some(text)) => return text.into_owned(),
            (None, None) => {}
        }
    }
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// True if bytes beyond ASCII are not all common ideographs of GBK, the rows 16 to 87 of GB 2312.
fn has_other_bytes(bytes: &[u8]) -> bool {
    let mut high = bytes.iter().filter(|byte| **byte >= 0x80);
    while let Some(lead) = high.next() {
        let trail = high.next();
        if !matches!(lead, 0xb0..=0xf7) || trail.is_none_or(|byte| *byte < 0xa1) {
            return true;
        }
    }
    false
}

/// The bytes of a text in UTF-8: UTF-16 with its mark is decoded.
pub(crate) fn as_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) if encoding != UTF_8 => {
            let text = bytes.get(mark..).unwrap_or_default();
            let (text, _) = encoding.decode_without_bom_handling(text);
            Cow::Owned(text.into_owned().into_bytes())
        }
        _ => Cow::Borrowed(bytes),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_by_the_encoding_that_their_bytes_fit() {
        for (bytes, text) in [
            (&b"plain.png"[..], "plain.png"),
            ("größe.png".as_bytes(), "größe.png"),
            (b"\x90\xfc\x98H.png", "線路.png"),
            // The second byte of the first letter is a backslash in ASCII.
            (b"\x95\x5c.png", "表.png"),
            (b"\xda\xb0\xd9.bmp", "ﾚｰﾙ.bmp"),
            (b"\xcc\xfa\xb9\xec.bmp", "铁轨.bmp"),
            (b"D\xe9cor.png", "Décor.png"),
            (b"K\xf6rper.png", "Körper.png"),
        ] {
            assert_eq!(decode_text(bytes), text);
        }
    }

    #[test]
    fn text_in_utf_16_is_decoded_by_its_mark() {
        assert_eq!(*as_utf8(b"\xff\xfev\0 \x001\0"), *b"v 1");
        assert_eq!(*as_utf8(b"\xfe\xff\0v"), *b"v");
        assert_eq!(*as_utf8(b"\xef\xbb\xbfv"), *b"\xef\xbb\xbfv");
    }
}
