//! Check of the chunks of a PNG without decoding its pixels: fast enough for ten thousand frames
//! before any is drawn.
//!
//! The check covers the signature, the length and checksum of every chunk, the order of the first
//! and the last chunk, the presence of pixels, the absence of trailing bytes, and the pixel layout,
//! which must be that of [`encode_png`](super::encode_png) or
//! [`encode_grey`](super::grey::encode_grey). It does not check whether the compressed pixels fill
//! the picture; [`decode_png`](super::decode_png) does that.

use super::PngError;
use tintype_base::git::is_lfs_pointer;

/// Size and text of a PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngHead {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The uncompressed text chunks, in file order.
    pub text: Vec<(String, String)>,
    /// Half a BLAKE3 digest of the compressed pixels; empty if only the head was read.
    pub compressed: String,
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Bytes of length, kind and check sum of a chunk.
const AROUND: usize = 12;

/// The last chunk: it is always the same.
pub const END: &[u8; AROUND] = b"\0\0\0\0IEND\xae\x42\x60\x82";

/// Reads the chunks of a PNG and checks each; the pixels stay compressed.
///
/// # Errors
/// [`PngError`]: cut, damaged, stored otherwise than [`encode_png`](super::encode_png) stores, or followed by other bytes.
pub fn check_png(bytes: &[u8]) -> Result<PngHead, PngError> {
    walk(bytes, Reach::All)
}

/// Reads and checks the chunks before the pixels; the first chunk of pixels may be cut off.
///
/// # Errors
/// As [`check_png`], for these chunks only.
pub fn check_head(start: &[u8]) -> Result<PngHead, PngError> {
    walk(start, Reach::Head)
}

/// [`check_head`] of a PNG that may be animated.
///
/// # Errors
/// As [`check_head`].
pub fn check_animated_head(start: &[u8]) -> Result<PngHead, PngError> {
    walk(start, Reach::AnimatedHead)
}

/// Width and height of a PNG of any layout, from its first chunk alone. None for other files.
#[must_use]
pub fn png_size(start: &[u8]) -> Option<[u32; 2]> {
    let header = start.strip_prefix(SIGNATURE)?.get(4..16)?;
    let side = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    (header.get(..4)? == b"IHDR").then_some([side(4)?, side(8)?])
}

/// Range of chunks that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    /// Up to the pixels.
    Head,
    /// Up to the pixels, of a possibly animated PNG.
    AnimatedHead,
}

/// A chunk: its kind and its data.
type Chunk<'b> = (&'b [u8; 4], &'b [u8]);

/// The first chunk of `rest`, the end of a file, and the bytes after it.
fn split_chunk<'b>(bytes: &[u8], rest: &'b [u8]) -> Result<(Chunk<'b>, &'b [u8]), PngError> {
    let truncated = || PngError::Truncated { length: bytes.len() };
    let at = bytes.len() - rest.len();
    let length = rest.first_chunk::<4>().ok_or_else(truncated)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    let chunk = length.checked_add(AROUND).and_then(|end| rest.split_at_checked(end));
    let (chunk, behind) = chunk.ok_or_else(truncated)?;
    let (summed, sum) =
        chunk.get(4..).and_then(<[u8]>::split_last_chunk::<4>).ok_or_else(truncated)?;
    let (kind, data) = summed.split_first_chunk::<4>().ok_or_else(truncated)?;
    if crc32fast::hash(summed) != u32::from_be_bytes(*sum) {
        let what =
            format!("the check sum of the chunk {} at byte {at} is wrong", kind.escape_ascii());
        return Err(PngError::Malformed { what });
    }
    Ok(((kind, data), behind))
}

fn walk(bytes: &[u8], reach: Reach) -> Result<PngHead, PngError> {
    let truncated = || PngError::Truncated { length: bytes.len() };
    let malformed = |what: String| PngError::Malformed { what };
    let mut rest = match bytes.strip_prefix(SIGNATURE) {
        Some(rest) => rest,
        None if SIGNATURE.starts_with(bytes) => return Err(truncated()),
        None if is_lfs_pointer(bytes) => return Err(PngError::LfsPointer),
        None => return Err(malformed("no PNG signature".to_owned())),
    };
    let mut head = None;
    let mut text = Vec::new();
    let mut has_pixels = false;
    let mut compressed = blake3::Hasher::new();
    loop {
        if reach != Reach::All
            && rest.get(4..8) == Some(b"IDAT")
            && let Some(size) = head
        {
            return Ok(PngHead { size, text, compressed: String::new() });
        }
        let ((kind, data), behind) = split_chunk(bytes, rest)?;
        rest = behind;
        match (kind, head) {
            (b"IHDR", None) => head = Some(header(data)?),
            (_, None) | (b"IHDR", Some(_)) => {
                return Err(malformed("expected exactly one IHDR chunk, at the start".to_owned()));
            }
            (b"tEXt", _) => text.extend(latin1(data)),
            (b"iTXt", _) => text.extend(international(data)),
            (b"IDAT", _) => {
                has_pixels = true;
                compressed.update(data);
            }
            (b"acTL", _) if reach == Reach::AnimatedHead => {}
            (b"tRNS" | b"acTL", _) => {
                let found = format!("a PNG with a chunk {}", kind.escape_ascii());
                return Err(PngError::Layout { found });
            }
            (b"IEND", Some(size)) => {
                return match rest.len() {
                    0 if has_pixels => {
                        let compressed = compressed.finalize().to_hex()[..16].to_owned();
                        Ok(PngHead { size, text, compressed })
                    }
                    0 => Err(malformed("no pixels".to_owned())),
                    count => Err(PngError::TrailingBytes { count }),
                };
            }
            _ => {}
        }
    }
}

