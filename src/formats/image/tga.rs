//! TGA: true colour of 15 to 32 bits, grey, colour-mapped; plain or run-length coded; all four origins.

use ::image::codecs::tga::TgaDecoder;

use super::{ImageError, ImageKind, le_u16};
use crate::formats::LoadOptions;
use crate::model::Image;

const KIND: ImageKind = ImageKind::Tga;
const HEADER_BYTES: usize = 18;
/// The most pixels that one run-length packet stands for.
const PACKET_PIXELS: u64 = 128;

/// The fields of a header that say where the pixels are and how many.
struct Header {
    id_bytes: u8,
    has_map: u8,
    image_type: u8,
    map_entries: u16,
    map_entry_bits: u8,
    width: u16,
    height: u16,
    pixel_bits: u8,
    descriptor: u8,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..HEADER_BYTES)?;
        Some(Self {
            id_bytes: *bytes.first()?,
            has_map: *bytes.get(1)?,
            image_type: *bytes.get(2)?,
            map_entries: le_u16(bytes, 5)?,
            map_entry_bits: *bytes.get(7)?,
            width: le_u16(bytes, 12)?,
            height: le_u16(bytes, 14)?,
            pixel_bits: *bytes.get(16)?,
            descriptor: *bytes.get(17)?,
        })
    }

    fn is_run_length_coded(&self) -> bool {
        self.image_type & 8 != 0
    }

    /// The fewest bytes that a file with this header can have.
    fn least_bytes(&self) -> u64 {
        let map = if self.has_map == 1 {
            u64::from(self.map_entries) * u64::from(self.map_entry_bits.div_ceil(8))
        } else {
            0
        };
        let pixels = u64::from(self.width) * u64::from(self.height);
        let pixel_bytes = u64::from(self.pixel_bits.div_ceil(8));
        let data = if self.is_run_length_coded() {
            pixels.div_ceil(PACKET_PIXELS) * (1 + pixel_bytes)
        } else {
            pixels * pixel_bytes
        };
        HEADER_BYTES as u64 + u64::from(self.id_bytes) + map + data
    }
}

/// Whether the first bytes make sense as a TGA header: the only way to tell a TGA file without its name.
pub(super) fn is_plausible(bytes: &[u8]) -> bool {
    let Some(header) = Header::read(bytes) else { return false };
    let is_mapped = matches!(header.image_type, 1 | 9);
    let kind_is_known = matches!(header.image_type, 1..=3 | 9..=11);
    let map_is_sound = match header.has_map {
        0 => !is_mapped,
        1 => matches!(header.map_entry_bits, 15 | 16 | 24 | 32),
        _ => false,
    };
    kind_is_known
        && map_is_sound
        && matches!(header.pixel_bits, 8 | 15 | 16 | 24 | 32)
        && header.width > 0
        && header.height > 0
        && header.descriptor & 0xc0 == 0
}

/// Decodes a TGA file. 32-bit pixels have alpha whatever the descriptor says; the spare bit of 16-bit ones is ignored.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    let Some(header) = Header::read(bytes) else {
        return Err(super::check_length(KIND, bytes.len(), HEADER_BYTES as u64)
            .err()
            .unwrap_or(ImageError::Malformed { kind: KIND, what: "no header".to_owned() }));
    };
    if !matches!(header.image_type, 1..=3 | 9..=11) {
        let what = format!("image type {}, read are 1, 2, 3, 9, 10 and 11", header.image_type);
        return Err(ImageError::Unsupported { kind: KIND, what });
    }
    super::check_size(KIND, header.width.into(), header.height.into(), 4, options)?;
    super::check_length(KIND, bytes.len(), header.least_bytes())?;
    let decoder = TgaDecoder::new(super::Slowly::new(bytes, options))
        .map_err(|error| super::from_decoder_error(KIND, &error))?;
    super::run_decoder(KIND, decoder, options)
}
