//! Which samples of a tile a triangle covers, and how near it is there.
//!
//! Samples lie in memory pixel by pixel in the order of [`crate::raster::morton`]. [`for_each_covered`] is the definition; [`cover_lanes`]
//! does the same for as many samples side by side as a vector has lanes.
//!
//! # Determinism
//! Edges are whole numbers. Depth is computed with the same operations in the same order on every path.

use crate::math::{clamp, lanes, max, min};
use crate::raster::geometry::bin::Rect;
use crate::raster::geometry::edge::{
    Against, Edge, SamplePattern, UNIT, UNIT_BITS, doubled_area, triangle_edges,
};
use crate::raster::geometry::setup::SetupTriangle;
use crate::raster::morton::{Spot, sides};
use crate::raster::shading::lanes::one_lane;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd};

/// The most samples a pixel can have.
pub(crate) const MAX_SAMPLES: usize = 16;

/// No triangle of a tile.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The nearest opaque surface of every sample of a tile.
#[derive(Default)]
pub(crate) struct Samples {
    /// 1/w.
    depth: Vec<f32>,
    /// Whose it is: a place among the triangles of the tile, or [`NOBODY`].
    owner: Vec<u32>,
    /// Samples a pixel.
    count: usize,
}

impl Samples {
    /// Nothing anywhere, at that depth.
    pub fn clear(&mut self, rect: &Rect, count: usize, depth: f32) {
        self.count = count;
        let total = Spot::end(rect) * count;
        self.depth.clear();
        self.depth.resize(total, depth);
        self.owner.clear();
        self.owner.resize(total, NOBODY);
    }

    #[inline(always)]
    fn slot(&self, column: u32, row: u32, sample: usize) -> usize {
        usize::from(Spot::new(column, row).0) * self.count + sample
    }

    /// Samples a pixel.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// 1/w of a sample.
    #[inline]
    pub fn depth_at(&self, column: u32, row: u32, sample: usize) -> f32 {
        self.depth[self.slot(column, row, sample)]
    }

    /// 1/w of all samples, spot by spot.
    pub fn depths(&self) -> &[f32] {
        &self.depth
    }

    /// The owners of all samples, spot by spot; what lies beyond the tile is written and means nothing.
    #[inline]
    pub fn owners(&self) -> &[u32] {
        &self.owner
    }

    /// Shows a triangle in a sample if it is nearer than what is there, or as near as a later one.
    #[inline(always)]
    pub fn offer_tied(&mut self, slot: usize, depth: f32, place: u32) {
        let (old, owner) = (&mut self.depth[slot], &mut self.owner[slot]);
        if depth > *old || (depth == *old && place < *owner && *owner != NOBODY) {
            *old = depth;
            *owner = place;
        }
    }

    /// Shows a triangle in a sample if it is nearer than what is there and `solid`.
    #[inline]
    fn offer(
        &mut self,
        [column, row]: [u32; 2],
        sample: usize,
        depth: f32,
        place: u32,
        solid: impl FnOnce() -> bool,
    ) {
        let slot = self.slot(column, row, sample);
        if depth > self.depth[slot] && solid() {
            self.depth[slot] = depth;
            self.owner[slot] = place;
        }
    }
}

/// Pixels of a tile, borders included.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

impl Span {
    /// The pixels of the tile with a sample in the bounding box of a triangle; none if there is none.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
    fn of(margin: Margin, rect: &Rect, triangle: &SetupTriangle) -> Option<Self> {
        let Margin { low, high } = margin;
        let [a, b, c] = triangle.x;
        let left = ((a.min(b).min(c) - high + UNIT - 1) >> UNIT_BITS) - rect.x as i32;
        let right = ((a.max(b).max(c) - low) >> UNIT_BITS) - rect.x as i32;
        let [a, b, c] = triangle.y;
        let top = ((a.min(b).min(c) - high + UNIT - 1) >> UNIT_BITS) - rect.y as i32;
        let bottom = ((a.max(b).max(c) - low) >> UNIT_BITS) - rect.y as i32;
        let span = Self {
            left: left.max(0),
            right: right.min(rect.width as i32 - 1),
            top: top.max(0),
            bottom: bottom.min(rect.height as i32 - 1),
        };
        (span.left <= span.right && span.top <= span.bottom).then_some(span)
    }
}

