//! Coverage with one triangle a lane.
//!
//! Input: up to a vector of opaque triangles of a tile. Output: the prepared walk of each, for
//! [`crate::coverage::lanes`], or for small triangles depth and owner of the samples they win.
//!
//! The sums and their order are those of [`crate::coverage::scalar`]. Small triangles are
//! rasterized after the others of their group, out of submission order, so a tie in depth, which
//! the earlier triangle wins, is decided by index.

use crate::coverage::depth::DepthPlane;
use crate::coverage::lanes::{Everywhere, Lattice, NEAR, TileEdge, Walk, cover_lanes, walk_lanes};
use crate::coverage::samples::Samples;
use crate::coverage::span::{Margin, Span};
use crate::geometry::edge::{UNIT, UNIT_BITS};
use crate::geometry::grid::Rect;
use crate::geometry::morton::COLUMN_BITS;
use crate::geometry::triangle::SetupTriangle;
use tintype_model::math::lanes::{max, min, splat};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LANE, MAX_LANES, Simd, gather_words};

/// Triangles that touch fewer columns and fewer rows of pixels than this are walked together.
const SMALL: i32 = 4;

/// Bits of columns and of rows in a Morton code.
const COLUMNS: i32 = COLUMN_BITS as i32;
const ROWS: i32 = COLUMNS << 1;

/// Bits of columns, each followed by a gap.
#[inline(always)]
fn spread<S: Simd>(column: S::i32s) -> S::i32s {
    let bits = (column | (column << 4_u32)) & 0x0f0f;
    let bits = (bits | (bits << 2_u32)) & 0x3333;
    (bits | (bits << 1_u32)) & COLUMNS
}

/// Edge functions on the lattice of the tile: [`TileEdge`] in every lane.
#[derive(Clone, Copy)]
struct Edges<S: Simd> {
    whole: S::i32s,
    rest: S::i32s,
    across: S::i32s,
    down: S::i32s,
}

/// A triangle in every lane.
pub(crate) struct Group<S: Simd> {
    /// Corner 0 in 1/256 pixel, and its 1/w.
    origin: [S::i32s; 2],
    value: S::f32s,
    /// Slopes of 1/w, and its minimum and maximum at the corners.
    along: [S::f32s; 2],
    low: S::f32s,
    high: S::f32s,
    edges: [Edges<S>; 3],
    /// First and last pixel, counted from the corner of the tile: along x, along y.
    from: [S::i32s; 2],
    to: [S::i32s; 2],
    /// Lanes whose triangle fits 32-bit arithmetic.
    near: u64,
    /// Among these, the lanes whose triangle may cover a sample.
    seen: u64,
    /// Among these, the lanes whose triangle touches few pixels.
    small: S::mask32s,
    /// Lanes with a triangle.
    held: u64,
    /// True if all triangles belong to one draw and none is a piece of a clipped one.
    is_alike: bool,
}

#[inline(always)]
fn lower<S: Simd>(a: S::i32s, b: S::i32s) -> S::i32s {
    a.simd_lt(b).select(a, b)
}

#[inline(always)]
fn higher<S: Simd>(a: S::i32s, b: S::i32s) -> S::i32s {
    a.simd_gt(b).select(a, b)
}

