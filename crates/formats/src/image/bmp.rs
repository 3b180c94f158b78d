//! BMP: palettes of 1 to 8 bits, 16, 24 and 32 bits, bit fields, run-length coding.
//!
//! A run may not leave its row, but for one of 8 bits, which is cut there: ImageMagick writes such files. Pixels that run-length data
//! skip are black, and so are indices beyond the palette.

use super::error::{ImageError, ImageKind};
use super::input::{self, Input, le_u16, le_u32, widened};
use crate::LoadOptions;
use tintype_model::Image;

const KIND: ImageKind = ImageKind::Bmp;
/// Bytes before the header that tells the layout.
const FILE_HEADER_BYTES: usize = 14;
/// The oldest header, with sides of 16 bits and palette entries of 3 bytes.
const CORE_HEADER_BYTES: u32 = 12;
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// Decodes a BMP file. The fourth byte of plain 32-bit pixels is not alpha; that of a header with an alpha mask is.
pub(super) fn decode(bytes: &[u8], options: &LoadOptions) -> Result<Image, ImageError> {
    let Some(least) = least_bytes(bytes) else {
        return Err(ImageError::Truncated { kind: KIND, what: "its header is cut".to_owned() });
    };
    let header = Header::read(bytes, options)?;
    input::check_size(KIND, [header.width, header.height], 4, bytes.len(), options)?;
    let palette = header.read_palette(bytes, options)?;
    input::check_length(KIND, bytes.len(), least)?;
    let start = usize::try_from(header.data_at).unwrap_or(usize::MAX);
    let mut input = Input::new(KIND, bytes, start, options);
    let (width, height) = (header.width as usize, header.height as usize);
    let mut rgba = match header.layout {
        Layout::Palette => header.read_rows(&mut input, |row, rgba| {
            let bits = usize::from(header.bits);
            rgba.extend((0..width).map(|x| {
                let byte = row.get(x * bits / 8).copied().unwrap_or_default();
                let index = usize::from(byte) >> (8 - bits - x * bits % 8) & ((1 << bits) - 1);
                palette.get(index).copied().unwrap_or(BLACK)
            }));
        })?,
        Layout::Rgb24 => header.read_rows(&mut input, |row, rgba| {
            rgba.extend(row.as_chunks().0.iter().take(width).map(|&[b, g, r]| [r, g, b, 255]));
        })?,
        Layout::Rgb32 => header.read_rows(&mut input, |row, rgba| {
            rgba.extend(row.as_chunks().0.iter().map(|&[b, g, r, _]| [r, g, b, 255]));
        })?,
        Layout::Fields16(fields) => header.read_rows(&mut input, |row, rgba| {
            let words = row.as_chunks().0.iter().take(width);
            rgba.extend(words.map(|&word| fields.rgba(u16::from_le_bytes(word).into())));
        })?,
        Layout::Fields32(fields) => header.read_rows(&mut input, |row, rgba| {
            let words = row.as_chunks().0.iter();
            rgba.extend(words.map(|&word| fields.rgba(u32::from_le_bytes(word))));
        })?,
        Layout::RunLength { is_nibble } => {
            let mut runs = Runs::new(width, height, is_nibble, &palette);
            runs.read(&mut input)?;
            runs.rgba
        }
    };
    if !header.is_top_down {
        let (upper, lower) = rgba.split_at_mut(height / 2 * width);
        for (row, opposite) in
            upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev())
        {
            row.swap_with_slice(opposite);
        }
    }
    Ok(Image { width: header.width, height: header.height, rgba })
}