/// The lowest and the highest place of a sample in its pixel, along either axis.
#[derive(Clone, Copy)]
pub(crate) struct Margin {
    pub low: i32,
    pub high: i32,
}

impl Margin {
    fn new(pattern: SamplePattern) -> Self {
        let places = pattern.iter().flatten().copied();
        let low = places.clone().min().unwrap_or(0);
        Self { low, high: places.max().unwrap_or(UNIT - 1) }
    }
}

/// Calls `visit(column, row, sample)` for every covered sample, columns and rows within the tile.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
#[expect(clippy::cast_sign_loss, reason = "held to the tile")]
pub(crate) fn for_each_covered(
    pattern: SamplePattern,
    rect: &Rect,
    triangle: &SetupTriangle,
    mut visit: impl FnMut(u32, u32, usize),
) {
    // 1. The pixels of the tile that the bounding box touches.
    let Some(span) = Span::of(Margin::new(pattern), rect, triangle) else { return };

    // 2. Edge functions on the lattice of each sample. An edge that holds the whole tile inside becomes the constant 0.
    let (origin_x, origin_y) = (rect.x as i32 * UNIT, rect.y as i32 * UNIT);
    let side = rect.width.max(rect.height) as i32 * UNIT;
    let (mut across, mut down) = ([0_i32; 3], [0_i32; 3]);
    let mut start = [[0_i32; 3]; MAX_SAMPLES];
    for (k, edge) in triangle_edges(triangle.x, triangle.y).iter().enumerate() {
        match edge.against_square(origin_x, origin_y, side) {
            Against::Outside => return,
            Against::Inside => {}
            Against::Crosses => {
                (across[k], down[k]) = (edge.along_x, edge.along_y);
                for (start, place) in start.iter_mut().zip(pattern) {
                    start[k] = edge.lattice_start(origin_x + place[0], origin_y + place[1]);
                }
            }
        }
    }

    // 3. Walk.
    let [across_a, across_b, across_c] = across;
    let [down_a, down_b, down_c] = down;
    for row in span.top..=span.bottom {
        for column in span.left..=span.right {
            let at_a = across_a * column + down_a * row;
            let at_b = across_b * column + down_b * row;
            let at_c = across_c * column + down_c * row;
            for (sample, &[a, b, c]) in start.iter().enumerate().take(pattern.len()) {
                if ((a + at_a) | (b + at_b) | (c + at_c)) >= 0 {
                    visit(column as u32, row as u32, sample);
                }
            }
        }
    }
}

/// Shows an opaque triangle wherever it is nearest and `solid`, one sample at a time: the definition of [`cover_lanes`].
pub(crate) fn cover_scalar(
    pattern: SamplePattern,
    rect: &Rect,
    triangle: &SetupTriangle,
    place: u32,
    is_faulty: bool,
    samples: &mut Samples,
    solid: impl Fn(i32, i32) -> bool,
) {
    let plane = DepthPlane::new(triangle);
    for_each_covered(pattern, rect, triangle, |column, row, sample| {
        let (x, y) = sample_place(pattern, rect, column, row, sample);
        let mut depth = plane.at(x, y);
        if is_faulty && !place.is_multiple_of(2) && !column.is_multiple_of(2) {
            depth = f32::from_bits(depth.to_bits() + 1);
        }
        samples.offer([column, row], sample, depth, place, || solid(x, y));
    });
}

/// The plane of 1/w over the screen, held between its values at the corners.
#[derive(Clone, Copy)]
pub(crate) struct DepthPlane {
    /// The first corner and its 1/w.
    pub origin: [i32; 2],
    pub value: f32,
    /// Growth over a unit along x and y.
    pub along: [f32; 2],
    pub low: f32,
    pub high: f32,
}

impl DepthPlane {
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of exact differences")]
    pub fn new(triangle: &SetupTriangle) -> Self {
        let SetupTriangle { x, y, depth: [a, b, c], .. } = *triangle;
        let (x1, x2) = ((x[1] - x[0]) as f32, (x[2] - x[0]) as f32);
        let (y1, y2) = ((y[1] - y[0]) as f32, (y[2] - y[0]) as f32);
        let (rise1, rise2) = (b - a, c - a);
        let scale = 1.0 / doubled_area(x, y) as f32;
        Self {
            origin: [x[0], y[0]],
            value: a,
            along: [(rise1 * y2 - rise2 * y1) * scale, (rise2 * x1 - rise1 * x2) * scale],
            low: min(min(a, b), c),
            high: max(max(a, b), c),
        }
    }

