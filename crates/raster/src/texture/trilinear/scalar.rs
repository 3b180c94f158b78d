//! Trilinear filtering at one point, over a mip chain, in linear light: the definition of
//! `lanes`.
//!
//! # Conventions
//! Texture coordinates have their origin in the upper left corner and wrap, unless the texture
//! clamps or mirrors them; texel centres lie at `(i + 0.5) / size`. The level of detail is the
//! binary logarithm of the longer of the two steps of a footprint, in texels of level 0. With the
//! filter [`TextureFilter::Nearest`], level 0 returns the texel that contains the point; other
//! levels, and the mix of two levels, are the same.
//!
//! # Source
//! Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989; level of detail: OpenGL
//! 4.6, section 8.14.1.

use crate::texture::footprint::{Footprint, level_of_detail};
use tintype_model::math::{Vec2, Vec4, clamp};
use tintype_model::{Texture, TextureFilter, TextureWrap};

/// Texels mixed for a footprint, and their weights: the same for all textures of one size, such as
/// the colour, normal and specular maps of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taps {
    /// Size of the first level for these taps.
    size: [u32; 2],
    filter: TextureFilter,
    wrap: [TextureWrap; 2],
    finer: Cell,
    coarser: Cell,
    /// Weight of the coarser level; at 0 it is left out.
    part: f32,
}

/// The four texels around a point at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    /// True on the first level.
    is_first: bool,
    /// Index of the upper left texel in [`Texture::texels`]; the upper right one follows.
    upper: usize,
    /// Index of the lower left texel.
    lower: usize,
    part_x: f32,
    part_y: f32,
}

impl Taps {
    /// The texels of `texture` under a footprint.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "held to the number of levels")]
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_precision_loss, reason = "fewer than 16 levels")]
    pub fn new(texture: &Texture, footprint: &Footprint) -> Self {
        let levels = &texture.levels;
        let size = [levels[0].width, levels[0].height];
        let last = (levels.len() - 1) as f32;
        let detail = clamp(level_of_detail(footprint, size[0], size[1]), 0.0, last);
        let finer_level = detail as usize;
        let part = detail - finer_level as f32;
        let finer = Cell::new(texture, finer_level, footprint.at);
        let coarser = if part > 0.0 && finer_level + 1 < levels.len() {
            Cell::new(texture, finer_level + 1, footprint.at)
        } else {
            Cell::default()
        };
        Self { size, filter: texture.filter, wrap: texture.wrap, finer, coarser, part }
    }

    /// True if the taps suit a texture of that size, filter and wrap mode.
    #[inline]
    #[must_use]
    pub fn fit(&self, texture: &Texture) -> bool {
        self.size == [texture.levels[0].width, texture.levels[0].height]
            && self.filter == texture.filter
            && self.wrap == texture.wrap
    }

    /// The filtered texel, premultiplied linear RGBA in 0..=1.
    #[inline]
    #[must_use]
    pub fn sample(&self, texture: &Texture) -> Vec4 {
        let near = self.finer.mix(texture);
        let texel = if self.part > 0.0 {
            let far = self.coarser.mix(texture);
            near + (far - near) * self.part
        } else {
            near
        };
        texel * (1.0 / 65535.0)
    }
}

impl Cell {
    /// The cell around a point at a level; a single texel if the filter requires it.
    #[inline]
    pub(crate) fn new(texture: &Texture, level: usize, at: Vec2) -> Self {
        let (is_first, is_nearest) = (level == 0, texture.is_nearest(level));
        let level = &texture.levels[level];
        let [wrap_x, wrap_y] = texture.wrap;
        let (left, mut part_x) = neighbours(at.x, level.width, wrap_x);
        let (top, mut part_y) = neighbours(at.y, level.height, wrap_y);
        if is_nearest {
            // Beyond the middle between two texel centres the point is in the second texel.
            [part_x, part_y] = [part_x, part_y].map(|part| if part < 0.5 { 0.0 } else { 1.0 });
        }
        let upper = level.first + top * level.stride() + left;
        Self { is_first, upper, lower: upper + level.stride(), part_x, part_y }
    }

