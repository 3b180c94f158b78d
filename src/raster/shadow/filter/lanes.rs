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
use crate::raster::shadow::bounds::BITS;
use crate::raster::shadow::filter::scalar::{
    CONE, DIGITS, LIFT, Look, MOST_SLANTED, NARROW, ONE, Plane, TERMINATOR, mean,
};
use crate::raster::shadow::map::{NARROWEST, REACH, SEARCH_REACH, ShadowMap, WIDEST, bits_of_step};
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

/// Taps of a window along one axis in a number of vectors.
struct LaneTaps<S: Simd, const VECTORS: usize> {
    first: i32,
    /// Distance from the point, in texels.
    distance: [S::f32s; VECTORS],
    /// Rise of the plane, in fractions of a unit.
    rise: [S::i32s; VECTORS],
}

/// Weights of the taps along one axis, and their sum; they are 0 behind the last tap.
struct LaneWeights<S: Simd, const VECTORS: usize> {
    weight: [S::i32s; VECTORS],
    sum: i32,
}

impl<S: Simd, const VECTORS: usize> LaneTaps<S, VECTORS> {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a window lies near the map")]
    #[expect(clippy::cast_possible_wrap, reason = "a few lanes")]
    #[expect(clippy::cast_precision_loss, reason = "a step is small")]
    fn new(simd: S, at: f32, radius: f32, bits: u32, along: f32, cone: f32) -> Self {
        let lanes = S::i32s::LEN;
        let start = (at - 0.5 - radius) * (1.0 / (1 << bits) as f32);
        let whole = start as i32;
        let first = (if (whole as f32) < start { whole + 1 } else { whole }) << bits;
        let (mut distance, mut rise) =
            ([splat(simd, 0.0); VECTORS], [S::i32s::simd_from(simd, 0); VECTORS]);
        let lane: S::i32s = S::u32s::from_slice(simd, &LANE[..lanes]).bitcast();
        for vector in 0..VECTORS {
            let texel = ((lane + (vector * lanes) as i32) << bits) + first;
            distance[vector] = texel.to_float::<S::f32s>() + 0.5 - at;
            let units = distance[vector] * along + magnitude(simd, distance[vector]) * cone;
            rise[vector] = to_int_in_range::<S>(clamp(simd, units, -4e6, 4e6) * ONE);
        }
        Self { first, distance, rise }
    }

    #[inline(always)]
    fn weights(&self, simd: S, radius: f32) -> LaneWeights<S, VECTORS> {
        let zero = S::i32s::simd_from(simd, 0);
        let (mut weight, mut sums, share) = ([zero; VECTORS], zero, 1.0 / radius);
        for (weight, &distance) in weight.iter_mut().zip(&self.distance) {
            let part = distance * share;
            let fall = max::<S>(splat(simd, 1.0) - part * part, splat(simd, 0.0));
            *weight = to_int_in_range::<S>(fall * fall * 255.0 + 0.5);
            sums += *weight;
        }
        LaneWeights { weight, sum: total::<S>(sums) }
    }
}

#[cfg(test)]
impl<S: Simd, const VECTORS: usize> LaneWeights<S, VECTORS> {
    /// The weights with one wrong, if the fault asks for it.
    fn spoilt(mut self, simd: S, fault: Option<crate::raster::fault::Fault>) -> Self {
        if fault == Some(crate::raster::fault::Fault::Shadow) {
            self.weight[0] += crate::raster::fault::one_lane(simd);
        }
        self
    }
}

/// Most taps of a window along one axis, a power of two.
const MOST_TAPS: usize = 16;

