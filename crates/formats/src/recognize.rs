//! Recognizes files of other formats, so that a message can name the format of a refused file.

use super::text::quoted;

/// Describes a file by its first bytes if it cannot be of the format that begins with the word
/// `own`. None if it may be.
pub fn describe_foreign(bytes: &[u8], own: &str) -> Option<String> {
    const SEEN: usize = 512;
    let head = bytes.get(..SEEN).unwrap_or(bytes);
    let text = head.trim_ascii_start();
    let starts =
        |start: &[u8]| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if bytes.is_empty() {
        return Some("an empty file".into());
    }
    if starts(b"version https://git-lfs") {
        return Some("a Git LFS pointer; fetch the file with `git lfs pull`".into());
    }
    if starts(b"<!doctype html") || starts(b"<html") {
        return Some("an HTML page (perhaps a failed download)".into());
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
            "binary data starting with {}",
            quoted(head.get(..8).unwrap_or(head))
        ));
    }
    None
}
