//! Text in JPEG, WebP, NPZ and OpenEXR files: comments of JPEG, NPZ and OpenEXR, and a chunk of
//! WebP skipped by other programs.
//!
//! The text is that of a PNG's chunks, in lines, with the digest of all other bytes of the file.

use super::file_format::FileFormat;

/// The bytes at the start of a JPEG.
pub(super) const JPEG_START: [u8; 2] = [0xff, 0xd8];
/// Bytes of a WebP file before its first chunk: `RIFF`, its size, `WEBP`.
pub(super) const WEBP_HEAD: usize = 12;
/// The chunk of a WebP file with its text.
pub(super) const NOTE_CHUNK: [u8; 4] = *b"note";
/// The bytes at the start of an NPZ file, and those at the start of its end record.
pub(super) const NPZ_START: [u8; 4] = *b"PK\x03\x04";
pub(super) const NPZ_END: [u8; 4] = *b"PK\x05\x06";
/// Bytes of the end record of an NPZ file before its comment, with its length.
const NPZ_END_BYTES: usize = 22;
/// Text before the lengths of an NPY file.
const NPY_SHAPE: &[u8] = b"'shape': (";
/// The first bytes of a single-part OpenEXR file, including its version.
const EXR_START: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];
const EXR_VERSION_BYTES: usize = 4;
/// The line with the digest of the bytes outside of the text.
const SEAL: &str = "tintype:bytes";

/// Size and text of a complete file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The text, as pairs.
    pub text: Vec<(String, String)>,
    /// True if the other bytes are unchanged since the text was written. A file of all frames is
    /// not sealed.
    pub is_sealed: bool,
}

/// Text chunks as lines, for a file without text chunks.
#[must_use]
pub fn lines(text: &[(String, String)]) -> String {
    text.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

/// The pairs of [`lines`].
#[must_use]
pub fn pairs(lines: &str) -> Vec<(String, String)> {
    let pair = |line: &str| line.split_once(": ").map(|(key, value)| (key.into(), value.into()));
    lines.lines().filter_map(pair).collect()
}

/// The lines of a text, with the digest of the bytes around them.
pub(super) fn sealed(text: &[(String, String)], around: &[&[u8]]) -> String {
    seal(text, &digest(around))
}

/// Digits of a digest.
#[cfg(feature = "exr")]
pub(super) const SEAL_DIGITS: usize = 2 * blake3::OUT_LEN;

/// The lines of a text, with a digest.
pub(super) fn seal(text: &[(String, String)], digest: &str) -> String {
    format!("{}{SEAL}: {digest}\n", lines(text))
}

/// Stores the digest of the other bytes in the text of an OpenEXR file, which has room for it.
#[cfg(feature = "exr")]
pub(super) fn seal_exr(bytes: &mut [u8], text: &[(String, String)]) -> Option<()> {
    let Parts { text: old, around, .. } = parts_of_exr(bytes)?;
    let (from, new) = (around[0].len(), sealed(text, &around));
    (new.len() == old.len()).then_some(())?;
    bytes.get_mut(from..from + new.len())?.copy_from_slice(new.as_bytes());
    Some(())
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().to_hex().to_string()
}

/// Reads the text of a JPEG, a WebP, an NPZ or an OpenEXR file of this program; `None` for a file
/// that is truncated or of another format.
#[must_use]
pub fn read_note(bytes: &[u8]) -> Option<Note> {
    let Parts { size, text, around } = if FileFormat::Jpeg.is_format_of(bytes) {
        parts_of_jpeg(bytes)?
    } else if FileFormat::WebP.is_format_of(bytes) {
        parts_of_webp(bytes)?
    } else if bytes.starts_with(&NPZ_START) {
        parts_of_npz(bytes)?
    } else if bytes.starts_with(&EXR_START) {
        parts_of_exr(bytes)?
    } else {
        return None;
    };
    let mut text = pairs(&String::from_utf8(text).ok()?);
    let seal = text.pop_if(|(key, _)| key == SEAL);
    let is_sealed = seal.is_some_and(|(_, seal)| seal == digest(&around));
    Some(Note { size, text, is_sealed })
}

/// Parts of a file: its text, and the bytes around it.
struct Parts<'a> {
    size: [u32; 2],
    text: Vec<u8>,
    around: Vec<&'a [u8]>,
}

fn parts_of_jpeg(bytes: &[u8]) -> Option<Parts<'_>> {
    bytes.ends_with(&[0xff, 0xd9]).then_some(())?;
    let (start, mut rest) = bytes.split_at_checked(JPEG_START.len())?;
    let mut parts = Parts { size: [0; 2], text: Vec::new(), around: vec![start] };
    loop {
        let &[0xff, kind, high, low, ..] = rest else { return None };
        let (segment, behind) =
            rest.split_at_checked(2 + usize::from(u16::from_be_bytes([high, low])))?;
        match kind {
            0xfe => parts.text.extend(segment.get(4..)?),
            0xda => {
                parts.around.push(rest);
                return (parts.size != [0; 2]).then_some(parts);
            }
            _ => parts.around.push(segment),
        }
        if matches!(kind, 0xc0..=0xc2) {
            let side =
                |at: usize| Some(u16::from_be_bytes([*segment.get(at)?, *segment.get(at + 1)?]));
            parts.size = [side(7)?.into(), side(5)?.into()];
        }
        rest = behind;
    }
}

