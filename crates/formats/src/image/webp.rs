//! WebP: still pictures, lossy and lossless, with and without alpha, decoded by the `image-webp`
//! crate.

use image_webp::{DecodingError, WebPDecoder};

use super::error::{ImageError, ImageKind};
use super::input;
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Webp;

/// Decodes a WebP file.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    check_whole(bytes)?;
    let mut decoder = WebPDecoder::new(input::DeadlineReader::new(bytes, options))
        .map_err(|error| from_webp(&error))?;
    let (width, height) = decoder.dimensions();
    let channels: u64 = if decoder.has_alpha() { 4 } else { 3 };
    input::check_size(KIND, [width, height], channels, bytes.len(), options)?;
    if decoder.is_animated() {
        let what = "an animation; only still pictures are supported".to_owned();
        return Err(ImageError::Unsupported { kind: KIND, what });
    }
    decoder.set_memory_limit(usize::try_from(options.limits.max_image_bytes).unwrap_or(usize::MAX));
    let length = decoder.output_buffer_size().unwrap_or_default();
    let mut samples = vec![0; length];
    decoder.read_image(&mut samples).map_err(|error| from_webp(&error))?;
    let deadline = &options.deadline;
    let rgba = match channels {
        4 => input::rgba_from_rgba(samples),
        _ => input::rgba_from_rgb(&samples, deadline)?,
    };
    Ok(Image { width, height, rgba })
}

/// Checks that the file has all the bytes stated in its RIFF header: the decoder of lossy pictures
/// accepts fewer.
fn check_whole(bytes: &[u8]) -> Result<(), ImageError> {
    let Some(declared) = input::le_u32(bytes, 4) else {
        return input::check_length(KIND, bytes.len(), 12);
    };
    input::check_length(KIND, bytes.len(), u64::from(declared).saturating_add(8))
}

fn from_webp(error: &DecodingError) -> ImageError {
    let what = error.to_string();
    match error {
        DecodingError::IoError(_) => ImageError::Truncated { kind: KIND, what },
        DecodingError::UnsupportedFeature(_) => ImageError::Unsupported { kind: KIND, what },
        _ => ImageError::Malformed { kind: KIND, what },
    }
}
