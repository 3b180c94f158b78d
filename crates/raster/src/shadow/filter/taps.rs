//! Sums over the taps of windows, over lanes.
//!
//! Windows with equally spaced taps are summed together. Taps lie on every texel, or on every
//! second, fourth and so on; [`crate::shadow::strided`] stores contiguous rows of these, so one
//! load of a lane brings eight taps of a row. Two taps fill a lane, 16 bits each, unless a plane
//! rises so steeply that its heights need more.
//!
//! # Determinism
//! Weights and heights are integers, so the order of their sums does not matter.

use crate::shadow::filter::scalar::{DEEPEST, mean};
use crate::shadow::filter::windows::{Open, Windows};
use crate::shadow::map::{NARROWEST, REACH, SEARCH_REACH, ShadowMap, WIDEST};
use crate::shadow::strided::BESIDE;
use tintype_model::math::lanes::{clamp, max, splat, to_int_in_range};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LaneIndices, MAX_LANES, Simd, gather_eights};

/// Half the bits of a weighted height, and a mask of them.
const HALF_BITS: u32 = 12;

const HALF: i32 = (1 << HALF_BITS) - 1;

/// Most taps of a window along one axis.
const MAX_TAPS: usize = 16;

/// Taps of a row that one load brings.
const AT_ONCE: usize = 8;

/// The widest window needs no larger step.
const _: () = assert!(WIDEST <= 16.0 * SEARCH_REACH && WIDEST <= 16.0 * REACH);

/// The taps of a row stay within the margin of the map.
const _: () = assert!(MAX_TAPS <= BESIDE);

/// Means of weighted heights.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "sums of weights and heights are not below 0")]
pub(super) fn mean_heights<S: Simd>(simd: S, height: [S::i32s; 2], hidden: S::i32s) -> S::f32s {
    let mut means = [0.0; MAX_LANES];
    let [low, high] = [height[0].as_slice(), height[1].as_slice()];
    for (lane, mean_height) in means.iter_mut().enumerate().take(S::f32s::LEN) {
        let sum = u64::from(low[lane] as u32) + (u64::from(high[lane] as u32) << HALF_BITS);
        *mean_height = mean(sum, u64::from(hidden.as_slice()[lane] as u32));
    }
    S::f32s::from_slice(simd, &means[..S::f32s::LEN])
}

/// Sums over the taps of windows, [`crate::shadow::filter::scalar::Look`] in every lane; `all` and
/// `hidden` have at most 24 bits.
pub(super) struct Looks<S: Simd> {
    pub all: S::i32s,
    pub hidden: S::i32s,
    /// The lower [`HALF_BITS`] bits of the sums of rows, summed, and the upper ones.
    pub height: [S::i32s; 2],
}

/// `ShadowMap::look` in open lanes. With `WITH_HEIGHT`, the weights of all taps are not summed;
/// without it, heights are not.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "a number of bits")]
pub(super) fn look<S: Simd, const WITH_HEIGHT: bool>(
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

/// Taps of windows along one axis: their first, counted on the lattice of taps, and the distances
/// of all from the points.
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

    /// Weight of a tap, 0 after the last, and the rise of the plane there, in units.
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

    // 1. Numbers of taps. Beyond 0.978 radii from the centre weights round to 0: (1 - 0.978^2)^2 is
    //    less than half of 1/255. The first tap lies within one radius. So at most this many taps
    //    have a weight, never more than 16.
    let taps = windows.radius * 1.985 * (1.0 / (1 << bits) as f32);
    let taps = to_int_in_range::<S>(clamp(simd, taps, 0.0, 15.0)) + 1;
    let taps = open.lanes.select(taps, zero);
    let mut columns = 0;
    for &taps in taps.as_slice() {
        columns = taps.max(columns);
    }
    let columns = (columns as usize).min(MAX_TAPS);

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
    let (mut weights, mut rises) = ([zero; MAX_TAPS], [zero; MAX_TAPS]);
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

    // 4. Row by row; each sum is weighted by its row.
    let base = to_int_in_range::<S>(clamp(simd, windows.depth, -1e6, 1e6));
    let stride = grain.stride as i32;
    let left = across.first + BESIDE as i32;
    let place = |row: S::i32s| -> S::u32s { (row * stride + left).bitcast() };
    let within = grain.texels.len() - columns.next_multiple_of(AT_ONCE) + 1;
    // If all rows of all windows lie on the map, the first positions hold for all rows.
    let top = down.first + from as i32;
    let are_on_map = top.simd_ge(0) & (down.first + to as i32).simd_le(height);
    let nowhere = S::u32s::simd_from(simd, 0);
    let starts = (are_on_map | !looks_here).all_true().then(|| {
        let below = to.saturating_sub(from + 1) * grain.stride;
        LaneIndices::<S>::among(looks_here.select(place(top), nowhere), within - below)
    });
    // Kept in memory: in registers the positions would leave too few for the taps.
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
                own = LaneIndices::among(place, within);
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
    weights: [S::i16s; MAX_TAPS / 2],
    /// Rises above the minimum, which are not negative.
    rises: [S::i16s; MAX_TAPS / 2],
    /// Minimum rise of all columns, not above 0.
    least: S::i32s,
}

