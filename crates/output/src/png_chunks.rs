//! Chunks of a PNG file: length, kind, data, check sum.

use super::provenance::PIXELS;

/// Bytes before the first chunk.
pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// The rendering intent of sRGB: perceptual.
const PERCEPTUAL: u8 = 0;

/// Appends a chunk.
///
/// # Panics
/// If the data exceed the maximum size of a chunk, 2 GiB.
pub(super) fn push(file: &mut Vec<u8>, kind: [u8; 4], data: &[&[u8]]) {
    let length: usize = data.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).ok().filter(|&length| length <= i32::MAX.cast_unsigned());
    let mut sum = crc32fast::Hasher::new();
    sum.update(&kind);
    file.extend(length.expect("a chunk of less than 2 GiB").to_be_bytes());
    file.extend(kind);
    for part in data {
        sum.update(part);
        file.extend_from_slice(part);
    }
    file.extend(sum.finalize().to_be_bytes());
}

/// Appends the signature, the header of an 8-bit picture with or without alpha, and the sRGB chunk.
pub(super) fn push_head(file: &mut Vec<u8>, [width, height]: [u32; 2], has_alpha: bool) {
    push_header(file, [width, height], [8, if has_alpha { 6 } else { 2 }]);
    push(file, *b"sRGB", &[&[PERCEPTUAL]]);
}

/// Appends the signature and the header of a grey picture of 16 bits.
pub(super) fn push_wide_head(file: &mut Vec<u8>, size: [u32; 2]) {
    push_header(file, size, [16, 0]);
}

/// Appends the signature and a header with the bits of a sample and the type of colours.
fn push_header(file: &mut Vec<u8>, [width, height]: [u32; 2], [depth, color]: [u8; 2]) {
    file.extend(SIGNATURE);
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, 0]];
    push(file, *b"IHDR", &header);
}

/// Appends text chunks: `tEXt` if Latin-1 can represent the text, otherwise `iTXt`.
///
/// # Panics
/// If a keyword is not 1 to 79 characters of Latin-1.
pub(super) fn push_text(file: &mut Vec<u8>, text: &[(String, String)]) {
    for (keyword, value) in text {
        let key = latin1(keyword).filter(|key| (1..80).contains(&key.len()));
        let key = key.expect("a keyword of 1 to 79 characters of Latin-1");
        match latin1(value) {
            Some(value) => push(file, *b"tEXt", &[&key, b"\0", &value]),
            // Uncompressed, without a language and a translated keyword.
            None => push(file, *b"iTXt", &[&key, b"\0\0\0\0\0", value.as_bytes()]),
        }
    }
}

/// Appends the end of the file.
pub(super) fn push_end(file: &mut Vec<u8>) {
    push(file, *b"IEND", &[]);
}

fn latin1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect()
}

/// Appends a text chunk with the digests of the compressed pixels and of the pixels; it precedes
/// them.
pub(super) fn push_signature(file: &mut Vec<u8>, compressed: &[u8], digest_of_pixels: &str) {
    let digest = blake3::hash(compressed).to_hex();
    let value = format!("{} {digest_of_pixels}", &digest[..16]);
    push_text(file, &[(PIXELS.to_owned(), value)]);
}
