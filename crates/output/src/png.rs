//! Frames as PNG bytes, and back for verification.
//!
//! The bytes depend only on the frame, the effort and the text: the same on every CPU.

use rayon::prelude::*;
use std::io::Write;

use ::png::{BitDepth, ColorType, DecodeOptions, Decoder, DecodingError, Transformations};

use super::png_chunks::{push, push_end, push_head, push_signature, push_text};
use super::png_pixels::{PngEffort, compressed};
use tintype_base::git::{LFS_POINTER, is_lfs_pointer};
use tintype_model::frame::Frame;

/// Reason why bytes are not a frame of [`encode_png`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The file ends before its last chunk does.
    #[error("the file ends early, at byte {length}")]
    Truncated {
        /// Length of the file in bytes.
        length: usize,
    },
    /// A check sum or a rule of the format fails.
    #[error("damaged PNG: {what}")]
    Malformed {
        /// The rule, and the value found.
        what: String,
    },
    /// The file may be a valid PNG, but its pixel layout differs from [`encode_png`].
    #[error("stored as {found}; expected 8-bit RGB or RGBA, not interlaced or animated")]
    Layout {
        /// The layout found.
        found: String,
    },
    /// The picture is larger than a frame can be.
    #[error("{width} x {height} pixels; the limit is {} per side", Frame::MAX_SIDE)]
    Size {
        /// Pixels a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A pointer of Git LFS.
    #[error("{LFS_POINTER}")]
    LfsPointer,
    /// Bytes follow the last chunk.
    #[error("{count} bytes after the end of the PNG")]
    TrailingBytes {
        /// Number of these bytes.
        count: usize,
    },
}

/// Encodes a frame as 8-bit RGBA, or as RGB without its alpha, with an sRGB chunk and text chunks
/// before the pixels.
///
/// Text that Latin-1 can represent is stored in `tEXt` chunks, other text in `iTXt`. A frame with
/// provenance also gets the digests of its pixels, so that text chunks copied to another picture
/// are detected.
///
/// # Panics
/// If the frame is empty or its pixels do not fill it, or if a keyword is not 1 to 79 characters of
/// Latin-1.
#[must_use]
pub fn encode_png(
    frame: &Frame,
    keep_alpha: bool,
    effort: PngEffort,
    text: &[(String, String)],
) -> Vec<u8> {
    let pixels = frame.width as usize * frame.height as usize;
    assert!(pixels > 0 && frame.rgba.len() == pixels, "a whole frame");
    let mut file = Vec::new();
    push_head(&mut file, [frame.width, frame.height], keep_alpha);
    push_text(&mut file, text);
    let is_signed = text.iter().any(|(key, _)| key == super::provenance::DIGEST);
    let (compressed, digest) = rayon::join(
        || compressed(&frame.rgba, frame.width as usize, keep_alpha, effort),
        || is_signed.then(|| digest_of_pixels(frame, keep_alpha)),
    );
    if let Some(digest) = digest {
        push_signature(&mut file, &compressed, &digest);
    }
    push(&mut file, *b"IDAT", &[&compressed]);
    push_end(&mut file);
    file
}

/// CRC-32 of the pixels as decoded again: it distinguishes pictures at the speed of memory.
pub fn digest_of_pixels(frame: &Frame, keep_alpha: bool) -> String {
    /// Pixels per part, which stays in the cache of its thread. Parts are few: joining two sums
    /// takes microseconds.
    const AT_ONCE: usize = 1 << 16;
    const OPAQUE: u32 = u32::from_ne_bytes([0, 0, 0, 255]);
    let sum_of = |pixels: &[[u8; 4]]| {
        let mut sum = crc32fast::Hasher::new();
        if keep_alpha {
            sum.update(pixels.as_flattened());
        } else {
            // Whole pixels, which the compiler processes several at a time.
            let opaque: Vec<u32> =
                pixels.iter().map(|&pixel| u32::from_ne_bytes(pixel) | OPAQUE).collect();
            sum.update(bytemuck::cast_slice(&opaque));
        }
        sum
    };
    let sums: Vec<_> = frame.rgba.par_chunks(AT_ONCE).map(sum_of).collect();
    let mut whole = crc32fast::Hasher::new();
    sums.iter().for_each(|sum| whole.combine(sum));
    format!("{:08x}", whole.finalize())
}

/// Writes a frame to a stream as one PNG, and flushes it.
///
/// # Errors
/// The error of the stream; `BrokenPipe` when its reader has closed it.
///
/// # Panics
/// As [`encode_png`].
pub fn write_png_to(
    stream: &mut dyn Write,
    frame: &Frame,
    keep_alpha: bool,
    effort: PngEffort,
    text: &[(String, String)],
) -> std::io::Result<()> {
    stream.write_all(&encode_png(frame, keep_alpha, effort, text))?;
    stream.flush()
}

