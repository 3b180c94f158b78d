//! Coverage over lanes: each lane tests one sample; [`crate::coverage::scalar`] is the definition.
//!
//! Input: one triangle and the depth buffer of a tile. Output: depth and owner of every sample that
//! the triangle wins. Used for opaque triangles that touch many pixels and for alpha-tested ones;
//! [`crate::coverage::triangle_lanes`] handles small triangles.
//!
//! Samples lie in memory pixel by pixel in Morton order, so a vector covers a compact block of
//! pixels.
//!
//! # Determinism
//! Edge functions are integers. Depth is computed by the same operations in the same order as in
//! the scalar form.

use crate::coverage::depth::DepthPlane;
use crate::coverage::samples::Samples;
use crate::coverage::scalar::cover_scalar;
use crate::coverage::span::{Margin, Span};
use crate::geometry::edge::{Against, Edge, SamplePattern, UNIT, UNIT_BITS, triangle_edges};
use crate::geometry::grid::Rect;
use crate::geometry::morton::{Morton, sides};
use crate::geometry::triangle::SetupTriangle;
use tintype_model::math::lanes;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd};

/// Pixel and sample of each lane of a vector. If a pixel has more samples than a vector has lanes,
/// several vectors, the phases, cover one pixel.
#[derive(Clone, Copy)]
struct Phase<S: Simd> {
    /// Pixels to the right of the first pixel of the vector, and below it.
    column: S::i32s,
    row: S::i32s,
    /// Position within the pixel, in 1/256 pixel.
    x: S::i32s,
    y: S::i32s,
}

/// Sample positions in lanes, used by all triangles of a picture on one level.
#[derive(Clone, Copy)]
pub(crate) struct Lattice<S: Simd> {
    pub simd: S,
    pub pattern: SamplePattern,
    pub margin: Margin,
    phases: [Phase<S>; MAX_PHASES],
    /// Number of phases that are used.
    phase_count: usize,
    /// Pixels of a vector along x and y.
    sides: [i32; 2],
}

/// 16 samples in vectors of 4.
const MAX_PHASES: usize = 4;

/// Tests whether covered samples are solid, that is, whether the surface has no hole there.
pub(crate) trait Solid<S: Simd> {
    /// True if samples keep the nearest triangle, not only its depth.
    const KEEPS_OWNERS: bool = true;

    /// Solid samples among `wanted`, which the triangle then owns. Lane 0 holds the sample in
    /// `slot` of [`Samples`]; positions are in 1/256 pixel.
    fn solid(&mut self, slot: usize, at: [S::i32s; 2], wanted: S::mask32s) -> S::mask32s;

    /// True if the surface has no hole at one sample.
    fn is_solid_at(&mut self, x: i32, y: i32) -> bool;

    /// True if every sample is solid.
    #[inline(always)]
    fn is_everywhere(&self) -> bool {
        false
    }
}

/// A surface without holes.
pub(crate) struct Everywhere<const KEEPS_OWNERS: bool>;

impl<S: Simd, const KEEPS_OWNERS: bool> Solid<S> for Everywhere<KEEPS_OWNERS> {
    const KEEPS_OWNERS: bool = KEEPS_OWNERS;

    #[inline(always)]
    fn solid(&mut self, _: usize, _: [S::i32s; 2], wanted: S::mask32s) -> S::mask32s {
        wanted
    }

    #[inline(always)]
    fn is_solid_at(&mut self, _: i32, _: i32) -> bool {
        true
    }

    #[inline(always)]
    fn is_everywhere(&self) -> bool {
        true
    }
}

/// Edge functions of a triangle at the first pixel of a tile, for one phase.
struct LaneEdges<S: Simd> {
    start: [S::i32s; 3],
}

/// Edge function on the lattice of pixels of a tile: `floor(value / UNIT)` and the remainder.
#[derive(Clone, Copy, Default)]
pub(crate) struct TileEdge {
    pub whole: i32,
    pub rest: i32,
    pub across: i32,
    pub down: i32,
}

/// The three edges on the lattice of a tile.
enum TileEdges {
    Nothing,
    Some([TileEdge; 3]),
    /// An edge is so long that its steps within a pixel exceed 32 bits.
    TooLong,
}

/// Edges shorter than this, along both axes together, stay within 32 bits in [`LaneEdges`].
const LONG: i32 = 1 << 22;

/// Corners closer to the corner of the tile than this let all edge functions on the tile be
/// computed in 32 bits.
pub(crate) const NEAR: i32 = 1 << 14;

