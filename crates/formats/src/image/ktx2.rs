//! KTX2: pictures of Basis Universal (ETC1S and UASTC), decoded by the `basisu` crate, and plain
//! texels of one to four channels.
//!
//! The header and the index of its levels are checked here first, so that declared sizes never
//! determine an allocation.
//!
//! # Source
//! Khronos, "KTX File Format Specification", 2.0.

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

use super::error::{ImageError, ImageKind};
use super::input;
use crate::LoadOptions;
use crate::guarded::guarded;
use std::io::Read;
use tintype_model::Image;
use tintype_model::math::min;
use tintype_model::math::srgb::code_from_linear;

const KIND: ImageKind = ImageKind::Ktx2;

/// The first bytes of a file.
pub(super) const MARK: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

/// Start of the index of levels, three numbers of 64 bits each.
const LEVELS: usize = 80;
const LEVEL_BYTES: usize = 24;
const MAX_LEVELS: u32 = 32;

/// Kind of the numbers of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Byte,
    Word,
    Half,
    Float,
}

/// Layout of plain texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Texels {
    number: Number,
    channels: usize,
    /// True if blue comes first.
    is_bgr: bool,
}

impl Texels {
    /// The layout of a `VkFormat`. None for unsupported ones.
    fn of(format: u32) -> Option<Self> {
        use Number::{Byte, Float, Half, Word};
        let (number, channels, is_bgr) = match format {
            // Without a transfer function, and with the sRGB one.
            9 | 15 => (Byte, 1, false),
            16 | 22 => (Byte, 2, false),
            23 | 29 => (Byte, 3, false),
            30 | 36 => (Byte, 3, true),
            37 | 43 | 51 | 57 => (Byte, 4, false),
            44 | 50 => (Byte, 4, true),
            70 => (Word, 1, false),
            77 => (Word, 2, false),
            84 => (Word, 3, false),
            91 => (Word, 4, false),
            76 => (Half, 1, false),
            83 => (Half, 2, false),
            90 => (Half, 3, false),
            97 => (Half, 4, false),
            100 => (Float, 1, false),
            103 => (Float, 2, false),
            106 => (Float, 3, false),
            109 => (Float, 4, false),
            _ => return None,
        };
        Some(Self { number, channels, is_bgr })
    }

    fn bytes(self) -> usize {
        self.channels
            * match self.number {
                Number::Byte => 1,
                Number::Word | Number::Half => 2,
                Number::Float => 4,
            }
    }

    /// A texel; a missing green or blue is 0 and a missing alpha 1. Fractions are codes of sRGB if
    /// they are colours.
    fn rgba(self, texel: &[u8], is_color: bool) -> [u8; 4] {
        let mut rgba = [0, 0, 0, 255];
        let width = self.bytes() / self.channels;
        for (channel, (slot, bytes)) in rgba.iter_mut().zip(texel.chunks_exact(width)).enumerate() {
            let code = |value: f32| {
                let share = if value > 0.0 { min(value, 1.0) } else { 0.0 };
                if is_color && channel < 3 {
                    code_from_linear(share)
                } else {
                    nearest(f64::from(share) * 255.0)
                }
            };
            *slot = match (self.number, bytes) {
                (Number::Word, [low, high]) => {
                    nearest(f64::from(u16::from_le_bytes([*low, *high])) / 257.0)
                }
                (Number::Half, [low, high]) => code(half(u16::from_le_bytes([*low, *high]))),
                (Number::Float, [a, b, c, d]) => code(f32::from_le_bytes([*a, *b, *c, *d])),
                (_, [byte, ..]) => *byte,
                _ => 0,
            };
        }
        if self.is_bgr {
            rgba.swap(0, 2);
        }
        rgba
    }
}

#[expect(clippy::cast_possible_truncation, reason = "0 to 255")]
#[expect(clippy::cast_sign_loss, reason = "0 to 255")]
fn nearest(code: f64) -> u8 {
    (code + 0.5) as u8
}

