//! BMP, GIF, PNM and TGA, decoded by the crate `image`. Sizes are checked against the limits before
//! pixels are allocated, and a truncated file is refused even if the crate would fill in the
//! missing part.

use super::error::{ImageError, ImageKind};
use super::input::{self, DeadlineReader, le_u16, le_u32};
use crate::LoadOptions;
use image::codecs::{bmp::BmpDecoder, gif::GifDecoder, pnm::PnmDecoder, tga::TgaDecoder};
use image::error::ImageError as Failure;
use image::{DynamicImage, ImageDecoder, ImageResult, Limits};
use tintype_model::Image;

/// Decodes a file of one of these kinds; from a GIF file its first picture.
pub(super) fn decode(
    kind: ImageKind,
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Image, ImageError> {
    let reader = DeadlineReader::new(bytes, options);
    let whole = ImageCrateInput { kind, bytes, options };
    match kind {
        ImageKind::Bmp => whole.read(BmpDecoder::new(reader), bmp_bytes(bytes)),
        ImageKind::Gif => whole.read(GifDecoder::new(reader), Some(0)),
        ImageKind::Tga => {
            whole.refuse_other_type()?;
            whole.read(TgaDecoder::new(reader), tga_bytes(bytes))
        }
        _ => whole.read(PnmDecoder::new(reader), Some(0)),
    }
}

/// A file and the limits of its picture.
struct ImageCrateInput<'f> {
    kind: ImageKind,
    bytes: &'f [u8],
    options: &'f LoadOptions,
}

impl ImageCrateInput<'_> {
    /// The picture of a decoder that has read the header; `least` is the number of bytes required
    /// by the header, if it is complete.
    fn read<D: ImageDecoder>(
        &self,
        decoder: ImageResult<D>,
        least: Option<u64>,
    ) -> Result<Image, ImageError> {
        let Some(least) = least else {
            let what = "its header is truncated".to_owned();
            return Err(ImageError::Truncated { kind: self.kind, what });
        };
        let mut decoder = decoder.map_err(|error| failed(self.kind, &error))?;
        let (width, height) = decoder.dimensions();
        let own = u64::from(decoder.color_type().bytes_per_pixel());
        input::check_size(self.kind, [width, height], own, self.bytes.len(), self.options)?;
        input::check_length(self.kind, self.bytes.len(), least)?;
        let mut limits = Limits::no_limits();
        limits.max_alloc = Some(self.options.limits.max_image_bytes.saturating_mul(2));
        decoder.set_limits(limits).map_err(|error| failed(self.kind, &error))?;
        let picture = DynamicImage::from_decoder(decoder);
        let picture = picture.map_err(|error| failed(self.kind, &error))?;
        self.options.deadline.check(input::DECODING)?;
        Ok(Image { width, height, rgba: input::rgba_from_rgba(picture.into_rgba8().into_raw()) })
    }

    /// Refuses a TGA file of a type without pixels, or without supported ones.
    fn refuse_other_type(&self) -> Result<(), ImageError> {
        match self.bytes.get(2) {
            None | Some(1..=3 | 9..=11) => Ok(()),
            Some(other) => {
                let what = format!("image type {other}; supported: 1, 2, 3, 9, 10 and 11");
                Err(ImageError::Unsupported { kind: self.kind, what })
            }
        }
    }
}

/// The error of the crate.
pub(super) fn failed(kind: ImageKind, error: &Failure) -> ImageError {
    let what = error.to_string();
    match error {
        Failure::IoError(_) => {
            ImageError::Truncated { kind, what: "its decoder ran out of bytes".to_owned() }
        }
        Failure::Unsupported(_) => ImageError::Unsupported { kind, what },
        _ => ImageError::Malformed { kind, what },
    }
}

/// The minimum size of a BMP file with this header. None if the header itself is truncated.
///
/// The size in the file header is often wrong and is ignored. Run-length data state their size, or
/// 0.
fn bmp_bytes(bytes: &[u8]) -> Option<u64> {
    /// The oldest header, with sides of 16 bits.
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

/// Bytes of the header of a TGA file.
const TGA_HEADER_BYTES: usize = 18;

/// The minimum size of a TGA file with this header. None if the header itself is truncated.
fn tga_bytes(bytes: &[u8]) -> Option<u64> {
    /// The maximum number of pixels of a run-length packet.
    const PACKET_PIXELS: u64 = 128;
    let &[id_bytes, has_map, kind, _, _, _, _, map_bits, .., pixel_bits, _] =
        bytes.first_chunk::<TGA_HEADER_BYTES>()?;
    let map = match has_map {
        1 => u64::from(le_u16(bytes, 5)?) * u64::from(map_bits.div_ceil(8)),
        _ => 0,
    };
    let pixels = u64::from(le_u16(bytes, 12)?) * u64::from(le_u16(bytes, 14)?);
    let pixel_bytes = u64::from(pixel_bits.div_ceil(8));
    let data = match kind & 8 {
        0 => pixels * pixel_bytes,
        _ => pixels.div_ceil(PACKET_PIXELS) * (1 + pixel_bytes),
    };
    Some(TGA_HEADER_BYTES as u64 + u64::from(id_bytes) + map + data)
}

/// Recognizes a TGA file by the values of its header, because the format has no signature.
pub(super) fn is_plausible_tga(bytes: &[u8]) -> bool {
    let Some(&header) = bytes.first_chunk::<TGA_HEADER_BYTES>() else { return false };
    let [_, has_map, kind, _, _, _, _, map_bits, .., pixel_bits, descriptor] = header;
    let map_is_sound = match has_map {
        0 => !matches!(kind, 1 | 9),
        1 => matches!(map_bits, 15 | 16 | 24 | 32),
        _ => false,
    };
    matches!(kind, 1..=3 | 9..=11)
        && map_is_sound
        && matches!(pixel_bits, 8 | 15 | 16 | 24 | 32)
        && header[12..14] != [0, 0]
        && header[14..16] != [0, 0]
        && descriptor & 0xc0 == 0
}
