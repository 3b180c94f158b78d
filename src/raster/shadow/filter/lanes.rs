//! Soft shadow filter over lanes; [`ShadowMap::visibility`] in [`crate::raster::shadow::filter::scalar`] is the definition.
//!
//! Several points are handled at once up to the width of their windows; then each window by itself, with the taps of a row side by
//! side. Taps lie on every texel, or on every second, fourth and so on, of which [`crate::raster::shadow::strided`] keeps
//! contiguous rows.
//!
//! # Determinism
//! Weights and heights are whole numbers, so the order of their sums does not matter.

use crate::math;
use crate::math::lanes::{clamp, max, min, splat, to_int_in_range};
use crate::math::number::Triple;
use crate::raster::shadow::filter::scalar::{
    CONE, DIGITS, LIFT, Look, MOST_SLANTED, NARROW, ONE, Plane, TERMINATOR, mean,
};
use crate::raster::shadow::map::{
    BLOCKS, NARROWEST, REACH, SEARCH_REACH, ShadowMap, WIDEST, bits_of_step,
};
use crate::raster::shadow::receiver::Receivers;
use crate::raster::shadow::strided::BESIDE;
use crate::simd::prelude::*;
use crate::simd::{LANE, MAX_LANES, Simd};

/// Half the bits of a weighted height, and a mask of them.
const HALF_BITS: u32 = 12;

const HALF: i32 = (1 << HALF_BITS) - 1;

/// The widest window needs no larger step.
const _: () = assert!(WIDEST <= 16.0 * SEARCH_REACH && WIDEST <= 16.0 * REACH);

/// The vectors of a row of taps stay within the margin of the map.
const _: () = assert!(2 * MAX_LANES <= BESIDE);

/// Taps of a window along one axis in a number of vectors; weights are 0 behind the last.
struct LaneTaps<S: Simd, const VECTORS: usize> {
    first: i32,
    weight: [S::i32s; VECTORS],
    rise: [S::i32s; VECTORS],
    sum: i32,
}

