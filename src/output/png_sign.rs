//! Digests of the pixels of a PNG, as a text chunk in it.

use super::provenance::PIXELS;

/// Bytes before the first chunk.
const SIGNATURE: usize = 8;
/// Bytes of length, kind and check sum of a chunk.
const AROUND: usize = 12;

/// Inserts a text chunk with the digests of the compressed pixels and of the pixels before the pixels of a PNG.
pub(super) fn sign(file: &mut Vec<u8>, digest_of_pixels: &str) {
    let (mut at, mut pixels) = (SIGNATURE, None);
    let mut compressed = blake3::Hasher::new();
    while let Some((length, kind)) = file.get(at..).and_then(|rest| {
        let length = u32::from_be_bytes(*rest.first_chunk()?);
        Some((usize::try_from(length).ok()?, rest.get(4..8)?))
    }) {
        if kind == b"IDAT" {
            pixels = pixels.or(Some(at));
            compressed.update(file.get(at + 8..at + 8 + length).unwrap_or_default());
        }
        at += AROUND + length;
    }
    let Some(pixels) = pixels else { return };
    let value = format!("{} {digest_of_pixels}", &compressed.finalize().to_hex()[..16]);
    let data = [b"tEXt", PIXELS.as_bytes(), b"\0", value.as_bytes()].concat();
    let length = u32::try_from(data.len() - 4).unwrap_or(u32::MAX).to_be_bytes();
    let sum = crc32fast::hash(&data).to_be_bytes();
    let chunk = [&length[..], &data, &sum].concat();
    file.splice(pixels..pixels, chunk);
}
