//! Ordered dither of a picture with a palette: a colour missing from the palette becomes a pattern
//! of two of its colours.
//!
//! The nearest colour of the palette is mixed with the colour that brings the mix nearest. Only the
//! position of a pixel decides between the two, so the pattern is still where the picture is.
//! Colours of the palette stay unchanged.

use tintype_model::math::{bayer, clamp, max};
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Weight of the squared distance between the two colours of a mix, relative to its squared error:
/// coarse patterns are worse than a small error.
const COARSENESS: f32 = 0.04;

/// Most colours of a palette.
const MOST: usize = 256;

/// Two colours of a palette, and the fraction of the second one in 64ths.
#[derive(Clone, Copy, Default)]
struct Mix {
    first: u8,
    second: u8,
    part: u32,
}

/// The picture in colours of the palette: an index per pixel; `rgba` has rows of `width` pixels.
/// Pixels without alpha get the index `clear`, which no other pixel gets.
pub(super) fn indices(
    rgba: &[[u8; 4]],
    width: usize,
    palette: &[[u8; 3]],
    clear: Option<u8>,
) -> Vec<u8> {
    let palette = Palette::new(palette, clear);
    simd::run(Level::best(), Dithering { rgba, width, palette, clear })
}

/// Colours of a palette, one list per channel, without the transparent one. Lists are padded with
/// the first colour, which a copy of itself never replaces.
struct Palette {
    channels: [[f32; MOST]; 3],
    index: [u8; MOST],
}

impl Palette {
    fn new(colors: &[[u8; 3]], clear: Option<u8>) -> Self {
        let entries = (0..=255).zip(colors).filter(|&(index, _)| Some(index) != clear);
        let mut entries: Vec<(u8, [u8; 3])> =
            entries.map(|(index, &color)| (index, color)).collect();
        entries.resize(MOST, entries.first().copied().unwrap_or_default());
        let channels = core::array::from_fn(|channel| {
            core::array::from_fn(|at| f32::from(entries[at].1[channel]))
        });
        Self { channels, index: core::array::from_fn(|at| entries[at].0) }
    }

    fn color(&self, at: usize) -> [f32; 3] {
        [0, 1, 2].map(|channel| self.channels[channel][at])
    }

    /// The index of the smallest of the errors returned by `error` for each colour, the first of
    /// equal ones, and that error. Errors are at least 0.
    #[inline(always)]
    fn least(&self, error: impl Fn([f32; 3]) -> f32) -> (usize, f32) {
        let mut errors = [0_u32; MOST];
        for (at, to) in errors.iter_mut().enumerate() {
            // Non-negative floats have the same order as their bits, whose minimum vectors can
            // find.
            *to = error(self.color(at)).to_bits();
        }
        let least = errors.iter().copied().fold(u32::MAX, u32::min);
        let at = errors.iter().position(|&error| error == least).unwrap_or(0);
        (at, f32::from_bits(least))
    }

    /// The mix of two colours closest to a colour.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "0 to 64")]
    #[expect(clippy::cast_sign_loss, reason = "0 to 64")]
    fn mix(&self, color: [u8; 3]) -> Mix {
        let wanted = color.map(f32::from);
        let (first, least) = self.least(|entry| {
            let off = minus(wanted, entry);
            dot(off, off)
        });
        let start = self.color(first);
        let off = minus(wanted, start);
        // Part of an entry in the mix, and the squared distance of the two.
        let share = |entry: [f32; 3]| {
            let way = minus(entry, start);
            let squared = dot(way, way);
            (way, squared, clamp(dot(off, way) / max(squared, 1.0), 0.0, 1.0))
        };
        let (second, error) = self.least(|entry| {
            let (way, squared, part) = share(entry);
            let rest = minus(off, way.map(|value| value * part));
            dot(rest, rest) + squared * part * COARSENESS
        });
        let first = self.index[first];
        if error >= least {
            return Mix { first, second: first, part: 0 };
        }
        let (_, _, part) = share(self.color(second));
        Mix { first, second: self.index[second], part: (part * 64.0 + 0.5) as u32 }
    }
}

