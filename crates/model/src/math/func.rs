//! The transcendental functions, each with the same bits on every CPU.
//!
//! `sin`, `cos`, `acos`, `tan` and the `f64` functions come from `libm`. [`log2`] and [`exp2`] are
//! polynomials, because they run per pixel and over lanes: they use `+ - * /` and bit operations
//! only, with a stated error bound.

/// The sine of an angle in radians.
#[must_use]
pub fn sin(angle_rad: f32) -> f32 {
    libm::sinf(angle_rad)
}

/// The cosine of an angle in radians.
#[must_use]
pub fn cos(angle_rad: f32) -> f32 {
    libm::cosf(angle_rad)
}

/// The tangent of an angle in radians.
#[must_use]
pub fn tan(angle_rad: f32) -> f32 {
    libm::tanf(angle_rad)
}

/// The angle in `0..=PI` with cosine `value`, which is clamped to `-1..=1` first.
#[must_use]
pub fn acos(value: f32) -> f32 {
    libm::acosf(super::clamp(value, -1.0, 1.0))
}

/// The angle of the point `(x, y)` from the x axis, in `-PI..=PI`.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Degrees as radians.
#[must_use]
pub fn radians(degrees: f32) -> f32 {
    degrees * (core::f32::consts::PI / 180.0)
}

/// Radians as degrees.
#[must_use]
pub fn degrees(radians: f32) -> f32 {
    radians * (180.0 / core::f32::consts::PI)
}

/// The sine and the cosine of an angle in radians, exact to the last bits.
#[must_use]
pub fn sin_cos_f64(angle_rad: f64) -> (f64, f64) {
    libm::sincos(angle_rad)
}

/// The angle of the point `(x, y)` from the x axis, in `-PI..=PI`, exact to the last bits.
#[must_use]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// `base` to the power of `exponent`, exact to the last bits: for tables, not for pixels.
#[must_use]
pub fn pow_f64(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// The cube root, exact to the last bits.
#[must_use]
pub fn cbrt_f64(value: f64) -> f64 {
    libm::cbrt(value)
}

/// e to the power of `value`, exact to the last bits: for tables, not for pixels.
#[must_use]
pub fn exp_f64(value: f64) -> f64 {
    libm::exp(value)
}

/// Maximum absolute error of [`log2`] over all positive normal numbers.
pub const LOG2_ERROR: f32 = 4.0e-6;
/// Maximum relative error of [`exp2`] over -126..=127.
pub const EXP2_ERROR: f32 = 4.0e-7;

/// The binary logarithm of a positive, normal number, within [`LOG2_ERROR`]; -126 or less for
/// anything smaller.
///
/// The mantissa is scaled to `sqrt(1/2)..sqrt(2)` and `s = (m-1)/(m+1)` is inserted in the odd
/// series `2/ln2 · (s + s³/3 + s⁵/5 + s⁷/7 + s⁹/9)`; with `|s| < 0.1716` the first omitted term is
/// below 1e-8.
#[inline(always)]
#[must_use]
#[expect(clippy::cast_possible_wrap, reason = "the shifted exponent has 8 bits")]
#[expect(clippy::cast_precision_loss, reason = "an exponent is a small whole number")]
pub fn log2(value: f32) -> f32 {
    const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
    let bits = super::max(value, f32::MIN_POSITIVE).to_bits();
    let above = bits.wrapping_sub(SQRT_HALF_BITS);
    let exponent = (above as i32) >> 23;
    let mantissa = f32::from_bits((above & 0x007f_ffff).wrapping_add(SQRT_HALF_BITS));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let z = s * s;
    let series = 0.412_198_6 + z * 0.320_598_9;
    let series = 0.577_078_04 + z * series;
    let series = 0.961_796_7 + z * series;
    exponent as f32 + s * (2.885_39 + z * series)
}

/// Maximum absolute error of [`log2_coarse`] over all positive normal numbers.
pub const LOG2_COARSE_ERROR: f32 = 1.7e-5;

/// [`log2`] without a division, within [`LOG2_COARSE_ERROR`]: for levels of detail.
///
/// The mantissa minus 1 is inserted in the minimax polynomial of degree 5 that is 0 at 0 and 1 at
/// 1, found with Lawson's algorithm (Rice, "The Approximation of Functions", 1969).
#[inline(always)]
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "an exponent is a small whole number")]
#[expect(clippy::cast_possible_wrap, reason = "the shifted exponent has 8 bits")]
pub fn log2_coarse(value: f32) -> f32 {
    let bits = super::max(value, f32::MIN_POSITIVE).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let t = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    let series = -0.193_575_74 + t * 0.045_149_06;
    let series = 0.415_606_08 + t * series;
    let series = -0.709_096_43 + t * series;
    exponent as f32 + t * (1.441_917_1 + t * series)
}