fn parts_of_webp(bytes: &[u8]) -> Option<Parts<'_>> {
    let number = |bytes: &[u8]| Some(u32::from_le_bytes(*bytes.first_chunk::<4>()?));
    let (head, mut rest) = bytes.split_at_checked(WEBP_HEAD)?;
    (number(&head[4..])? as usize == bytes.len() - 8).then_some(())?;
    let mut parts = Parts { size: [0; 2], text: Vec::new(), around: Vec::new() };
    while !rest.is_empty() {
        let length = number(rest.get(4..)?)? as usize;
        let (chunk, behind) = rest.split_at_checked(8 + length + length % 2)?;
        let content = chunk.get(8..8 + length)?;
        match chunk.first_chunk::<4>()? {
            name if *name == NOTE_CHUNK => parts.text.extend(content),
            name => {
                parts.around.push(chunk);
                if name == b"VP8X" {
                    let side = |at: usize| {
                        let &[low, middle, high] = content.get(at..at + 3)? else { return None };
                        Some(u32::from_le_bytes([low, middle, high, 0]) + 1)
                    };
                    parts.size = [side(4)?, side(7)?];
                }
            }
        }
        rest = behind;
    }
    Some(parts)
}

/// Splits an archive into the text in its comment and the part before it. The size is that of its
/// first array.
fn parts_of_npz(bytes: &[u8]) -> Option<Parts<'_>> {
    // The comment has at most 65,535 bytes, without the start of an end record.
    let last = bytes.len().saturating_sub(NPZ_END_BYTES + usize::from(u16::MAX));
    let end = bytes[last..].windows(NPZ_END.len()).rposition(|word| word == NPZ_END)? + last;
    let (around, rest) = bytes.split_at_checked(end + NPZ_END_BYTES - 2)?;
    let (length, text) = rest.split_first_chunk::<2>()?;
    (usize::from(u16::from_le_bytes(*length)) == text.len()).then_some(())?;
    let start = &bytes[..bytes.len().min(256)];
    let at = start.windows(NPY_SHAPE.len()).position(|word| word == NPY_SHAPE)? + NPY_SHAPE.len();
    let shape = start[at..].split(|&byte| byte == b')').next()?;
    let mut sides = core::str::from_utf8(shape).ok()?.split(',').map(|side| side.trim().parse());
    let (height, width) = (sides.next()?.ok()?, sides.next()?.ok()?);
    Some(Parts { size: [width, height], text: text.to_vec(), around: vec![around] })
}

/// Parts of a single-part OpenEXR file: its attribute `comments`, and the bytes around it.
fn parts_of_exr(bytes: &[u8]) -> Option<Parts<'_>> {
    let number = |bytes: &[u8]| Some(i32::from_le_bytes(*bytes.first_chunk::<4>()?));
    let name = |rest: &mut &[u8]| {
        let end = rest.iter().take(256).position(|&byte| byte == 0)?;
        let (name, behind) = (rest.get(..end)?.to_vec(), rest.get(end + 1..)?);
        *rest = behind;
        Some(name)
    };
    let mut rest = bytes.get(EXR_START.len() + EXR_VERSION_BYTES..)?;
    let (mut size, mut found) = ([0; 2], None);
    loop {
        let key = name(&mut rest)?;
        if key.is_empty() {
            let (text, from): (&[u8], usize) = found?;
            let around = vec![&bytes[..from], &bytes[from + text.len()..]];
            return Some(Parts { size, text: text.to_vec(), around });
        }
        name(&mut rest)?;
        let length = usize::try_from(number(rest)?).ok()?;
        let value = rest.get(4..)?.get(..length)?;
        rest = &rest[4 + length..];
        match &*key {
            b"dataWindow" => {
                let side = |from: usize, to: usize| {
                    let span =
                        number(value.get(to..)?)?.checked_sub(number(value.get(from..)?)?)?;
                    u32::try_from(span.checked_add(1)?).ok()
                };
                size = [side(0, 8)?, side(4, 12)?];
            }
            b"comments" => found = Some((value, bytes.len() - rest.len() - length)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PngEffort, encode_still};
    use tintype_model::frame::Frame;

    #[test]
    fn note_is_read_back_and_knows_other_bytes() {
        let mut frame = Frame::new(20, 10);
        frame.rgba.iter_mut().zip(0_u8..).for_each(|(pixel, n)| *pixel = [n, 9, 90, 255]);
        for length in [1, 70_000] {
            let text = vec![("tintype:legend".to_owned(), "é".repeat(length))];
            for format in [FileFormat::Jpeg, FileFormat::WebP] {
                let bytes = encode_still(&frame, format, true, PngEffort::Fast, &text);
                let note = read_note(&bytes).unwrap();
                assert_eq!(note, Note { size: [20, 10], text: text.clone(), is_sealed: true });
                for end in [0, 1, 13, bytes.len() / 2, bytes.len() - 1] {
                    assert_eq!(read_note(&bytes[..end]), None, "{format:?} {end}");
                }
                for at in [bytes.len() / 3, bytes.len() - 4] {
                    let mut other = bytes.clone();
                    other[at] ^= 1;
                    let is_same = read_note(&other).is_some_and(|other| other == note);
                    assert!(!is_same, "{format:?} {at}");
                }
            }
        }
    }
}
