//! Soft shadow filter over lanes; [`ShadowMap::visibility`] in [`crate::raster::shadow::filter::scalar`] is the definition.
//!
//! Points are handled side by side, each with its own window; those whose taps lie equally far apart together. Taps lie on every texel, or
//! on every second, fourth and so on, of which [`crate::raster::shadow::strided`] keeps contiguous rows: one load of a lane brings
//! eight taps of a row. Two taps fill a lane, 16 bits each, unless a plane rises so steeply that its heights need more.
//!
//! # Determinism
//! Weights and heights are whole numbers, so the order of their sums does not matter.

use crate::math::lanes::{clamp, max, min, splat, to_int_in_range};
use crate::math::number::Triple;
use crate::raster::shadow::bounds::BITS;
use crate::raster::shadow::filter::scalar::{
    CONE, DEEPEST, LIFT, MARGIN, MOST_SLANTED, NARROW, TERMINATOR, UNITS, mean,
};
use crate::raster::shadow::map::{NARROWEST, REACH, SEARCH_REACH, ShadowMap, WIDEST};
use crate::raster::shadow::receiver::Receivers;
use crate::raster::shadow::strided::BESIDE;
use crate::simd::prelude::*;
use crate::simd::{LaneIndices, MAX_LANES, Simd, gather_eights};

/// Half the bits of a weighted height, and a mask of them.
const HALF_BITS: u32 = 12;

const HALF: i32 = (1 << HALF_BITS) - 1;

/// Most taps of a window along one axis.
const MOST_TAPS: usize = 16;

/// Taps of a row that one load brings.
const AT_ONCE: usize = 8;

/// The widest window needs no larger step.
const _: () = assert!(WIDEST <= 16.0 * SEARCH_REACH && WIDEST <= 16.0 * REACH);

/// The taps of a row stay within the margin of the map.
const _: () = assert!(MOST_TAPS <= BESIDE);

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
    let depth = local.z + (LIFT * per_texel + UNITS);
    let above = splat(simd, f32::from(map.tables.highest)) - depth;

    // 3. Width of the penumbra, where the map reaches and some caster is high enough.
    let widest = splat(simd, WIDEST);
    let looks =
        wanted & !is_away & above.simd_gt(0.0) & is_near::<S>(map, [local.x, local.y], widest);
    if !looks.any_true() {
        return visible;
    }
    let pixel = map.pixel.radius_at(Triple::from(*position), Triple::from(*normal)).0;
    let narrowest = clamp(simd, pixel, NARROWEST, WIDEST);
    let radius = min::<S>(max::<S>(above * map.widening, narrowest), widest);
    let looks = looks & is_near::<S>(map, [local.x, local.y], radius);
    if !looks.any_true() {
        return visible;
    }

    // 4. The bounds of blocks tell which points are fully lit or fully dark.
    let cone = CONE * per_texel;
    let windows = Windows { x: local.x, y: local.y, depth, along, cone, radius };
    let Sorted { dark, open, rows } = sorted_by_bounds(simd, map, &windows, looks);
    let visible = dark.select(splat(simd, 0.0), visible);

    // 5. All others look at the texels of their windows.
    if !open.any_true() {
        return visible;
    }
    visible * seen_share(simd, map, &windows, narrowest, Open { lanes: open, rows })
}

/// Lanes whose windows of that radius touch the map.
#[inline(always)]
fn is_near<S: Simd>(map: &ShadowMap, [x, y]: [S::f32s; 2], radius: S::f32s) -> S::mask32s {
    #[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
    let [width, height] = map.size.map(|side| side as f32);
    (x + radius).simd_ge(0.0)
        & (x - radius).simd_lt(width)
        & (y + radius).simd_ge(0.0)
        & (y - radius).simd_lt(height)
}

