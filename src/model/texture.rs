//! Decoded pictures and the mip-mapped textures made from them.

use crate::deadline::{Deadline, TimedOut, Watch};
use crate::math::srgb;
use std::sync::Arc;

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

/// Conversion of the bytes of a picture to texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// sRGB colour whose alpha is ignored and becomes 1.
    OpaqueColor,
    /// sRGB colour with coverage in alpha; texels are premultiplied.
    AlphaColor,
    /// Linear values such as a normal map; alpha becomes 1.
    Data,
    /// White with coverage in alpha.
    Coverage,
}

/// Mix of texels where a texture is enlarged; smaller levels are always mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureFilter {
    /// Of the four texels around a point.
    #[default]
    Linear,
    /// None: the nearest texel of the first level, so that texels have sharp edges.
    Nearest,
}

impl TextureFilter {
    /// Its word in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Nearest => "nearest",
        }
    }
}

/// Continuation of a texture beyond its edges along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureWrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The texels of the edge.
    Clamp,
    /// The texture again, every second time mirrored.
    Mirror,
}

/// Reading of a texture between its texels and beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextureSampling {
    /// Filter of the first level.
    pub filter: TextureFilter,
    /// Continuation to the right and left, and above and below.
    pub wrap: [TextureWrap; 2],
}

/// One level of a mip chain: the range of its texels among those of the whole chain.
///
/// A level has a border one texel wide on each side, so that the four texels around any wrapped point are two rows of two. It holds
/// the texels of the opposite side where the texture repeats, else those of the same side: both a clamped texture and a mirrored one
/// go on with their edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MipLevel {
    /// Texels a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Place of the upper left corner of the border.
    pub first: usize,
}

impl MipLevel {
    /// Texels of the border in a row or a column.
    pub const BORDERS: usize = 2;

    /// From a texel to the one below it.
    #[inline]
    #[must_use]
    pub fn stride(&self) -> usize {
        self.width as usize + Self::BORDERS
    }

    /// Texels with the border.
    fn padded_len(&self) -> usize {
        self.stride() * (self.height as usize + Self::BORDERS)
    }

    /// Place of a texel.
    #[inline]
    fn place(&self, x: usize, y: usize) -> usize {
        self.first + (y + 1) * self.stride() + x + 1
    }
}

/// Texels between two checks of the deadline.
const STEPS: u32 = 1 << 18;

/// A texture with its full mip chain, from the picture itself down to one texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The levels, largest first; never empty.
    pub levels: Vec<MipLevel>,
    /// Whether alpha is 1 in every texel.
    pub is_opaque: bool,
    /// Filter of the first level.
    pub filter: TextureFilter,
    /// Continuation to the right and left, and above and below.
    pub wrap: [TextureWrap; 2],
    /// Linear RGBA, 0..=1 as 0..=65535, of all levels with their borders, rows from the top; colour premultiplied by alpha. Copies of
    /// the texture share them.
    texels: Arc<Vec<[u16; 4]>>,
}

impl Texture {
    /// Decodes texels to linear light and builds the mip chain with a box filter.
    ///
    /// Each level has half the size of the one above, rounded down. Where the size above is odd, a texel averages the part of
    /// it that it covers, so that nothing shifts.
    ///
    /// # Errors
    /// [`TimedOut`] if `deadline` is over before the last level is built.
    ///
    /// # Panics
    /// If the picture is empty or its pixels do not fill it; decoders give neither.
    pub fn new(image: &Image, kind: TextureKind, deadline: &Deadline) -> Result<Self, TimedOut> {
        let mut watch = deadline.watch("building mip levels", STEPS);
        let (width, height) = (image.width as usize, image.height as usize);
        assert!(width > 0 && height > 0 && image.rgba.len() == width * height, "a whole picture");
        let levels = chain(image.width, image.height);
        // Texels are appended row by row: memory that is set to 0 before it is filled would be written twice.
        let mut texels = Vec::with_capacity(levels.iter().map(MipLevel::padded_len).sum());
        append_first(&levels[0], image, kind, &mut texels, &mut watch)?;
        fill_borders(&levels[0], [TextureWrap::Repeat; 2], &mut texels);
        for pair in levels.windows(2) {
            append_half(&pair[0], &pair[1], &mut texels, &mut watch)?;
            fill_borders(&pair[1], [TextureWrap::Repeat; 2], &mut texels);
        }
        // A mean of ones is one: the first level tells for all.
        let is_opaque = match kind {
            TextureKind::OpaqueColor | TextureKind::Data => true,
            TextureKind::AlphaColor | TextureKind::Coverage => {
                image.rgba.iter().all(|&[.., alpha]| alpha == u8::MAX)
            }
        };
        let TextureSampling { filter, wrap } = TextureSampling::default();
        Ok(Self { levels, is_opaque, filter, wrap, texels: Arc::new(texels) })
    }

