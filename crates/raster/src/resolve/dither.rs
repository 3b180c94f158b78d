//! Ordered dither: gradients show no bands in 8 bits.
//!
//! Before a colour is encoded, a threshold that depends on the position of the pixel is added to
//! each channel, of less than half a code to either side. Neighbouring pixels then divide between
//! the two nearest codes so that their mean is right. The position counts from the corner of the
//! picture: tiles have no seams, and the pattern stays still in a sequence.
//!
//! A colour that equals a code keeps it, so flat areas stay flat: a uniform background, black,
//! white. Pixels that are not opaque keep theirs too, because they are composited later.

use crate::ground::lanes::to_float;
use tintype_model::math::bayer;
use tintype_model::math::lanes::splat;
use tintype_model::math::number::Number;
use tintype_model::simd::Simd;

/// Linear distance between the two brightest codes, slightly reduced: a threshold must not change
/// an exact code.
const WIDTH: f32 = 0.008_92 * 0.98;
/// The same between the darkest codes, where the curve is a line.
const MIN_WIDTH: f32 = 0.000_303_5 * 0.98;

/// Threshold of a pixel, in codes: -63/128 to 63/128.
#[expect(clippy::cast_precision_loss, reason = "6 bits")]
pub(crate) fn threshold(x: u32, y: u32) -> f32 {
    bayer::rank(x, y) as f32 * (1.0 / 64.0) - 63.0 / 128.0
}

/// [`threshold`] in every lane.
#[inline(always)]
pub(crate) fn thresholds<S: Simd>(simd: S, x: S::u32s, y: S::u32s) -> S::f32s {
    let both = x ^ y;
    let rank = (both & 1) << 5_u32
        | (y & 1) << 4_u32
        | (both & 2) << 2_u32
        | (y & 2) << 1_u32
        | (both & 4) >> 1_u32
        | (y & 4) >> 2_u32;
    to_float::<S>(rank) * (1.0 / 64.0) - splat(simd, 63.0 / 128.0)
}

/// A premultiplied linear colour with a threshold added; unchanged if it is not opaque.
#[inline(always)]
pub(crate) fn dithered<N: Number>(color: [N; 4], threshold: N) -> [N; 4] {
    let mut seen = color;
    let is_clear = seen[3].constant(1.0).is_above(seen[3]);
    // A closure for `map` would be compiled without the instructions of the level.
    for value in &mut seen[..3] {
        *value = N::select(is_clear, *value, *value + width(*value) * threshold);
    }
    seen
}

/// Linear distance between neighbouring codes at a linear value, up to a tenth less: `x^(7/12)` of
/// that at 1, with an approximation of `x^(1/12)` by the fourth root that is nowhere above it.
#[inline(always)]
fn width<N: Number>(value: N) -> N {
    let root = value.at_least(value.constant(0.0)).root();
    let width = root * (root.root() * 0.501 + 0.499) * WIDTH;
    width.at_least(value.constant(MIN_WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::srgb::{code_from_linear, linear_from_code};

    fn encoded(value: f32, threshold: f32) -> u8 {
        code_from_linear(dithered([value, 0.0, 0.0, 1.0], threshold)[0])
    }

    #[test]
    fn exact_codes_stay_and_others_have_the_right_mean() {
        for code in 0..=255_u8 {
            let value = linear_from_code(code) as f32;
            for pixel in 0..64 {
                assert_eq!(encoded(value, threshold(pixel % 8, pixel / 8)), code);
            }
        }
        for code in 1..255_u8 {
            let (low, high) = (linear_from_code(code), linear_from_code(code + 1));
            for part in [0.25, 0.5, 0.75] {
                let value = (low + (high - low) * part) as f32;
                let codes = (0..64).map(|pixel| encoded(value, threshold(pixel % 8, pixel / 8)));
                let sum: u32 = codes.map(u32::from).sum();
                let off = f64::from(sum) / 64.0 - f64::from(code) - part;
                // Widths are up to a tenth too small, and codes are not evenly spaced in linear
                // light.
                assert!(off.abs() < 0.12, "{code} and {part}: {off}");
            }
        }
    }

    #[test]
    fn pixels_that_are_not_opaque_keep_their_colour() {
        let color = [0.2, 0.1, 0.05, 0.4];
        assert_eq!(dithered(color, 0.49), color);
    }
}
