//! The positions of a mesh in a few numbers that still tell which vertex moved.
//!
//! Positions are counted in units of a power of two, so sums are exact. The sketch keeps the sum of all positions and, for each
//! binary digit of the vertex number, the sum of those whose number has that digit set. If exactly one vertex moves, each of
//! these sums changes by its displacement or not at all, which spells its number; several show as sums that fit neither.

use crate::math::Vec3;

/// Sums of the positions of a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// The unit is 2 to this power.
    pub unit_log2: i32,
    /// The sum over all vertices, then over those with digit 0, 1, 2, ... of their number set.
    pub sums: Vec<[i64; 3]>,
}

/// What moved between two sketches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strayed {
    /// Less than a unit, or in ways that cancel out.
    TooLittle,
    /// One vertex, by that distance.
    One {
        /// Its number in the file.
        vertex: usize,
        /// How far it moved.
        distance: f64,
    },
    /// Several, which together moved by that distance: one of them by as much divided by their number at least.
    Several {
        /// The length of the sum of their displacements.
        together: f64,
    },
}

impl Sketch {
    /// Sketches positions that lie in a box with that diagonal around their model.
    #[must_use]
    pub fn new(positions: impl ExactSizeIterator<Item = Vec3>, diagonal: f32) -> Self {
        // About a millionth of the diagonal; a power of two leaves the positions' digits as they are.
        let unit_log2 = match diagonal {
            diagonal if diagonal.is_normal() => exponent(diagonal) - 20,
            _ => -20,
        };
        let digits = usize::BITS - positions.len().saturating_sub(1).leading_zeros();
        let mut sums = vec![[0_i64; 3]; 1 + digits as usize];
        for (vertex, position) in positions.enumerate() {
            let place = position.to_array().map(|value| units(value, unit_log2));
            let mut add = |sum: usize| {
                for (sum, value) in sums[sum].iter_mut().zip(place) {
                    *sum = sum.saturating_add(value);
                }
            };
            add(0);
            (0..digits as usize)
                .filter(|digit| vertex >> digit & 1 == 1)
                .for_each(|digit| add(digit + 1));
        }
        Self { unit_log2, sums }
    }

    /// What moved from `older` to this; none if the two cannot be compared.
    #[must_use]
    pub fn strayed(&self, older: &Self) -> Option<Strayed> {
        if self.unit_log2 != older.unit_log2 || self.sums.len() != older.sums.len() {
            return None;
        }
        let change = |k: usize| -> [i64; 3] {
            core::array::from_fn(|axis| self.sums[k][axis].saturating_sub(older.sums[k][axis]))
        };
        let all = change(0);
        let changes: Vec<[i64; 3]> = (1..self.sums.len()).map(change).collect();
        let is_nothing = |change: &[i64; 3]| *change == [0; 3];
        if is_nothing(&all) && changes.iter().all(is_nothing) {
            return Some(Strayed::TooLittle);
        }
        #[expect(clippy::cast_precision_loss, reason = "a distance for people")]
        let distance = {
            let [x, y, z] = all.map(|sum| sum as f64);
            libm::ldexp((x * x + y * y + z * z).sqrt(), self.unit_log2)
        };
        let fits = |change: &[i64; 3]| is_nothing(change) || *change == all;
        if is_nothing(&all) || !changes.iter().all(fits) {
            return Some(Strayed::Several { together: distance });
        }
        let digit = |(k, change): (usize, &[i64; 3])| usize::from(*change == all) << k;
        Some(Strayed::One { vertex: changes.iter().enumerate().map(digit).sum(), distance })
    }
}

/// The power of two at or below a positive number.
fn exponent(value: f32) -> i32 {
    let bits = value.to_bits() >> 23 & 0xff;
    i32::try_from(bits).unwrap_or(127) - 127
}

/// A value in units, rounded; what is not a number counts as 0, for its digest tells of it.
#[expect(clippy::cast_possible_truncation, reason = "saturates, as it should")]
fn units(value: f32, unit_log2: i32) -> i64 {
    libm::ldexp(f64::from(value), -unit_log2).round() as i64
}
