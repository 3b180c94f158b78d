//! Decoded pictures and the mipmapped textures made from them.
//!
//! `decoder` converts bytes to texels, `texels` holds the levels of a mip chain.

mod decoder;
mod image;
mod mip_level;
mod sampling;
mod texels;

pub use image::{Image, TextureKind};
pub use mip_level::MipLevel;
pub use sampling::{TextureFilter, TextureSampling, TextureWrap};

use mip_level::chain;
use std::sync::Arc;
use texels::Texels;
use tintype_base::deadline::{Deadline, TimedOut};

/// A texture with its full mip chain, from the picture itself down to one texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The levels, largest first; never empty, and only the first for [`TextureFilter::Texels`].
    pub levels: Vec<MipLevel>,
    /// True if alpha is 1 in every texel.
    pub is_opaque: bool,
    /// Filter of the first level.
    pub filter: TextureFilter,
    /// Wrap mode to the right and left, and above and below.
    pub wrap: [TextureWrap; 2],
    /// Linear RGBA, 0..=1 as 0..=65535, of all levels with their borders, rows from the top; colour
    /// premultiplied by alpha. Copies of the texture refer to the same texels.
    texels: Arc<Texels>,
}

impl Texture {
    /// Decodes texels to linear light and builds the mip chain with a box filter.
    ///
    /// Each level has half the size of the one above, rounded down. If the size above is odd, a
    /// texel averages the part of it that it covers, so that nothing shifts.
    ///
    /// # Errors
    /// [`TimedOut`] if `deadline` passes before the last level is built.
    ///
    /// # Panics
    /// If the picture is empty or its number of pixels is wrong; decoders never return such
    /// pictures.
    pub fn new(image: &Image, kind: TextureKind, deadline: &Deadline) -> Result<Self, TimedOut> {
        Self::of_texels(image, kind, |levels, wrap| {
            Texels::whole(levels, image, kind, wrap, deadline)
        })
    }

