//! Radiance in 16 bits: the upper bits of an `f32` raised by [`RAISE`], so that no exponent is too
//! small.
//!
//! Five bits of exponent and eleven of mantissa hold 0 to 60,000 with a relative error of 1/4096,
//! and an absolute one of 2^-21 near 0.

/// Added to a value before it is packed.
pub(crate) const RAISE: f32 = 1.0 / 512.0;
/// Bits of an `f32` below those that are kept.
pub(crate) const SHIFT: u32 = 12;
/// Bits of [`RAISE`] as an `f32`.
pub(crate) const BASE: u32 = 0x3b00_0000;
/// Maximum radiance of a map.
pub(crate) const MOST: f32 = 60_000.0;

/// Packs a radiance; NaN and negative values become 0.
#[expect(clippy::cast_possible_truncation, reason = "below 2^16: held to MOST")]
pub(crate) fn pack(value: f32) -> u16 {
    let raised = tintype_model::math::clamp(value, 0.0, MOST) + RAISE;
    ((raised.to_bits() - BASE + (1 << (SHIFT - 1))) >> SHIFT) as u16
}

/// The radiance of a packed value.
#[inline(always)]
pub(crate) fn unpack(packed: u16) -> f32 {
    f32::from_bits((u32::from(packed) << SHIFT) + BASE) - RAISE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texel_keeps_a_radiance() {
        for value in [0.0_f32, 1e-6, 0.003, 0.5, 1.0, 3.7, 900.0, 59_999.0] {
            let found = unpack(pack(value));
            assert!((found - value).abs() <= value / 4096.0 + 1e-6, "{value} becomes {found}");
        }
        assert_eq!(unpack(pack(0.0)), 0.0);
        assert_eq!(unpack(pack(1.0 - RAISE)), 1.0 - RAISE);
        assert_eq!(pack(-1.0), pack(0.0));
        assert_eq!(pack(f32::NAN), pack(0.0));
        assert!((unpack(pack(f32::INFINITY)) - MOST).abs() < 20.0);
    }
}