impl TileEdges {
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
    #[expect(clippy::cast_possible_truncation, reason = "the edge crosses the tile")]
    fn new(rect: &Rect, triangle: &SetupTriangle) -> Self {
        let (origin_x, origin_y) = (rect.x as i32 * UNIT, rect.y as i32 * UNIT);
        let side = rect.width.max(rect.height) as i32 * UNIT;
        let [xa, xb, xc] = triangle.x;
        let [ya, yb, yc] = triangle.y;
        let (xa, xb, xc) = (xa - origin_x, xb - origin_x, xc - origin_x);
        let (ya, yb, yc) = (ya - origin_y, yb - origin_y, yc - origin_y);
        let mut edges = [TileEdge::default(); 3];
        let low = xa.min(xb).min(xc).min(ya).min(yb).min(yc);
        let high = xa.max(xb).max(xc).max(ya).max(yb).max(yc);
        if low > -NEAR && high < NEAR {
            let is_within = low >= 0 && high <= side;
            // Differences have 15 bits and a sign, products 29, and three of them still fit.
            for (edge, [x, y, to_x, to_y]) in
                edges.iter_mut().zip([[xb, yb, xc, yc], [xc, yc, xa, ya], [xa, ya, xb, yb]])
            {
                let (dx, dy) = (to_x - x, to_y - y);
                let bias = if dy < 0 || (dy == 0 && dx > 0) { 0 } else { -1 };
                let corner = dy * x - dx * y + bias;
                let (over_x, over_y) = (-dy * side, dx * side);
                if !is_within && corner + over_x.max(0) + over_y.max(0) < 0 {
                    return Self::Nothing;
                }
                if is_within || corner + over_x.min(0) + over_y.min(0) < 0 {
                    *edge = TileEdge {
                        whole: corner >> UNIT_BITS,
                        rest: corner & (UNIT - 1),
                        across: -dy,
                        down: dx,
                    };
                }
            }
            return Self::Some(edges);
        }
        for (tile_edge, edge) in edges.iter_mut().zip(triangle_edges(triangle.x, triangle.y)) {
            match edge.against_square(origin_x, origin_y, side) {
                Against::Outside => return Self::Nothing,
                Against::Inside => {}
                Against::Crosses => {
                    if edge.along_x.abs() + edge.along_y.abs() >= LONG {
                        return Self::TooLong;
                    }
                    let corner = edge.biased(origin_x, origin_y);
                    *tile_edge = TileEdge {
                        whole: (corner >> UNIT_BITS) as i32,
                        rest: (corner & i64::from(UNIT - 1)) as i32,
                        across: edge.along_x,
                        down: edge.along_y,
                    };
                }
            }
        }
        Self::Some(edges)
    }
}

impl Edge {
    /// The edge function with its bias: at least 0 inside.
    #[inline]
    fn biased(&self, x: i32, y: i32) -> i64 {
        self.value(x, y) + self.bias()
    }
}

impl<S: Simd> Lattice<S> {
    /// The lattice of a sample pattern.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "at most 16 lanes")]
    pub(crate) fn new(simd: S, pattern: SamplePattern) -> Self {
        let (lanes, count) = (S::i32s::LEN, pattern.len());
        let zero = S::i32s::simd_from(simd, 0);
        let mut phases = [Phase { column: zero, row: zero, x: zero, y: zero }; MAX_PHASES];
        let phase_count = (count / lanes).max(1);
        let sides = sides((lanes / count).max(1)).map(|side| side as i32);
        for (number, phase) in phases.iter_mut().enumerate().take(phase_count) {
            let mut values = [[0; MAX_LANES]; 4];
            for (lane, sample) in (number * lanes..).take(lanes).enumerate() {
                let morton = Morton::of(sample / count);
                let [x, y] = pattern[sample % count];
                let here = [morton.column() as i32, morton.row() as i32, x, y];
                for (values, value) in values.iter_mut().zip(here) {
                    values[lane] = value;
                }
            }
            phase.column = S::i32s::from_slice(simd, &values[0][..lanes]);
            phase.row = S::i32s::from_slice(simd, &values[1][..lanes]);
            phase.x = S::i32s::from_slice(simd, &values[2][..lanes]);
            phase.y = S::i32s::from_slice(simd, &values[3][..lanes]);
        }
        Self { simd, pattern, margin: Margin::new(pattern), phases, phase_count, sides }
    }

    /// True if a pixel has one sample.
    #[inline(always)]
    pub(crate) fn has_one_sample(&self) -> bool {
        self.pattern.len() == 1
    }
}

impl<S: Simd> LaneEdges<S> {
    #[inline(always)]
    fn new(phase: &Phase<S>, edges: &[TileEdge; 3]) -> Self {
        let mut start = [phase.x; 3];
        for (start, edge) in start.iter_mut().zip(edges) {
            let within = phase.x * edge.across + phase.y * edge.down + edge.rest;
            let pixel = phase.column * edge.across + phase.row * edge.down;
            *start = (within >> UNIT_BITS) + pixel + edge.whole;
        }
        Self { start }
    }
}

