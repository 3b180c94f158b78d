//! PNG: every colour type and depth, interlaced or not, read to its last chunk with all check sums.

use ::png::{BitDepth, ColorType, DecodeOptions, Decoder, DecodingError, Transformations};

use super::{ImageError, ImageKind, ImageLimits, Slowly};
use crate::model::Image;

const KIND: ImageKind = ImageKind::Png;

/// Decodes a PNG file; of an animation, its still picture.
pub(super) fn decode(bytes: &[u8], limits: &ImageLimits) -> Result<Image, ImageError> {
    let mut options = DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(Slowly::new(bytes, limits), options);
    decoder.set_transformations(Transformations::EXPAND);

    let header = decoder.read_header_info().map_err(|error| from_png(&error, limits))?;
    let (width, height) = (header.width, header.height);
    let deep = header.bit_depth == BitDepth::Sixteen;
    super::check_size(KIND, width, height, if deep { 8 } else { 4 }, limits)?;

    let mut reader = decoder.read_info().map_err(|error| from_png(&error, limits))?;
    let Some(size) = reader.output_buffer_size() else {
        return Err(from_png(&DecodingError::LimitsExceeded, limits));
    };
    let mut samples = vec![0; size];
    let info = reader.next_frame(&mut samples).map_err(|error| from_png(&error, limits))?;
    reader.finish().map_err(|error| from_png(&error, limits))?;

    let deadline = &limits.deadline;
    let samples = match info.bit_depth {
        BitDepth::Sixteen => super::spread(samples.as_chunks().0, deadline, |&two| rounded(two))?,
        _ => samples,
    };
    let rgba = match info.color_type {
        ColorType::Grayscale => super::rgba_from_grey(&samples, deadline)?,
        ColorType::GrayscaleAlpha => super::rgba_from_grey_alpha(&samples, deadline)?,
        ColorType::Rgb => super::rgba_from_rgb(&samples, deadline)?,
        ColorType::Rgba => super::rgba_from_rgba(&samples, deadline)?,
        ColorType::Indexed => {
            let what = "a palette that could not be expanded".to_owned();
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

fn from_png(error: &DecodingError, limits: &ImageLimits) -> ImageError {
    match error {
        DecodingError::IoError(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            let what = "no IEND chunk, or a chunk is cut".to_owned();
            ImageError::Truncated { kind: KIND, what }
        }
        DecodingError::LimitsExceeded => ImageError::Limit {
            kind: KIND,
            what: "the size of its chunks in bytes",
            found: u64::MAX,
            allowed: limits.max_bytes,
        },
        other => ImageError::Malformed { kind: KIND, what: other.to_string() },
    }
}
