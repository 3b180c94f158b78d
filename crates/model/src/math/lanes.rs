//! The functions of `math`, [`super::func`] and [`super::srgb`] over lanes, one value per lane.
//!
//! Each performs in every lane the operations of its scalar namesake in the same order, so that
//! every lane has the bits of the scalar function. Tests check this on every level of the machine.

use super::Vec3;
use crate::simd::Simd;
use crate::simd::prelude::*;

/// [`super::min`].
#[inline(always)]
pub fn min<S: Simd>(a: S::f32s, b: S::f32s) -> S::f32s {
    #[cfg(target_arch = "x86_64")]
    {
        #[expect(clippy::disallowed_methods, reason = "MINPS is `a < b ? a : b` to the bit")]
        a.min(b)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        a.simd_lt(b).select(a, b)
    }
}

/// [`super::max`].
#[inline(always)]
pub fn max<S: Simd>(a: S::f32s, b: S::f32s) -> S::f32s {
    #[cfg(target_arch = "x86_64")]
    {
        #[expect(clippy::disallowed_methods, reason = "MAXPS is `a > b ? a : b` to the bit")]
        a.max(b)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        a.simd_gt(b).select(a, b)
    }
}

/// [`super::clamp`].
#[inline(always)]
pub fn clamp<S: Simd>(simd: S, value: S::f32s, low: f32, high: f32) -> S::f32s {
    min::<S>(max::<S>(value, splat(simd, low)), splat(simd, high))
}

/// One number in all lanes.
#[inline(always)]
pub fn splat<S: Simd>(simd: S, value: f32) -> S::f32s {
    S::f32s::simd_from(simd, value)
}

/// Converts to integers; fractions are cut off.
///
/// Outside the range of `i32`, and for NaN, the conversion differs between levels. So the values of
/// all lanes must be in range, also of unused lanes: callers clamp or select first. Debug builds
/// check it. An architecture test refuses every other conversion.
#[inline(always)]
pub fn to_int_in_range<S: Simd>(value: S::f32s) -> S::i32s {
    const END: f32 = 2_147_483_648.0; // 2^31
    debug_assert!(
        value.as_slice().iter().all(|lane| (-END..END).contains(lane)),
        "a float out of the range of i32: {value:?}"
    );
    value.to_int::<S::i32s>()
}

/// A [`Vec3`] in every lane.
#[derive(Clone, Copy, Debug)]
pub struct Vec3s<S: Simd> {
    /// The first component.
    pub x: S::f32s,
    /// The second component.
    pub y: S::f32s,
    /// The third component.
    pub z: S::f32s,
}

impl<S: Simd> Vec3s<S> {
    /// From components.
    #[inline(always)]
    pub fn new(x: S::f32s, y: S::f32s, z: S::f32s) -> Self {
        Self { x, y, z }
    }

    /// One vector in all lanes.
    #[inline(always)]
    pub fn splat(simd: S, value: Vec3) -> Self {
        Self::new(splat(simd, value.x), splat(simd, value.y), splat(simd, value.z))
    }

    /// The inner product, summed from the first component to the last.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> S::f32s {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The cross product.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - other.y * self.z,
            self.z * other.x - other.z * self.x,
            self.x * other.y - other.x * self.y,
        )
    }

    /// Component by component.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }

    /// Component by component.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }

    /// Component by component.
    #[inline(always)]
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// Every component times a factor.
    #[inline(always)]
    #[must_use]
    pub fn scaled(self, factor: S::f32s) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }

    /// `self` where the mask is set, otherwise `other`.
    #[inline(always)]
    #[must_use]
    pub fn where_or(self, mask: S::mask32s, other: Self) -> Self {
        Self::new(
            mask.select(self.x, other.x),
            mask.select(self.y, other.y),
            mask.select(self.z, other.z),
        )
    }

    /// [`super::unit_or`].
    #[inline(always)]
    #[must_use]
    pub fn unit_or(self, fallback: Self) -> Self {
        let length_squared = self.dot(self);
        let has_direction = length_squared.simd_gt(1e-30) & length_squared.simd_lt(f32::INFINITY);
        let one = splat(length_squared.token(), 1.0);
        let unit = self.scaled(one / length_squared.sqrt());
        if has_direction.all_true() { unit } else { unit.where_or(has_direction, fallback) }
    }
}

