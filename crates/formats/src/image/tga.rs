//! TGA: true colour of 15 to 32 bits, grey, colour-mapped; plain or run-length coded; all four origins.

use super::error::{ImageError, ImageKind};
use super::input::{self, Input, le_u16, widened};
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Tga;
const HEADER_BYTES: usize = 18;
/// The most pixels of one run-length packet.
const PACKET_PIXELS: u64 = 128;

/// Fields of the header that give position, number and layout of the pixels.
struct Header {
    id_bytes: u8,
    has_map: u8,
    image_type: u8,
    map_start: u16,
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
            map_start: le_u16(bytes, 3)?,
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

/// Whether the first bytes are a plausible TGA header: the only way to recognize a TGA file without its name.
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

/// Decodes a TGA file. 32-bit pixels have alpha regardless of the descriptor; the spare bit of 16-bit ones is ignored.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    let Some(header) = Header::read(bytes) else {
        return Err(input::check_length(KIND, bytes.len(), HEADER_BYTES as u64)
            .err()
            .unwrap_or(ImageError::Malformed { kind: KIND, what: "no header".to_owned() }));
    };
    if !matches!(header.image_type, 1..=3 | 9..=11) {
        let what = format!("image type {}, read are 1, 2, 3, 9, 10 and 11", header.image_type);
        return Err(ImageError::Unsupported { kind: KIND, what });
    }
    let size = [header.width.into(), header.height.into()];
    input::check_size(KIND, size, 4, bytes.len(), options)?;
    input::check_length(KIND, bytes.len(), header.least_bytes())?;
    let layout = header.layout()?;
    let mut input = Input::new(KIND, bytes, HEADER_BYTES, options);
    input.take(header.id_bytes.into())?;
    let map = header.read_map(layout, &mut input)?;
    let mut rgba = match &map {
        None => header.read_pixels(&mut input, |stored| layout.rgba(stored))?,
        Some(map) => header.read_pixels(&mut input, |stored| {
            let index = match *stored {
                [low] => usize::from(low),
                [low, high, ..] => usize::from(u16::from_le_bytes([low, high])),
                [] => return None,
            };
            map.get(index.checked_sub(header.map_start.into())?).copied()
        })?,
    };
    header.turn(&mut rgba);
    Ok(Image { width: header.width.into(), height: header.height.into(), rgba })
}

/// Samples of one stored colour; true colours are stored blue first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Grey,
    GreyAlpha,
    /// Five bits a channel, blue lowest, and a spare bit that is not alpha.
    Rgb15,
    Rgb,
    Rgba,
}

impl Layout {
    /// Converts one stored colour; `None` where bytes are missing.
    fn rgba(self, stored: &[u8]) -> Option<[u8; 4]> {
        Some(match (self, stored) {
            (Self::Grey, &[v]) => [v, v, v, 255],
            (Self::GreyAlpha, &[v, a]) => [v, v, v, a],
            (Self::Rgb15, &[low, high]) => {
                let word = u32::from(u16::from_le_bytes([low, high]));
                let channel = |shift: u32| widened((word >> shift) & 31, 5);
                [channel(10), channel(5), channel(0), 255]
            }
            (Self::Rgb, &[b, g, r]) => [r, g, b, 255],
            (Self::Rgba, &[b, g, r, a]) => [r, g, b, a],
            _ => return None,
        })
    }
}

impl Header {
    fn is_mapped(&self) -> bool {
        matches!(self.image_type, 1 | 9)
    }

