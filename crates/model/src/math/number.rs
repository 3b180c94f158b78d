//! Arithmetic written once, for plain floats and for lanes.
//!
//! A function over [`Number`] performs the same operations in the same order for an `f32` and for
//! every lane of a [`Lanes`], so one source has the same bits in both forms. It offers only the
//! operations allowed by `simd`.

use super::func::UnitPower;
use super::{Vec3, func, lanes};
use crate::simd::Simd;
use crate::simd::prelude::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A float, or one in every lane.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
{
    /// Result of a comparison.
    type Mask: Copy;

    /// A constant, in every lane of a number like this one.
    #[must_use]
    fn constant(self, value: f32) -> Self;
    /// [`super::min`].
    #[must_use]
    fn at_most(self, other: Self) -> Self;
    /// [`super::max`].
    #[must_use]
    fn at_least(self, other: Self) -> Self;
    /// The square root.
    #[must_use]
    fn root(self) -> Self;
    /// [`func::log2`].
    #[must_use]
    fn binary_log(self) -> Self;
    /// [`func::exp2`].
    #[must_use]
    fn binary_power(self) -> Self;
    /// True if it is greater.
    fn is_above(self, other: Self) -> Self::Mask;
    /// `first` where the mask is set, otherwise `second`.
    #[must_use]
    fn select(mask: Self::Mask, first: Self, second: Self) -> Self;
    /// True if a mask is set anywhere.
    fn any(mask: Self::Mask) -> bool;
}

impl Number for f32 {
    type Mask = bool;

    #[inline(always)]
    fn constant(self, value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        super::min(self, other)
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> Self {
        super::max(self, other)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn binary_log(self) -> Self {
        func::log2(self)
    }

    #[inline(always)]
    fn binary_power(self) -> Self {
        func::exp2(self)
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn select(mask: bool, first: Self, second: Self) -> Self {
        if mask { first } else { second }
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

/// A float in every lane of a level.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<S: Simd>(pub S::f32s);

macro_rules! operator {
    ($trait:ident, $function:ident, $sign:tt) => {
        impl<S: Simd> $trait for Lanes<S> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $sign other.0)
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl<S: Simd> Add<f32> for Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: f32) -> Self {
        Self(self.0 + other)
    }
}

impl<S: Simd> Sub<f32> for Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: f32) -> Self {
        Self(self.0 - other)
    }
}

impl<S: Simd> Mul<f32> for Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: f32) -> Self {
        Self(self.0 * other)
    }
}

impl<S: Simd> Neg for Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<S: Simd> Number for Lanes<S> {
    type Mask = S::mask32s;

    #[inline(always)]
    fn constant(self, value: f32) -> Self {
        Self(lanes::splat(self.0.token(), value))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        Self(lanes::min::<S>(self.0, other.0))
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> Self {
        Self(lanes::max::<S>(self.0, other.0))
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn binary_log(self) -> Self {
        Self(lanes::log2(self.0.token(), self.0))
    }

    #[inline(always)]
    fn binary_power(self) -> Self {
        Self(lanes::exp2(self.0.token(), self.0))
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        self.0.simd_gt(other.0)
    }

    #[inline(always)]
    fn select(mask: Self::Mask, first: Self, second: Self) -> Self {
        Self(mask.select(first.0, second.0))
    }

    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        mask.any_true()
    }
}

/// `base` in `0..=1` to a positive `exponent`: the highlight of a shiny surface. 0 stays 0, 1 stays
/// 1.
///
/// The absolute error stays below `exponent * 1.1 * func::LOG2_ERROR / e`, under 1/1000 up to an
/// exponent of 500.
#[inline(always)]
#[must_use]
pub fn pow_unit<N: Number>(base: N, exponent: f32) -> N {
    let zero = base.constant(0.0);
    N::select(base.is_above(zero), (base.binary_log() * exponent).binary_power(), zero)
}

/// `base` in `0..=1` to the exponent. 1 stays 1.
///
/// Integer exponents are multiplied out, bit by bit from the lowest, within a relative error of
/// `exponent * 1.2e-7`; others use [`pow_unit`].
#[inline(always)]
#[must_use]
pub fn unit_power<N: Number>(power: &UnitPower, base: N) -> N {
    let is_enough = base.is_above(base.constant(power.least));
    let zero = base.constant(0.0);
    if power.whole == 0 {
        return N::select(is_enough, pow_unit(base, power.exponent), zero);
    }
    let (mut value, mut left) = (base.constant(1.0), power.whole);
    let mut square = N::select(is_enough, base, zero);
    loop {
        if left & 1 != 0 {
            value = value * square;
        }
        left >>= 1;
        if left == 0 {
            return value;
        }
        square = square * square;
    }
}

/// Three numbers: a vector or a colour.
#[derive(Clone, Copy, Debug)]
pub struct Triple<N> {
    /// The first component.
    pub x: N,
    /// The second component.
    pub y: N,
    /// The third component.
    pub z: N,
}

impl<N: Number> Triple<N> {
    /// From components.
    #[inline(always)]
    pub fn new(x: N, y: N, z: N) -> Self {
        Self { x, y, z }
    }