/// [`super::func::log2`].
#[inline(always)]
pub fn log2<S: Simd>(simd: S, value: S::f32s) -> S::f32s {
    const SQRT_HALF_BITS: i32 = 0x3f35_04f3;
    let bits: S::i32s = max::<S>(value, splat(simd, f32::MIN_POSITIVE)).bitcast();
    let above = bits - SQRT_HALF_BITS;
    let exponent = above >> 23_u32;
    let mantissa: S::f32s = ((above & 0x007f_ffff) + SQRT_HALF_BITS).bitcast();
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let z = s * s;
    let series = z * 0.320_598_9 + 0.412_198_6;
    let series = z * series + 0.577_078_04;
    let series = z * series + 0.961_796_7;
    exponent.to_float::<S::f32s>() + s * (z * series + 2.885_39)
}

/// [`super::func::log2_coarse`].
#[inline(always)]
pub fn log2_coarse<S: Simd>(simd: S, value: S::f32s) -> S::f32s {
    let bits: S::i32s = max::<S>(value, splat(simd, f32::MIN_POSITIVE)).bitcast();
    let exponent = (bits >> 23_u32) - 127;
    let mantissa: S::f32s = ((bits & 0x007f_ffff) | 0x3f80_0000).bitcast();
    let t = mantissa - 1.0;
    let series = t * 0.045_149_06 + -0.193_575_74;
    let series = t * series + 0.415_606_08;
    let series = t * series + -0.709_096_43;
    exponent.to_float::<S::f32s>() + t * (t * series + 1.441_917_1)
}