impl<S: Simd, const VECTORS: usize> LaneTaps<S, VECTORS> {
    /// The taps with one wrong weight, if the fault asks for it.
    #[cfg(test)]
    fn spoilt(mut self, simd: S, fault: Option<crate::raster::fault::Fault>) -> Self {
        if fault == Some(crate::raster::fault::Fault::Shadow) {
            self.weight[0] += crate::raster::fault::one_lane(simd);
        }
        self
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a window lies near the map")]
    #[expect(clippy::cast_possible_wrap, reason = "a few lanes")]
    #[expect(clippy::cast_precision_loss, reason = "a step is small")]
    fn new(simd: S, at: f32, radius: f32, bits: u32, along: f32, cone: f32) -> Self {
        let lanes = S::i32s::LEN;
        let start = (at - 0.5 - radius) * (1.0 / (1 << bits) as f32);
        let whole = start as i32;
        let first = (if (whole as f32) < start { whole + 1 } else { whole }) << bits;
        let share = 1.0 / radius;
        let zero = S::i32s::simd_from(simd, 0);
        let (mut weight, mut rise) = ([zero; VECTORS], [zero; VECTORS]);
        let lane: S::i32s = S::u32s::from_slice(simd, &LANE[..lanes]).bitcast();
        let mut sums = zero;
        for vector in 0..VECTORS {
            let texel = ((lane + (vector * lanes) as i32) << bits) + first;
            let distance = texel.to_float::<S::f32s>() + 0.5 - at;
            let part = distance * share;
            let fall = max::<S>(splat(simd, 1.0) - part * part, splat(simd, 0.0));
            weight[vector] = to_int_in_range::<S>(fall * fall * 255.0 + 0.5);
            let away = magnitude(simd, distance);
            let units = distance * along + away * cone;
            rise[vector] = to_int_in_range::<S>(clamp(simd, units, -4e6, 4e6) * ONE);
            sums += weight[vector];
        }
        Self { first, weight, rise, sum: total::<S>(sums) }
    }
}

/// Sum over lanes of whole numbers, whose order does not matter.
#[inline(always)]
fn total<S: Simd>(numbers: S::i32s) -> i32 {
    let mut sum = 0;
    for &number in numbers.as_slice() {
        sum += number;
    }
    sum
}

/// [`ShadowMap::visibility`] in the lanes of `wanted`; 1 in all others.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level and not in every kernel that calls it,
/// and light without shadows has all registers.
pub(crate) fn visibility_lanes<S: Simd>(
    simd: S,
    map: &ShadowMap,
    receivers: &Receivers<S>,
    wanted: S::mask32s,
) -> S::f32s {
    simd.vectorize(
        #[inline(always)]
        || visibility_inlined(simd, map, receivers, wanted),
    )
}

#[inline(always)]
fn visibility_inlined<S: Simd>(
    simd: S,
    map: &ShadowMap,
    receivers: &Receivers<S>,
    wanted: S::mask32s,
) -> S::f32s {
    let Receivers { position, normal } = receivers;
    let space = &map.space;

    // 1. A surface that faces away is in its own shadow.
    let slant = space.turned_lanes(simd, *normal);
    let is_away = slant.z.simd_le(0.0);
    let part = min::<S>(slant.z * (1.0 / TERMINATOR), splat(simd, 1.0));
    let own = part * part * (splat(simd, 3.0) - part * 2.0);
    let unhidden = is_away.select(splat(simd, 0.0), own);
    let visible = wanted.select(unhidden, splat(simd, 1.0));

    // 2. Tangent plane in the map.
    let lift = splat(simd, LIFT * space.texel);
    let local = space.local_lanes(simd, position.plus(normal.scaled(lift)));
    let per_texel = space.texel / space.depth_step;
    let fall = splat(simd, per_texel) / max::<S>(slant.z, splat(simd, MOST_SLANTED));
    let along = [-slant.x * fall, -slant.y * fall];
    let depth = local.z + LIFT * per_texel;
    let above = splat(simd, f32::from(map.highest)) - depth;

    // 3. Width of the penumbra, where the map reaches and some caster is high enough.
    let pixel = map.pixel.radius_at(Triple::from(*position), Triple::from(*normal)).0;
    let narrowest = clamp(simd, pixel / splat(simd, space.texel), NARROWEST, WIDEST);
    let widest = splat(simd, WIDEST);
    let radius = min::<S>(max::<S>(above * map.widening, narrowest), widest);
    #[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
    let [width, height] = map.size.map(|side| side as f32);
    let reaches = (local.x + radius).simd_ge(0.0)
        & (local.x - radius).simd_lt(width)
        & (local.y + radius).simd_ge(0.0)
        & (local.y - radius).simd_lt(height);
    let looks = wanted & !is_away & above.simd_gt(0.0) & reaches;
    if !looks.any_true() {
        return visible;
    }

    // 4. In most packets all points are fully lit or fully dark: one look at the extremes of their blocks decides.
    let windows = Windows { x: local.x, y: local.y, depth, along, radius };
    let overview = overview_of_all(simd, map, &windows, looks, CONE * per_texel);
    let is_apart = match overview {
        Overview::Lit => return visible,
        Overview::Dark => return looks.select(splat(simd, 0.0), visible),
        Overview::Mixed => false,
        Overview::Apart => true,
    };

    // 5. Else each window by itself.
    let (mut shares, mut left) = ([1.0; MAX_LANES], looks.to_bitmask());
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
        let radius = radius.as_slice()[lane];
        // If the blocks of the whole packet left it open, those of a single window, which are a subset, rarely decide; so they are
        // only tried where the packet covers too many blocks to be tested together.
        let overview = if is_apart { map.overview(&plane, radius) } else { None };
        shares[lane] = match overview {
            Some(true) => 1.0,
            Some(false) => 0.0,
            None => simd.vectorize(
                #[inline(always)]
                || seen_share(simd, map, &plane, [narrowest.as_slice()[lane], radius]),
            ),
        };
    }
    visible * S::f32s::from_slice(simd, &shares[..S::f32s::LEN])
}

/// Windows of several points: [`Plane`] and radius in every lane.
struct Windows<S: Simd> {
    x: S::f32s,
    y: S::f32s,
    depth: S::f32s,
    along: [S::f32s; 2],
    radius: S::f32s,
}

/// Visibility of the windows of a packet, judged by the extremes of their blocks.
enum Overview {
    /// All are fully lit.
    Lit,
    /// All are fully dark.
    Dark,
    /// The extremes do not decide.
    Mixed,
    /// The windows cover too many blocks to test.
    Apart,
}

/// Least of the lanes of a mask, clamped to 0..=2^16; fractions are cut off.
#[inline(always)]
fn least_of<S: Simd>(simd: S, values: S::f32s, lanes: S::mask32s) -> i32 {
    let whole = to_int_in_range::<S>(clamp(simd, values, 0.0, 65536.0));
    let mut least = i32::MAX;
    for &value in lanes.select(whole, S::i32s::simd_from(simd, i32::MAX)).as_slice() {
        least = least.min(value);
    }
    least
}

