//! Decoded pictures and the mip-mapped textures made from them.

use crate::math::srgb;

/// A decoded picture: 8-bit straight RGBA, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` pixels.
    pub rgba: Vec<[u8; 4]>,
}

/// How the bytes of a picture become texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// sRGB colour whose alpha is ignored and becomes 1.
    OpaqueColor,
    /// sRGB colour with coverage in alpha; texels are premultiplied.
    AlphaColor,
    /// Linear values such as a normal map; alpha becomes 1.
    Data,
}

/// One level of a mip chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MipLevel {
    /// Texels a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Linear RGBA, 0..=1 as 0..=65535, rows from the top; colour premultiplied by alpha.
    pub texels: Vec<[u16; 4]>,
}

/// A texture with its full mip chain, from the picture itself down to one texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The levels, largest first; never empty.
    pub levels: Vec<MipLevel>,
    /// Whether alpha is 1 in every texel.
    pub is_opaque: bool,
}

impl Texture {
    /// Decodes texels to linear light and builds the mip chain with a box filter.
    ///
    /// Each level has half the size of the one above, rounded down. Where the size above is odd, a texel averages the part of
    /// it that it covers, so that nothing shifts.
    ///
    /// # Panics
    /// If the picture is empty or its pixels do not fill it; decoders give neither.
    #[must_use]
    pub fn new(image: &Image, kind: TextureKind) -> Self {
        let (width, height) = (image.width as usize, image.height as usize);
        assert!(width > 0 && height > 0 && image.rgba.len() == width * height, "a whole picture");
        let decode = decode_table(kind);
        let mut levels = vec![first_level(image, kind, &decode)];
        while let Some(above) = levels.last()
            && (above.width > 1 || above.height > 1)
        {
            let below = halve(above);
            levels.push(below);
        }
        // A mean of ones is one: the first level tells for all.
        let is_opaque = levels[0].texels.iter().all(|texel| texel[3] == u16::MAX);
        Self { levels, is_opaque }
    }

    /// The bytes that all levels take.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.levels.iter().map(|level| level.texels.len() * size_of::<[u16; 4]>()).sum()
    }
}

/// The linear 16-bit value of each 8-bit code.
fn decode_table(kind: TextureKind) -> [u16; 256] {
    let mut table = [0; 256];
    for (code, entry) in (0..=255_u8).zip(table.iter_mut()) {
        *entry = match kind {
            TextureKind::OpaqueColor | TextureKind::AlphaColor => {
                unorm16(srgb::linear_from_code(code))
            }
            TextureKind::Data => u16::from(code) * 257,
        };
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "0..=1 becomes 0..=65535")]
#[expect(clippy::cast_sign_loss, reason = "0..=1 becomes 0..=65535")]
fn unorm16(value: f64) -> u16 {
    (value * 65535.0 + 0.5) as u16
}

fn first_level(image: &Image, kind: TextureKind, decode: &[u16; 256]) -> MipLevel {
    let texels = image
        .rgba
        .iter()
        .map(|&[r, g, b, a]| {
            let [r, g, b] = [r, g, b].map(|code| decode[usize::from(code)]);
            if kind == TextureKind::AlphaColor {
                let alpha = u32::from(a) * 257;
                let [r, g, b] = [r, g, b].map(|value| premultiply(value, alpha));
                #[expect(clippy::cast_possible_truncation, reason = "255 * 257 is 65535")]
                let alpha = alpha as u16;
                [r, g, b, alpha]
            } else {
                [r, g, b, u16::MAX]
            }
        })
        .collect();
    MipLevel { width: image.width, height: image.height, texels }
}

#[expect(clippy::cast_possible_truncation, reason = "a 16-bit value times 0..=1 has 16 bits")]
fn premultiply(value: u16, alpha: u32) -> u16 {
    ((u64::from(value) * u64::from(alpha) + 32767) / 65535) as u16
}

/// One run of source texels that a texel below covers, along one axis, in whole-number weights.
struct Cover {
    first: usize,
    weights: [u32; 3],
    count: usize,
}

/// What each of `below` texels covers of `above` texels: `above / below` of them, borders in parts.
fn covers(above: usize, below: usize) -> Vec<Cover> {
    (0..below)
        .map(|index| {
            // In units of 1/below of a source texel, this texel spans index*above .. (index+1)*above.
            let (start, end) = (index * above, (index + 1) * above);
            let first = start / below;
            let last = (end - 1) / below;
            let mut weights = [0; 3];
            for (slot, source) in (first..=last).enumerate() {
                let from = start.max(source * below);
                let to = end.min((source + 1) * below);
                weights[slot] = u32::try_from(to - from).expect("a part of one texel");
            }
            Cover { first, weights, count: last - first + 1 }
        })
        .collect()
}

fn halve(above: &MipLevel) -> MipLevel {
    let (from_width, from_height) = (above.width as usize, above.height as usize);
    let (width, height) = ((from_width / 2).max(1), (from_height / 2).max(1));
    let columns = covers(from_width, width);
    let rows = covers(from_height, height);
    let total = from_width as u64 * from_height as u64; // the weights of one texel sum to this
    let mut texels = Vec::with_capacity(width * height);
    for row in &rows {
        for column in &columns {
            let mut sum = [0_u64; 4];
            for (dy, &weight_y) in row.weights[..row.count].iter().enumerate() {
                let start = (row.first + dy) * from_width + column.first;
                for (dx, &weight_x) in column.weights[..column.count].iter().enumerate() {
                    let weight = u64::from(weight_x) * u64::from(weight_y);
                    for (sum, &texel) in sum.iter_mut().zip(&above.texels[start + dx]) {
                        *sum += weight * u64::from(texel);
                    }
                }
            }
            #[expect(clippy::cast_possible_truncation, reason = "a mean of 16-bit values")]
            texels.push(sum.map(|sum| ((sum + total / 2) / total) as u16));
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "half of a u32")]
    let (width, height) = (width as u32, height as u32);
    MipLevel { width, height, texels }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, value: impl Fn(u32, u32) -> u8) -> Image {
        let rgba = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| [value(x, y), value(x, y), value(x, y), 255])
            .collect();
        Image { width, height, rgba }
    }

    #[test]
    fn mip_chain_ends_at_one_texel_and_keeps_the_mean() {
        for (width, height) in [(8, 8), (7, 5), (1, 9), (640, 3)] {
            let image = grey(width, height, |x, y| (x * 37 + y * 91) as u8);
            let texture = Texture::new(&image, TextureKind::Data);
            let mean = |level: &MipLevel| {
                level.texels.iter().map(|t| f64::from(t[0])).sum::<f64>()
                    / level.texels.len() as f64
            };
            let last = texture.levels.last().unwrap();
            assert_eq!((last.width, last.height), (1, 1));
            let drift = (mean(&texture.levels[0]) - mean(last)).abs();
            assert!(drift < 8.0, "{width}x{height}: {drift}");
        }
    }

    #[test]
    fn transparent_texels_do_not_bleed_into_the_mips() {
        // Opaque white beside transparent red: the mean is half-covered white, with no red in it.
        let image = Image { width: 2, height: 1, rgba: vec![[255, 255, 255, 255], [255, 0, 0, 0]] };
        let texture = Texture::new(&image, TextureKind::AlphaColor);
        assert_eq!(texture.levels[1].texels, vec![[32768; 4]]);
    }
}