    /// 1/w at a covered place. Slivers have steep planes: rounding must not lift them over their own corners.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "below 2^24: exact")]
    pub fn at(&self, x: i32, y: i32) -> f32 {
        let (dx, dy) = ((x - self.origin[0]) as f32, (y - self.origin[1]) as f32);
        clamp(self.value + self.along[0] * dx + self.along[1] * dy, self.low, self.high)
    }
}

/// Absolute place of a sample of a pixel of the tile.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
pub(crate) fn sample_place(
    pattern: SamplePattern,
    rect: &Rect,
    column: u32,
    row: u32,
    sample: usize,
) -> (i32, i32) {
    let [x, y] = pattern[sample];
    ((rect.x + column) as i32 * UNIT + x, (rect.y + row) as i32 * UNIT + y)
}

/// Which sample of which pixel each lane of a vector holds. Where a pixel has more samples than a vector lanes, vectors take
/// turns: phases.
#[derive(Clone, Copy)]
struct Phase<S: Simd> {
    /// Pixels to the right of the vector's first, and below it.
    column: S::i32s,
    row: S::i32s,
    /// Place within the pixel, in 1/256 pixel.
    x: S::i32s,
    y: S::i32s,
}

/// What all triangles of a picture share on one level.
#[derive(Clone, Copy)]
pub(crate) struct Lattice<S: Simd> {
    pub simd: S,
    pub pattern: SamplePattern,
    pub margin: Margin,
    phases: [Phase<S>; MAX_PHASES],
    /// How many of them there are.
    phase_count: usize,
    /// Pixels of a vector along its sides.
    sides: [i32; 2],
    /// Whether depth is computed wrong on purpose.
    pub is_faulty: bool,
}

/// 16 samples in vectors of 4.
const MAX_PHASES: usize = 4;

/// Whether samples are solid where they are covered and nearest.
pub(crate) trait Solid<S: Simd> {
    /// The samples at these places that are solid, of those in `wanted`.
    fn solid(&mut self, x: S::i32s, y: S::i32s, wanted: S::mask32s) -> S::mask32s;

    /// Whether it is so everywhere.
    #[inline(always)]
    fn is_everywhere(&self) -> bool {
        false
    }
}

/// All are.
pub(crate) struct Everywhere;

impl<S: Simd> Solid<S> for Everywhere {
    #[inline(always)]
    fn solid(&mut self, _: S::i32s, _: S::i32s, wanted: S::mask32s) -> S::mask32s {
        wanted
    }

    #[inline(always)]
    fn is_everywhere(&self) -> bool {
        true
    }
}

/// The edge functions of a triangle at the first pixel of a tile, for one phase of lanes.
struct LaneEdges<S: Simd> {
    start: [S::i32s; 3],
}

/// An edge on the lattice of a tile: `floor(value / UNIT)` and what it leaves.
#[derive(Clone, Copy, Default)]
pub(crate) struct TileEdge {
    pub whole: i32,
    pub rest: i32,
    pub across: i32,
    pub down: i32,
}

/// The three edges on the lattice of a tile; none if the triangle covers nothing of it.
enum TileEdges {
    Nothing,
    Some([TileEdge; 3]),
    /// An edge so long that its steps within a pixel leave 32 bits.
    TooLong,
}

/// Edges shorter than this, along both axes together, stay within 32 bits in [`LaneEdges`].
const LONG: i32 = 1 << 22;
/// Corners nearer to the tile's than this let all edge functions on the tile be computed in 32 bits.
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
    /// The value at a point that is at least 0 inside.
    #[inline]
    fn biased(&self, x: i32, y: i32) -> i64 {
        self.value(x, y) + self.bias()
    }
}