    /// As [`Self::new`], but the first level is made on first use: never in a small picture of a
    /// large texture.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn without_first_level(
        image: &Arc<Image>,
        kind: TextureKind,
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        Self::of_texels(image, kind, |levels, wrap| {
            Texels::without_first(levels, image, kind, wrap, deadline)
        })
    }

    fn of_texels(
        image: &Image,
        kind: TextureKind,
        make: impl FnOnce(&[MipLevel], [TextureWrap; 2]) -> Result<Texels, TimedOut>,
    ) -> Result<Self, TimedOut> {
        let (width, height) = (image.width as usize, image.height as usize);
        assert!(width > 0 && height > 0 && image.rgba.len() == width * height, "a whole picture");
        let levels = chain(image.width, image.height);
        // A mean of ones is one, so the first level decides for all.
        let is_opaque = match kind {
            TextureKind::OpaqueColor | TextureKind::Data => true,
            TextureKind::AlphaColor | TextureKind::Coverage => {
                image.rgba.iter().all(|&[.., alpha]| alpha == u8::MAX)
            }
        };
        let TextureSampling { filter, wrap } = TextureSampling::default();
        let texels = Arc::new(make(&levels, wrap)?);
        Ok(Self { levels, is_opaque, filter, wrap, texels })
    }

    /// The same texture with another filter.
    #[must_use]
    pub fn with_filter(mut self, filter: TextureFilter) -> Self {
        self.filter = filter;
        if filter == TextureFilter::Texels {
            self.levels.truncate(1);
        }
        self
    }

    /// The same texture with another filter and other edges.
    #[must_use]
    pub fn with_sampling(mut self, sampling: TextureSampling) -> Self {
        let is_known = self.wrap == sampling.wrap;
        self.wrap = sampling.wrap;
        if !is_known {
            Arc::make_mut(&mut self.texels).wrap(&self.levels, self.wrap);
        }
        self.with_filter(sampling.filter)
    }

    /// True for a level whose texels are not mixed.
    #[inline]
    #[must_use]
    pub fn is_nearest(&self, level: usize) -> bool {
        level == 0 && self.filter != TextureFilter::Linear
    }

    /// The texels of all levels with their borders, the first level last; it is made now if
    /// missing.
    #[inline]
    #[must_use]
    pub fn texels(&self) -> &[[u16; 4]] {
        self.texels.all()
    }

    /// As [`Self::texels`], without the first level if it is not made yet.
    #[inline]
    #[must_use]
    pub fn smaller_texels(&self) -> &[[u16; 4]] {
        self.texels.smaller()
    }

    /// The texels of the first level with their border, and of all others.
    #[must_use]
    pub fn first_and_smaller(&self) -> [&[[u16; 4]]; 2] {
        let (smaller, first) = self.texels().split_at(self.levels[0].first);
        [first, smaller]
    }

    /// One texel of a level.
    ///
    /// # Panics
    /// If it does not exist.
    #[must_use]
    pub fn texel(&self, level: usize, x: u32, y: u32) -> [u16; 4] {
        let own = self.levels[level];
        assert!(x < own.width && y < own.height, "a texel of the level");
        let texels = if level == 0 { self.texels() } else { self.smaller_texels() };
        texels[own.place(x as usize, y as usize)]
    }

    /// The bytes that all levels take.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.levels.iter().map(MipLevel::padded_len).sum::<usize>() * size_of::<[u16; 4]>()
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
        // Opaque white beside transparent red: the mean is half-covered white, without red.
        let rgba = vec![[255, 255, 255, 255], [255, 0, 0, 0]];
        let image = Image { width: 2, height: 1, rgba };
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
    fn level_below_an_odd_one_averages_what_each_texel_covers() {
        let image = grey(7, 5, |x, y| (x * x * 37 + y * 91 + x * y) as u8);
        let texture = Texture::new(&image, TextureKind::Data, &Deadline::NEVER).unwrap();
        // The part of a texel of the first level inside a texel that is `side / count` wide.
        let part = |place: u32, index: u32, side: u32, count: u32| {
            let (start, end) = (place * side, (place + 1) * side);
            (end.min((index + 1) * count)).saturating_sub(start.max(index * count))
        };
        for (x, y) in (0..2).flat_map(|y| (0..3).map(move |x| (x, y))) {
            let (mut sum, mut weights) = (0, 0);
            for (column, row) in (0..5).flat_map(|row| (0..7).map(move |column| (column, row))) {
                let weight = part(x, column, 7, 3) * part(y, row, 5, 2);
                sum += u64::from(weight) * u64::from(texture.texel(0, column, row)[1]);
                weights += u64::from(weight);
            }
            assert_eq!(weights, 35);
            let mean = (sum + 17) / 35;
            assert_eq!(u64::from(texture.texel(1, x, y)[1]), mean, "{x} {y}");
        }
    }

    #[test]
    fn first_level_is_the_same_whenever_and_from_whichever_copy_it_is_made() {
        let image = Arc::new(grey(12, 9, |x, y| (x * 21 + y * 57) as u8));
        let kind = TextureKind::OpaqueColor;
        let new = || Texture::without_first_level(&image, kind, &Deadline::NEVER).unwrap();
        let edges = TextureSampling { wrap: [TextureWrap::Clamp; 2], ..Default::default() };
        let (early, late) = (new(), new());
        let copies = std::thread::scope(|scope| {
            let early = &early;
            let look = move || early.clone().with_sampling(edges).texels().to_vec();
            [scope.spawn(look), scope.spawn(look)].map(|thread| thread.join().unwrap())
        });
        assert!(early.smaller_texels().len() < 14 * 11);
        assert_eq!(early.texels().len(), early.levels[0].first + 14 * 11);
        let clamped = late.with_sampling(edges);
        assert_eq!(early.with_sampling(edges).texels(), clamped.texels());
        for copy in copies {
            assert_eq!(copy, clamped.texels());
        }
        let whole = Texture::new(&image, kind, &Deadline::NEVER).unwrap();
        assert_eq!(whole.with_sampling(edges), clamped);
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
            let [first, _] = texture.first_and_smaller();
            let at = |x: usize, y: usize| first[y * 7 + x];
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