/// The fewest bytes that a file with this header has; `None` where the header itself is cut.
///
/// The size that the file header states is often wrong and is not asked. Run-length data state their own size, or 0.
fn least_bytes(bytes: &[u8]) -> Option<u64> {
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

/// Encoding of the pixels.
#[derive(Clone, Copy)]
enum Layout {
    Palette,
    Rgb24,
    Rgb32,
    Fields16(Fields),
    Fields32(Fields),
    RunLength { is_nibble: bool },
}

/// The header of a file.
struct Header {
    width: u32,
    height: u32,
    is_top_down: bool,
    bits: u16,
    layout: Layout,
    data_at: u32,
    palette_at: usize,
    palette_entries: usize,
    palette_entry_bytes: usize,
}

impl Header {
    fn read(bytes: &[u8], options: &LoadOptions) -> Result<Self, ImageError> {
        let mut input = Input::new(KIND, bytes, 0, options);
        let mut file_header = Input::new(KIND, input.take(FILE_HEADER_BYTES)?, 10, options);
        let data_at = u32::from_le_bytes(file_header.array()?);
        let header_bytes = u32::from_le_bytes(input.array()?);
        let header = match header_bytes {
            CORE_HEADER_BYTES => Self::read_core(&mut input)?,
            40 | 52 | 56 | 108 | 124 => Self::read_info(&mut input, header_bytes)?,
            0..CORE_HEADER_BYTES => {
                return Err(malformed(format!("a header of {header_bytes} bytes, fewer than 12")));
            }
            _ => return Err(unsupported(format!("a header of {header_bytes} bytes"))),
        };
        Ok(Self { data_at, ..header })
    }

    fn read_core(input: &mut Input<'_>) -> Result<Self, ImageError> {
        let width = u16::from_le_bytes(input.array()?).into();
        let height = u16::from_le_bytes(input.array()?).into();
        check_planes(input)?;
        let bits = u16::from_le_bytes(input.array()?);
        let layout = match bits {
            1 | 4 | 8 => Layout::Palette,
            24 => Layout::Rgb24,
            _ => return Err(bad_depth(bits, "pixels that are not coded")),
        };
        let header = Self {
            width,
            height,
            is_top_down: false,
            bits,
            layout,
            data_at: 0,
            palette_at: FILE_HEADER_BYTES + CORE_HEADER_BYTES as usize,
            palette_entries: 0,
            palette_entry_bytes: 3,
        };
        header.with_palette_of(0)
    }

    /// Reads a header of 40 bytes or one of its longer forms.
    fn read_info(input: &mut Input<'_>, header_bytes: u32) -> Result<Self, ImageError> {
        let width = i32::from_le_bytes(input.array()?);
        let height = i32::from_le_bytes(input.array()?);
        let Ok(width) = u32::try_from(width) else {
            return Err(malformed(format!("a negative width ({width})")));
        };
        let is_top_down = height < 0;
        check_planes(input)?;
        let bits = u16::from_le_bytes(input.array()?);
        let coding = u32::from_le_bytes(input.array()?);
        if is_top_down && !matches!(coding, 0 | 3) {
            return Err(malformed(format!("coding {coding} in rows from the top")));
        }
        // The size of the data and two resolutions.
        input.take(12)?;
        let colors = u32::from_le_bytes(input.array()?);
        input.take(4)?;
        let layout = match (coding, bits) {
            (0, 1 | 2 | 4 | 8) => Layout::Palette,
            (0, 16) => Layout::Fields16(Fields::RGB_555),
            (0, 24) => Layout::Rgb24,
            (0, 32) => Layout::Rgb32,
            (0, _) => return Err(bad_depth(bits, "pixels that are not coded")),
            (1, 8) => Layout::RunLength { is_nibble: false },
            (2, 4) => Layout::RunLength { is_nibble: true },
            (1 | 2, _) => return Err(bad_depth(bits, "run-length coding")),
            (3, 16) => Layout::Fields16(Fields::read(input, header_bytes, 16)?),
            (3, 32) => Layout::Fields32(Fields::read(input, header_bytes, 32)?),
            (3, _) => return Err(bad_depth(bits, "bit fields")),
            (4, _) => return Err(unsupported("JPEG compression".to_owned())),
            (5, _) => return Err(unsupported("PNG compression".to_owned())),
            (11..=13, _) => return Err(unsupported("CMYK colors".to_owned())),
            _ => return Err(malformed(format!("unknown coding {coding}"))),
        };
        let header = Self {
            width,
            height: height.unsigned_abs(),
            is_top_down,
            bits,
            layout,
            data_at: 0,
            palette_at: FILE_HEADER_BYTES + header_bytes as usize,
            palette_entries: 0,
            palette_entry_bytes: 4,
        };
        header.with_palette_of(colors)
    }

    /// Sets the size of the palette, where there is one: `colors`, or as many as the bits can tell apart if that is 0.
    fn with_palette_of(mut self, colors: u32) -> Result<Self, ImageError> {
        if matches!(self.layout, Layout::Palette | Layout::RunLength { .. }) {
            let most = 1_u32 << self.bits;
            if colors > most {
                let what = format!("a palette of {colors} colors for {} bits", self.bits);
                return Err(malformed(what));
            }
            self.palette_entries = if colors == 0 { most } else { colors } as usize;
        }
        Ok(self)
    }

    fn read_palette(
        &self,
        bytes: &[u8],
        options: &LoadOptions,
    ) -> Result<Vec<[u8; 4]>, ImageError> {
        let mut input = Input::new(KIND, bytes, self.palette_at, options);
        let entries = input.take(self.palette_entries * self.palette_entry_bytes)?;
        let entries = entries.chunks_exact(self.palette_entry_bytes);
        Ok(entries
            .map(|entry| match *entry {
                [b, g, r, ..] => [r, g, b, 255],
                _ => BLACK,
            })
            .collect())
    }

    /// Reads all rows, each padded to 4 bytes; `add` appends the pixels of one.
    fn read_rows(
        &self,
        input: &mut Input<'_>,
        mut add: impl FnMut(&[u8], &mut Vec<[u8; 4]>),
    ) -> Result<Vec<[u8; 4]>, ImageError> {
        let row_bytes = (self.width as usize * usize::from(self.bits)).div_ceil(32) * 4;
        let mut rgba = Vec::new();
        rgba.reserve_exact(self.width as usize * self.height as usize);
        for _ in 0..self.height {
            add(input.take(row_bytes)?, &mut rgba);
        }
        Ok(rgba)
    }
}

/// The bits of a pixel that hold one channel, at most the 8 highest of them; none for alpha that is not stored.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    bits: u32,
}