/// Decodes a file of [`encode_png`], strictly: every check sum, the end chunk and the size are
/// checked, and no bytes may follow.
///
/// A frame stored without alpha is returned with alpha 255. The text is in file order, `tEXt`
/// before `iTXt`.
///
/// # Errors
/// [`PngError`]: cut, damaged, stored otherwise, too large, or followed by other bytes.
pub fn decode_png(bytes: &[u8]) -> Result<(Frame, Vec<(String, String)>), PngError> {
    decode(bytes, false)
}

/// As [`decode_png`], of a file in any layout: grey, with a palette, interlaced, of 1 to 16 bits,
/// as other programs store the same pixels. 16-bit channels are rounded to 8.
///
/// # Errors
/// [`PngError`]: cut, damaged, animated, too large, or followed by other bytes.
pub fn decode_any_png(bytes: &[u8]) -> Result<(Frame, Vec<(String, String)>), PngError> {
    decode(bytes, true)
}

fn decode(bytes: &[u8], any_layout: bool) -> Result<(Frame, Vec<(String, String)>), PngError> {
    let from_png = |error: DecodingError| match error {
        DecodingError::IoError(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            PngError::Truncated { length: bytes.len() }
        }
        other => PngError::Malformed { what: other.to_string() },
    };
    if is_lfs_pointer(bytes) {
        return Err(PngError::LfsPointer);
    }
    let mut options = DecodeOptions::default();
    options.set_ignore_checksums(false);
    options.set_skip_ancillary_crc_failures(false);
    let mut decoder = Decoder::new_with_options(std::io::Cursor::new(bytes), options);

    // 1. The header, before anything is allocated for the pixels.
    let header = decoder.read_header_info().map_err(from_png)?;
    let (width, height) = (header.width, header.height);
    if width > Frame::MAX_SIDE || height > Frame::MAX_SIDE {
        return Err(PngError::Size { width, height });
    }
    let is_plain = header.bit_depth == BitDepth::Eight
        && matches!(header.color_type, ColorType::Rgb | ColorType::Rgba)
        && !header.interlaced;
    if !is_plain && !any_layout {
        let found = format!(
            "{}-bit {:?}{}",
            header.bit_depth as u8,
            header.color_type,
            if header.interlaced { ", interlaced" } else { "" }
        );
        return Err(PngError::Layout { found });
    }

    // 2. The pixels and all other chunks.
    if any_layout {
        decoder.set_transformations(Transformations::EXPAND);
    }
    let mut reader = decoder.read_info().map_err(from_png)?;
    let has_key_color = reader.info().trns.is_some() && !any_layout;
    if reader.info().is_animated() || has_key_color {
        let found = if has_key_color { "RGB with a transparent colour" } else { "an animation" };
        return Err(PngError::Layout { found: found.to_owned() });
    }
    let size = reader.output_buffer_size().ok_or(PngError::Size { width, height })?;
    let mut samples = vec![0; size];
    let info = reader.next_frame(&mut samples).map_err(from_png)?;
    reader.finish().map_err(from_png)?;
    check_end(bytes)?;

    // 3. The values.
    if info.bit_depth == BitDepth::Sixteen {
        samples = samples.as_chunks().0.iter().map(|&two| rounded(two)).collect();
    }
    let rgba = expanded(&samples, info.color_type);
    let mut text = Vec::new();
    for chunk in &reader.info().uncompressed_latin1_text {
        text.push((chunk.keyword.clone(), chunk.text.clone()));
    }
    for chunk in &reader.info().utf8_text {
        text.push((chunk.keyword.clone(), chunk.get_text().map_err(from_png)?));
    }
    Ok((Frame { width, height, rgba }, text))
}

/// Samples of 8 bits as pixels.
fn expanded(samples: &[u8], layout: ColorType) -> Vec<[u8; 4]> {
    match layout {
        ColorType::Rgba => samples.as_chunks().0.to_vec(),
        ColorType::Rgb => samples.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
        ColorType::GrayscaleAlpha => {
            samples.as_chunks().0.iter().map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect()
        }
        ColorType::Grayscale | ColorType::Indexed => {
            samples.iter().map(|&grey| [grey, grey, grey, 255]).collect()
        }
    }
}

/// The 8-bit code nearest to a big-endian 16-bit one.
#[expect(clippy::cast_possible_truncation, reason = "65535 / 257 is 255")]
fn rounded(sample: [u8; 2]) -> u8 {
    ((u32::from(u16::from_be_bytes(sample)) + 128) / 257) as u8
}