    /// The same texture with another filter.
    #[must_use]
    pub fn with_filter(self, filter: TextureFilter) -> Self {
        Self { filter, ..self }
    }

    /// The same texture with another filter and other edges.
    #[must_use]
    pub fn with_sampling(mut self, sampling: TextureSampling) -> Self {
        let is_known = self.wrap == sampling.wrap;
        (self.filter, self.wrap) = (sampling.filter, sampling.wrap);
        if !is_known {
            let texels = Arc::make_mut(&mut self.texels);
            for level in &self.levels {
                fill_borders(level, self.wrap, texels);
            }
        }
        self
    }

    /// Whether the texels of a level are not mixed.
    #[inline]
    #[must_use]
    pub fn is_nearest(&self, level: usize) -> bool {
        level == 0 && self.filter == TextureFilter::Nearest
    }

    /// The texels of all levels with their borders: see [`MipLevel`].
    #[inline]
    #[must_use]
    pub fn texels(&self) -> &[[u16; 4]] {
        &self.texels
    }

    /// One texel of a level.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn texel(&self, level: usize, x: u32, y: u32) -> [u16; 4] {
        let level = self.levels[level];
        assert!(x < level.width && y < level.height, "a texel of the level");
        self.texels[level.place(x as usize, y as usize)]
    }

    /// The bytes that all levels take.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.texels.len() * size_of::<[u16; 4]>()
    }
}

/// The levels of a picture of that size.
fn chain(width: u32, height: u32) -> Vec<MipLevel> {
    let mut levels = vec![MipLevel { width, height, first: 0 }];
    while let Some(above) = levels.last()
        && (above.width > 1 || above.height > 1)
    {
        let (width, height) = ((above.width / 2).max(1), (above.height / 2).max(1));
        let first = above.first + above.padded_len();
        levels.push(MipLevel { width, height, first });
    }
    levels
}

/// Fills the border of a level from its texels.
fn fill_borders(level: &MipLevel, wrap: [TextureWrap; 2], texels: &mut [[u16; 4]]) {
    let (stride, height) = (level.stride(), level.height as usize);
    let rows = &mut texels[level.first..level.first + level.padded_len()];
    let [does_repeat_x, does_repeat_y] = wrap.map(|wrap| wrap == TextureWrap::Repeat);
    for row in rows.chunks_exact_mut(stride) {
        let (first, last) = (row[1], row[stride - 2]);
        (row[0], row[stride - 1]) = if does_repeat_x { (last, first) } else { (first, last) };
    }
    let (first, last) = (stride..2 * stride, height * stride..(height + 1) * stride);
    let (above, below) = if does_repeat_y { (last, first) } else { (first, last) };
    rows.copy_within(above, 0);
    rows.copy_within(below, (height + 1) * stride);
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
            TextureKind::Coverage => u16::MAX,
        };
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "0..=1 becomes 0..=65535")]
#[expect(clippy::cast_sign_loss, reason = "0..=1 becomes 0..=65535")]
fn unorm16(value: f64) -> u16 {
    (value * 65535.0 + 0.5) as u16
}

/// A texel of a border that is filled later.
const UNFILLED: [u16; 4] = [0; 4];