/// Windows of several points: [`crate::raster::shadow::filter::scalar::Plane`] and radius in every lane.
#[derive(Clone, Copy)]
struct Windows<S: Simd> {
    x: S::f32s,
    y: S::f32s,
    depth: S::f32s,
    along: [S::f32s; 2],
    cone: f32,
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

/// A column or row of blocks beside windows.
#[derive(Clone, Copy)]
struct Strip<S: Simd> {
    /// Lanes whose windows do not touch it.
    is_beside: S::mask32s,
    /// Its share of the height of the plane at the middle of a block, with the rise of the cone to the nearest texel.
    least: S::f32s,
    /// The same with the rise to the farthest texel.
    most: S::f32s,
}

impl<S: Simd> Strip<S> {
    /// The strip around `middle`, to whose last texels it is `half` from there; points at `at`, planes that rise by `along` a texel.
    #[inline(always)]
    fn new(
        simd: S,
        middle: f32,
        half: f32,
        [at, along]: [S::f32s; 2],
        windows: &Windows<S>,
    ) -> Self {
        let away = splat(simd, middle) - at;
        let distance = away.abs();
        let (rise, nearest) = (along * away, max::<S>(distance - half, splat(simd, 0.0)));
        Self {
            is_beside: distance.simd_gt(windows.radius + (half + 0.5)),
            least: rise + nearest * windows.cone,
            most: rise + (distance + half) * windows.cone,
        }
    }
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
) -> Sorted<S> {
    /// Testing more blocks takes longer than it saves.
    const MOST_BLOCKS: usize = 64;
    const MOST_COLUMNS: usize = 16;
    /// More rows than a map has.
    const ALL_ROWS: i32 = 1 << 20;
    let nothing = S::mask32s::from_bitmask(simd, 0);
    let all_rows = [S::i32s::simd_from(simd, 0), S::i32s::simd_from(simd, ALL_ROWS)];
    let unsorted = Sorted { dark: nothing, open: lanes, rows: all_rows };
    let Windows { x, y, depth, along, cone, radius } = *windows;

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
    let columns = last_column + 1 - first_column;
    if columns > MOST_COLUMNS || columns * (last_row + 1 - first_row) > MOST_BLOCKS {
        return unsorted;
    }

    // 2. Windows beyond the map are not fully dark; planes at the ends of what the filter computes with are left to it.
    let [right, top] = [right, top].map(|last| last as f32);
    let is_inside =
        left_x.simd_ge(0.0) & right_x.simd_lt(right) & left_y.simd_ge(0.0) & right_y.simd_lt(top);
    let steepest = max::<S>(along[0].abs(), along[1].abs()) + cone;
    let is_plain = depth.simd_gt(-1e6) & (steepest * WIDEST).simd_lt(4e6);
    let (mut lit, mut dark) = (lanes & is_plain, lanes & is_plain & is_inside);

    // 3. What a column or a row of blocks adds to the height of the plane: at the middle of a block, with the rise of the cone to its
    // nearest and to its farthest texel.
    let side = (1 << bits) as f32;
    let half = side * 0.5 - 0.5;
    let mut of_columns = [Strip { is_beside: nothing, least: x, most: x }; MOST_COLUMNS];
    for (of_column, number) in of_columns.iter_mut().zip(first_column..=last_column) {
        *of_column = Strip::new(simd, (number as f32 + 0.5) * side, half, [x, along[0]], windows);
    }

    // 4. Block by block.
    let [mut first, mut last] = all_rows;
    for row in first_row..=last_row {
        let down = Strip::new(simd, (row as f32 + 0.5) * side, half, [y, along[1]], windows);
        let (least_down, most_down) = (depth + down.least, depth + down.most);
        let mut is_row_lit = lanes;
        let blocks = &bounds.blocks[row * bounds.columns..][first_column..=last_column];
        for (block, across) in blocks.iter().zip(&of_columns) {
            let is_beside = down.is_beside | across.is_beside;
            let turn = (splat(simd, block.slope[0]) - along[0]).abs()
                + (splat(simd, block.slope[1]) - along[1]).abs();
            let spread = turn * half;
            let above = splat(simd, block.high) - (least_down + across.least) + spread;
            is_row_lit &= is_beside | above.simd_lt(-MARGIN);
            let above = splat(simd, block.low) - (most_down + across.most) - spread;
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

/// Lanes whose windows are looked at, and the first and last row of texels that may hide anything from them.
#[derive(Clone, Copy)]
struct Open<S: Simd> {
    lanes: S::mask32s,
    rows: [S::i32s; 2],
}

/// Visible part of the light through the windows of open lanes, without the terminator; 1 in all others.
#[inline(always)]
fn seen_share<S: Simd>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    narrowest: S::f32s,
    open: Open<S>,
) -> S::f32s {
    let (mut windows, mut lanes) = (*windows, open.lanes);
    let searches = lanes & windows.radius.simd_gt(narrowest);
    if searches.any_true() {
        let Looks { hidden, height, .. } =
            look::<S, true>(simd, map, &windows, Open { lanes: searches, ..open });
        let is_blocked = hidden.simd_gt(0);
        lanes &= is_blocked | !searches;
        if !lanes.any_true() {
            return splat(simd, 1.0);
        }
        let height = mean_heights(simd, height, hidden);
        let radius = min::<S>(max::<S>(height * map.widening, narrowest), windows.radius);
        windows.radius = searches.select(radius, windows.radius);
    }
    let Looks { all, hidden, .. } = look::<S, false>(simd, map, &windows, Open { lanes, ..open });
    // Both have at most 24 bits, so they are exact.
    let share = splat(simd, 1.0) - hidden.to_float::<S::f32s>() / all.to_float::<S::f32s>();
    lanes.select(share, splat(simd, 1.0))
}

/// Means of weighted heights.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "sums of weights and heights are not below 0")]
fn mean_heights<S: Simd>(simd: S, height: [S::i32s; 2], hidden: S::i32s) -> S::f32s {
    let mut means = [0.0; MAX_LANES];
    let [low, high] = [height[0].as_slice(), height[1].as_slice()];
    for (lane, mean_height) in means.iter_mut().enumerate().take(S::f32s::LEN) {
        let sum = u64::from(low[lane] as u32) + (u64::from(high[lane] as u32) << HALF_BITS);
        *mean_height = mean(sum, u64::from(hidden.as_slice()[lane] as u32));
    }
    S::f32s::from_slice(simd, &means[..S::f32s::LEN])
}

/// Sums over the taps of windows, [`crate::raster::shadow::filter::scalar::Look`] in every lane; `all` and `hidden` have at most 24
/// bits.
struct Looks<S: Simd> {
    all: S::i32s,
    hidden: S::i32s,
    /// The lower [`HALF_BITS`] bits of the sums of rows, summed, and the upper ones.
    height: [S::i32s; 2],
}

/// `ShadowMap::look` in open lanes. Where `WITH_HEIGHT`, the weights of all taps are not summed; where not, heights are not.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "a number of bits")]
fn look<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    open: Open<S>,
) -> Looks<S> {
    let (zero, one) = (S::i32s::simd_from(simd, 0), S::i32s::simd_from(simd, 1));
    let mut looks = Looks { all: one, hidden: zero, height: [zero; 2] };
    // Binary logarithm of the texels from tap to tap.
    let reach = if WITH_HEIGHT { SEARCH_REACH } else { REACH };
    let mut bits = zero;
    for times in [1.0, 2.0, 4.0, 8.0] {
        bits += windows.radius.simd_gt(reach * times).select(one, zero);
    }
    let mut left = open.lanes.to_bitmask();
    while left != 0 {
        // Most packets need one.
        let own = bits.as_slice()[left.trailing_zeros() as usize];
        let lanes = open.lanes & bits.simd_eq(own);
        left &= !lanes.to_bitmask();
        let open = Open { lanes, ..open };
        add_taps::<S, WITH_HEIGHT>(simd, map, windows, own as u32, open, &mut looks);
    }
    looks
}

/// Taps of windows along one axis: their first, counted on the lattice of taps, and for all of them distances from the points.
struct Axis<S: Simd> {
    first: S::i32s,
    at: S::f32s,
    along: S::f32s,
    cone: f32,
    /// 1 / radius.
    share: S::f32s,
    bits: u32,
}

impl<S: Simd> Axis<S> {
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a step is small")]
    fn new(
        simd: S,
        at: S::f32s,
        along: S::f32s,
        windows: &Windows<S>,
        bits: u32,
        lanes: S::mask32s,
    ) -> Self {
        let zero = splat(simd, 0.0);
        let at = lanes.select(at, zero);
        let radius = lanes.select(windows.radius, splat(simd, NARROWEST));
        let start = (at - 0.5 - radius) * (1.0 / (1 << bits) as f32);
        let whole = to_int_in_range::<S>(start);
        let first = whole.to_float::<S::f32s>().simd_lt(start).select(whole + 1, whole);
        let share = splat(simd, 1.0) / radius;
        Self { first, at, along: lanes.select(along, zero), cone: windows.cone, share, bits }
    }

    /// Weight of a tap, 0 behind the last, and the rise of the plane there, in units.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a few taps")]
    #[expect(clippy::cast_possible_wrap, reason = "a few taps")]
    fn tap(&self, simd: S, index: usize) -> [S::i32s; 2] {
        let texel = (self.first + index as i32) << self.bits;
        let distance = texel.to_float::<S::f32s>() + 0.5 - self.at;
        let units = distance * self.along + distance.abs() * self.cone;
        let rise = to_int_in_range::<S>(clamp(simd, units, -4e6, 4e6));
        let part = distance * self.share;
        let fall = max::<S>(splat(simd, 1.0) - part * part, splat(simd, 0.0));
        [to_int_in_range::<S>(fall * fall * 255.0 + 0.5), rise]
    }
}

/// Adds the taps of windows that lie `1 << bits` texels apart.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_precision_loss, reason = "a step is small")]
#[expect(clippy::cast_sign_loss, reason = "numbers of taps")]
fn add_taps<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    bits: u32,
    open: Open<S>,
    looks: &mut Looks<S>,
) {
    let grain = &map.tables.strided[bits as usize];
    let zero = S::i32s::simd_from(simd, 0);
    let across = Axis::new(simd, windows.x, windows.along[0], windows, bits, open.lanes);
    let down = Axis::new(simd, windows.y, windows.along[1], windows, bits, open.lanes);

    // 1. Numbers of taps. Beyond 0.978 radii from the middle weights round to 0: (1 - 0.978^2)^2 is less than half of 1/255. The first
    // tap lies within one radius. So at most this many taps have a weight, never more than 16.
    let taps = windows.radius * 1.985 * (1.0 / (1 << bits) as f32);
    let taps = to_int_in_range::<S>(clamp(simd, taps, 0.0, 15.0)) + 1;
    let taps = open.lanes.select(taps, zero);
    let mut columns = 0;
    for &taps in taps.as_slice() {
        columns = taps.max(columns);
    }
    let columns = (columns as usize).min(MOST_TAPS);

    // 2. Rows that may hide anything; windows beside the map have none.
    let (height, width) = (grain.height as i32, grain.width as i32);
    let is_beside = across.first.simd_le(-(BESIDE as i32)) | across.first.simd_ge(width);
    let (above, below) = ((open.rows[0] >> bits) - down.first, (open.rows[1] >> bits) - down.first);
    let first = greater::<S>(greater::<S>(above, zero - down.first), zero);
    let end =
        lesser::<S>(lesser::<S>(below + 1, S::i32s::simd_from(simd, height) - down.first), taps);
    let looks_here = open.lanes & !is_beside & first.simd_lt(end);
    let (first, end) = (looks_here.select(first, taps), looks_here.select(end, zero));
    let (mut from, mut to) = (columns, 0);
    for (&first, &end) in first.as_slice().iter().zip(end.as_slice()) {
        from = if end > 0 { from.min(first as usize) } else { from };
        to = to.max(end as usize);
    }

    // 3. Weights and rises of columns.
    let mut sum_across = zero;
    let (mut weights, mut rises) = ([zero; MOST_TAPS], [zero; MOST_TAPS]);
    let (mut least, mut most) = (zero, zero);
    for column in 0..columns {
        let [weight, rise] = across.tap(simd, column);
        #[cfg(test)]
        let weight = spoilt(simd, map, column, weight);
        (weights[column], rises[column]) = (weight, rise);
        sum_across += weight;
        (least, most) = (lesser::<S>(rise, least), greater::<S>(rise, most));
    }
    let pairs = Pairs::new(simd, [least, most], &weights, &rises);

    // 4. Row by row, whose sums count with the weight of the row.
    let base = to_int_in_range::<S>(clamp(simd, windows.depth, -1e6, 1e6));
    let stride = grain.stride as i32;
    let left = across.first + BESIDE as i32;
    let place = |row: S::i32s| -> S::u32s { (row * stride + left).bitcast() };
    let within = grain.texels.len() - columns.next_multiple_of(AT_ONCE) + 1;
    // Where all rows of all windows lie on the map, the first places serve for all rows.
    let top = down.first + from as i32;
    let are_on_map = top.simd_ge(0) & (down.first + to as i32).simd_le(height);
    let nowhere = S::u32s::simd_from(simd, 0);
    let starts = (are_on_map | !looks_here).all_true().then(|| {
        let below = to.saturating_sub(from + 1) * grain.stride;
        LaneIndices::among(simd, looks_here.select(place(top), nowhere), within - below)
    });
    // Kept in memory: in registers the places would leave too few for the taps.
    let starts = core::hint::black_box(starts);
    let mut sum_down = zero;
    for row in 0..columns {
        let is_looked_at = row >= from && row < to;
        if WITH_HEIGHT && !is_looked_at {
            continue;
        }
        let [weight, rise] = down.tap(simd, row);
        sum_down += weight;
        if !is_looked_at {
            continue;
        }
        let number = row as i32;
        let is_here = first.simd_le(number) & end.simd_gt(number);
        let own;
        let (texels, places) = match &starts {
            Some(starts) => (&grain.texels[(row - from) * grain.stride..], starts),
            None => {
                let place = is_here.select(place(down.first + number), nowhere);
                own = LaneIndices::among(simd, place, within);
                (&*grain.texels, &own)
            }
        };
        let plane = base + rise;
        let sums = match &pairs {
            Some(pairs) => pairs.row::<WITH_HEIGHT>(simd, texels, places, plane, columns),
            None => {
                let taps = (&weights[..columns], &rises[..columns]);
                row_of_taps::<S, WITH_HEIGHT>(simd, texels, places, plane, taps)
            }
        };
        let weight = is_here.select(weight, zero);
        looks.hidden += sums[0] * weight;
        if WITH_HEIGHT {
            // At most 12 bits of rows, and 15 bits of upper halves.
            looks.height[0] += (sums[1] & HALF) * weight;
            looks.height[1] += (sums[1] >> HALF_BITS) * weight;
        }
    }
    if !WITH_HEIGHT {
        looks.all = open.lanes.select(sum_across * sum_down, looks.all);
    }
}

/// Columns of taps, two in each lane with 16 bits each.
struct Pairs<S: Simd> {
    weights: [S::i16s; MOST_TAPS / 2],
    /// Rises above the least, which are not below 0.
    rises: [S::i16s; MOST_TAPS / 2],
    /// Least rise of all columns, not above 0.
    least: S::i32s,
}

impl<S: Simd> Pairs<S> {
    /// Pairs of columns; none if the plane is so steep that sums of heights do not fit.
    #[inline(always)]
    fn new(
        simd: S,
        [least, most]: [S::i32s; 2],
        weights: &[S::i32s; MOST_TAPS],
        rises: &[S::i32s; MOST_TAPS],
    ) -> Option<Self> {
        let fits = least.simd_ge(i32::from(i16::MIN) - DEEPEST) & most.simd_lt(-DEEPEST);
        if !fits.all_true() {
            return None;
        }
        let none = S::i16s::simd_from(simd, 0);
        let mut pairs =
            Self { weights: [none; MOST_TAPS / 2], rises: [none; MOST_TAPS / 2], least };
        let pair = |[low, high]: [S::i32s; 2]| -> S::i16s { (low | (high << 16_u32)).bitcast() };
        for (to, from) in pairs.weights.iter_mut().zip(weights.as_chunks().0) {
            *to = pair(*from);
        }
        for (to, from) in pairs.rises.iter_mut().zip(rises.as_chunks::<2>().0) {
            *to = pair(from.map(|rise| rise - least));
        }
        Some(pairs)
    }

