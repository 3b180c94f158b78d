//! [`super::filter`] over lanes: several points at once up to their windows, then each window by itself, taps of a row side by side.
//!
//! The operations are those of [`ShadowMap::visibility`], which stays the definition. Taps stand on every texel, or on every second,
//! fourth and so on: texels that lie so far apart are kept side by side, with nothing around them, so that any row of taps is read
//! as it lies.
//!
//! # Determinism
//! Weights and heights are whole numbers: their sums have no order.

use super::cast::DepthMap;
use super::filter::{
    CONE, DIGITS, LIFT, Look, MOST_SLANTED, NARROWEST, ONE, Plane, REACH, SEARCH_REACH, ShadowMap,
    TERMINATOR, WIDEST, mean,
};
use super::receive::Receivers;
use crate::math;
use crate::math::lanes::{Vec3s, clamp, max, min, splat};
use crate::raster::points::LANE;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd};

/// Room for the taps of a window along one axis in whole vectors of any level; there are at most [`super::filter::MOST_TAPS`].
const ROOM: usize = 2 * MAX_LANES;
/// Texels that hold nothing on either side of a row.
const BESIDE: usize = ROOM;

/// Every texel of a map whose column and row are multiples of a power of two.
#[derive(Clone, Debug)]
pub(super) struct Grain {
    width: usize,
    height: usize,
    /// Texels from a row to the next.
    stride: usize,
    texels: Vec<u16>,
}

impl Grain {
    fn new(width: usize, height: usize) -> Self {
        let stride = width + 2 * BESIDE;
        Self { width, height, stride, texels: vec![0; stride * height] }
    }

    pub fn row(&self, y: usize) -> &[u16] {
        &self.texels[y * self.stride + BESIDE..][..self.width]
    }

    /// All texels.
    pub fn whole(map: &DepthMap) -> Self {
        let mut grain = Self::new(map.width as usize, map.height as usize);
        let rows = grain.texels.chunks_exact_mut(grain.stride);
        for (to, from) in rows.zip(map.texels.chunks_exact(grain.width.max(1))) {
            to[BESIDE..][..from.len()].copy_from_slice(from);
        }
        grain
    }

    /// Every second of these.
    fn halved(&self) -> Self {
        let mut grain = Self::new(self.width.div_ceil(2), self.height.div_ceil(2));
        for (y, row) in grain.texels.chunks_exact_mut(grain.stride).enumerate() {
            for (to, from) in row[BESIDE..].iter_mut().zip(self.row(2 * y).iter().step_by(2)) {
                *to = *from;
            }
        }
        grain
    }

    pub fn byte_size(&self) -> usize {
        self.texels.len() * size_of::<u16>()
    }
}

/// Adds to all texels the coarser grains that windows up to a radius need.
pub(super) fn add_coarser(grains: &mut Vec<Grain>, widest: f32) {
    for _ in 0..bits_of_step(widest, SEARCH_REACH) {
        grains.extend(grains.last().map(Grain::halved));
    }
}

/// The binary logarithm of the texels from a tap to the next.
#[inline(always)]
fn bits_of_step(radius: f32, reach: f32) -> u32 {
    let (mut bits, mut step) = (0, 1.0);
    while radius > reach * step {
        bits += 1;
        step *= 2.0;
    }
    bits
}

/// The taps of a window along one axis: [`super::filter::Taps`] with nothing behind the last.
struct LaneTaps {
    first: i32,
    /// How many there are at most, and the vectors that hold them.
    count: usize,
    vectors: usize,
    weight: [i32; ROOM],
    rise: [i32; ROOM],
    sum: i32,
}