/// Appends the first level.
fn append_first(
    level: &MipLevel,
    image: &Image,
    kind: TextureKind,
    texels: &mut Vec<[u16; 4]>,
    watch: &mut Watch,
) -> Result<(), TimedOut> {
    let decode = decode_table(kind);
    let color = |&[r, g, b, _]: &[u8; 4]| {
        let [r, g, b] = [r, g, b].map(|code| decode[usize::from(code)]);
        [r, g, b, u16::MAX]
    };
    let covered = |&[r, g, b, a]: &[u8; 4]| {
        let alpha = u32::from(a) * 257;
        let [r, g, b] = [r, g, b].map(|code| premultiply(decode[usize::from(code)], alpha));
        #[expect(clippy::cast_possible_truncation, reason = "255 * 257 is 65535")]
        let alpha = alpha as u16;
        [r, g, b, alpha]
    };
    let width = image.width as usize;
    texels.extend((0..level.stride()).map(|_| UNFILLED));
    for codes in image.rgba.chunks_exact(width) {
        watch.take(width)?;
        texels.push(UNFILLED);
        match kind {
            TextureKind::OpaqueColor | TextureKind::Data => texels.extend(codes.iter().map(color)),
            TextureKind::AlphaColor | TextureKind::Coverage => {
                texels.extend(codes.iter().map(covered));
            }
        }
        texels.push(UNFILLED);
    }
    texels.extend((0..level.stride()).map(|_| UNFILLED));
    Ok(())
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

/// The part of `above` texels that each of `below` texels covers: `above / below` of them, borders in parts.
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

/// Appends a level, means of the one above it.
fn append_half(
    from: &MipLevel,
    to: &MipLevel,
    texels: &mut Vec<[u16; 4]>,
    watch: &mut Watch,
) -> Result<(), TimedOut> {
    let is_even = from.width == 2 * to.width && from.height == 2 * to.height;
    let columns = if is_even { Vec::new() } else { covers(from.width as usize, to.width as usize) };
    let rows = if is_even { Vec::new() } else { covers(from.height as usize, to.height as usize) };
    let mut row = vec![UNFILLED; to.width as usize];
    texels.extend((0..to.stride()).map(|_| UNFILLED));
    for y in 0..to.height as usize {
        watch.take(row.len())?;
        match rows.get(y) {
            Some(covered) => mean_row(from, texels, covered, &columns, &mut row),
            None => mean_even_row(from, texels, y, &mut row),
        }
        texels.push(UNFILLED);
        texels.extend_from_slice(&row);
        texels.push(UNFILLED);
    }
    texels.extend((0..to.stride()).map(|_| UNFILLED));
    Ok(())
}

/// Means of the texels that those of a row cover.
fn mean_row(
    from: &MipLevel,
    above: &[[u16; 4]],
    rows: &Cover,
    columns: &[Cover],
    row: &mut [[u16; 4]],
) {
    let total = u64::from(from.width) * u64::from(from.height); // the weights of one texel sum to this
    for (column, out) in columns.iter().zip(row) {
        let mut sum = [0_u64; 4];
        for (dy, &weight_y) in rows.weights[..rows.count].iter().enumerate() {
            let start = from.place(column.first, rows.first + dy);
            for (dx, &weight_x) in column.weights[..column.count].iter().enumerate() {
                let weight = u64::from(weight_x) * u64::from(weight_y);
                for (sum, &texel) in sum.iter_mut().zip(&above[start + dx]) {
                    *sum += weight * u64::from(texel);
                }
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "a mean of 16-bit values")]
        let mean = sum.map(|sum| ((sum + total / 2) / total) as u16);
        *out = mean;
    }
}

/// [`mean_row`] where both sides are even: the mean of two by two texels, with the same rounding, as all weights are equal.
fn mean_even_row(from: &MipLevel, above: &[[u16; 4]], y: usize, row: &mut [[u16; 4]]) {
    let width = 2 * row.len();
    let [upper, lower] = [2 * y, 2 * y + 1].map(|y| &above[from.place(0, y)..][..width]);
    let (upper, lower) = (upper.as_chunks::<2>().0, lower.as_chunks::<2>().0);
    for ((&[a, b], &[c, d]), out) in upper.iter().zip(lower).zip(row) {
        *out = core::array::from_fn(|k| {
            let sum = [a, b, c, d].iter().map(|texel| u32::from(texel[k])).sum::<u32>();
            #[expect(clippy::cast_possible_truncation, reason = "a mean of 16-bit values")]
            let mean = ((sum + 2) / 4) as u16;
            mean
        });
    }
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
            let texture =
                Texture::new(&image, TextureKind::Data, &Deadline::NEVER).expect("no deadline");
            let mean = |number: usize| {
                let MipLevel { width, height, .. } = texture.levels[number];
                let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
                places.map(|(x, y)| f64::from(texture.texel(number, x, y)[0])).sum::<f64>()
                    / f64::from(width * height)
            };
            let last = texture.levels.len() - 1;
            assert_eq!((texture.levels[last].width, texture.levels[last].height), (1, 1));
            let drift = (mean(0) - mean(last)).abs();
            assert!(drift < 8.0, "{width}x{height}: {drift}");
        }
    }

    #[test]
    fn transparent_texels_do_not_bleed_into_the_mips() {
        // Opaque white beside transparent red: the mean is half-covered white, with no red in it.
        let image = Image { width: 2, height: 1, rgba: vec![[255, 255, 255, 255], [255, 0, 0, 0]] };
        let texture =
            Texture::new(&image, TextureKind::AlphaColor, &Deadline::NEVER).expect("no deadline");
        assert_eq!(texture.texel(1, 0, 0), [32768; 4]);
    }

    #[test]
    fn mean_of_even_levels_is_that_of_weights() {
        let image = grey(64, 32, |x, y| (x * x * 37 + y * 91 + x * y) as u8);
        let texture = Texture::new(&image, TextureKind::OpaqueColor, &Deadline::NEVER).unwrap();
        for (number, pair) in texture.levels.windows(2).enumerate().take(5) {
            let (above, below) = (pair[0], pair[1]);
            for (x, y) in (0..below.height).flat_map(|y| (0..below.width).map(move |x| (x, y))) {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
                let four = four.map(|(dx, dy)| texture.texel(number, 2 * x + dx, 2 * y + dy));
                let weight = u64::from(below.width) * u64::from(below.height);
                let total = u64::from(above.width) * u64::from(above.height);
                let mean = [0, 1, 2, 3].map(|k| {
                    let sum: u64 = four.iter().map(|texel| weight * u64::from(texel[k])).sum();
                    ((sum + total / 2) / total) as u16
                });
                assert_eq!(texture.texel(number + 1, x, y), mean, "{number} {x} {y}");
            }
        }
    }

    #[test]
    fn border_of_a_clamped_texture_repeats_its_edge() {
        let image = grey(5, 3, |x, y| (x * 37 + y * 91) as u8);
        let new =
            || Texture::new(&image, TextureKind::Data, &Deadline::NEVER).expect("no deadline");
        for wrap in [TextureWrap::Clamp, TextureWrap::Mirror] {
            let sampling =
                TextureSampling { wrap: [TextureWrap::Repeat, wrap], ..Default::default() };
            let texture = new().with_sampling(sampling);
            let at = |x: usize, y: usize| texture.texels()[y * 7 + x];
            for x in 0..5 {
                assert_eq!([at(x + 1, 0), at(x + 1, 4)], [at(x + 1, 1), at(x + 1, 3)]);
            }
            for y in 0..5 {
                assert_eq!([at(0, y), at(6, y)], [at(5, y), at(1, y)]);
            }
        }
        assert_eq!(new().with_sampling(TextureSampling::default()), new());
    }

    #[test]
    fn border_of_every_level_repeats_the_opposite_side() {
        for (width, height) in [(4, 4), (7, 5), (1, 3)] {
            let image = grey(width, height, |x, y| (x * 37 + y * 91) as u8);
            let texture =
                Texture::new(&image, TextureKind::Data, &Deadline::NEVER).expect("no deadline");
            for (number, level) in texture.levels.iter().enumerate() {
                for row in 0..level.height + 2 {
                    for column in 0..level.width + 2 {
                        let x = (column + level.width - 1) % level.width;
                        let y = (row + level.height - 1) % level.height;
                        let place = level.first + row as usize * level.stride() + column as usize;
                        assert_eq!(texture.texels()[place], texture.texel(number, x, y));
                    }
                }
            }
        }
    }
}
