//! Triangle setup over lanes, one triangle per lane; [`crate::geometry::setup::scalar`] is the
//! definition.
//!
//! Triangles that must be clipped, and those too large for 32 bits, use the scalar form, in
//! submission order.

use crate::geometry::chunk::Chunk;
use crate::geometry::grid::MANY_TILES;
use crate::geometry::screen_vertex::outside;
use crate::geometry::setup::run::{Gaps, Run};
use crate::geometry::triangle::ChunkTriangle;
use core::ops::Range;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{Kernel, LANE, MAX_LANES, Simd, deinterleave4};

/// Sets up a range of source triangles.
pub(crate) struct SetUpRun<'a, 'c> {
    pub run: &'a Run<'a>,
    pub source: Range<usize>,
    pub chunk: &'c mut Chunk,
}

impl Kernel for SetUpRun<'_, '_> {
    type Output = ();

    fn scalar(self) {
        let Self { run, source, chunk } = self;
        run.set_up(source, chunk);
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { run, source, chunk } = self;
        let triangles = &run.view.draws[run.draw].triangles[source.clone()];
        let mut first = source.start;
        for triangles in triangles.chunks(S::u32s::LEN) {
            if triangles.len() == S::u32s::LEN {
                set_up_lanes(simd, run, first, triangles, chunk);
            } else {
                run.set_up(first..first + triangles.len(), chunk);
            }
            first += triangles.len();
        }
    }
}

/// Minimum and maximum of three coordinates.
#[inline(always)]
fn range<S: Simd>([a, b, c]: [S::i32s; 3]) -> (S::i32s, S::i32s) {
    let low = a.simd_lt(b).select(a, b);
    let high = a.simd_gt(b).select(a, b);
    (low.simd_lt(c).select(low, c), high.simd_gt(c).select(high, c))
}

/// [`Gaps::hold`] in every lane.
#[inline(always)]
fn hold<S: Simd>(gaps: &Gaps, (low, high): (S::i32s, S::i32s)) -> S::mask32s {
    ((low - (gaps.first + 1)) >> gaps.bits).simd_eq((high - gaps.first) >> gaps.bits)
}

/// Number of lanes in a mask.
#[inline(always)]
fn count<S: Simd>(mask: S::mask32s) -> u64 {
    u64::from(mask.to_bitmask().count_ones())
}

/// Sets up one triangle a lane.
#[inline(always)]
fn set_up_lanes<S: Simd>(
    simd: S,
    run: &Run,
    first: usize,
    triangles: &[[u32; 3]],
    chunk: &mut Chunk,
) {
    /// Corners closer than this along both axes have areas that fit 32 bits.
    const FAR: i32 = 1 << 15;

    // 1. The corners.
    let lanes = S::u32s::LEN;
    let vertices: &[[u32; 4]] = bytemuck::cast_slice(run.vertices);
    let mut corners = [[[0; 4]; MAX_LANES]; 3];
    for (lane, triangle) in triangles.iter().enumerate() {
        for (corners, &corner) in corners.iter_mut().zip(triangle) {
            corners[lane] = vertices[corner as usize];
        }
    }
    let [xa, ya, _, outside_a] = deinterleave4(simd, &corners[0].as_flattened()[..4 * lanes]);
    let [xb, yb, _, outside_b] = deinterleave4(simd, &corners[1].as_flattened()[..4 * lanes]);
    let [xc, yc, _, outside_c] = deinterleave4(simd, &corners[2].as_flattened()[..4 * lanes]);

    // 2. The tests of the scalar form, in its order.
    let nothing = outside_a & outside_b & outside_c & outside::PICTURE;
    let is_seen = nothing.simd_eq(0);
    let is_in_range = ((outside_a | outside_b | outside_c) & outside::RANGE).simd_eq(0);
    let x: [S::i32s; 3] = [xa.bitcast(), xb.bitcast(), xc.bitcast()];
    let y: [S::i32s; 3] = [ya.bitcast(), yb.bitcast(), yc.bitcast()];
    let (x1, x2, y1, y2) = (x[1] - x[0], x[2] - x[0], y[1] - y[0], y[2] - y[0]);
    let mut is_near = is_in_range;
    for apart in &[x1, x2, y1, y2] {
        is_near &= apart.simd_lt(FAR) & apart.simd_gt(-FAR);
    }
    let area = x1 * y2 - x2 * y1;
    let is_front = area.simd_lt(0);
    let has_area = !area.simd_eq(0);
    let is_dropped = (is_front & S::mask32s::splat(simd, run.dropped.front))
        | (!is_front & S::mask32s::splat(simd, run.dropped.back));
    let (range_x, range_y) = (range::<S>(x), range::<S>(y));
    let in_gap = hold::<S>(&run.gaps, range_x) | hold::<S>(&run.gaps, range_y);

    let whole = is_seen & is_near;
    let kept = (whole & has_area & !is_dropped & !in_gap).to_bitmask();
    let alone = (is_seen & !is_near).to_bitmask();
    chunk.culled.outside += lanes as u64 - count::<S>(is_seen);
    chunk.culled.without_area += count::<S>(whole & !has_area);
    chunk.culled.facing_away += count::<S>(whole & has_area & is_dropped);
    chunk.culled.between_samples += count::<S>(whole & has_area & !is_dropped & in_gap);
    if kept | alone == 0 {
        return;
    }

    // 3. Kept triangles.
    let number = u32::try_from(first).expect("fewer than 2^32 triangles");
    let fronts = is_front.to_bitmask();
    let tiles = match run.tile_of {
        Some(tile_of) => tile_of.of(simd, [range_x.0, range_y.0], [range_x.1, range_y.1]),
        None => S::u32s::simd_from(simd, MANY_TILES),
    };
    // Tiles of triangles from the scalar form are not known yet.
    chunk.tiles.resize(chunk.triangles.len(), MANY_TILES);
    let mut left = kept | alone;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        if kept >> lane & 1 != 0 {
            let vertices = triangles[lane].map(|vertex| vertex + run.first);
            let (source, is_front) = (number + LANE[lane], fronts >> lane & 1 != 0);
            chunk.triangles.push(ChunkTriangle::whole(vertices, source, is_front));
            chunk.tiles.push(tiles.as_slice()[lane]);
        } else {
            run.set_up(first + lane..first + lane + 1, chunk);
            chunk.tiles.resize(chunk.triangles.len(), MANY_TILES);
        }
    }
}