    /// One vector in every lane of a number like `like`.
    #[inline(always)]
    pub fn constant(like: N, value: Vec3) -> Self {
        Self::new(like.constant(value.x), like.constant(value.y), like.constant(value.z))
    }

    /// The inner product, summed from the first component to the last.
    #[inline(always)]
    pub fn dot(self, other: Self) -> N {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector at right angles to both.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
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

    /// Every component times a number.
    #[inline(always)]
    #[must_use]
    pub fn scaled(self, factor: N) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }

    /// Every component plus a number.
    #[inline(always)]
    #[must_use]
    pub fn raised(self, term: N) -> Self {
        Self::new(self.x + term, self.y + term, self.z + term)
    }

    /// A function of every component.
    #[inline(always)]
    #[must_use]
    pub fn map(self, of: impl Fn(N) -> N) -> Self {
        Self::new(of(self.x), of(self.y), of(self.z))
    }

    /// The maximum component.
    #[inline(always)]
    pub fn greatest(self) -> N {
        self.x.at_least(self.y).at_least(self.z)
    }

    /// The minimum component.
    #[inline(always)]
    pub fn least(self) -> N {
        self.x.at_most(self.y).at_most(self.z)
    }

    /// `first` where the mask is set, otherwise `second`.
    #[inline(always)]
    pub fn select(mask: N::Mask, first: Self, second: Self) -> Self {
        Self::new(
            N::select(mask, first.x, second.x),
            N::select(mask, first.y, second.y),
            N::select(mask, first.z, second.z),
        )
    }
}

impl From<Vec3> for Triple<f32> {
    #[inline(always)]
    fn from(Vec3 { x, y, z }: Vec3) -> Self {
        Self { x, y, z }
    }
}

impl From<Triple<f32>> for Vec3 {
    #[inline(always)]
    fn from(Triple { x, y, z }: Triple<f32>) -> Self {
        Self::new(x, y, z)
    }
}

impl<S: Simd> From<lanes::Vec3s<S>> for Triple<Lanes<S>> {
    #[inline(always)]
    fn from(lanes::Vec3s { x, y, z }: lanes::Vec3s<S>) -> Self {
        Self { x: Lanes(x), y: Lanes(y), z: Lanes(z) }
    }
}

impl<S: Simd> From<Triple<Lanes<S>>> for lanes::Vec3s<S> {
    #[inline(always)]
    fn from(Triple { x, y, z }: Triple<Lanes<S>>) -> Self {
        Self::new(x.0, y.0, z.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_power_stays_near_the_power() {
        for exponent in [0.5_f32, 1.0, 2.0, 2.5, 20.0, 60.0, 500.0, 1023.0, 1024.0, 1500.0] {
            let power = UnitPower::new(exponent);
            let bound = if power.whole == 0 { 2e-3 } else { f64::from(exponent) * 1.2e-7 + 1e-9 };
            for step in 0..=10_000 {
                let base = step as f32 / 10_000.0;
                let exact = libm::pow(f64::from(base), f64::from(exponent));
                let found = unit_power(&power, base);
                assert!((f64::from(found) - exact).abs() < bound, "{base} to {exponent}: {found}");
                assert!(found == 0.0 || found.is_normal(), "{base} to {exponent}: {found}");
            }
            assert_eq!(unit_power(&power, 1.0), 1.0);
            assert_eq!(unit_power(&power, f32::NAN), 0.0);
        }
    }

    #[test]
    fn pow_unit_keeps_its_ends() {
        assert_eq!(pow_unit(0.0, 40.0), 0.0);
        assert_eq!(pow_unit(1.0, 40.0), 1.0);
        for exponent in [1.0_f32, 8.0, 40.0, 500.0] {
            for step in 1..1000 {
                let base = step as f32 / 1000.0;
                let exact = libm::pow(f64::from(base), f64::from(exponent));
                assert!((f64::from(pow_unit(base, exponent)) - exact).abs() < 1e-3);
            }
        }
    }
}