/// [`super::func::exp2`].
#[inline(always)]
pub fn exp2<S: Simd>(simd: S, value: S::f32s) -> S::f32s {
    let value = clamp(simd, value, -126.0, 127.0);
    let biased = to_int_in_range::<S>(value + 127.5);
    let rest = value - (biased - 127).to_float::<S::f32s>();
    let series = rest * (rest * 1.525_273_4e-5 + 1.540_353e-4) + 1.333_355_8e-3;
    let series = rest * (rest * series + 9.618_129e-3) + 5.550_411e-2;
    let series = rest * (rest * series + 0.240_226_5) + core::f32::consts::LN_2;
    let power: S::f32s = (biased << 23_u32).bitcast();
    (rest * series + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::func::UnitPower;
    use crate::math::number::{Lanes, pow_unit, unit_power};
    use crate::math::{func, unit_or};
    use crate::simd::{Kernel, Level, run};

    /// Numbers that expose errors: every magnitude, both zeros, boundary values, NaN and
    /// infinities.
    fn numbers() -> Vec<f32> {
        let mut numbers = vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            126.5,
            -126.5,
            127.0,
            1e-30,
            1e-38,
            1e-45,
            3e38,
            -3e38,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            0.999_999_94,
            1.000_000_1,
        ];
        let mut state = 0x9e37_79b9_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // No operation creates a signalling NaN, and its treatment differs between CPUs.
            let any = f32::from_bits(state);
            numbers.push(if any.is_nan() { f32::NAN } else { any });
            numbers.push((state >> 8) as f32 / 16_777_216.0);
            numbers.push((state >> 8) as f32 / 65_536.0 - 128.0);
        }
        while numbers.len() % 48 != 0 {
            numbers.push(0.25);
        }
        numbers
    }

    /// Numbers that meet all others.
    const SIDES: [f32; 5] = [0.0, -0.0, 0.5, f32::NAN, f32::INFINITY];

    fn powers() -> [UnitPower; 4] {
        [1.0, 20.0, 27.5, 1023.0].map(UnitPower::new)
    }

    struct All<'a>(&'a [f32]);

    impl Kernel for All<'_> {
        type Output = Vec<f32>;

        fn scalar(self) -> Vec<f32> {
            let mut out = Vec::new();
            for &value in self.0 {
                out.push(func::log2(value));
                out.push(func::exp2(value));
                out.push(pow_unit(crate::math::clamp(value, 0.0, 1.0), 40.0));
                out.push(crate::math::clamp(value, -2.0, 3.0));
                out.push(func::log2_coarse(value));
                for power in &powers() {
                    out.push(unit_power(power, crate::math::clamp(value, 0.0, 1.0)));
                }
                // NaN, infinities, and zeros of either sign, on either side.
                for other in SIDES {
                    out.push(crate::math::min(value, other));
                    out.push(crate::math::min(other, value));
                    out.push(crate::math::max(value, other));
                    out.push(crate::math::max(other, value));
                }
            }
            for value in self.0.chunks_exact(3) {
                let unit = unit_or(Vec3::new(value[0], value[1], value[2]), Vec3::Y);
                out.extend([unit.x, unit.y, unit.z]);
            }
            out
        }

        #[inline(always)]
        fn lanes<S: Simd>(self, simd: S) -> Vec<f32> {
            let lanes = S::f32s::LEN;
            const RESULTS: usize = 9 + 4 * SIDES.len();
            let mut out = vec![0.0; self.0.len() * (RESULTS + 1)];
            for (index, values) in self.0.chunks_exact(lanes).enumerate() {
                let value = S::f32s::from_slice(simd, values);
                let unit = clamp(simd, value, 0.0, 1.0);
                let mut results = [value; RESULTS];
                results[0] = log2(simd, value);
                results[1] = exp2(simd, value);
                results[2] = pow_unit(Lanes::<S>(unit), 40.0).0;
                results[3] = clamp(simd, value, -2.0, 3.0);
                results[4] = log2_coarse(simd, value);
                for (k, power) in powers().iter().enumerate() {
                    results[5 + k] = unit_power(power, Lanes::<S>(unit)).0;
                }
                for (k, &other) in SIDES.iter().enumerate() {
                    let other = splat(simd, other);
                    results[9 + 4 * k] = min::<S>(value, other);
                    results[10 + 4 * k] = min::<S>(other, value);
                    results[11 + 4 * k] = max::<S>(value, other);
                    results[12 + 4 * k] = max::<S>(other, value);
                }
                for (k, result) in results.iter().enumerate() {
                    for (lane, &value) in result.as_slice().iter().enumerate() {
                        out[(index * lanes + lane) * RESULTS + k] = value;
                    }
                }
            }
            let start = self.0.len() * RESULTS;
            for (index, values) in self.0.chunks_exact(3 * lanes).enumerate() {
                let axis = |k: usize| S::f32s::from_fn(simd, |lane| values[lane * 3 + k]);
                let unit =
                    Vec3s::<S>::new(axis(0), axis(1), axis(2)).unit_or(Vec3s::splat(simd, Vec3::Y));
                for lane in 0..lanes {
                    let place = start + (index * lanes + lane) * 3;
                    out[place] = unit.x.as_slice()[lane];
                    out[place + 1] = unit.y.as_slice()[lane];
                    out[place + 2] = unit.z.as_slice()[lane];
                }
            }
            out
        }
    }

    #[test]
    fn lanes_have_the_bits_of_the_plain_functions() {
        let numbers = numbers();
        let plain = run(Level::Scalar, All(&numbers));
        for level in Level::available() {
            let lanes = run(level, All(&numbers));
            assert_eq!(plain.len(), lanes.len());
            for (index, (a, b)) in plain.iter().zip(&lanes).enumerate() {
                let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                assert!(same, "{level:?}, result {index}: {a} and {b}");
            }
        }
    }
}
