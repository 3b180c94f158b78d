//! Seeded noise over space: value noise, sums of octaves, and cells.
//!
//! Input: a position in model space. Output: numbers of 0..=1. Lattice values come from an integer
//! hash, so that no table and no random state exists.

use crate::scalar::{mix, unit};
use glam::DVec3;

/// A well-mixed 32-bit value for a lattice point.
pub(crate) fn hash(x: i64, y: i64, z: i64, seed: u32) -> u32 {
    let mut bits = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(21)
        ^ (z as u64).wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(42)
        ^ u64::from(seed).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xa076_1d64_78bd_642f);
    (bits >> 32) as u32
}

/// A hash as a number of 0..1.
pub(crate) fn hash_unit(x: i64, y: i64, z: i64, seed: u32) -> f64 {
    f64::from(hash(x, y, z, seed)) / 4_294_967_296.0
}

/// Value noise, 0..=1, one lattice cell per unit.
pub(crate) fn value(place: DVec3, seed: u32) -> f64 {
    let floor = place.floor();
    let (x, y, z) = (floor.x as i64, floor.y as i64, floor.z as i64);
    let at = place - floor;
    let ease = at * at * (DVec3::splat(3.0) - 2.0 * at);
    let corner = |dx, dy, dz| hash_unit(x + dx, y + dy, z + dz, seed);
    let along_x = |dy, dz| mix(corner(0, dy, dz), corner(1, dy, dz), ease.x);
    let along_y = |dz| mix(along_x(0, dz), along_x(1, dz), ease.y);
    mix(along_y(0), along_y(1), ease.z)
}

/// The sum of `octaves` of value noise, each twice as fine and half as strong, brought to 0..=1.
pub(crate) fn fractal(place: DVec3, octaves: u32, seed: u32) -> f64 {
    let (mut sum, mut whole, mut strength, mut at) = (0.0, 0.0, 1.0, place);
    for octave in 0..octaves {
        sum += strength * value(at, seed.wrapping_add(octave * 7919));
        whole += strength;
        strength *= 0.5;
        at = at * 2.03 + DVec3::new(17.3, 5.1, 11.7);
    }
    sum / whole
}

/// The nearest of one random point per lattice cell.
pub(crate) struct Cell {
    /// Distance to the nearest point, about 0..=1.
    pub near: f64,
    /// Distance to the second nearest minus that to the nearest: 0 on the border of two cells.
    pub border: f64,
    /// A number of 0..1 that belongs to the cell.
    pub id: f64,
}

/// Cells of about one unit.
pub(crate) fn cells(place: DVec3, seed: u32) -> Cell {
    let floor = place.floor();
    let (x, y, z) = (floor.x as i64, floor.y as i64, floor.z as i64);
    let (mut first, mut second, mut id) = (f64::MAX, f64::MAX, 0.0);
    for dx in -1..=1 {
        for dy in -1..=1 {
            for dz in -1..=1 {
                let (cx, cy, cz) = (x + dx, y + dy, z + dz);
                let jitter = |axis| hash_unit(cx, cy, cz, seed.wrapping_add(axis));
                let point =
                    DVec3::new(cx as f64 + jitter(1), cy as f64 + jitter(2), cz as f64 + jitter(3));
                let distance = (point - place).length();
                if distance < first {
                    (second, first, id) = (first, distance, jitter(4));
                } else if distance < second {
                    second = distance;
                }
            }
        }
    }
    Cell { near: unit(first), border: second - first, id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_continuous_and_within_its_range() {
        let mut last = value(DVec3::new(-3.0, 0.3, 7.7), 5);
        for step in 1..=6000 {
            let now = value(DVec3::new(-3.0 + f64::from(step) * 0.001, 0.3, 7.7), 5);
            assert!((0.0..=1.0).contains(&now) && (now - last).abs() < 0.01, "{step}: {now}");
            last = now;
        }
    }
}
