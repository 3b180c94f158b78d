//! BMP: palettes of 1 to 8 bits, 16, 24 and 32 bits, bit fields, run-length coding.

use ::image::codecs::bmp::BmpDecoder;

use super::{ImageError, ImageKind, le_u16, le_u32};
use crate::formats::LoadOptions;
use crate::model::Image;

const KIND: ImageKind = ImageKind::Bmp;

/// Decodes a BMP file. The fourth byte of plain 32-bit pixels is not alpha; that of a header with an alpha mask is.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    let Some(least) = least_bytes(bytes) else {
        return Err(ImageError::Truncated { kind: KIND, what: "its header is cut".to_owned() });
    };
    let decoder = BmpDecoder::new(super::Slowly::new(bytes, options))
        .map_err(|error| super::from_decoder_error(KIND, &error))?;
    let (width, height) = ::image::ImageDecoder::dimensions(&decoder);
    super::check_size(KIND, width, height, 4, options)?;
    super::check_length(KIND, bytes.len(), least)?;
    super::run_decoder(KIND, decoder, options)
}

/// The fewest bytes that a file with this header has; `None` where the header itself is cut.
///
/// The size that the file header states is often wrong and is not asked. Run-length data state their own size, or 0.
fn least_bytes(bytes: &[u8]) -> Option<u64> {
    const CORE_HEADER_BYTES: u32 = 12;
    let start = u64::from(le_u32(bytes, 10)?);
    let rows = |width: u32, height: u32, bits: u16| {
        let row_bytes = (u64::from(width) * u64::from(bits)).div_ceil(32) * 4;
        row_bytes.saturating_mul(u64::from(height))
    };
    let data = if le_u32(bytes, 14)? <= CORE_HEADER_BYTES {
        rows(le_u16(bytes, 18)?.into(), le_u16(bytes, 20)?.into(), le_u16(bytes, 24)?)
    } else {
        let width = le_u32(bytes, 18)?.cast_signed().unsigned_abs();
        let height = le_u32(bytes, 22)?.cast_signed().unsigned_abs();
        let (bits, coding) = (le_u16(bytes, 28)?, le_u32(bytes, 30)?);
        let stated = u64::from(le_u32(bytes, 34)?);
        if matches!(coding, 0 | 3) { rows(width, height, bits) } else { stated }
    };
    Some(start.saturating_add(data))
}
