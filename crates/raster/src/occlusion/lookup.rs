//! Reads an occlusion map at a point, plain and over lanes.
//!
//! Both forms use the same [`Number`] code; only the loads of texels are written twice.

use super::OcclusionMap;
use super::rays::ONE;
use tintype_model::math::lanes::to_int_in_range;
use tintype_model::math::number::{Lanes, Number, Triple};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LaneIndices, Simd, gather_pairs};

/// Blocked fraction of the hemisphere up to which a surface counts as open: facets of round
/// surfaces and voxel steps block as much.
const LEAST: f32 = 0.04;
/// Factor of the blocked fraction beyond that.
const GAIN: f32 = 1.25;
/// Fraction of the light that is reflected by a complete occluder.
const BOUNCED: f32 = 0.3;

/// A number that can read an occlusion map.
pub trait OcclusionLookup: Number {
    /// The texels of the eight voxels around a position in voxels, which lies on the map: four rows
    /// of two, row by row along z, then y; and the fractional position between them.
    fn around(map: &OcclusionMap, place: Triple<Self>) -> ([[Self; 8]; 4], Triple<Self>);
}

impl OcclusionMap {
    /// Fraction of ambient light that reaches a surface point with that unit normal, turned to the
    /// visible side.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a lattice is small")]
    pub fn open<N: OcclusionLookup>(&self, position: Triple<N>, normal: Triple<N>) -> N {
        // 1. Position in the lattice.
        let like = position.x;
        let (zero, one) = (like.constant(0.0), like.constant(1.0));
        let lift = like.constant(self.lift);
        let lifted = position.plus(normal.scaled(lift)).minus(Triple::constant(like, self.origin));
        let held = |at: N, corner: f32, side: usize| {
            let last = like.constant(side as f32 - 1.001);
            (at * self.per_length - (corner + 0.5)).at_least(zero).at_most(last)
        };
        let [width, height, depth] = self.size;
        let place = Triple::new(
            held(lifted.x, self.corner.x, width),
            held(lifted.y, self.corner.y, height),
            held(lifted.z, self.corner.z, depth),
        );

        // 2. Blocked fraction of the hemisphere: a mix of eight.
        let (rows, part) = N::around(self, place);
        let [first, second, third, fourth] = rows;
        let (first, second) = (in_row(first, normal, part.x), in_row(second, normal, part.x));
        let (third, fourth) = (in_row(third, normal, part.x), in_row(fourth, normal, part.x));
        let near = first + (second - first) * part.y;
        let far = third + (fourth - third) * part.y;
        let sum = (near + (far - near) * part.z) * (1.0 / ONE);
        // Directions are packed around a middle of 1.
        let blocked = sum - (normal.x + normal.y + normal.z);
        let blocked = ((blocked - LEAST) * GAIN).at_least(zero).at_most(one);
        one - blocked * (one - blocked * BOUNCED) * self.strength
    }

    /// Index of a voxel.
    #[inline(always)]
    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        let [width, height, _] = self.size;
        (z * height + y) * width + x
    }
}

impl OcclusionLookup for f32 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "held to the lattice")]
    #[expect(clippy::cast_sign_loss, reason = "held to the lattice")]
    #[expect(clippy::cast_precision_loss, reason = "a lattice is small")]
    fn around(map: &OcclusionMap, place: Triple<Self>) -> ([[Self; 8]; 4], Triple<Self>) {
        let whole = [place.x, place.y, place.z].map(|at| at as u32 as usize);
        let [x, y, z] = whole;
        let row = |y: usize, z: usize| {
            let first = map.index([x, y, z]);
            let ([a, b, c, d], [e, f, g, h]) = (map.texels[first], map.texels[first + 1]);
            [a, b, c, d, e, f, g, h].map(Self::from)
        };
        let rows = [row(y, z), row(y + 1, z), row(y, z + 1), row(y + 1, z + 1)];
        let [x, y, z] = whole.map(|at| at as Self);
        (rows, Triple::new(place.x - x, place.y - y, place.z - z))
    }
}

impl<S: Simd> OcclusionLookup for Lanes<S> {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a lattice has fewer than 2^31 voxels")]
    #[expect(clippy::cast_possible_wrap, reason = "a lattice has fewer than 2^31 voxels")]
    fn around(map: &OcclusionMap, place: Triple<Self>) -> ([[Self; 8]; 4], Triple<Self>) {
        let simd = place.x.0.token();
        let (x, y) = (to_int_in_range::<S>(place.x.0), to_int_in_range::<S>(place.y.0));
        let z = to_int_in_range::<S>(place.z.0);
        let part = Triple::new(
            Self(place.x.0 - x.to_float::<S::f32s>()),
            Self(place.y.0 - y.to_float::<S::f32s>()),
            Self(place.z.0 - z.to_float::<S::f32s>()),
        );
        let (width, plane) = (map.index([0, 1, 0]) as u32, map.index([0, 0, 1]) as u32);
        let first: S::u32s = ((z * plane as i32) + (y * width as i32) + x).bitcast();
        let rows = [
            row_lanes(simd, map, first),
            row_lanes(simd, map, first + width),
            row_lanes(simd, map, first + plane),
            row_lanes(simd, map, first + (width + plane)),
        ];
        (rows, part)
    }
}

/// Blocked fraction of the hemisphere of a normal, interpolated between two texels.
///
/// This and [`row_lanes`] are functions with an attribute: a closure called more than once may be
/// compiled without the instructions of the level.
#[inline(always)]
fn in_row<N: Number>([a, b, c, d, e, f, g, h]: [N; 8], normal: Triple<N>, part: N) -> N {
    let first = a + Triple::new(b, c, d).dot(normal);
    let second = e + Triple::new(f, g, h).dot(normal);
    first + (second - first) * part
}

/// Two texels, one beside the other, in every lane.
#[inline(always)]
fn row_lanes<S: Simd>(simd: S, map: &OcclusionMap, index: S::u32s) -> [Lanes<S>; 8] {
    let index = LaneIndices::among(index, map.texels.len() - 1);
    let [a, b, c, d] = gather_pairs(simd, &map.texels, &index);
    let ([first, second], [third, fourth]) = (both::<S>(a), both::<S>(b));
    let ([fifth, sixth], [seventh, eighth]) = (both::<S>(c), both::<S>(d));
    [first, second, third, fourth, fifth, sixth, seventh, eighth]
}

/// The lower and the upper 16 bits as numbers.
#[inline(always)]
fn both<S: Simd>(pair: S::u32s) -> [Lanes<S>; 2] {
    [Lanes(to_number::<S>(pair & 0xffff)), Lanes(to_number::<S>(pair >> 16_u32))]
}

/// Integers below 2^31 as floats.
#[inline(always)]
fn to_number<S: Simd>(numbers: S::u32s) -> S::f32s {
    let numbers: S::i32s = numbers.bitcast();
    numbers.to_float()
}