impl<S: Simd> Group<S> {
    /// Prepares consecutive triangles, at least one and at most one per lane.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
    #[expect(clippy::cast_possible_truncation, reason = "at most 16 lanes")]
    pub(crate) fn new(lattice: &Lattice<S>, rect: &Rect, triangles: &[SetupTriangle]) -> Self {
        const BLOCKS: u32 = 4;
        let simd = lattice.simd;
        let zero = S::i32s::simd_from(simd, 0);

        // 1. Corners, relative to the corner of the tile.
        let count = triangles.len().min(S::u32s::LEN);
        let last = S::u32s::simd_from(simd, count as u32 - 1);
        let indices = S::u32s::from_slice(simd, &LANE[..S::u32s::LEN]);
        let indices = indices.simd_lt(last).select(indices, last) * BLOCKS;
        let blocks: &[[u32; 4]] = bytemuck::cast_slice(triangles);
        let [xa, xb, xc, _] = gather_words(simd, blocks, indices);
        let [ya, yb, yc, piece] = gather_words(simd, blocks, indices + 1);
        let [da, db, dc, draw] = gather_words(simd, blocks, indices + 2);
        let (da, db, dc): (S::f32s, S::f32s, S::f32s) = (da.bitcast(), db.bitcast(), dc.bitcast());
        let (xa, xb, xc): (S::i32s, S::i32s, S::i32s) = (xa.bitcast(), xb.bitcast(), xc.bitcast());
        let (ya, yb, yc): (S::i32s, S::i32s, S::i32s) = (ya.bitcast(), yb.bitcast(), yc.bitcast());
        let origin = [xa, ya];
        let (tile_x, tile_y) = (rect.x as i32 * UNIT, rect.y as i32 * UNIT);
        let (xa, xb, xc) = (xa - tile_x, xb - tile_x, xc - tile_x);
        let (ya, yb, yc) = (ya - tile_y, yb - tile_y, yc - tile_y);
        let (left, right) =
            (lower::<S>(lower::<S>(xa, xb), xc), higher::<S>(higher::<S>(xa, xb), xc));
        let (top, bottom) =
            (lower::<S>(lower::<S>(ya, yb), yc), higher::<S>(higher::<S>(ya, yb), yc));
        let near = lower::<S>(left, top).simd_gt(-NEAR) & higher::<S>(right, bottom).simd_lt(NEAR);

        // 2. Pixels with a sample in the bounding box.
        let Margin { low, high } = lattice.margin;
        let from = [
            higher::<S>((left + (UNIT - 1 - high)) >> UNIT_BITS, zero),
            higher::<S>((top + (UNIT - 1 - high)) >> UNIT_BITS, zero),
        ];
        let last = [
            S::i32s::simd_from(simd, rect.width as i32 - 1),
            S::i32s::simd_from(simd, rect.height as i32 - 1),
        ];
        let to = [
            lower::<S>((right - low) >> UNIT_BITS, last[0]),
            lower::<S>((bottom - low) >> UNIT_BITS, last[1]),
        ];
        let mut seen = near & from[0].simd_le(to[0]) & from[1].simd_le(to[1]);

        // 3. Edges. Differences have 15 bits and a sign, products 29, and three of them still fit.
        let side = rect.width.max(rect.height) as i32 * UNIT;
        let mut edges = [Edges { whole: zero, rest: zero, across: zero, down: zero }; 3];
        let ends = [[xb, yb, xc, yc], [xc, yc, xa, ya], [xa, ya, xb, yb]];
        for (edge, &[x, y, to_x, to_y]) in edges.iter_mut().zip(&ends) {
            let (dx, dy) = (to_x - x, to_y - y);
            let is_inclusive = dy.simd_lt(0) | (dy.simd_eq(0) & dx.simd_gt(0));
            let corner = dy * x - dx * y + is_inclusive.select(zero, S::i32s::simd_from(simd, -1));
            let (across, down) = (zero - dy, dx);
            let most = corner + higher::<S>(across * side, zero) + higher::<S>(down * side, zero);
            seen &= most.simd_ge(0);
            *edge = Edges { whole: corner >> UNIT_BITS, rest: corner & (UNIT - 1), across, down };
        }

        // 4. The plane of 1/w.
        let (x1, x2) = (xb - xa, xc - xa);
        let (y1, y2) = (yb - ya, yc - ya);
        let area = (x1 * y2 - x2 * y1).to_float::<S::f32s>();
        let (x1, x2) = (x1.to_float::<S::f32s>(), x2.to_float::<S::f32s>());
        let (y1, y2) = (y1.to_float::<S::f32s>(), y2.to_float::<S::f32s>());
        let (rise1, rise2) = (db - da, dc - da);
        let scale = splat(simd, 1.0) / area;
        let along = [(rise1 * y2 - rise2 * y1) * scale, (rise2 * x1 - rise1 * x2) * scale];
        let (low, high) = (min::<S>(min::<S>(da, db), dc), max::<S>(max::<S>(da, db), dc));

        let held = u64::MAX >> (64 - count);
        let is_alike = draw.simd_eq(triangles[0].draw) & piece.simd_eq(SetupTriangle::WHOLE);
        let (wide, tall) = (to[0] - from[0], to[1] - from[1]);
        let has_one = S::mask32s::splat(simd, lattice.has_one_sample());
        let small = has_one & seen & wide.simd_lt(SMALL) & tall.simd_lt(SMALL);
        Self {
            origin,
            value: da,
            along,
            low,
            high,
            edges,
            from,
            to,
            near: near.to_bitmask() & held,
            seen: seen.to_bitmask() & held,
            small,
            held,
            is_alike: is_alike.all_true(),
        }
    }

    /// True if all triangles belong to one draw and none is a piece of a clipped one.
    #[inline(always)]
    pub(crate) fn is_alike(&self) -> bool {
        self.is_alike
    }

    /// Lanes whose triangles are handled by [`Group::cover_small`], one bit each.
    #[inline(always)]
    pub(crate) fn small(&self) -> u64 {
        self.small.to_bitmask() & self.held
    }

    /// Lanes whose triangles are rasterized one by one, one bit each.
    #[inline(always)]
    pub(crate) fn alone(&self) -> u64 {
        (!self.near | self.seen) & self.held & !self.small.to_bitmask()
    }

    /// True if a triangle fits 32-bit arithmetic; others need 64-bit setup.
    #[inline(always)]
    fn knows(&self, lane: usize) -> bool {
        self.near >> lane & 1 != 0
    }