impl Field {
    fn of_mask(mask: u32, pixel_bits: u32) -> Result<Self, ImageError> {
        if mask == 0 {
            return Ok(Self { shift: 0, bits: 0 });
        }
        let shift = mask.trailing_zeros();
        let bits = (mask >> shift).trailing_ones();
        if bits != mask.count_ones() {
            return Err(malformed(format!("the bit field {mask:#x} has gaps")));
        }
        if bits + shift > pixel_bits {
            return Err(malformed(format!(
                "the bit field {mask:#x} in pixels of {pixel_bits} bits"
            )));
        }
        let beyond = bits.saturating_sub(8);
        Ok(Self { shift: shift + beyond, bits: bits - beyond })
    }

    fn value(self, pixel: u32) -> u8 {
        if self.bits == 0 {
            return 255;
        }
        let value = pixel >> self.shift & ((1 << self.bits) - 1);
        // Seven bits repeat their highest one, as other readers do.
        if self.bits == 7 {
            return u8::try_from(value << 1 | value >> 6).unwrap_or(u8::MAX);
        }
        widened(value, self.bits)
    }
}

/// Bit fields of red, green, blue and alpha.
#[derive(Clone, Copy)]
struct Fields([Field; 4]);

impl Fields {
    const RGB_555: Self = Self([
        Field { shift: 10, bits: 5 },
        Field { shift: 5, bits: 5 },
        Field { shift: 0, bits: 5 },
        Field { shift: 0, bits: 0 },
    ]);

    /// Reads the masks; headers of 56 bytes and more have one for alpha.
    fn read(input: &mut Input<'_>, header_bytes: u32, pixel_bits: u32) -> Result<Self, ImageError> {
        let mut masks = [0; 4];
        let count = if header_bytes >= 56 { 4 } else { 3 };
        for mask in masks.iter_mut().take(count) {
            *mask = u32::from_le_bytes(input.array()?);
        }
        let [r, g, b, a] = masks;
        let field = |mask| Field::of_mask(mask, pixel_bits);
        let fields = [field(r)?, field(g)?, field(b)?, field(a)?];
        if fields.iter().take(3).any(|field| field.bits == 0) {
            return Err(malformed("a bit field without bits".to_owned()));
        }
        Ok(Self(fields))
    }

