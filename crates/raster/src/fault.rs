//! Planted faults, compiled for tests only: a value of a kernel is changed by one unit in the last
//! place, in one lane, so that a test can show that the comparison of levels would notice.

#![cfg(test)]

use tintype_model::math::Vec3;
use tintype_model::math::lanes::Vec3s;
use tintype_model::simd::MAX_LANES;
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

/// The value that is spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantedFault {
    /// The depth of every second triangle; with every triangle, their order would not change.
    Depth,
    /// The first barycentric coordinate of a point.
    Barycentric,
    /// A weight of the shadow filter.
    Shadow,
    /// The position where a ray meets the ground.
    Ground,
}

/// 1 in the second lane, otherwise 0: one unit in the last place.
#[cold]
pub(crate) fn one_lane<S: Simd>(simd: S) -> S::i32s {
    let mut lanes = [0; MAX_LANES];
    lanes[1] = 1;
    S::i32s::from_slice(simd, &lanes[..S::i32s::LEN])
}

/// The next number in the second lane.
#[inline(always)]
fn next_in_one_lane<S: Simd>(simd: S, value: S::f32s) -> S::f32s {
    let bits: S::i32s = value.bitcast();
    (bits + one_lane(simd)).bitcast()
}

fn next(value: f32) -> f32 {
    f32::from_bits(value.to_bits() + 1)
}

/// A depth in one column of pixels.
pub(crate) fn depth(fault: Option<PlantedFault>, triangle: u32, column: u32, depth: f32) -> f32 {
    let is_odd = !triangle.is_multiple_of(2) && !column.is_multiple_of(2);
    if fault == Some(PlantedFault::Depth) && is_odd { next(depth) } else { depth }
}

/// [`depth`] over lanes.
#[inline(always)]
pub(crate) fn depths<S: Simd>(
    simd: S,
    fault: Option<PlantedFault>,
    triangle: u32,
    depth: S::f32s,
) -> S::f32s {
    let is_spoilt = fault == Some(PlantedFault::Depth) && !triangle.is_multiple_of(2);
    if is_spoilt { next_in_one_lane(simd, depth) } else { depth }
}

/// Barycentric coordinates at a point, x in 1/256 pixel.
pub(crate) fn barycentric(fault: Option<PlantedFault>, x: i32, at: Vec3) -> Vec3 {
    let is_spoilt = fault == Some(PlantedFault::Barycentric) && x >> 8 & 1 == 1;
    if is_spoilt { Vec3::new(next(at.x), at.y, at.z) } else { at }
}

/// [`barycentric`] over lanes.
#[inline(always)]
pub(crate) fn barycentrics<S: Simd>(
    simd: S,
    fault: Option<PlantedFault>,
    at: Vec3s<S>,
) -> Vec3s<S> {
    if fault == Some(PlantedFault::Barycentric) {
        return Vec3s::new(next_in_one_lane(simd, at.x), at.y, at.z);
    }
    at
}

/// A position on the ground seen in a column of pixels.
pub(crate) fn ground(fault: Option<PlantedFault>, column: u32, at: Vec3) -> Vec3 {
    let is_spoilt = fault == Some(PlantedFault::Ground) && column % 2 == 1;
    if is_spoilt { Vec3::new(next(at.x), at.y, at.z) } else { at }
}

/// [`ground`] over lanes.
#[inline(always)]
pub(crate) fn grounds<S: Simd>(simd: S, fault: Option<PlantedFault>, at: Vec3s<S>) -> Vec3s<S> {
    if fault == Some(PlantedFault::Ground) {
        return Vec3s::new(next_in_one_lane(simd, at.x), at.y, at.z);
    }
    at
}