impl LaneTaps {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a window lies near the map")]
    #[expect(clippy::cast_possible_wrap, reason = "a few lanes")]
    #[expect(clippy::cast_precision_loss, reason = "a step is small")]
    #[expect(clippy::cast_sign_loss, reason = "a radius is above 0")]
    fn new<S: Simd>(simd: S, at: f32, radius: f32, bits: u32, along: f32, cone: f32) -> Self {
        let lanes = S::i32s::LEN;
        let per_texel = 1.0 / (1 << bits) as f32;
        let start = (at - 0.5 - radius) * per_texel;
        let whole = start as i32;
        let first = (if (whole as f32) < start { whole + 1 } else { whole }) << bits;
        let share = 1.0 / radius;
        // Those behind have no weight.
        let count = ((2.0 * radius * per_texel) as usize + 2).min(ROOM);
        let vectors = count.div_ceil(lanes);
        let (mut weight, mut rise) = ([0; ROOM], [0; ROOM]);
        let lane: S::i32s = S::u32s::from_slice(simd, &LANE[..lanes]).bitcast();
        let mut sums = S::i32s::simd_from(simd, 0);
        for vector in 0..vectors {
            let texel = ((lane + (vector * lanes) as i32) << bits) + first;
            let distance = texel.to_float::<S::f32s>() + 0.5 - at;
            let part = distance * share;
            let fall = max::<S>(splat(simd, 1.0) - part * part, splat(simd, 0.0));
            let weights = (fall * fall * 255.0 + 0.5).to_int::<S::i32s>();
            let away = distance.simd_lt(0.0).select(-distance, distance);
            let units = distance * along + away * cone;
            let rises = (clamp(simd, units, -4e6, 4e6) * ONE).to_int::<S::i32s>();
            let range = vector * lanes..(vector + 1) * lanes;
            weights.store_slice(&mut weight[range.clone()]);
            rises.store_slice(&mut rise[range]);
            sums += weights;
        }
        Self { first, count, vectors, weight, rise, sum: total::<S>(sums) }
    }
}

/// The sum of whole numbers, which has no order.
#[inline(always)]
fn total<S: Simd>(numbers: S::i32s) -> i32 {
    let mut sum = 0;
    for &number in numbers.as_slice() {
        sum += number;
    }
    sum
}

/// [`ShadowMap::visibility`] in the lanes that are asked for; 1 in all others.
#[inline(always)]
pub(in crate::raster) fn visibilities<S: Simd>(
    simd: S,
    map: &ShadowMap,
    receivers: &Receivers<S>,
    wanted: S::mask32s,
) -> S::f32s {
    let Receivers { place, normal } = receivers;
    let space = &map.space;

    // 1. A surface that turns away is in its own shadow.
    let slant = space.turned_lanes(simd, *normal);
    let is_away = slant.z.simd_le(0.0);
    let part = min::<S>(slant.z * (1.0 / TERMINATOR), splat(simd, 1.0));
    let own = part * part * (splat(simd, 3.0) - part * 2.0);
    let unhidden = is_away.select(splat(simd, 0.0), own);
    let visible = wanted.select(unhidden, splat(simd, 1.0));

    // 2. The tangent plane in the map.
    let lift = splat(simd, LIFT * space.texel);
    let local = space.local_lanes(simd, place.plus(normal.scaled(lift)));
    let per_texel = space.texel / space.depth_step;
    let fall = splat(simd, per_texel) / max::<S>(slant.z, splat(simd, MOST_SLANTED));
    let along = [-slant.x * fall, -slant.y * fall];
    let depth = local.z + LIFT * per_texel;
    let above = splat(simd, f32::from(map.highest)) - depth;

    // 3. How wide the band is, where the map reaches and anything in it is high enough.
    let radius = clamp(simd, above * map.widening, NARROWEST, WIDEST);
    #[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
    let [width, height] = map.size.map(|side| side as f32);
    let reaches = (local.x + radius).simd_ge(0.0)
        & (local.x - radius).simd_lt(width)
        & (local.y + radius).simd_ge(0.0)
        & (local.y - radius).simd_lt(height);
    let mut left = (wanted & !is_away & above.simd_gt(0.0) & reaches).to_bitmask();
    if left == 0 {
        return visible;
    }

    // 4. Each window by itself.
    let mut shares = [1.0; MAX_LANES];
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let plane = Plane {
            x: local.x.as_slice()[lane],
            y: local.y.as_slice()[lane],
            depth: depth.as_slice()[lane],
            along: [along[0].as_slice()[lane], along[1].as_slice()[lane]],
            cone: CONE * per_texel,
        };
        shares[lane] = seen_share(simd, map, &plane, radius.as_slice()[lane]);
    }
    visible * S::f32s::from_slice(simd, &shares[..S::f32s::LEN])
}

/// The share of the light that a window shows, without the shadow of a surface on itself.
#[inline(always)]
fn seen_share<S: Simd>(simd: S, map: &ShadowMap, plane: &Plane, mut radius: f32) -> f32 {
    match map.overview(plane, radius) {
        Some(true) => return 1.0,
        Some(false) => return 0.0,
        None => {}
    }
    if radius > NARROWEST {
        let look = look::<S, true>(simd, map, plane, radius);
        if look.hidden == 0 {
            return 1.0;
        }
        let height = mean(look.height, look.hidden);
        radius = math::clamp(map.widening * height, NARROWEST, radius);
    }
    let look = look::<S, false>(simd, map, plane, radius);
    1.0 - mean(look.hidden, look.all)
}