/// Greatest of them.
#[inline(always)]
fn most_of<S: Simd>(simd: S, values: S::f32s, lanes: S::mask32s) -> i32 {
    let whole = to_int_in_range::<S>(clamp(simd, values, 0.0, 65536.0));
    let mut most = 0;
    for &value in lanes.select(whole, S::i32s::simd_from(simd, 0)).as_slice() {
        most = most.max(value);
    }
    most
}

/// [`ShadowMap::overview`] of a window that contains those of all lanes of a mask: its result holds for each.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "held to 0 or more")]
#[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
fn overview_of_all<S: Simd>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    lanes: S::mask32s,
    cone: f32,
) -> Overview {
    /// Testing more blocks takes longer than it saves.
    const MOST_BLOCKS: u32 = 48;
    let Windows { x, y, depth, along, radius } = windows;
    let (x, y, depth, radius) = (*x, *y, *depth, *radius);

    // 1. Extremes of the blocks.
    let kind = usize::from((radius.simd_gt(NARROW) & lanes).any_true());
    let (blocks, bits) = (&map.blocks[kind], BLOCKS[kind]);
    let [right, top] = map.size.map(|side| side - 1);
    let [left_x, left_y] = [x - radius, y - radius];
    let [right_x, right_y] = [x + radius, y + radius];
    let first_column = least_of(simd, left_x, lanes) as u32;
    let first_row = least_of(simd, left_y, lanes) as u32;
    let last_column = most_of(simd, right_x, lanes) as u32;
    let last_row = most_of(simd, right_y, lanes) as u32;
    let columns = first_column.min(right) >> bits..=last_column.min(right) >> bits;
    let rows = first_row.min(top) >> bits..=last_row.min(top) >> bits;
    let count = (columns.end() - columns.start() + 1) * (rows.end() - rows.start() + 1);
    if count > MOST_BLOCKS {
        return Overview::Apart;
    }
    let (mut least, mut most) = (i32::from(u16::MAX), 0);
    let across = map.size[0].div_ceil(1 << bits);
    for row in rows {
        let range =
            (row * across + columns.start()) as usize..=(row * across + columns.end()) as usize;
        for &[low, high] in &blocks[range] {
            (least, most) = (least.min(i32::from(low)), most.max(i32::from(high)));
        }
    }

    // 2. Whether all planes lie above every texel, or below every texel; with a margin one unit wider than for one window, as
    // fractions are cut off.
    let slope = magnitude(simd, along[0]) + magnitude(simd, along[1]);
    let lowest = least_of(simd, depth - slope * radius - 2.0, lanes);
    if most == 0 || most < lowest {
        return Overview::Lit;
    }
    let [right, top] = [right, top].map(|last| last as f32);
    let is_inside =
        left_x.simd_ge(0.0) & right_x.simd_lt(right) & left_y.simd_ge(0.0) & right_y.simd_lt(top);
    let highest = most_of(simd, depth + (slope + 2.0 * cone) * radius + 2.0, lanes);
    let is_dark = !(lanes & !is_inside).any_true() && least > 0 && least > highest;
    if is_dark { Overview::Dark } else { Overview::Mixed }
}

/// Absolute value.
#[inline(always)]
fn magnitude<S: Simd>(simd: S, value: S::f32s) -> S::f32s {
    value.simd_lt(splat(simd, 0.0)).select(-value, value)
}

/// Visible part of the light through a window, without the terminator.
#[inline(always)]
fn seen_share<S: Simd>(
    simd: S,
    map: &ShadowMap,
    plane: &Plane,
    [narrowest, mut radius]: [f32; 2],
) -> f32 {
    if radius > narrowest {
        let look = look::<S, true>(simd, map, plane, radius);
        if look.hidden == 0 {
            return 1.0;
        }
        let height = mean(look.height, look.hidden);
        radius = math::clamp(map.widening * height, narrowest, radius);
    }
    let look = look::<S, false>(simd, map, plane, radius);
    1.0 - mean(look.hidden, look.all)
}