/// Width and height of a picture with the pixel layout of [`encode_png`](super::encode_png), or of
/// 16 grey bits.
fn header(data: &[u8]) -> Result<[u32; 2], PngError> {
    let &[a, b, c, d, e, f, g, h, depth, color, _, _, interlace] = data else {
        return Err(PngError::Malformed { what: format!("an IHDR of {} bytes", data.len()) });
    };
    if !matches!((depth, color), (8, 2 | 6) | (16, 0)) || interlace != 0 {
        let woven = if interlace == 0 { "" } else { ", interlaced" };
        let found = format!("{depth}-bit samples of colour type {color}{woven}");
        return Err(PngError::Layout { found });
    }
    Ok([u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])])
}

fn latin1(data: &[u8]) -> Option<(String, String)> {
    let at = data.iter().position(|&byte| byte == 0)?;
    let word = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    Some((word(data.get(..at)?), word(data.get(at + 1..)?)))
}

/// An `iTXt` chunk that is not compressed: keyword, two flags, language, translated keyword, text.
fn international(data: &[u8]) -> Option<(String, String)> {
    let at = data.iter().position(|&byte| byte == 0)?;
    let keyword = data.get(..at)?.iter().map(|&byte| char::from(byte)).collect();
    let [0, _, rest @ ..] = data.get(at + 1..)? else { return None };
    let mut parts = rest.splitn(3, |&byte| byte == 0).skip(2);
    Some((keyword, String::from_utf8(parts.next()?.to_vec()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PngEffort, decode_png, encode_png};
    use tintype_model::frame::Frame;

    fn file(keep_alpha: bool) -> Vec<u8> {
        let rgba = (0..63_u32).map(|i| [(i * 7) as u8, (i * i) as u8, 9, (i * 13) as u8]).collect();
        let text = [("Software", "tintype 0"), ("Title", "grün"), ("Comment", "骨 and joint")];
        let text = text.map(|(key, value)| (key.to_owned(), value.to_owned()));
        encode_png(&Frame { width: 9, height: 7, rgba }, keep_alpha, PngEffort::Fast, &text)
    }

    #[test]
    fn whole_file_says_what_a_decoder_says() {
        for keep_alpha in [false, true] {
            let file = file(keep_alpha);
            let (frame, text) = decode_png(&file).unwrap();
            let head = check_png(&file).unwrap();
            assert_eq!((head.size, head.text), ([frame.width, frame.height], text));
            assert_eq!(head.compressed.len(), 16);
        }
    }

    #[test]
    fn cut_file_is_seen_at_every_length() {
        let file = file(true);
        for length in 0..file.len() {
            let result = check_png(&file[..length]);
            assert!(matches!(result, Err(PngError::Truncated { .. })), "{length}: {result:?}");
        }
        let longer = [&file[..], b"more"].concat();
        assert_eq!(check_png(&longer), Err(PngError::TrailingBytes { count: 4 }));
    }

    #[test]
    fn flipped_bit_is_seen_at_every_place() {
        let file = file(false);
        for at in 0..file.len() * 8 {
            let mut damaged = file.clone();
            damaged[at / 8] ^= 1 << (at % 8);
            assert!(check_png(&damaged).is_err(), "bit {at}");
        }
    }

    #[test]
    fn head_is_known_before_the_pixels() {
        let file = file(true);
        let pixels = file.windows(4).position(|four| four == b"IDAT").unwrap();
        for length in 0..file.len() {
            let head = check_head(&file[..length]);
            assert_eq!(head.is_ok(), length >= pixels + 4, "{length}");
        }
        let whole = check_png(&file).unwrap();
        assert_eq!(check_head(&file), Ok(PngHead { compressed: String::new(), ..whole }));
        assert!(file.ends_with(END));
    }

    #[test]
    fn bytes_of_no_picture_are_refused() {
        assert!(matches!(check_png(b"GIF89a..."), Err(PngError::Malformed { .. })));
        assert!(matches!(check_png(&[0; 64]), Err(PngError::Malformed { .. })));
        let mut hole = file(false);
        let at = hole.windows(4).position(|four| four == b"IDAT").unwrap();
        let end = hole.windows(4).position(|four| four == b"IEND").unwrap();
        hole.drain(at - 4..end - 4);
        assert_eq!(check_png(&hole), Err(PngError::Malformed { what: "no pixels".to_owned() }));
    }
}