impl<S: Simd> Pairs<S> {
    /// Pairs of columns. None if the plane is so steep that sums of heights do not fit.
    #[inline(always)]
    fn new(
        simd: S,
        [least, most]: [S::i32s; 2],
        weights: &[S::i32s; MAX_TAPS],
        rises: &[S::i32s; MAX_TAPS],
    ) -> Option<Self> {
        let fits = least.simd_ge(i32::from(i16::MIN) - DEEPEST) & most.simd_lt(-DEEPEST);
        if !fits.all_true() {
            return None;
        }
        let none = S::i16s::simd_from(simd, 0);
        let mut pairs = Self { weights: [none; MAX_TAPS / 2], rises: [none; MAX_TAPS / 2], least };
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
    /// Sums need at most 16 bits where they decide: below [`DEEPEST`] a plane lies under all texels
    /// of its row, from there the minimum rise stays in the range, and no texel lies above the
    /// range, so the sum stays at its end.
    #[inline(always)]
    fn row<const WITH_HEIGHT: bool>(
        &self,
        simd: S,
        texels: &[u16],
        places: &LaneIndices<S>,
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
                // An empty texel has depth 0, which may be above deep ground.
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

/// Weights of the taps of a row that hide the points, using the weights of their columns only; with
/// `WITH_HEIGHT`, also their weighted heights above the plane, at most 27 bits.
#[inline(always)]
fn row_of_taps<S: Simd, const WITH_HEIGHT: bool>(
    simd: S,
    texels: &[u16],
    places: &LaneIndices<S>,
    plane: S::i32s,
    (weights, rises): (&[S::i32s], &[S::i32s]),
) -> [S::i32s; 2] {
    let (zero, deepest) = (S::i32s::simd_from(simd, 0), S::i32s::simd_from(simd, DEEPEST));
    let most = S::i32s::simd_from(simd, i32::from(i16::MAX));
    // Heights are measured above a plane that is not below the deepest.
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

/// The weight of a column, wrong for the middle one if requested by the fault.
#[cfg(test)]
fn spoilt<S: Simd>(simd: S, map: &ShadowMap, column: usize, weight: S::i32s) -> S::i32s {
    let is_spoilt = map.fault == Some(crate::fault::PlantedFault::Shadow) && column == 2;
    weight + S::i32s::simd_from(simd, i32::from(is_spoilt))
}

/// The minimum of two integers in every lane.
#[inline(always)]
fn lesser<S: Simd>(a: S::i32s, b: S::i32s) -> S::i32s {
    a.simd_lt(b).select(a, b)
}

/// The larger of them.
#[inline(always)]
fn greater<S: Simd>(a: S::i32s, b: S::i32s) -> S::i32s {
    a.simd_gt(b).select(a, b)
}