    /// The mix of the four texels, in 0..=65535.
    #[inline]
    pub(crate) fn mix(&self, texture: &Texture) -> Vec4 {
        let texels = if self.is_first { texture.texels() } else { texture.smaller_texels() };
        let texel = |place: usize| {
            let [r, g, b, a] = texels[place];
            Vec4::new(f32::from(r), f32::from(g), f32::from(b), f32::from(a))
        };
        let (first, third) = (texel(self.upper), texel(self.lower));
        let upper = first + (texel(self.upper + 1) - first) * self.part_x;
        let lower = third + (texel(self.lower + 1) - third) * self.part_x;
        upper + (lower - upper) * self.part_y
    }
}

/// The filtered texel under a footprint; see [`Taps`] for several textures of one size.
#[must_use]
pub fn sample_trilinear(texture: &Texture, footprint: &Footprint) -> Vec4 {
    Taps::new(texture, footprint).sample(texture)
}

/// `f32::floor` without the function call on CPUs whose baseline lacks such an instruction.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "in range: checked")]
#[expect(clippy::cast_precision_loss, reason = "below 2^23: exact")]
fn floor(value: f32) -> f32 {
    const ALL_WHOLE: f32 = 8_388_608.0; // from 2^23 on every f32 is a whole number
    if value > -ALL_WHOLE && value < ALL_WHOLE {
        let toward_zero = value as i32 as f32;
        if toward_zero > value { toward_zero - 1.0 } else { toward_zero }
    } else {
        value
    }
}