/// Checks that the end chunk is the last 12 bytes, as the decoder stops at it.
fn check_end(bytes: &[u8]) -> Result<(), PngError> {
    const END_CHUNK: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";
    let at = bytes.windows(END_CHUNK.len()).rposition(|window| window == END_CHUNK);
    match at.map(|at| bytes.len() - at - END_CHUNK.len()) {
        None => Err(PngError::Truncated { length: bytes.len() }),
        Some(0) => Ok(()),
        Some(count) => Err(PngError::TrailingBytes { count }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let rgba = (0..35_u32)
            .map(|i| [(i * 7) as u8, (i * i) as u8, (200 - i) as u8, (i * 13) as u8])
            .collect();
        Frame { width: 7, height: 5, rgba }
    }

    fn text() -> Vec<(String, String)> {
        [("Software", "tintype 0"), ("Title", "grün"), ("Comment", "骨 and joint")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec()
    }

    #[test]
    fn encode_then_decode_is_the_identity() {
        for effort in [PngEffort::Fast, PngEffort::Small] {
            let (found, found_text) =
                decode_png(&encode_png(&frame(), true, effort, &text())).unwrap();
            assert_eq!(found, frame());
            assert_eq!(found_text, text());
            let (found, _) = decode_png(&encode_png(&frame(), false, effort, &[])).unwrap();
            let mut opaque = frame();
            opaque.rgba.iter_mut().for_each(|pixel| pixel[3] = 255);
            assert_eq!(found, opaque);
        }
    }

    #[test]
    fn file_says_that_it_is_srgb_and_the_same_bytes_each_time() {
        let file = encode_png(&frame(), false, PngEffort::Fast, &text());
        assert_eq!(file, encode_png(&frame(), false, PngEffort::Fast, &text()));
        let position = |name: &[u8]| file.windows(4).position(|four| four == name).unwrap();
        assert!(position(b"sRGB") < position(b"tEXt") && position(b"iTXt") < position(b"IDAT"));
        let mut streamed = Vec::new();
        write_png_to(&mut streamed, &frame(), false, PngEffort::Fast, &text()).unwrap();
        assert_eq!(streamed, file);
    }

    #[test]
    fn cut_or_damaged_file_is_refused() {
        let file = encode_png(&frame(), true, PngEffort::Fast, &text());
        for length in 0..file.len() {
            let result = decode_png(&file[..length]);
            assert!(matches!(result, Err(PngError::Truncated { .. })), "{length}: {result:?}");
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert!(decode_png(&damaged).is_err(), "byte {at}");
        }
        let longer = [&file[..], b"more"].concat();
        assert_eq!(decode_png(&longer), Err(PngError::TrailingBytes { count: 4 }));
    }

    #[test]
    fn any_layout_of_the_same_pixels_is_the_same_picture() {
        let grey = [10, 80, 255, 0].map(|code| [code, code, code, 255]);
        let file = |color: ColorType, depth: BitDepth, data: &[u8], extra: [&[u8]; 2]| {
            let mut bytes = Vec::new();
            let mut encoder = ::png::Encoder::new(&mut bytes, 2, 2);
            encoder.set_color(color);
            encoder.set_depth(depth);
            let [palette, clear] = extra;
            if !palette.is_empty() {
                encoder.set_palette(palette.to_vec());
            }
            if !clear.is_empty() {
                encoder.set_trns(clear.to_vec());
            }
            encoder.add_text_chunk("a".to_owned(), "b".to_owned()).unwrap();
            encoder.write_header().unwrap().write_image_data(data).unwrap();
            bytes
        };
        let deep: Vec<u8> = grey.as_flattened().iter().flat_map(|&code| [code; 2]).collect();
        let palette = [80, 80, 80, 0, 0, 0, 255, 255, 255, 10, 10, 10];
        for bytes in [
            file(ColorType::Grayscale, BitDepth::Eight, &[10, 80, 255, 0], [&[]; 2]),
            file(ColorType::Indexed, BitDepth::Two, &[0b1100_0000, 0b1001_0000], [&palette, &[]]),
            file(ColorType::Rgba, BitDepth::Sixteen, &deep, [&[]; 2]),
            encode_png(
                &Frame { width: 2, height: 2, rgba: grey.to_vec() },
                true,
                PngEffort::Fast,
                &[],
            ),
        ] {
            let (found, _) = decode_any_png(&bytes).unwrap();
            assert_eq!(found.rgba, grey);
            assert!(decode_any_png(&bytes[..bytes.len() - 5]).is_err());
        }
        let clear = file(ColorType::Indexed, BitDepth::Eight, &[0, 1, 1, 0], [&palette, &[255, 7]]);
        let (found, text) = decode_any_png(&clear).unwrap();
        assert_eq!(found.rgba[..2], [[80, 80, 80, 255], [0, 0, 0, 7]]);
        assert_eq!(text, [("a".to_owned(), "b".to_owned())]);
    }

    #[test]
    fn other_layouts_are_refused_by_name() {
        let mut file = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut file, 1, 1);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
        encoder.write_header().unwrap().write_image_data(&[1, 2]).unwrap();
        let message = decode_png(&file).unwrap_err().to_string();
        assert!(message.starts_with("stored as 16-bit Grayscale; expected 8-bit"), "{message}");
    }

    #[test]
    fn stream_that_fails_says_so() {
        let mut full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let error = write_png_to(&mut full, &frame(), true, PngEffort::Fast, &[]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
}