impl<S: Simd> Lattice<S> {
    /// For pictures with these samples a pixel.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "at most 16 lanes")]
    pub fn new(simd: S, pattern: SamplePattern, is_faulty: bool) -> Self {
        let (lanes, count) = (S::i32s::LEN, pattern.len());
        let zero = S::i32s::simd_from(simd, 0);
        let mut phases = [Phase { column: zero, row: zero, x: zero, y: zero }; MAX_PHASES];
        let phase_count = (count / lanes).max(1);
        let sides = sides((lanes / count).max(1)).map(|side| side as i32);
        for (number, phase) in phases.iter_mut().enumerate().take(phase_count) {
            let mut values = [[0; MAX_LANES]; 4];
            for (lane, sample) in (number * lanes..).take(lanes).enumerate() {
                let spot = Spot::of(sample / count);
                let [x, y] = pattern[sample % count];
                let here = [spot.column() as i32, spot.row() as i32, x, y];
                for (values, value) in values.iter_mut().zip(here) {
                    values[lane] = value;
                }
            }
            phase.column = S::i32s::from_slice(simd, &values[0][..lanes]);
            phase.row = S::i32s::from_slice(simd, &values[1][..lanes]);
            phase.x = S::i32s::from_slice(simd, &values[2][..lanes]);
            phase.y = S::i32s::from_slice(simd, &values[3][..lanes]);
        }
        Self { simd, pattern, margin: Margin::new(pattern), phases, phase_count, sides, is_faulty }
    }

    /// Whether a pixel has one sample.
    #[inline(always)]
    pub fn has_one_sample(&self) -> bool {
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

/// What a walk over the pixels of a tile needs of a triangle.
pub(crate) struct Walk {
    pub span: Span,
    pub edges: [TileEdge; 3],
    pub plane: DepthPlane,
}

/// Shows an opaque triangle wherever it is nearest and solid.
#[inline(always)]
pub(crate) fn cover_lanes<S: Simd>(
    lattice: &Lattice<S>,
    rect: &Rect,
    triangle: &SetupTriangle,
    place: u32,
    samples: &mut Samples,
    solid: &mut impl Solid<S>,
    plain_solid: impl Fn(i32, i32) -> bool,
) {
    let Some(span) = Span::of(lattice.margin, rect, triangle) else { return };
    let edges = match TileEdges::new(rect, triangle) {
        TileEdges::Nothing => return,
        TileEdges::Some(edges) => edges,
        TileEdges::TooLong => {
            cover_scalar(lattice.pattern, rect, triangle, place, false, samples, plain_solid);
            return;
        }
    };
    let walk = Walk { span, edges, plane: DepthPlane::new(triangle) };
    walk_lanes(lattice, rect, &walk, place, samples, solid);
}

/// The walk of [`cover_lanes`].
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
#[expect(clippy::cast_sign_loss, reason = "held to the tile")]
pub(crate) fn walk_lanes<S: Simd>(
    lattice: &Lattice<S>,
    rect: &Rect,
    walk: &Walk,
    place: u32,
    samples: &mut Samples,
    solid: &mut impl Solid<S>,
) {
    let simd = lattice.simd;
    let Walk { span, edges, plane } = walk;
    let owner = S::u32s::simd_from(simd, place);
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
                // The sign bit of any of the three says outside.
                let signs = (start[0] + a) | (start[1] + b) | (start[2] + c);
                let inside = signs.simd_ge(0);
                // Of narrow triangles nobody can foretell it, so they go without asking.
                if is_narrow || inside.any_true() {
                    let dx = (from_x + column * UNIT).to_float::<S::f32s>();
                    let depth = value + dx * plane.along[0] + rise;
                    let mut depth = lanes::min::<S>(lanes::max::<S>(depth, low), high);
                    if lattice.is_faulty && !place.is_multiple_of(2) {
                        let bits: S::i32s = depth.bitcast();
                        depth = (bits + one_lane(simd)).bitcast();
                    }
                    let slot = samples.slot(column as u32, row as u32, number * S::f32s::LEN);
                    let old_depth = &mut samples.depth[slot..slot + S::f32s::LEN];
                    let before = S::f32s::from_slice(simd, old_depth);
                    let mut shown = inside & depth.simd_gt(before);
                    if is_narrow || shown.any_true() {
                        let x = (phase.column + rect.x as i32 + column) * UNIT + phase.x;
                        let y = (phase.row + rect.y as i32 + row) * UNIT + phase.y;
                        shown = solid.solid(x, y, shown);
                        shown.select(depth, before).store_slice(old_depth);
                        let old_owner = &mut samples.owner[slot..slot + S::f32s::LEN];
                        let before = S::u32s::from_slice(simd, old_owner);
                        shown.select(owner, before).store_slice(old_owner);
                    }
                }
                column += wide;
            }
            row += tall;
        }
    }
}
