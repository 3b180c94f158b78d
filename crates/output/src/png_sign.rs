//! Digests of the pixels of a PNG, as a text chunk in it.

use super::png_chunks::push_text;
use super::provenance::PIXELS;

/// Appends a text chunk with the digests of the compressed pixels and of the pixels; it stands before them.
pub(super) fn push_signature(file: &mut Vec<u8>, compressed: &[u8], digest_of_pixels: &str) {
    let digest = blake3::hash(compressed).to_hex();
    let value = format!("{} {digest_of_pixels}", &digest[..16]);
    push_text(file, &[(PIXELS.to_owned(), value)]);
}