/// [`ShadowMap::look`], a row of taps in few vectors.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "held before")]
#[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_sign_loss, reason = "taps on the map; weights and heights are not below 0")]
fn look<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    map: &ShadowMap,
    plane: &Plane,
    radius: f32,
) -> Look {
    let lanes = S::i32s::LEN;
    let bits = bits_of_step(radius, if WITH_HEIGHT { SEARCH_REACH } else { REACH });
    let mut across = LaneTaps::new(simd, plane.x, radius, bits, plane.along[0], plane.cone);
    let down = LaneTaps::new(simd, plane.y, radius, bits, plane.along[1], plane.cone);
    if map.is_faulty {
        across.weight[across.count / 2] += 1;
    }
    let all = u64::from(across.sum as u32) * u64::from(down.sum as u32);
    let mut look = Look { all, ..Look::default() };
    let grain = &map.grains[bits as usize];

    // 1. Where the taps lie, with those that lie on nothing beside the map.
    let (left, top) = (across.first >> bits, down.first >> bits);
    if left <= -(BESIDE as i32) || left >= grain.width as i32 {
        return look;
    }
    let column = (left + BESIDE as i32) as usize;
    let rows = (-top).max(0)..(grain.height as i32 - top).min(down.count as i32);
    let base = (math::clamp(plane.depth, -1e6, 1e6) * ONE) as i32;
    let zero = S::i32s::simd_from(simd, 0);

    // 2. Row by row.
    let mut hidden = zero;
    for index in rows {
        let start = (top + index) as usize * grain.stride + column;
        let texels = &grain.texels[start..start + across.vectors * lanes];
        let (weight, rise) = (down.weight[index as usize], down.rise[index as usize]);
        let mut heights = zero;
        for (vector, texels) in texels.chunks_exact(lanes).enumerate() {
            let range = vector * lanes..(vector + 1) * lanes;
            let weights = S::i32s::from_slice(simd, &across.weight[range.clone()]);
            let rises = S::i32s::from_slice(simd, &across.rise[range]);
            let depth = widened(simd, texels);
            let above = (depth << DIGITS) - (rises + (base + rise));
            // Where there is nothing the depth is 0, which a deep ground lies below.
            let is_hidden = above.simd_gt(0) & depth.simd_gt(0);
            let weights = is_hidden.select(weights, zero);
            // At most 3 vectors of 20 rows, of 8 bits for each axis.
            hidden += weights * weight;
            if WITH_HEIGHT {
                // At most 2^16 units, 8 bits of weight and 2 vectors.
                let units = above >> DIGITS;
                let most = S::i32s::simd_from(simd, 0xffff);
                let units = units.simd_lt(most).select(units, most);
                heights += weights * units;
            }
        }
        if WITH_HEIGHT {
            look.height += weight as u64 * u64::from(total::<S>(heights) as u32);
        }
    }
    look.hidden = u64::from(total::<S>(hidden) as u32);
    look
}

/// Depths in lanes.
#[inline(always)]
fn widened<S: Simd>(simd: S, texels: &[u16]) -> S::i32s {
    let mut depths = [0; MAX_LANES];
    for (depth, &texel) in depths.iter_mut().zip(texels) {
        *depth = i32::from(texel);
    }
    S::i32s::from_slice(simd, &depths[..S::i32s::LEN])
}

impl super::space::Space {
    /// [`Self::local`] in every lane.
    #[inline(always)]
    pub(in crate::raster) fn local_lanes<S: Simd>(&self, simd: S, place: Vec3s<S>) -> Vec3s<S> {
        let (per_length, corner) = (self.per_length, self.corner);
        let offset = place.minus(Vec3s::splat(simd, self.origin));
        let at = self.turned_lanes(simd, offset);
        Vec3s::new(
            at.x * per_length.x - corner.x,
            at.y * per_length.y - corner.y,
            at.z * per_length.z - corner.z,
        )
    }

    /// [`Self::turned`] in every lane.
    #[inline(always)]
    fn turned_lanes<S: Simd>(&self, simd: S, direction: Vec3s<S>) -> Vec3s<S> {
        let [right, up, toward] = self.axes;
        Vec3s::new(
            direction.dot(Vec3s::splat(simd, right)),
            direction.dot(Vec3s::splat(simd, up)),
            direction.dot(Vec3s::splat(simd, toward)),
        )
    }
}