/// A triangle, prepared for a walk over the pixels of a tile.
pub(crate) struct Walk {
    pub span: Span,
    pub edges: [TileEdge; 3],
    pub plane: DepthPlane,
}

/// Writes depth and owner of an opaque triangle wherever it is nearest and solid.
#[inline(always)]
pub(crate) fn cover_lanes<S: Simd>(
    lattice: &Lattice<S>,
    rect: &Rect,
    triangle: &SetupTriangle,
    index: u32,
    samples: &mut Samples,
    solid: &mut impl Solid<S>,
) {
    let Some(span) = Span::of(lattice.margin, rect, triangle) else { return };
    let edges = match TileEdges::new(rect, triangle) {
        TileEdges::Nothing => return,
        TileEdges::Some(edges) => edges,
        TileEdges::TooLong => {
            let solid = |x: i32, y: i32| solid.is_solid_at(x, y);
            cover_scalar(lattice.pattern, rect, triangle, index, samples, solid);
            return;
        }
    };
    let walk = Walk { span, edges, plane: DepthPlane::new(triangle) };
    walk_lanes(lattice, rect, &walk, index, samples, solid);
}

/// Walks the pixels of a tile for [`cover_lanes`].
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
#[expect(clippy::cast_sign_loss, reason = "held to the tile")]
pub(crate) fn walk_lanes<S: Simd, T: Solid<S>>(
    lattice: &Lattice<S>,
    rect: &Rect,
    walk: &Walk,
    index: u32,
    samples: &mut Samples,
    solid: &mut T,
) {
    let simd = lattice.simd;
    let Walk { span, edges, plane } = walk;
    let owner = S::u32s::simd_from(simd, index);
    let value = lanes::splat(simd, plane.value);
    let (low, high) = (lanes::splat(simd, plane.low), lanes::splat(simd, plane.high));

    // Vectors that hold a pixel of the span.
    let [wide, tall] = lattice.sides;
    let (left, top) = (span.left & -wide, span.top & -tall);
    let is_narrow = span.right < left + wide && solid.is_everywhere();
    for (number, phase) in lattice.phases.iter().enumerate().take(lattice.phase_count) {
        let start = LaneEdges::new(phase, edges).start;
        let from_x = phase.column * UNIT + phase.x + (rect.x as i32 * UNIT - plane.origin[0]);
        let from_y = phase.row * UNIT + phase.y + (rect.y as i32 * UNIT - plane.origin[1]);
        let mut row = top;
        while row <= span.bottom {
            let (row_a, row_b, row_c) =
                (edges[0].down * row, edges[1].down * row, edges[2].down * row);
            let dy = (from_y + row * UNIT).to_float::<S::f32s>();
            let rise = dy * plane.along[1];
            let mut column = left;
            while column <= span.right {
                let (a, b, c) = (
                    row_a + edges[0].across * column,
                    row_b + edges[1].across * column,
                    row_c + edges[2].across * column,
                );
                // A sign bit in any of the three means outside.
                let signs = (start[0] + a) | (start[1] + b) | (start[2] + c);
                let inside = signs.simd_ge(0);
                // For narrow triangles the branch is unpredictable, so they skip the test.
                if is_narrow || inside.any_true() {
                    let dx = (from_x + column * UNIT).to_float::<S::f32s>();
                    let depth = value + dx * plane.along[0] + rise;
                    let depth = lanes::min::<S>(lanes::max::<S>(depth, low), high);
                    #[cfg(test)]
                    let depth = crate::fault::depths(simd, samples.fault, index, depth);
                    let slot = samples.slot(column as u32, row as u32, number * S::f32s::LEN);
                    let old_depth = &mut samples.depth[slot..slot + S::f32s::LEN];
                    let before = S::f32s::from_slice(simd, old_depth);
                    let mut shown = inside & depth.simd_gt(before);
                    if is_narrow || shown.any_true() {
                        let x = (phase.column + rect.x as i32 + column) * UNIT + phase.x;
                        let y = (phase.row + rect.y as i32 + row) * UNIT + phase.y;
                        shown = solid.solid(slot, [x, y], shown);
                        shown.select(depth, before).store_slice(old_depth);
                        if T::KEEPS_OWNERS {
                            let old_owner = &mut samples.owner[slot..slot + S::f32s::LEN];
                            let before = S::u32s::from_slice(simd, old_owner);
                            shown.select(owner, before).store_slice(old_owner);
                        }
                    }
                }
                column += wide;
            }
            row += tall;
        }
    }
}