/// Entries of the taps along one axis, to be read one by one.
#[inline(always)]
fn entries_of<S: Simd>(vectors: &[S::i32s]) -> [i32; MOST_TAPS] {
    let mut entries = [0; MOST_TAPS];
    for (entries, vector) in entries.chunks_exact_mut(S::i32s::LEN).zip(vectors) {
        entries.copy_from_slice(vector.as_slice());
    }
    entries
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
    let above = splat(simd, f32::from(map.tables.highest)) - depth;

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

    // 4. The bounds of blocks tell which points are fully lit or fully dark.
    let windows = Windows { x: local.x, y: local.y, depth, along, radius };
    let Sorted { dark, open, rows } =
        sorted_by_bounds(simd, map, &windows, looks, CONE * per_texel);
    let visible = dark.select(splat(simd, 0.0), visible);

    // 5. All others look at the texels of their windows.
    let (mut shares, mut left) = ([1.0; MAX_LANES], open.to_bitmask());
    if left == 0 {
        return visible;
    }
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
        let radii = [narrowest.as_slice()[lane], radius.as_slice()[lane]];
        let rows = [rows[0].as_slice()[lane], rows[1].as_slice()[lane]];
        shares[lane] = simd.vectorize(
            #[inline(always)]
            || seen_share(simd, map, &plane, radii, rows),
        );
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

/// Windows of a packet, sorted by the bounds of blocks.
struct Sorted<S: Simd> {
    /// Lanes whose windows are fully dark.
    dark: S::mask32s,
    /// Lanes that the bounds leave open; those in neither mask are fully lit.
    open: S::mask32s,
    /// First and last row of texels that may hide anything.
    rows: [S::i32s; 2],
}

/// Sorts the windows of a packet by the bounds of the blocks that they touch.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "held to 0 or more")]
#[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_possible_truncation, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
fn sorted_by_bounds<S: Simd>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    lanes: S::mask32s,
    cone: f32,
) -> Sorted<S> {
    /// Testing more blocks takes longer than it saves.
    const MOST_BLOCKS: usize = 64;
    /// More rows than a map has.
    const ALL_ROWS: i32 = 1 << 20;
    /// Units of depth by which sums of cut fractions may be off.
    const MARGIN: f32 = 1.0;
    let nothing = S::mask32s::from_bitmask(simd, 0);
    let all_rows = [S::i32s::simd_from(simd, 0), S::i32s::simd_from(simd, ALL_ROWS)];
    let unsorted = Sorted { dark: nothing, open: lanes, rows: all_rows };
    let Windows { x, y, depth, along, radius } = windows;
    let (x, y, depth, radius) = (*x, *y, *depth, *radius);

    // 1. The blocks that hold all windows, of a size that makes them few.
    let wide = (radius.simd_gt(NARROW) & lanes).any_true();
    let widest = (radius.simd_gt(2.0 * NARROW) & lanes).any_true();
    let kind = usize::from(wide) + usize::from(widest);
    let (bits, bounds) = (BITS[kind], &map.tables.bounds[kind]);
    let [right, top] = map.size.map(|side| side - 1);
    let [left_x, left_y] = [x - radius, y - radius];
    let [right_x, right_y] = [x + radius, y + radius];
    let column = |at: i32| ((at as u32).min(right) >> bits) as usize;
    let row = |at: i32| ((at as u32).min(top) >> bits) as usize;
    let first_column = column(least_of(simd, left_x, lanes));
    let last_column = column(most_of(simd, right_x, lanes));
    let first_row = row(least_of(simd, left_y, lanes));
    let last_row = row(most_of(simd, right_y, lanes));
    if (last_column + 1 - first_column) * (last_row + 1 - first_row) > MOST_BLOCKS {
        return unsorted;
    }

    // 2. Windows beyond the map are not fully dark; planes at the ends of what the filter computes with are left to it.
    let [right, top] = [right, top].map(|last| last as f32);
    let is_inside =
        left_x.simd_ge(0.0) & right_x.simd_lt(right) & left_y.simd_ge(0.0) & right_y.simd_lt(top);
    let steepest = max::<S>(magnitude(simd, along[0]), magnitude(simd, along[1])) + cone;
    let is_plain = depth.simd_gt(-1e6) & (steepest * WIDEST).simd_lt(4e6);
    let (mut lit, mut dark) = (lanes & is_plain, lanes & is_plain & is_inside);

    // 3. Block by block.
    let (side, half) = ((1 << bits) as f32, (1 << bits) as f32 * 0.5 - 0.5);
    let (zero, near) = (splat(simd, 0.0), radius + (half + 0.5));
    let [mut first, mut last] = all_rows;
    for row in first_row..=last_row {
        let down = splat(simd, (row as f32 + 0.5) * side) - y;
        let away_down = magnitude(simd, down);
        let is_beside_row = away_down.simd_gt(near);
        let plane_of_row = depth + along[1] * down;
        let mut is_row_lit = lanes;
        let blocks = &bounds.blocks[row * bounds.columns..][first_column..=last_column];
        for (column, block) in (first_column..).zip(blocks) {
            let across = splat(simd, (column as f32 + 0.5) * side) - x;
            let away_across = magnitude(simd, across);
            let is_beside = is_beside_row | away_across.simd_gt(near);
            let plane = plane_of_row + along[0] * across;
            let turn = magnitude(simd, splat(simd, block.slope[0]) - along[0])
                + magnitude(simd, splat(simd, block.slope[1]) - along[1]);
            let spread = turn * half;
            let least = max::<S>(away_across - half, zero) + max::<S>(away_down - half, zero);
            let above = splat(simd, block.high) - plane + spread - least * cone;
            is_row_lit &= is_beside | above.simd_lt(-MARGIN);
            let most = away_across + away_down + 2.0 * half;
            let above = splat(simd, block.low) - plane - spread - most * cone;
            dark &= is_beside | above.simd_gt(MARGIN);
        }
        let is_row_open = lanes & !is_row_lit;
        let start = S::i32s::simd_from(simd, (row << bits) as i32);
        first = (is_row_open & lit).select(start, first);
        lit &= is_row_lit;
        last = is_row_open.select(start + ((1 << bits) - 1), last);
    }
    // A window beside all texels is lit.
    dark &= !lit;
    let rows = [is_plain.select(first, all_rows[0]), is_plain.select(last, all_rows[1])];
    Sorted { dark, open: lanes & !(lit | dark), rows }
}