/// The value of a float of 16 bits.
fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (u32::from(bits >> 15), bits >> 10 & 31, bits & 1023);
    let size = match exponent {
        0 => f32::from(fraction) / f32::from(1_u16 << 14) / 1024.0,
        31 if fraction > 0 => return f32::NAN,
        31 => f32::INFINITY,
        // 112 is the difference of the two biases.
        exponent => f32::from_bits(u32::from(exponent + 112) << 23 | u32::from(fraction) << 13),
    };
    if sign == 1 { -size } else { size }
}

/// Decodes the first level of a KTX2 file; fractions are linear, and become codes of sRGB in a
/// picture of colours.
pub(super) fn decode(
    bytes: &[u8],
    is_color: bool,
    options: &LoadOptions,
) -> Result<Image, ImageError> {
    let (width, height) = check_header(bytes, options)?;
    options.deadline.check(input::DECODING)?;
    if let Some(texels) = Texels::of(input::le_u32(bytes, 12).unwrap_or_default()) {
        let level =
            first_level(bytes, u64::from(width) * u64::from(height) * texels.bytes() as u64)?;
        let pixels: Vec<&[u8]> = level.chunks_exact(texels.bytes()).collect();
        let order = swizzle(bytes);
        let rgba = input::spread(&pixels, &options.deadline, |texel| {
            let rgba = texels.rgba(texel, is_color);
            order.map(|channel| match channel {
                b'r' => rgba[0],
                b'g' => rgba[1],
                b'b' => rgba[2],
                b'a' => rgba[3],
                b'1' => 255,
                _ => 0,
            })
        })?;
        return Ok(Image { width, height, rgba });
    }
    // The crate is young: its panics are caught here.
    let decoded = guarded(|| -> Result<Vec<u8>, ImageError> {
        let malformed = |error: basisu::Error| {
            let what = format!("the Basis Universal data: {error:?}");
            ImageError::Malformed { kind: KIND, what }
        };
        let transcoder = Transcoder::new(bytes).map_err(malformed)?;
        let format = transcoder.source_format();
        if !matches!(format, SourceFormat::Etc1s | SourceFormat::UastcLdr) {
            let what = format!("texels of {format:?}; only ETC1S and UASTC are supported");
            return Err(ImageError::Unsupported { kind: KIND, what });
        }
        transcoder.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE).map_err(malformed)
    });
    let samples = decoded.unwrap_or_else(|| {
        let what = "the Basis Universal data: its decoder failed".to_owned();
        Err(ImageError::Malformed { kind: KIND, what })
    })?;
    let needed = u64::from(width) * u64::from(height) * 4;
    if samples.len() as u64 != needed {
        let what = format!("{} bytes of texels; expected {needed}", samples.len());
        return Err(ImageError::Malformed { kind: KIND, what });
    }
    let rgba = input::rgba_from_rgba(samples);
    Ok(Image { width, height, rgba })
}

/// The texels of the first level, `needed` bytes.
fn first_level(bytes: &[u8], needed: u64) -> Result<Vec<u8>, ImageError> {
    let number = |at: usize| {
        let eight = bytes.get(at..).and_then(<[u8]>::first_chunk);
        usize::try_from(eight.map_or(0, |&eight| u64::from_le_bytes(eight))).unwrap_or(usize::MAX)
    };
    let (start, length) = (number(LEVELS), number(LEVELS + 8));
    let stored = bytes.get(start..start.saturating_add(length)).unwrap_or_default();
    let mut level = Vec::new();
    // Inflates no more than the size of the picture requires.
    let is_read = match input::le_u32(bytes, 44) {
        Some(2) => guarded(|| {
            let mut level = Vec::new();
            let decoder = ruzstd::StreamingDecoder::new(stored).ok()?;
            decoder.take(needed).read_to_end(&mut level).ok()?;
            Some(level)
        })
        .flatten()
        .map(|inflated| level = inflated)
        .is_some(),
        Some(3) => {
            let most = usize::try_from(needed).unwrap_or(usize::MAX);
            let inflated = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(stored, most);
            inflated.map(|inflated| level = inflated).is_ok()
        }
        _ => {
            level = stored.to_vec();
            true
        }
    };
    if !is_read || (level.len() as u64) < needed {
        let what = format!("{} bytes of texels; expected {needed}", level.len());
        return Err(ImageError::Malformed { kind: KIND, what });
    }
    Ok(level)
}

