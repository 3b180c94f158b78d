//! PNG: every colour type and depth, interlaced or not, read to its last chunk with all check sums.

use ::png::{BitDepth, ColorType, DecodeOptions, Decoder, DecodingError, Transformations};

use super::error::{ImageError, ImageKind};
use super::input::{self, DeadlineReader};
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Png;

/// Decodes a PNG file; for an animation, its still picture.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    let mut decoding = DecodeOptions::default();
    decoding.set_ignore_adler32(false);
    decoding.set_ignore_text_chunk(true);
    decoding.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(DeadlineReader::new(bytes, options), decoding);
    decoder.set_transformations(Transformations::EXPAND);

    let header = decoder.read_header_info().map_err(|error| from_png(&error, options))?;
    let (width, height) = (header.width, header.height);
    let deep = header.bit_depth == BitDepth::Sixteen;
    let pixel_bytes = if deep { 8 } else { 4 };
    input::check_size(KIND, [width, height], pixel_bytes, bytes.len(), options)?;

    let mut reader = decoder.read_info().map_err(|error| from_png(&error, options))?;
    let Some(size) = reader.output_buffer_size() else {
        return Err(from_png(&DecodingError::LimitsExceeded, options));
    };
    let mut samples = vec![0; size];
    let info = reader.next_frame(&mut samples).map_err(|error| from_png(&error, options))?;
    reader.finish().map_err(|error| from_png(&error, options))?;

    let deadline = &options.deadline;
    let samples = match info.bit_depth {
        BitDepth::Sixteen => input::spread(samples.as_chunks().0, deadline, |&two| rounded(two))?,
        _ => samples,
    };
    let rgba = match info.color_type {
        ColorType::GrayscaleAlpha => input::rgba_from_grey_alpha(&samples, deadline)?,
        ColorType::Rgba => input::rgba_from_rgba(samples),
        ColorType::Grayscale => input::rgba_from_grey(&samples, deadline)?,
        ColorType::Rgb => input::rgba_from_rgb(&samples, deadline)?,
        ColorType::Indexed => {
            let what = "samples that could not be expanded".to_owned();
            return Err(ImageError::Malformed { kind: KIND, what });
        }
    };
    Ok(Image { width, height, rgba })
}

/// The 8-bit code nearest to a big-endian 16-bit one.
#[expect(clippy::cast_possible_truncation, reason = "65535 / 257 is 255")]
pub(super) fn rounded(sample: [u8; 2]) -> u8 {
    ((u32::from(u16::from_be_bytes(sample)) + 128) / 257) as u8
}

fn from_png(error: &DecodingError, options: &LoadOptions) -> ImageError {
    match error {
        DecodingError::IoError(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            let what = "no IEND chunk, or a truncated chunk".to_owned();
            ImageError::Truncated { kind: KIND, what }
        }
        DecodingError::LimitsExceeded => ImageError::Limit {
            kind: KIND,
            what: "the size of its chunks in bytes",
            found: u64::MAX,
            allowed: options.limits.max_image_bytes,
        },
        other => ImageError::Malformed { kind: KIND, what: other.to_string() },
    }
}