/// 2 to the power of `value`, within a relative [`EXP2_ERROR`]; `value` is clamped to `-126..=127`.
///
/// The integer part becomes the exponent bits; the rest, in `-0.5..=0.5`, is inserted in the Taylor
/// series of degree 7.
#[inline(always)]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "held to -126..=127 before")]
#[expect(clippy::cast_precision_loss, reason = "a whole number of at most 127")]
#[expect(clippy::cast_sign_loss, reason = "127 is added first")]
pub fn exp2(value: f32) -> f32 {
    let value = super::clamp(value, -126.0, 127.0);
    let biased = (value + 127.5) as i32; // rounds to nearest: the sum is positive, so truncation is floor
    let rest = value - (biased - 127) as f32;
    let series = 1.333_355_8e-3 + rest * (1.540_353e-4 + rest * 1.525_273_4e-5);
    let series = 5.550_411e-2 + rest * (9.618_129e-3 + rest * series);
    let series = core::f32::consts::LN_2 + rest * (0.240_226_5 + rest * series);
    (1.0 + rest * series) * f32::from_bits((biased as u32) << 23)
}

/// Power with a constant positive exponent, for bases in `0..=1`: the highlight of a shiny surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitPower {
    /// The exponent.
    pub exponent: f32,
    /// The exponent if it is an integer small enough for multiplication, otherwise 0.
    pub whole: u32,
    /// Smaller bases return 0: their powers are below 2^-30, and intermediate powers might be
    /// denormal, which is slow on some CPUs.
    pub least: f32,
}

impl UnitPower {
    /// Maximum exponent computed by multiplication.
    const MOST: f32 = 1024.0;

    /// The power with an exponent above 0.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "at most 1024")]
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    #[expect(clippy::cast_precision_loss, reason = "at most 1024")]
    pub fn new(exponent: f32) -> Self {
        let whole = super::clamp(exponent, 0.0, Self::MOST) as u32;
        let is_whole = whole as f32 == exponent;
        let least = exp2(-30.0 / exponent);
        Self { exponent, whole: if is_whole { whole } else { 0 }, least }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The maximum error of a binary logarithm, over all magnitudes.
    fn worst_log2(log2: fn(f32) -> f32) -> f64 {
        let mut worst: f64 = 0.0;
        let mut bits = f32::MIN_POSITIVE.to_bits();
        while bits < f32::MAX.to_bits() {
            let value = f32::from_bits(bits);
            let exact = libm::log2(f64::from(value));
            // Far from 1 the result itself has a coarser grid; the bound applies to the series.
            let grid = f64::from(f32::EPSILON) * exact.abs();
            worst = worst.max((f64::from(log2(value)) - exact).abs() - grid);
            bits += 3_331;
        }
        worst
    }

    #[test]
    fn log2_stays_within_its_bound() {
        let worst = worst_log2(log2);
        assert!(worst <= f64::from(LOG2_ERROR), "{worst}");
        assert_eq!(log2(1.0), 0.0);
    }

    #[test]
    fn log2_coarse_stays_within_its_bound() {
        let worst = worst_log2(log2_coarse);
        assert!(worst <= f64::from(LOG2_COARSE_ERROR), "{worst}");
        for exponent in -126..=127 {
            assert_eq!(log2_coarse(libm::ldexpf(1.0, exponent)), exponent as f32);
        }
    }

    #[test]
    fn exp2_stays_within_its_bound() {
        let mut worst: f64 = 0.0;
        for step in 0..2_000_000 {
            let value = -126.0 + 253.0 * (f64::from(step) / 2_000_000.0);
            let value = value as f32;
            let exact = libm::exp2(f64::from(value));
            worst = worst.max((f64::from(exp2(value)) / exact - 1.0).abs());
        }
        assert!(worst <= f64::from(EXP2_ERROR), "{worst}");
        assert_eq!(exp2(0.0), 1.0);
        assert_eq!(exp2(-3.0), 0.125);
    }
}