/// Maps the channels of a texel to red, green, blue and alpha, by the key `KTXswizzle` or
/// unchanged.
fn swizzle(bytes: &[u8]) -> [u8; 4] {
    const KEY: &[u8] = b"KTXswizzle\0";
    let word = |at| input::le_u32(bytes, at).and_then(|word| usize::try_from(word).ok());
    let values = || {
        let start = word(56)?;
        let values = bytes.get(start..start.checked_add(word(60)?)?)?;
        let at = values.windows(KEY.len()).position(|part| part == KEY)?;
        values.get(at + KEY.len()..)?.first_chunk::<4>().copied()
    };
    values().filter(|order| order.iter().all(|one| b"rgba01".contains(one))).unwrap_or(*b"rgba")
}

/// Checks the header and the ranges of all levels; returns the size of the picture.
fn check_header(bytes: &[u8], options: &LoadOptions) -> Result<(u32, u32), ImageError> {
    input::check_length(KIND, bytes.len(), LEVELS as u64)?;
    let word = |at: usize| input::le_u32(bytes, at).unwrap_or_default();
    let [format, width, height, depth] = [12, 20, 24, 28].map(word);
    let [layers, faces, levels, compression] = [32, 36, 40, 44].map(word);
    let texels = Texels::of(format);
    let each = texels.map_or(4, |texels| texels.bytes() as u64);
    input::check_size(KIND, [width, height], each, bytes.len(), options)?;
    let unsupported = |what: String| Err(ImageError::Unsupported { kind: KIND, what });
    if depth > 1 || layers > 1 || faces != 1 {
        return unsupported(format!(
            "depth {depth}, {layers} layers and {faces} faces; only single 2D textures are supported"
        ));
    }
    if format != 0 && texels.is_none() {
        return unsupported(format!(
            "VkFormat {format}; supported: Basis Universal (0) and uncompressed texels of 8 bits, 16 bits or floats"
        ));
    }
    let is_known = if texels.is_some() { [0, 2, 3] } else { [0, 1, 2] }.contains(&compression);
    if !is_known {
        return unsupported(format!(
            "supercompression {compression}; supported: 0, 1 (BasisLZ), 2 (Zstandard) and 3 (ZLIB)"
        ));
    }
    let levels = levels.max(1);
    if levels > MAX_LEVELS {
        let what = "the number of mip levels";
        let (found, allowed) = (levels.into(), MAX_LEVELS.into());
        return Err(ImageError::Limit { kind: KIND, what, found, allowed });
    }
    // Blocks of 4 x 4 texels take 16 bytes at most.
    let most = match texels {
        Some(_) => u64::from(width) * u64::from(height) * each,
        None => u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)) * 16,
    };
    for level in 0..levels as usize {
        let at = LEVELS + level * LEVEL_BYTES;
        let number =
            |at: usize| bytes.get(at..)?.first_chunk().map(|&eight| u64::from_le_bytes(eight));
        let (Some(offset), Some(length), Some(inflated)) =
            (number(at), number(at + 8), number(at + 16))
        else {
            return input::check_length(KIND, bytes.len(), u64::MAX).map(|()| (0, 0));
        };
        input::check_length(KIND, bytes.len(), offset.saturating_add(length))?;
        if inflated > most {
            let what =
                format!("level {level} decompresses to {inflated} bytes; expected at most {most}");
            return Err(ImageError::Malformed { kind: KIND, what });
        }
    }
    Ok((width, height))
}