/// Absolute value.
#[inline(always)]
fn magnitude<S: Simd>(simd: S, value: S::f32s) -> S::f32s {
    value.simd_lt(splat(simd, 0.0)).select(-value, value)
}

/// Visible part of the light through a window, without the terminator; rows of texels beyond `rows` are known to hide nothing.
#[inline(always)]
fn seen_share<S: Simd>(
    simd: S,
    map: &ShadowMap,
    plane: &Plane,
    [narrowest, mut radius]: [f32; 2],
    rows: [i32; 2],
) -> f32 {
    if radius > narrowest {
        let Some(look) = look::<S, true>(simd, map, plane, radius, rows) else { return 1.0 };
        let height = mean(look.height, look.hidden);
        radius = math::clamp(map.widening * height, narrowest, radius);
    }
    match look::<S, false>(simd, map, plane, radius, rows) {
        Some(look) => 1.0 - mean(look.hidden, look.all),
        None => 1.0,
    }
}

/// `ShadowMap::look`, with the taps of a row in few vectors; none if nothing is hidden.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a few taps")]
#[expect(clippy::cast_precision_loss, reason = "a step is small")]
#[expect(clippy::cast_sign_loss, reason = "a radius is above 0")]
fn look<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    map: &ShadowMap,
    plane: &Plane,
    radius: f32,
    rows: [i32; 2],
) -> Option<Look> {
    let bits = bits_of_step(radius, if WITH_HEIGHT { SEARCH_REACH } else { REACH });
    // Beyond 0.978 radii from the middle weights round to 0: (1 - 0.978^2)^2 is less than half of 1/255. The first tap lies within
    // one radius. So at most this many taps have a weight, never more than 16.
    let count = (1.985 * radius / (1 << bits) as f32) as usize + 1;
    let (lanes, vectors) = (S::i32s::LEN, count.div_ceil(S::i32s::LEN));
    let window = &Window { plane, radius, bits, count, rows };
    // With as many lanes, fewer vectors are needed.
    if vectors <= 1 || lanes > 8 {
        look_in::<S, WITH_HEIGHT, 1>(simd, map, window)
    } else if vectors == 2 || lanes > 4 {
        look_in::<S, WITH_HEIGHT, 2>(simd, map, window)
    } else {
        look_in::<S, WITH_HEIGHT, 4>(simd, map, window)
    }
}

/// Window of a point: its tangent plane and its radius, the binary logarithm of the texels from tap to tap, the number of taps along an
/// axis, and the ends of the rows of texels that may hide anything.
struct Window<'a> {
    plane: &'a Plane,
    radius: f32,
    bits: u32,
    count: usize,
    rows: [i32; 2],
}

