//! One picture as the bytes of a file, in the format of its name.

use super::file_format::FileFormat;
use super::png_pixels::PngEffort;
use super::{jpeg::encode_jpeg, png::encode_png, webp::encode_webp};
use tintype_model::frame::Frame;

/// Encodes a picture with its text: as JPEG or WebP if requested, otherwise as PNG.
///
/// A JPEG has no alpha: transparent pixels are composited over white.
///
/// # Panics
/// As [`encode_png`], or if a side is longer than [`Frame::MAX_SIDE`].
#[must_use]
pub fn encode_still(
    frame: &Frame,
    format: FileFormat,
    keep_alpha: bool,
    effort: PngEffort,
    text: &[(String, String)],
) -> Vec<u8> {
    match format {
        FileFormat::Jpeg => encode_jpeg(frame, text),
        FileFormat::WebP => encode_webp(frame, keep_alpha, text),
        _ => encode_png(frame, keep_alpha, effort, text),
    }
}