/// `ShadowMap::look`, with the taps of a row in few vectors.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a few taps")]
#[expect(clippy::cast_precision_loss, reason = "a step is small")]
#[expect(clippy::cast_sign_loss, reason = "a radius is above 0")]
fn look<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    map: &ShadowMap,
    plane: &Plane,
    radius: f32,
) -> Look {
    let bits = bits_of_step(radius, if WITH_HEIGHT { SEARCH_REACH } else { REACH });
    // Beyond 0.978 radii from the middle weights round to 0: (1 - 0.978^2)^2 is less than half of 1/255. The first tap lies within
    // one radius. So at most this many taps have a weight, never more than 16.
    let count = (1.985 * radius / (1 << bits) as f32) as usize + 1;
    let (lanes, vectors) = (S::i32s::LEN, count.div_ceil(S::i32s::LEN));
    // With as many lanes, fewer vectors are needed.
    if vectors <= 1 || lanes > 8 {
        look_in::<S, WITH_HEIGHT, 1>(simd, map, plane, radius, bits, count)
    } else if vectors == 2 || lanes > 4 {
        look_in::<S, WITH_HEIGHT, 2>(simd, map, plane, radius, bits, count)
    } else {
        look_in::<S, WITH_HEIGHT, 4>(simd, map, plane, radius, bits, count)
    }
}

/// [`look`] with a constant number of vectors per row.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "held before")]
#[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_sign_loss, reason = "taps on the map; weights and heights are not below 0")]
fn look_in<S: Simd, const WITH_HEIGHT: bool, const VECTORS: usize>(
    simd: S,
    map: &ShadowMap,
    plane: &Plane,
    radius: f32,
    bits: u32,
    count: usize,
) -> Look {
    let lanes = S::i32s::LEN;
    let [along_x, along_y] = plane.along;
    let across = LaneTaps::<S, VECTORS>::new(simd, plane.x, radius, bits, along_x, plane.cone);
    let down = LaneTaps::<S, VECTORS>::new(simd, plane.y, radius, bits, along_y, plane.cone);
    #[cfg(test)]
    let across = across.spoilt(simd, map.fault);
    let all = u64::from(across.sum as u32) * u64::from(down.sum as u32);
    let mut look = Look { all, ..Look::default() };
    let grain = &map.strided[bits as usize];

    // 1. Position of the taps; those beside the map are empty.
    let (left, top) = (across.first >> bits, down.first >> bits);
    if left <= -(BESIDE as i32) || left >= grain.width as i32 {
        return look;
    }
    let column = (left + BESIDE as i32) as usize;
    let rows = (-top).max(0)..(grain.height as i32 - top).min(count as i32);
    let base = (math::clamp(plane.depth, -1e6, 1e6) * ONE) as i32;
    let zero = S::i32s::simd_from(simd, 0);

    // 2. Row by row.
    let (mut hidden, mut heights) = (zero, [zero; 2]);
    for index in rows {
        let start = (top + index) as usize * grain.stride + column;
        let texels = &grain.texels[start..start + VECTORS * lanes];
        let index = index as usize;
        let weight = down.weight[index / lanes].as_slice()[index % lanes];
        let rise = down.rise[index / lanes].as_slice()[index % lanes];
        for vector in 0..VECTORS {
            let depth = widened(simd, &texels[vector * lanes..(vector + 1) * lanes]);
            let above = (depth << DIGITS) - (across.rise[vector] + (base + rise));
            // An empty texel has depth 0, which deep ground lies below.
            let is_hidden = above.simd_gt(0) & depth.simd_gt(0);
            if WITH_HEIGHT && !is_hidden.any_true() {
                // The common case where the light is not blocked.
                continue;
            }
            let weights = is_hidden.select(across.weight[vector], zero);
            // At most 4 vectors of 16 rows, with 8 bits for each axis.
            hidden += weights * weight;
            if WITH_HEIGHT {
                // At most 2^16 units and 8 bits of weight: summed as two halves of 12 bits, which leaves bits for the other
                // weights.
                let units = above >> DIGITS;
                let most = S::i32s::simd_from(simd, 0xffff);
                let units = weights * units.simd_lt(most).select(units, most);
                heights[0] += (units & HALF) * weight;
                heights[1] += (units >> HALF_BITS) * weight;
            }
        }
    }
    look.hidden = u64::from(total::<S>(hidden) as u32);
    if WITH_HEIGHT {
        let [low, high] = [total::<S>(heights[0]), total::<S>(heights[1])].map(|sum| sum as u32);
        look.height = u64::from(low) + (u64::from(high) << HALF_BITS);
    }
    look
}

/// Depths as 32-bit lanes.
#[inline(always)]
fn widened<S: Simd>(simd: S, texels: &[u16]) -> S::i32s {
    let lanes = S::i32s::LEN;
    let (mut depths, texels) = ([0; MAX_LANES], &texels[..lanes]);
    for lane in 0..lanes {
        depths[lane] = i32::from(texels[lane]);
    }
    S::i32s::from_slice(simd, &depths[..lanes])
}