/// First of the two texels around a coordinate along one axis, wrapped and counted from the border,
/// and the distance from it to the coordinate.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a wrapped coordinate is within the side")]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
fn neighbours(coordinate: f32, side: u32, wrap: TextureWrap) -> (usize, f32) {
    let wrapped = match wrap {
        TextureWrap::Repeat => coordinate - floor(coordinate), // 0..=1: rounding may give 1
        TextureWrap::Clamp => clamp(coordinate, 0.0, 1.0),
        TextureWrap::Mirror => {
            let folded = coordinate - 2.0 * floor(coordinate * 0.5); // 0..=2
            if folded > 1.0 { 2.0 - folded } else { folded }
        }
    };
    let place = wrapped * side as f32 + 0.5; // 0.5..=side + 0.5, one texel to the right
    let first = place as u32; // the floor: it is positive
    (first as usize, place - first as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_base::deadline::Deadline;
    use tintype_model::{Image, TextureKind, TextureSampling};

    fn ramp() -> Texture {
        let rgba = (0..16_u8).map(|i| [i * 16, 255 - i * 16, 0, 255]).collect();
        let image = Image { width: 4, height: 4, rgba };
        Texture::new(&image, TextureKind::Data, &Deadline::NEVER).expect("no deadline")
    }

    fn at(u: f32, v: f32, step: f32) -> Footprint {
        Footprint { at: Vec2::new(u, v), across: Vec2::new(step, 0.0), down: Vec2::new(0.0, step) }
    }

    #[test]
    fn sample_at_texel_centres_gives_the_texels() {
        let texture = ramp();
        for y in 0..4_u16 {
            for x in 0..4_u16 {
                let (u, v) = ((f32::from(x) + 0.5) / 4.0, (f32::from(y) + 0.5) / 4.0);
                let expected = f32::from(y * 4 + x) * 16.0 / 255.0;
                assert!((sample_trilinear(&texture, &at(u, v, 0.01)).x - expected).abs() < 1e-6);
                // Whole periods have no effect.
                let turned = sample_trilinear(&texture, &at(u - 3.0, v + 5.0, 0.01));
                assert!((turned.x - expected).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn sample_clamps_and_mirrors_at_the_edges() {
        let with = |wrap| {
            let sampling = TextureSampling { wrap, ..TextureSampling::default() };
            ramp().with_sampling(sampling)
        };
        let clamped = with([TextureWrap::Clamp, TextureWrap::Repeat]);
        let mirrored = with([TextureWrap::Mirror, TextureWrap::Clamp]);
        let value = |texture: &Texture, u, v| sample_trilinear(texture, &at(u, v, 0.01)).x * 255.0;
        for (u, expected) in
            [(-7.0, 0.0), (-0.1, 0.0), (0.0, 0.0), (0.25, 8.0), (1.0, 48.0), (9.5, 48.0)]
        {
            assert!((value(&clamped, u, 0.125) - expected).abs() < 1e-3, "clamped {u}");
            // The other axis still repeats.
            assert!((value(&clamped, u, 2.125) - expected).abs() < 1e-3, "clamped {u}");
        }
        let inner = [(-0.25, 8.0), (0.0, 0.0), (0.25, 8.0), (1.0, 48.0), (1.25, 40.0), (2.25, 8.0)];
        for (u, expected) in inner {
            assert!((value(&mirrored, u, 0.125) - expected).abs() < 1e-3, "mirrored {u}");
            assert!((value(&mirrored, u, -3.0) - expected).abs() < 1e-3, "mirrored {u}");
        }
        assert!(!Taps::new(&clamped, &at(0.0, 0.0, 0.01)).fit(&mirrored));
    }

    #[test]
    fn floor_agrees_with_the_standard_one() {
        for value in [0.0, -0.25, 0.99, 1.0, -1.0, -1.5, 8_388_607.5, -8_388_607.5, 1e9, -3e20] {
            assert_eq!(floor(value), value.floor(), "{value}");
        }
    }

    #[test]
    fn sample_wraps_between_the_last_texel_and_the_first() {
        let corner = sample_trilinear(&ramp(), &at(0.0, 0.125, 0.01)).x;
        assert!((corner - 24.0 / 255.0).abs() < 1e-6, "half of texel 3 and of texel 0: {corner}");
    }

    #[test]
    fn sample_nearest_gives_the_texel_that_holds_the_point_until_it_is_small() {
        let smooth = ramp();
        let sharp = smooth.clone().with_filter(TextureFilter::Nearest);
        for k in 0..400_u16 {
            let (u, v) = (f32::from(k % 20) / 20.0 + 0.01, f32::from(k / 20) / 20.0 + 0.01);
            let index = (v * 4.0) as u16 * 4 + (u * 4.0) as u16;
            let expected = f32::from(index) * 16.0 / 255.0;
            for turn in [-2.0, 0.0, 1.0] {
                let found = sample_trilinear(&sharp, &at(u + turn, v, 0.01)).x;
                assert!((found - expected).abs() < 1e-6, "{u}, {v}: {found}, not {expected}");
            }
            // Two or more texels per pixel are mixed as usual.
            let far = at(u, v, 0.5);
            assert_eq!(sample_trilinear(&sharp, &far), sample_trilinear(&smooth, &far));
            assert!(!Taps::new(&sharp, &far).fit(&smooth), "taps are not shared between filters");
            // Unless the filter is nearest.
            let texels = smooth.clone().with_filter(TextureFilter::Texels);
            let found = sample_trilinear(&texels, &far).x;
            assert!((found - expected).abs() < 1e-6, "{u}, {v}: {found}, not {expected}");
        }
    }

    #[test]
    fn sample_blends_levels_by_the_footprint() {
        let texture = ramp();
        assert!((level_of_detail(&at(0.0, 0.0, 0.5), 4, 4) - 1.0).abs() < 1e-6);
        let coarse = sample_trilinear(&texture, &at(0.3, 0.7, 64.0)).x;
        let mean = (0..16).map(|i| f64::from(i * 16)).sum::<f64>() / 16.0 / 255.0;
        assert!((f64::from(coarse) - mean).abs() < 1e-3);
        let (fine, middle) = (at(0.3, 0.7, 0.25), at(0.3, 0.7, 0.5));
        let between = Footprint {
            across: Vec2::new(0.25 * core::f32::consts::SQRT_2, 0.0),
            down: Vec2::ZERO,
            ..fine
        };
        let expected =
            (sample_trilinear(&texture, &fine).x + sample_trilinear(&texture, &middle).x) * 0.5;
        assert!((sample_trilinear(&texture, &between).x - expected).abs() < 1e-5);
    }
}