    /// The prepared walk of a triangle that fits 32 bits. None if it covers nothing.
    #[inline(always)]
    fn walk(&self, lane: usize) -> Option<Walk> {
        if self.seen >> lane & 1 == 0 {
            return None;
        }
        let mut edges = [TileEdge::default(); 3];
        for (edge, lanes) in edges.iter_mut().zip(&self.edges) {
            *edge = TileEdge {
                whole: lanes.whole.as_slice()[lane],
                rest: lanes.rest.as_slice()[lane],
                across: lanes.across.as_slice()[lane],
                down: lanes.down.as_slice()[lane],
            };
        }
        let span = Span {
            left: self.from[0].as_slice()[lane],
            right: self.to[0].as_slice()[lane],
            top: self.from[1].as_slice()[lane],
            bottom: self.to[1].as_slice()[lane],
        };
        let plane = DepthPlane {
            origin: [self.origin[0].as_slice()[lane], self.origin[1].as_slice()[lane]],
            value: self.value.as_slice()[lane],
            along: [self.along[0].as_slice()[lane], self.along[1].as_slice()[lane]],
            low: self.low.as_slice()[lane],
            high: self.high.as_slice()[lane],
        };
        Some(Walk { span, edges, plane })
    }

    /// Covers the tile with the triangle of one lane wherever it is nearest.
    #[inline(always)]
    pub(crate) fn cover_alone<const KEEPS_OWNERS: bool>(
        &self,
        lattice: &Lattice<S>,
        rect: &Rect,
        lane: u32,
        triangle: &SetupTriangle,
        index: u32,
        samples: &mut Samples,
    ) {
        let (solid, lane) = (&mut Everywhere::<KEEPS_OWNERS>, lane as usize);
        if !self.knows(lane) {
            cover_lanes(lattice, rect, triangle, index, samples, solid);
        } else if let Some(walk) = self.walk(lane) {
            walk_lanes(lattice, rect, &walk, index, samples, solid);
        }
    }

    /// Writes the small triangles of `wanted` wherever they are nearest; lane 0 has the triangle
    /// with index `first`.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
    pub(crate) fn cover_small<const KEEPS_OWNERS: bool>(
        &self,
        lattice: &Lattice<S>,
        rect: &Rect,
        wanted: u64,
        first: u32,
        samples: &mut Samples,
    ) {
        let simd = lattice.simd;
        let wanted = S::mask32s::from_bitmask(simd, wanted) & self.small;
        if !wanted.any_true() {
            return;
        }

        // 1. The first pixel of each.
        let [offset_x, offset_y] = lattice.pattern[0];
        let [left, top] = self.from;
        let (wide, tall) = (self.to[0] - left, self.to[1] - top);
        let mut row_edges = [left; 3];
        for (value, edge) in row_edges.iter_mut().zip(&self.edges) {
            let within = edge.across * offset_x + edge.down * offset_y + edge.rest;
            *value = (within >> UNIT_BITS) + edge.whole + edge.across * left + edge.down * top;
        }
        let [a, b, c] = &self.edges;
        let from_x = left * UNIT + (rect.x as i32 * UNIT + offset_x) - self.origin[0];
        let from_y = top * UNIT + (rect.y as i32 * UNIT + offset_y) - self.origin[1];
        let (left_bits, mut row_bits) = (spread::<S>(left), spread::<S>(top) << 1_u32);

        // 2. All lanes step from pixel to pixel together.
        for row in 0..SMALL {
            let in_row = wanted & tall.simd_ge(row);
            if !in_row.any_true() {
                break;
            }
            let rise = (from_y + row * UNIT).to_float::<S::f32s>() * self.along[1];
            let [mut at_a, mut at_b, mut at_c] = row_edges;
            let mut column_bits = left_bits;
            for column in 0..SMALL {
                let here = in_row & wide.simd_ge(column);
                let covered = (here & (at_a | at_b | at_c).simd_ge(0)).to_bitmask();
                if covered != 0 {
                    let dx = (from_x + column * UNIT).to_float::<S::f32s>();
                    let depth = self.value + dx * self.along[0] + rise;
                    let depth = min::<S>(max::<S>(depth, self.low), self.high);
                    #[cfg(test)]
                    let depth = crate::fault::depths(simd, samples.fault, 1, depth);
                    let slots: S::u32s = (row_bits | column_bits).bitcast();
                    let (mut depths, mut indices) = ([0.0; MAX_LANES], [0; MAX_LANES]);
                    depth.store_slice(&mut depths[..S::f32s::LEN]);
                    slots.store_slice(&mut indices[..S::u32s::LEN]);
                    let mut left = covered;
                    while left != 0 {
                        let lane = left.trailing_zeros();
                        left &= left - 1;
                        let (slot, depth) = (indices[lane as usize], depths[lane as usize]);
                        if KEEPS_OWNERS {
                            samples.offer_tied(slot as usize, depth, first + lane);
                        } else {
                            samples.offer_depth(slot as usize, depth);
                        }
                    }
                }
                (at_a, at_b, at_c) = (at_a + a.across, at_b + b.across, at_c + c.across);
                column_bits = ((column_bits | ROWS) + 1) & COLUMNS;
            }
            for (value, edge) in row_edges.iter_mut().zip([a, b, c]) {
                *value += edge.down;
            }
            row_bits = ((row_bits | COLUMNS) + 1) & ROWS;
        }
    }
}