/// The dither of a picture.
struct Dithering<'a> {
    rgba: &'a [[u8; 4]],
    width: usize,
    palette: Palette,
    clear: Option<u8>,
}

impl Kernel for Dithering<'_> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn scalar(self) -> Vec<u8> {
        let Self { rgba, width, palette, clear } = self;
        let mut mixes = Mixes::new();
        let mut indices = Vec::with_capacity(rgba.len());
        for (y, row) in (0..).zip(rgba.chunks(width.max(1))) {
            for (x, &[r, g, b, alpha]) in (0..).zip(row) {
                let index = match clear {
                    Some(clear) if alpha == 0 => clear,
                    _ => {
                        let mix = mixes.find([r, g, b], |color| palette.mix(color));
                        if bayer::rank(x, y) < mix.part { mix.second } else { mix.first }
                    }
                };
                indices.push(index);
            }
        }
        indices
    }

    /// Each value separately, vectorized by the compiler.
    #[inline(always)]
    fn lanes<S: Simd>(self, _: S) -> Vec<u8> {
        self.scalar()
    }
}

/// Mixes of the latest colours, each at a position that depends on its colour.
struct Mixes(Vec<Option<([u8; 3], Mix)>>);

impl Mixes {
    /// Binary logarithm of the number of positions.
    const BITS: u32 = 14;

    fn new() -> Self {
        Self(vec![None; 1 << Self::BITS])
    }

    #[inline(always)]
    fn find(&mut self, color: [u8; 3], mix: impl FnOnce([u8; 3]) -> Mix) -> Mix {
        let [r, g, b] = color.map(u32::from);
        // The golden ratio in 32 bits spreads neighbouring colours.
        let place = (r | g << 8 | b << 16).wrapping_mul(0x9e37_79b9) >> (32 - Self::BITS);
        let place = &mut self.0[place as usize];
        match *place {
            Some((known, mix)) if known == color => mix,
            _ => {
                let mix = mix(color);
                *place = Some((color, mix));
                mix
            }
        }
    }
}

#[inline(always)]
fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREYS: [[u8; 3]; 4] = [[0; 3], [80; 3], [160; 3], [240; 3]];

    #[test]
    fn mixes_have_the_right_mean_and_exact_colours_stay() {
        for grey in [0_u8, 20, 40, 60, 80, 100, 150, 160, 200, 240] {
            let picture = vec![[grey, grey, grey, 255]; 64];
            let found = indices(&picture, 8, &GREYS, None);
            let sum: u32 = found.iter().map(|&index| u32::from(GREYS[usize::from(index)][0])).sum();
            assert!((sum as f32 / 64.0 - f32::from(grey)).abs() <= 1.0, "{grey}: {sum}");
            if GREYS.contains(&[grey; 3]) {
                assert!(found.iter().all(|&index| GREYS[usize::from(index)] == [grey; 3]));
            }
        }
    }

    #[test]
    fn clear_pixels_alone_get_the_clear_index() {
        let picture = [[0, 0, 0, 0], [0, 0, 0, 255], [80, 80, 80, 255]];
        assert_eq!(indices(&picture, 3, &GREYS, Some(0))[0], 0);
        assert!(indices(&picture, 3, &GREYS, Some(0))[1..].iter().all(|&index| index != 0));
    }

    #[test]
    fn pattern_depends_on_the_position_alone() {
        let wide = vec![[100, 100, 100, 255]; 16 * 16];
        let found = indices(&wide, 16, &GREYS, None);
        let shifted: Vec<u8> = found.chunks(16).flat_map(|row| row[8..].to_vec()).collect();
        let left: Vec<u8> = found.chunks(16).flat_map(|row| row[..8].to_vec()).collect();
        assert_eq!(left, shifted);
    }
}