    /// The layout of stored colours, those of the map if there is one.
    fn layout(&self) -> Result<Layout, ImageError> {
        /// Bits of the descriptor that count the alpha bits of a pixel.
        const ALPHA_BITS: u8 = 0x0f;
        if self.is_mapped() {
            if self.has_map != 1 {
                return Err(malformed(format!(
                    "color-mapped, with a map of type {}",
                    self.has_map
                )));
            }
            if !matches!(self.pixel_bits, 8 | 16) {
                let what = format!("indices of {} bits, allowed are 8 and 16", self.pixel_bits);
                return Err(malformed(what));
            }
            if self.pixel_bits > self.map_entry_bits {
                return Err(unsupported("indices larger than the colors of the map".to_owned()));
            }
        }
        let bits = if self.is_mapped() { self.map_entry_bits } else { self.pixel_bits };
        let alpha_bits = self.descriptor & ALPHA_BITS;
        let Some(other_bits) = bits.checked_sub(alpha_bits) else {
            return Err(malformed(format!("{alpha_bits} bits of alpha in pixels of {bits}")));
        };
        match (alpha_bits, other_bits, matches!(self.image_type, 3 | 11)) {
            (0, 32, false) | (8, 24, false) => Ok(Layout::Rgba),
            (0, 24, false) => Ok(Layout::Rgb),
            (1, 15, false) | (0, 15 | 16, false) => Ok(Layout::Rgb15),
            (8, 8, true) => Ok(Layout::GreyAlpha),
            (0, 8, true) | (8, 0, true) => Ok(Layout::Grey),
            _ => Err(unsupported(format!("pixels of {bits} bits, {alpha_bits} of them alpha"))),
        }
    }

    /// Reads the color map; none where the pixels are colors themselves, though a map may still be there.
    fn read_map(
        &self,
        layout: Layout,
        input: &mut Input<'_>,
    ) -> Result<Option<Vec<[u8; 4]>>, ImageError> {
        if self.has_map != 1 {
            return Ok(None);
        }
        if !matches!(self.map_entry_bits, 15 | 16 | 24 | 32) {
            let what = format!("a color map with entries of {} bits", self.map_entry_bits);
            return Err(unsupported(what));
        }
        let entry_bytes = usize::from(self.map_entry_bits.div_ceil(8));
        let bytes = input.take(entry_bytes * usize::from(self.map_entries))?;
        if !self.is_mapped() {
            return Ok(None);
        }
        Ok(Some(bytes.chunks_exact(entry_bytes).filter_map(|entry| layout.rgba(entry)).collect()))
    }

    /// Reads all pixels in the order of the file; `color` converts one, or gives `None` where its index has no color.
    fn read_pixels(
        &self,
        input: &mut Input<'_>,
        color: impl Fn(&[u8]) -> Option<[u8; 4]>,
    ) -> Result<Vec<[u8; 4]>, ImageError> {
        let color = |stored: &[u8]| {
            color(stored).ok_or_else(|| malformed("an index beyond the color map".to_owned()))
        };
        let pixel_bytes = usize::from(self.pixel_bits.div_ceil(8)).max(1);
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let count = width * height;
        let mut rgba = Vec::new();
        rgba.reserve_exact(count);
        if !self.is_run_length_coded() {
            for _ in 0..height {
                for stored in input.take(width * pixel_bytes)?.chunks_exact(pixel_bytes) {
                    rgba.push(color(stored)?);
                }
            }
            return Ok(rgba);
        }
        while rgba.len() < count {
            let packet = input.byte()?;
            let run = (usize::from(packet & 0x7f) + 1).min(count - rgba.len());
            if packet & 0x80 == 0 {
                for stored in input.take(run * pixel_bytes)?.chunks_exact(pixel_bytes) {
                    rgba.push(color(stored)?);
                }
            } else {
                let repeated = color(input.take(pixel_bytes)?)?;
                rgba.resize(rgba.len() + run, repeated);
            }
        }
        Ok(rgba)
    }

    /// Turns the pixels so that the first is the upper left one.
    fn turn(&self, rgba: &mut [[u8; 4]]) {
        const FROM_THE_RIGHT: u8 = 0x10;
        const FROM_THE_TOP: u8 = 0x20;
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        if self.descriptor & FROM_THE_TOP == 0 {
            let (upper, lower) = rgba.split_at_mut(height / 2 * width);
            for (row, opposite) in
                upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev())
            {
                row.swap_with_slice(opposite);
            }
        }
        if self.descriptor & FROM_THE_RIGHT != 0 {
            rgba.chunks_exact_mut(width).for_each(<[_]>::reverse);
        }
    }
}

fn malformed(what: String) -> ImageError {
    ImageError::Malformed { kind: KIND, what }
}

fn unsupported(what: String) -> ImageError {
    ImageError::Unsupported { kind: KIND, what }
}