    fn rgba(self, pixel: u32) -> [u8; 4] {
        self.0.map(|field| field.value(pixel))
    }
}

/// Run-length data, written row by row into black.
struct Runs<'p> {
    width: usize,
    height: usize,
    /// Two pixels a byte.
    is_nibble: bool,
    palette: &'p [[u8; 4]],
    rgba: Vec<[u8; 4]>,
    x: usize,
    y: usize,
}

impl<'p> Runs<'p> {
    fn new(width: usize, height: usize, is_nibble: bool, palette: &'p [[u8; 4]]) -> Self {
        Self { width, height, is_nibble, palette, rgba: vec![BLACK; width * height], x: 0, y: 0 }
    }

    /// Reads up to the end of the picture or its mark.
    fn read(&mut self, input: &mut Input<'_>) -> Result<(), ImageError> {
        const END_OF_ROW: u8 = 0;
        const END_OF_PICTURE: u8 = 1;
        const DELTA: u8 = 2;
        while self.y < self.height {
            let [count, value] = input.array()?;
            match (count, value) {
                (0, END_OF_ROW) => (self.x, self.y) = (0, self.y + 1),
                (0, END_OF_PICTURE) => return Ok(()),
                (0, DELTA) => {
                    let [right, up] = input.array()?;
                    self.skip(right.into(), up.into())?;
                }
                (0, count) => {
                    let pixels = usize::from(count);
                    let bytes = if self.is_nibble { pixels.div_ceil(2) } else { pixels };
                    self.put(input.take(bytes.next_multiple_of(2))?, pixels)?;
                }
                (count, value) if self.is_nibble => {
                    let pixels = usize::from(count);
                    self.put(&[value; 128], pixels)?;
                }
                (count, value) => {
                    let pixels = usize::from(count);
                    let inside = pixels.min(self.width.saturating_sub(self.x));
                    self.put(&[value; 256], inside)?;
                    self.x += pixels - inside;
                }
            }
        }
        Ok(())
    }

    /// Goes right and up, as rows are stored from the bottom.
    fn skip(&mut self, right: usize, up: usize) -> Result<(), ImageError> {
        let leaves_row = self.x + right > self.width && (up > 0 || right > 0);
        if leaves_row || up > 0 && self.y + up >= self.height {
            return Err(malformed("run-length data leave the picture".to_owned()));
        }
        (self.x, self.y) = (self.x + right, self.y + up);
        Ok(())
    }

    /// Writes pixels at the current position, which none may leave.
    fn put(&mut self, bytes: &[u8], pixels: usize) -> Result<(), ImageError> {
        if pixels == 0 {
            return Ok(());
        }
        let start = self.y * self.width + self.x;
        if self.x + pixels > self.width {
            return Err(malformed("run-length data leave their row".to_owned()));
        }
        let Some(row) = self.rgba.get_mut(start..start + pixels) else { return Ok(()) };
        for (at, pixel) in row.iter_mut().enumerate() {
            let index = if self.is_nibble {
                bytes.get(at / 2).map(|byte| if at % 2 == 0 { byte >> 4 } else { byte & 15 })
            } else {
                bytes.get(at).copied()
            };
            let index = usize::from(index.unwrap_or_default());
            *pixel = self.palette.get(index).copied().unwrap_or(BLACK);
        }
        self.x += pixels;
        Ok(())
    }
}

fn check_planes(input: &mut Input<'_>) -> Result<(), ImageError> {
    match u16::from_le_bytes(input.array()?) {
        1 => Ok(()),
        planes => Err(malformed(format!("{planes} planes, allowed is 1"))),
    }
}

fn bad_depth(bits: u16, coding: &str) -> ImageError {
    malformed(format!("{bits} bits a pixel with {coding}"))
}

fn malformed(what: String) -> ImageError {
    ImageError::Malformed { kind: KIND, what }
}

fn unsupported(what: String) -> ImageError {
    ImageError::Unsupported { kind: KIND, what }
}