/// [`look`] with a constant number of vectors per row.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "held before")]
#[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_sign_loss, reason = "taps on the map; weights and heights are not below 0")]
fn look_in<S: Simd, const WITH_HEIGHT: bool, const VECTORS: usize>(
    simd: S,
    map: &ShadowMap,
    window: &Window,
) -> Option<Look> {
    let &Window { plane, radius, bits, count, rows } = window;
    let lanes = S::i32s::LEN;
    let [along_x, along_y] = plane.along;
    let across = LaneTaps::<S, VECTORS>::new(simd, plane.x, radius, bits, along_x, plane.cone);
    let down = LaneTaps::<S, VECTORS>::new(simd, plane.y, radius, bits, along_y, plane.cone);
    let grain = &map.tables.strided[bits as usize];

    // 1. Position of the taps; those beside the map are empty.
    let (left, top) = (across.first >> bits, down.first >> bits);
    if left <= -(BESIDE as i32) || left >= grain.width as i32 {
        return None;
    }
    let column = (left + BESIDE as i32) as usize;
    let first = (-top).max((rows[0] >> bits) - top).max(0);
    let end = (grain.height as i32 - top).min((rows[1] >> bits) + 1 - top).min(count as i32);
    let base = (math::clamp(plane.depth, -1e6, 1e6) * ONE) as i32;
    let rises = entries_of::<S>(&down.rise);
    let row = |index: i32| {
        let start = (top + index) as usize * grain.stride + column;
        (&grain.texels[start..start + VECTORS * lanes], base + rises[index as usize % MOST_TAPS])
    };

    // 2. The first row that hides anything: in most windows none does.
    let mut index = first;
    loop {
        if index >= end {
            return None;
        }
        let (texels, rise) = row(index);
        let mut hides = false;
        for vector in 0..VECTORS {
            let texels = &texels[vector * lanes..(vector + 1) * lanes];
            let (_, is_hidden) = above_plane(simd, texels, across.rise[vector] + rise);
            hides |= is_hidden.any_true();
        }
        if hides {
            break;
        }
        index += 1;
    }

    // 3. Sums over rows from that one on, a lane for each column, whose weight is the same in every row.
    let (across_weights, down_weights) = (across.weights(simd, radius), down.weights(simd, radius));
    #[cfg(test)]
    let across_weights = across_weights.spoilt(simd, map.fault);
    let weights = entries_of::<S>(&down_weights.weight);
    let zero = S::i32s::simd_from(simd, 0);
    let (mut hidden, mut heights) = ([zero; VECTORS], [zero; VECTORS]);
    for index in index..end {
        let (texels, rise) = row(index);
        let weight = S::i32s::simd_from(simd, weights[index as usize % MOST_TAPS]);
        for vector in 0..VECTORS {
            let texels = &texels[vector * lanes..(vector + 1) * lanes];
            let (above, is_hidden) = above_plane(simd, texels, across.rise[vector] + rise);
            if WITH_HEIGHT && !is_hidden.any_true() {
                // The common case where the light is not blocked.
                continue;
            }
            // At most 16 rows with 8 bits of weight.
            let weights = is_hidden.select(weight, zero);
            hidden[vector] += weights;
            if WITH_HEIGHT {
                // At most 2^16 units beside.
                let units = above >> DIGITS;
                let most = S::i32s::simd_from(simd, 0xffff);
                heights[vector] += units.simd_lt(most).select(units, most) * weights;
            }
        }
    }

    // 4. Sums over columns: 12 bits of rows, 8 of a column and 4 of their number; of heights, which have 28 bits, in two halves.
    let (mut hidden_sum, mut height_sums) = (zero, [zero; 2]);
    for vector in 0..VECTORS {
        let weight = across_weights.weight[vector];
        hidden_sum += hidden[vector] * weight;
        if WITH_HEIGHT {
            height_sums[0] += (heights[vector] & HALF) * weight;
            height_sums[1] += (heights[vector] >> HALF_BITS) * weight;
        }
    }
    let hidden = u64::from(total::<S>(hidden_sum) as u32);
    if hidden == 0 {
        return None;
    }
    let all = u64::from(across_weights.sum as u32) * u64::from(down_weights.sum as u32);
    let mut look = Look { all, hidden, height: 0 };
    if WITH_HEIGHT {
        let [low, high] = height_sums.map(|sum| u64::from(total::<S>(sum) as u32));
        look.height = low + (high << HALF_BITS);
    }
    Some(look)
}

/// Height of texels above the plane in fractions of a unit, and a mask of those that hide the point.
#[inline(always)]
fn above_plane<S: Simd>(simd: S, texels: &[u16], plane: S::i32s) -> (S::i32s, S::mask32s) {
    let depth = widened(simd, texels);
    let above = (depth << DIGITS) - plane;
    // An empty texel has depth 0, which deep ground lies below.
    (above, above.simd_gt(0) & depth.simd_gt(0))
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
