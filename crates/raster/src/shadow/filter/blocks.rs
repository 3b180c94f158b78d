//! Windows whose block bounds prove them fully lit or fully dark, over lanes; only the others read
//! their texels.

use crate::shadow::bounds::BITS;
use crate::shadow::filter::scalar::{MARGIN, NARROW};
use crate::shadow::filter::windows::Windows;
use crate::shadow::map::{ShadowMap, WIDEST};
use tintype_model::math::lanes::{clamp, max, splat, to_int_in_range};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

/// Minimum of the lanes of a mask, clamped to 0..=2^16; fractions are cut off.
#[inline(always)]
fn least_of<S: Simd>(simd: S, values: S::f32s, lanes: S::mask32s) -> i32 {
    let whole = to_int_in_range::<S>(clamp(simd, values, 0.0, 65536.0));
    let mut least = i32::MAX;
    for &value in lanes.select(whole, S::i32s::simd_from(simd, i32::MAX)).as_slice() {
        least = least.min(value);
    }
    least
}

/// The largest of them.
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
pub(super) struct Sorted<S: Simd> {
    /// Lanes whose windows are fully dark.
    pub dark: S::mask32s,
    /// Undecided lanes; those in neither mask are fully lit.
    pub open: S::mask32s,
    /// First and last row of texels that may hide anything.
    pub rows: [S::i32s; 2],
}

/// A column or row of blocks beside windows.
#[derive(Clone, Copy)]
struct Strip<S: Simd> {
    /// Lanes whose windows do not touch it.
    is_beside: S::mask32s,
    /// Its part of the plane's height at the centre of a block, including the rise of the cone to
    /// the nearest texel.
    least: S::f32s,
    /// The same with the rise to the farthest texel.
    most: S::f32s,
}

impl<S: Simd> Strip<S> {
    /// The strip around `middle`, with its last texels `half` from there; points at `at`, planes
    /// that rise by `along` per texel.
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

/// Sorts the windows of a packet by the bounds of their blocks.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "held to 0 or more")]
#[expect(clippy::cast_precision_loss, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_possible_truncation, reason = "a map has at most 2^13 texels a side")]
#[expect(clippy::cast_possible_wrap, reason = "a map has at most 2^13 texels a side")]
pub(super) fn sorted_by_bounds<S: Simd>(
    simd: S,
    map: &ShadowMap,
    windows: &Windows<S>,
    lanes: S::mask32s,
) -> Sorted<S> {
    /// Testing more blocks takes longer than it saves.
    const MAX_BLOCKS: usize = 64;
    const MAX_COLUMNS: usize = 16;
    /// More rows than a map has.
    const ALL_ROWS: i32 = 1 << 20;
    let nothing = S::mask32s::from_bitmask(simd, 0);
    let all_rows = [S::i32s::simd_from(simd, 0), S::i32s::simd_from(simd, ALL_ROWS)];
    let unsorted = Sorted { dark: nothing, open: lanes, rows: all_rows };
    let Windows { x, y, depth, along, cone, radius } = *windows;

    // 1. The blocks that cover all windows, of a size that makes them few.
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
    if columns > MAX_COLUMNS || columns * (last_row + 1 - first_row) > MAX_BLOCKS {
        return unsorted;
    }

    // 2. Windows beyond the map are not fully dark; planes at the ends of the filter's range are
    //    left to it.
    let [right, top] = [right, top].map(|last| last as f32);
    let is_inside =
        left_x.simd_ge(0.0) & right_x.simd_lt(right) & left_y.simd_ge(0.0) & right_y.simd_lt(top);
    let steepest = max::<S>(along[0].abs(), along[1].abs()) + cone;
    let is_plain = depth.simd_gt(-1e6) & (steepest * WIDEST).simd_lt(4e6);
    let (mut lit, mut dark) = (lanes & is_plain, lanes & is_plain & is_inside);

    // 3. Rise of the plane for a column or a row of blocks: at the middle of a block, with the rise
    //    of the cone to its nearest and to its farthest texel.
    let side = (1 << bits) as f32;
    let half = side * 0.5 - 0.5;
    let mut of_columns = [Strip { is_beside: nothing, least: x, most: x }; MAX_COLUMNS];
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