    /// [`row_of_taps`] with two taps in a lane.
    ///
    /// No sum needs more than 16 bits where it decides: below [`DEEPEST`] a plane lies under all texels of its row, from there the least
    /// rise stays in the range, and above the range no texel lies, so the sum stays at its end.
    #[inline(always)]
    fn row<const WITH_HEIGHT: bool>(
        &self,
        simd: S,
        texels: &[u16],
        places: &LaneIndices,
        plane: S::i32s,
        columns: usize,
    ) -> [S::i32s; 2] {
        let nothing = S::i16s::simd_from(simd, 0);
        let (deepest, most) =
            (S::i32s::simd_from(simd, DEEPEST), S::i32s::simd_from(simd, i32::from(i16::MAX)));
        let plane = lesser::<S>(greater::<S>(plane, deepest) + self.least, most);
        let plane: S::i16s = ((plane & 0xffff) | (plane << 16_u32)).bitcast();
        let (mut hidden, mut height) = (nothing, S::i32s::simd_from(simd, 0));
        for group in 0..columns.div_ceil(AT_ONCE) {
            let texels = gather_eights(simd, &texels[group * AT_ONCE..], places);
            for (pair, texels) in (group * AT_ONCE / 2..).zip(texels) {
                let depth: S::i16s = texels.bitcast();
                let plane = plane.saturating_add(self.rises[pair]);
                // An empty texel has depth 0, which deep ground lies below.
                let is_hidden = depth.simd_gt(plane) & depth.simd_gt(nothing);
                let weight = is_hidden.select(self.weights[pair], nothing);
                hidden += weight;
                if WITH_HEIGHT {
                    height += weight.pairwise_dot_product(depth.saturating_sub(plane));
                }
            }
        }
        [hidden.pairwise_widening_add(), height]
    }
}

/// Weights of the taps of a row that hide the points, with those of their columns alone; and where `WITH_HEIGHT` their weighted
/// heights above the plane, at most 27 bits.
#[inline(always)]
fn row_of_taps<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    texels: &[u16],
    places: &LaneIndices,
    plane: S::i32s,
    (weights, rises): (&[S::i32s], &[S::i32s]),
) -> [S::i32s; 2] {
    let (zero, deepest) = (S::i32s::simd_from(simd, 0), S::i32s::simd_from(simd, DEEPEST));
    let most = S::i32s::simd_from(simd, i32::from(i16::MAX));
    // Heights are taken above a plane that is not below the deepest.
    let lift = greater::<S>(deepest - plane, zero);
    let mut sums = [zero; 2];
    let groups = weights.chunks(AT_ONCE).zip(rises.chunks(AT_ONCE));
    for (group, (weights, rises)) in groups.enumerate() {
        let pairs = gather_eights(simd, &texels[group * AT_ONCE..], places);
        for (tap, (&weight, &rise)) in weights.iter().zip(rises).enumerate() {
            let pair = pairs[tap / 2];
            let depth = if tap % 2 == 0 { pair & 0xffff } else { pair >> 16_u32 };
            let depth: S::i32s = depth.bitcast();
            let above = depth - (plane + rise);
            let is_hidden = above.simd_gt(0) & depth.simd_gt(0);
            let weight = is_hidden.select(weight, zero);
            sums[0] += weight;
            if WITH_HEIGHT {
                sums[1] += greater::<S>(lesser::<S>(above - lift, most), zero) * weight;
            }
        }
    }
    sums
}

/// The weight of a column, wrong for the middle one if the fault asks for it.
#[cfg(test)]
fn spoilt<S: Simd>(simd: S, map: &ShadowMap, column: usize, weight: S::i32s) -> S::i32s {
    let is_spoilt = map.fault == Some(crate::raster::fault::Fault::Shadow) && column == 2;
    weight + S::i32s::simd_from(simd, i32::from(is_spoilt))
}

/// The lesser of two whole numbers in every lane.
#[inline(always)]
fn lesser<S: Simd>(a: S::i32s, b: S::i32s) -> S::i32s {
    a.simd_lt(b).select(a, b)
}

/// The greater of them.
#[inline(always)]
fn greater<S: Simd>(a: S::i32s, b: S::i32s) -> S::i32s {
    a.simd_gt(b).select(a, b)
}
