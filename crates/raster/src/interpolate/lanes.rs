//! Interpolation over lanes, one point per lane; [`crate::interpolate::scalar`] is the definition.
//!
//! Input: a packet of points. Output: the corners of each point's triangle in its lane, then
//! barycentric coordinates, footprints and attributes. If a packet lies on few triangles, the
//! values of each are broadcast to its lanes; otherwise every lane gathers separately.

use crate::geometry::edge::{UNIT, doubled_area};
use crate::interpolate::packet::{Attributes, Packet, TriangleStore};
use crate::texture::trilinear::lanes::Footprints;
use bytemuck::cast_slice;
use tintype_model::math::Vec3;
use tintype_model::math::lanes::{Vec3s, max, splat};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd, gather_rows, gather_words};

/// From this doubled area, edge functions at points of a triangle may exceed 32 bits.
const AREA_OF_64_BITS: i64 = 1 << 30;

/// Indices of values in [`LaneInterpolants::plain`]: a row of `VertexTable::plain` for each of
/// three corners.
const TEXCOORD: usize = 0;

pub(crate) const NORMAL: usize = 2;

/// From here on only with [`Attributes::has_position`].
pub(crate) const POSITION: usize = 5;

/// Distance from corner to corner.
pub(crate) const STEP: usize = 8;

/// Index of the tangent in rows of `VertexTable::tangents`.
pub(crate) const TANGENT: usize = 0;

/// Distance from corner to corner.
pub(crate) const EXTRA_STEP: usize = 4;

/// Index of the bitangent sign of the first corner.
pub(crate) const BITANGENT_SIGN: usize = 3;

/// Vertex values of the triangles of a packet, one triangle per lane.
pub(crate) struct LaneInterpolants<S: Simd> {
    /// Corners in 1/256 pixel.
    x: [S::i32s; 3],
    y: [S::i32s; 3],
    /// 1/w at the corners; 1 without perspective.
    over_w: [S::f32s; 3],
    pub plain: [S::f32s; 3 * STEP],
    /// 1 where the front is visible, otherwise -1.
    pub front: S::f32s,
    /// Only for normal maps: tangents with the sign of the bitangent.
    pub tangent: [S::f32s; 3 * EXTRA_STEP],
    /// Only if vertices have colours: straight, with alpha.
    pub color: [S::f32s; 3 * EXTRA_STEP],
    /// Only if textures use them: second texture coordinates.
    second: [S::f32s; 3 * EXTRA_STEP],
    /// Only for pieces of clipped triangles: barycentric coordinates of their corners in the source
    /// triangles.
    piece: [S::f32s; 3 * EXTRA_STEP],
    is_piece: bool,
    /// True if all edge functions fit 32 bits.
    is_small: bool,
    slopes: Slopes<S>,
    /// The triangle of all lanes, until [`Self::forget`].
    held: Option<u32>,
    /// A value that a test spoils.
    #[cfg(test)]
    fault: Option<crate::fault::PlantedFault>,
}

/// Values that depend on the triangles alone: adjacent packets often lie on one triangle and reuse
/// them.
struct Slopes<S: Simd> {
    /// Growth of the edge functions over w along x and along y, and the sum of each.
    across: Vec3s<S>,
    down: Vec3s<S>,
    sums: [S::f32s; 2],
    /// Doubled area, if all edge functions fit 32 bits.
    area: S::i32s,
    /// Otherwise the edge functions: growth along x and along y, and value at the origin of the
    /// picture.
    edges: [[[S::f64s; 2]; 3]; 3],
}

/// Packets on more triangles than this gather, lane by lane. Broadcasting to some lanes pays only
/// where instructions take masks, as those of 16 lanes do.
const MAX_SPREAD: usize = 4;

impl<S: Simd> LaneInterpolants<S> {
    /// Empty values, to be filled.
    #[inline(always)]
    pub(crate) fn none(simd: S) -> Self {
        let (zero, none) = (S::i32s::simd_from(simd, 0), splat(simd, 0.0));
        Self {
            x: [zero; 3],
            y: [zero; 3],
            over_w: [none; 3],
            plain: [none; 3 * STEP],
            front: none,
            tangent: [none; 3 * EXTRA_STEP],
            color: [none; 3 * EXTRA_STEP],
            second: [none; 3 * EXTRA_STEP],
            piece: [none; 3 * EXTRA_STEP],
            is_piece: false,
            is_small: true,
            slopes: Slopes {
                across: Vec3s::splat(simd, Vec3::ZERO),
                down: Vec3s::splat(simd, Vec3::ZERO),
                sums: [none; 2],
                area: zero,
                edges: [[[S::f64s::simd_from(simd, 0.0); 2]; 3]; 3],
            },
            held: None,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Forgets the triangle of the last packet: the next one may be in another tile, or need other
    /// attributes.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.held = None;
    }

    /// Loads the triangles under the points of a packet; lanes without a point get those of some
    /// lane with one. Attributes that are not requested keep their old values.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        simd: S,
        store: TriangleStore,
        attributes: Attributes,
        packet: &Packet<S>,
    ) {
        let indices = packet.triangle.as_slice();
        let first = indices[packet.active.trailing_zeros() as usize];
        let others = !packet.triangle.simd_eq(first).to_bitmask() & packet.active;
        let one = (others == 0).then_some(first);
        if one.is_some() && self.held == one {
            return;
        }
        self.is_piece = attributes.is_piece;
        self.load(simd, store, attributes, packet, (first, others));
        self.held = one;
        self.prepare(simd);
    }

    /// Loads the first triangle of a packet, and those of its other lanes.
    #[inline(always)]
    fn load(
        &mut self,
        simd: S,
        store: TriangleStore,
        attributes: Attributes,
        packet: &Packet<S>,
        (first, mut left): (u32, u64),
    ) {
        let indices = packet.triangle.as_slice();
        let mut others = [(0, S::mask32s::splat(simd, false)); MAX_SPREAD - 1];
        let mut count = 0;
        while left != 0 {
            if count == others.len() || S::u32s::LEN < MAX_LANES {
                self.gather(simd, store, attributes, packet, first);
                return;
            }
            let triangle_index = indices[left.trailing_zeros() as usize];
            let here = packet.triangle.simd_eq(triangle_index);
            left &= !here.to_bitmask();
            others[count] = (triangle_index, here);
            count += 1;
        }
        self.spread(simd, store, attributes, first, Everywhere);
        for &(triangle_index, here) in &others[..count] {
            self.spread(simd, store, attributes, triangle_index, In(here));
        }
    }

    /// Loads one triangle into all lanes.
    #[inline(always)]
    pub(crate) fn take_one(
        &mut self,
        simd: S,
        store: TriangleStore,
        attributes: Attributes,
        triangle_index: u32,
    ) {
        self.is_piece = attributes.is_piece;
        self.spread(simd, store, attributes, triangle_index, Everywhere);
        self.prepare(simd);
    }

    /// Computes what depends on the triangles alone.
    #[inline(always)]
    fn prepare(&mut self, simd: S) {
        let Self { x, y, over_w: [a, b, c], slopes, is_small, .. } = self;
        let over_w = Vec3s::<S>::new(*a, *b, *c);
        // Along x an edge function falls by the height of its edge.
        slopes.across =
            Vec3s::new(span::<S>(y[2], y[1]), span::<S>(y[0], y[2]), span::<S>(y[1], y[0]))
                .times(over_w);
        slopes.down =
            Vec3s::new(span::<S>(x[1], x[2]), span::<S>(x[2], x[0]), span::<S>(x[0], x[1]))
                .times(over_w);
        slopes.sums = [sum(slopes.across), sum(slopes.down)];
        if *is_small {
            let (x1, x2) = (x[1] - x[0], x[2] - x[0]);
            let (y1, y2) = (y[1] - y[0], y[2] - y[0]);
            slopes.area = x1 * y2 - x2 * y1;
            return;
        }
        let zero = S::i32s::simd_from(simd, 0);
        for (k, edge) in slopes.edges.iter_mut().enumerate() {
            let (from, to) = ((k + 1) % 3, (k + 2) % 3);
            let (across, down) = (wide::<S>(y[from] - y[to]), wide::<S>(x[to] - x[from]));
            let origin = [x[from], y[from]].map(|at| wide::<S>(zero - at));
            let mut start = across;
            for (half, start) in start.iter_mut().enumerate() {
                *start = across[half] * origin[0][half] + down[half] * origin[1][half];
            }
            *edge = [across, down, start];
        }
    }

    /// Broadcasts the values of one triangle to some lanes.
    #[inline(always)]
    fn spread(
        &mut self,
        simd: S,
        store: TriangleStore,
        attributes: Attributes,
        triangle_index: u32,
        put: impl LaneStore<S>,
    ) {
        #[cfg(test)]
        {
            self.fault = store.fault;
        }
        let TriangleStore { table, triangles, .. } = store;
        let triangle = &triangles[triangle_index as usize];
        for k in 0..3 {
            put.whole(simd, &mut self.x[k], triangle.x[k]);
            put.whole(simd, &mut self.y[k], triangle.y[k]);
        }
        let over_w = if store.is_orthographic { [1.0; 3] } else { triangle.depth };
        put.all(simd, &mut self.over_w, &over_w);
        put.number(simd, &mut self.front, triangle.front);
        let is_small = doubled_area(triangle.x, triangle.y) < AREA_OF_64_BITS;
        self.is_small = is_small && (self.is_small || put.is_first());
        if attributes.is_piece {
            let corners = &store.pieces[triangle.piece as usize];
            put.all(simd, &mut self.piece, corners.as_flattened());
        }
        for (k, vertex) in triangle.vertices.into_iter().enumerate() {
            let (first, vertex) = (k * STEP, vertex as usize);
            let count = if attributes.has_position { STEP } else { POSITION };
            put.all(simd, &mut self.plain[first..first + count], &table.plain[vertex][..count]);
            let extra = k * EXTRA_STEP..(k + 1) * EXTRA_STEP;
            if attributes.has_tangent {
                put.all(simd, &mut self.tangent[extra.clone()], &table.tangents[vertex]);
            }
            if attributes.has_color {
                put.all(simd, &mut self.color[extra.clone()], &table.colors[vertex]);
            }
            if attributes.has_second_texcoord {
                put.all(simd, &mut self.second[extra], &table.second[vertex]);
            }
        }
    }

    /// Gathers the values of one triangle per lane.
    #[inline(always)]
    fn gather(
        &mut self,
        simd: S,
        store: TriangleStore,
        attributes: Attributes,
        packet: &Packet<S>,
        first: u32,
    ) {
        let TriangleStore { table, triangles, .. } = store;
        let active = S::mask32s::from_bitmask(simd, packet.active);
        let indices = active.select(packet.triangle, S::u32s::simd_from(simd, first));
        let [corners_x, corners_y, depths, vertices] =
            gather_rows(simd, cast_slice(triangles), indices);
        let ([xa, xb, xc, front], [ya, yb, yc, piece]) = (corners_x, corners_y);
        let ([da, db, dc, _], [a, b, c, _]) = (depths, vertices);
        self.x = [xa.bitcast(), xb.bitcast(), xc.bitcast()];
        self.y = [ya.bitcast(), yb.bitcast(), yc.bitcast()];
        self.over_w = if store.is_orthographic {
            [splat(simd, 1.0); 3]
        } else {
            [da.bitcast(), db.bitcast(), dc.bitcast()]
        };
        self.front = front.bitcast();
        self.is_small = self.fits(simd);
        if attributes.is_piece {
            let rows = cast_slice(store.pieces.as_flattened());
            for (k, corner) in (0..).zip(self.piece.chunks_exact_mut(EXTRA_STEP)) {
                take(simd, corner, rows, piece * 3 + k);
            }
        }
        for (k, &vertices) in [a, b, c].iter().enumerate() {
            let plain = &mut self.plain[k * STEP..(k + 1) * STEP];
            let rows: [_; 2] = gather_rows(simd, cast_slice(&table.plain), vertices);
            for (into, words) in plain.iter_mut().zip(rows.as_flattened()) {
                *into = words.bitcast();
            }
            let extra = k * EXTRA_STEP..(k + 1) * EXTRA_STEP;
            if attributes.has_tangent {
                let tangent = &mut self.tangent[extra.clone()];
                take(simd, tangent, cast_slice(&table.tangents), vertices);
            }
            if attributes.has_color {
                let color = &mut self.color[extra.clone()];
                take(simd, color, cast_slice(&table.colors), vertices);
            }
            if attributes.has_second_texcoord {
                take(simd, &mut self.second[extra], cast_slice(&table.second), vertices);
            }
        }
    }

    /// True if all corners are close enough for edge functions to fit 32 bits.
    #[inline(always)]
    fn fits(&self, simd: S) -> bool {
        const FAR: i32 = 1 << 14;
        let mut is_near = S::mask32s::splat(simd, true);
        for &[a, b, c] in &[self.x, self.y] {
            for apart in &[b - a, c - a, c - b] {
                is_near &= apart.simd_lt(FAR) & apart.simd_gt(-FAR);
            }
        }
        is_near.all_true()
    }
}

/// Destination lanes of a broadcast.
trait LaneStore<S: Simd> {
    fn whole(&self, simd: S, lanes: &mut S::i32s, number: i32);
    fn number(&self, simd: S, lanes: &mut S::f32s, number: f32);
    /// True if values from before the broadcast are replaced in all lanes.
    fn is_first(&self) -> bool;

    #[inline(always)]
    fn all(&self, simd: S, lanes: &mut [S::f32s], numbers: &[f32]) {
        for (lanes, &number) in lanes.iter_mut().zip(numbers) {
            self.number(simd, lanes, number);
        }
    }
}

/// All lanes.
struct Everywhere;

impl<S: Simd> LaneStore<S> for Everywhere {
    #[inline(always)]
    fn whole(&self, simd: S, lanes: &mut S::i32s, number: i32) {
        *lanes = S::i32s::simd_from(simd, number);
    }

    #[inline(always)]
    fn number(&self, simd: S, lanes: &mut S::f32s, number: f32) {
        *lanes = splat(simd, number);
    }

    #[inline(always)]
    fn is_first(&self) -> bool {
        true
    }
}

/// The lanes of a mask.
struct In<S: Simd>(S::mask32s);

impl<S: Simd> LaneStore<S> for In<S> {
    #[inline(always)]
    fn whole(&self, simd: S, lanes: &mut S::i32s, number: i32) {
        *lanes = self.0.select(S::i32s::simd_from(simd, number), *lanes);
    }

    #[inline(always)]
    fn number(&self, simd: S, lanes: &mut S::f32s, number: f32) {
        *lanes = self.0.select(splat(simd, number), *lanes);
    }

    #[inline(always)]
    fn is_first(&self) -> bool {
        false
    }
}

/// Gathers four numbers.
#[inline(always)]
fn take<S: Simd>(simd: S, into: &mut [S::f32s], rows: &[[u32; 4]], indices: S::u32s) {
    for (into, words) in into.iter_mut().zip(&gather_words(simd, rows, indices)) {
        *into = words.bitcast();
    }
}

/// Barycentric coordinates, and the growth of the second and the third per pixel to the right and
/// per pixel down.
pub(crate) struct LaneBarycentrics<S: Simd> {
    pub at: Vec3s<S>,
    across: [S::f32s; 2],
    down: [S::f32s; 2],
}

/// Interpolates the values at three corners, `step` apart, starting at `first`.
#[inline(always)]
pub(crate) fn mix<S: Simd>(
    values: &[S::f32s],
    first: usize,
    step: usize,
    barycentric: Vec3s<S>,
) -> S::f32s {
    values[first] * barycentric.x
        + values[first + step] * barycentric.y
        + values[first + 2 * step] * barycentric.z
}

/// Interpolates three components.
#[inline(always)]
pub(crate) fn mix3<S: Simd>(
    values: &[S::f32s],
    first: usize,
    step: usize,
    barycentric: Vec3s<S>,
) -> Vec3s<S> {
    Vec3s::new(
        mix(values, first, step, barycentric),
        mix(values, first + 1, step, barycentric),
        mix(values, first + 2, step, barycentric),
    )
}

/// The three components at the first corner.
#[inline(always)]
pub(crate) fn corner3<S: Simd>(values: &[S::f32s], first: usize) -> Vec3s<S> {
    Vec3s::new(values[first], values[first + 1], values[first + 2])
}

/// Integers within 2^24 as 64-bit floats: the lower lanes, then the upper ones.
#[inline(always)]
fn wide<S: Simd>(numbers: S::i32s) -> [S::f64s; 2] {
    let (low, high) = numbers.to_float::<S::f32s>().widen();
    [low, high]
}

/// Difference of two coordinates.
#[inline(always)]
fn span<S: Simd>(from: S::i32s, to: S::i32s) -> S::f32s {
    (to - from).to_float::<S::f32s>()
}

#[inline(always)]
fn sum<S: Simd>(values: Vec3s<S>) -> S::f32s {
    values.x + values.y + values.z
}

/// Growth of the second and the third coordinate per pixel, from the slopes of the edge functions
/// over w and their sum.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "256")]
fn growth<S: Simd>(at: Vec3s<S>, slope: Vec3s<S>, sum: S::f32s, scale: S::f32s) -> [S::f32s; 2] {
    let scale = scale * UNIT as f32;
    [(slope.y - at.y * sum) * scale, (slope.z - at.z * sum) * scale]
}

impl<S: Simd> LaneInterpolants<S> {
    /// Edge functions at the points, rounded to floats.
    #[inline(always)]
    fn edge_values(&self, simd: S, at_x: S::i32s, at_y: S::i32s) -> [S::f32s; 3] {
        let Self { x, y, slopes, .. } = self;
        let mut values = [splat(simd, 0.0); 3];
        if self.is_small {
            // Relative to the first corner; the three sum to the doubled area. Intermediate
            // overflow cancels out.
            let (x1, x2) = (x[1] - x[0], x[2] - x[0]);
            let (y1, y2) = (y[1] - y[0], y[2] - y[0]);
            let (dx, dy) = (at_x - x[0], at_y - y[0]);
            let (second, third) = (y2 * dx - x2 * dy, x1 * dy - y1 * dx);
            let first = slopes.area - second - third;
            values = [first.to_float(), second.to_float(), third.to_float()];
        } else {
            // Coordinates lie within 2^24, so products and sums are exact; each value is rounded
            // once.
            let (at_x, at_y) = (wide::<S>(at_x), wide::<S>(at_y));
            for (value, [across, down, start]) in values.iter_mut().zip(&slopes.edges) {
                let low = across[0] * at_x[0] + down[0] * at_y[0] + start[0];
                let high = across[1] * at_x[1] + down[1] * at_y[1] + start[1];
                *value = low.narrow(high);
            }
        }
        values
    }

    /// Perspective-correct coordinates at the points: see [`crate::interpolate::scalar`].
    #[inline(always)]
    pub(crate) fn barycentrics(
        &self,
        simd: S,
        at_x: S::i32s,
        at_y: S::i32s,
    ) -> LaneBarycentrics<S> {
        let zero = splat(simd, 0.0);
        let Self { over_w: [a, b, c], slopes, .. } = self;
        let over_w = Vec3s::<S>::new(*a, *b, *c);
        let [a, b, c] = self.edge_values(simd, at_x, at_y);
        let values =
            Vec3s::new(max::<S>(a, zero), max::<S>(b, zero), max::<S>(c, zero)).times(over_w);
        let scale = splat(simd, 1.0) / sum(values);
        let at = values.scaled(scale);
        let across = growth(at, slopes.across, slopes.sums[0], scale);
        let down = growth(at, slopes.down, slopes.sums[1], scale);
        #[cfg(test)]
        let at = crate::fault::barycentrics(simd, self.fault, at);
        if self.is_piece {
            return LaneBarycentrics {
                at: mix3(&self.piece, 0, EXTRA_STEP, at),
                across: grown_by::<S>(&self.piece, 1, EXTRA_STEP, across),
                down: grown_by::<S>(&self.piece, 1, EXTRA_STEP, down),
            };
        }
        LaneBarycentrics { at, across, down }
    }

    /// Footprints on textures with the first texture coordinates.
    #[inline(always)]
    pub(crate) fn footprints(&self, barycentrics: &LaneBarycentrics<S>) -> Footprints<S> {
        footprints_in(&self.plain, STEP, barycentrics)
    }

    /// Growth of the interpolated normals per pixel to the right and per pixel down.
    #[inline(always)]
    pub(crate) fn normal_growth(&self, barycentrics: &LaneBarycentrics<S>) -> [Vec3s<S>; 2] {
        let LaneBarycentrics { across, down, .. } = barycentrics;
        let [right_x, right_y] = grown_by::<S>(&self.plain, NORMAL, STEP, *across);
        let [down_x, down_y] = grown_by::<S>(&self.plain, NORMAL, STEP, *down);
        let [_, right_z] = grown_by::<S>(&self.plain, NORMAL + 1, STEP, *across);
        let [_, down_z] = grown_by::<S>(&self.plain, NORMAL + 1, STEP, *down);
        [Vec3s::new(right_x, right_y, right_z), Vec3s::new(down_x, down_y, down_z)]
    }

    /// Footprints on textures with the second.
    #[inline(always)]
    pub(crate) fn second_footprints(&self, barycentrics: &LaneBarycentrics<S>) -> Footprints<S> {
        footprints_in(&self.second, EXTRA_STEP, barycentrics)
    }
}

/// Footprints in texture coordinates that come first among the values of each corner, which are
/// `step` apart.
#[inline(always)]
fn footprints_in<S: Simd>(
    values: &[S::f32s],
    step: usize,
    barycentrics: &LaneBarycentrics<S>,
) -> Footprints<S> {
    Footprints {
        at: texcoord::<S>(values, step, barycentrics.at),
        across: grown_by::<S>(values, TEXCOORD, step, barycentrics.across),
        down: grown_by::<S>(values, TEXCOORD, step, barycentrics.down),
    }
}

/// Texture coordinates at barycentric ones. A closure called more than once may be compiled without
/// the instructions of the level; a function with this attribute is not.
#[inline(always)]
fn texcoord<S: Simd>(values: &[S::f32s], step: usize, barycentric: Vec3s<S>) -> [S::f32s; 2] {
    [mix(values, TEXCOORD, step, barycentric), mix(values, TEXCOORD + 1, step, barycentric)]
}

/// Growth of two values, stored from `first` on at each corner, given the growth of the second and
/// the third barycentric coordinate.
#[inline(always)]
fn grown_by<S: Simd>(
    values: &[S::f32s],
    first: usize,
    step: usize,
    growth: [S::f32s; 2],
) -> [S::f32s; 2] {
    let mut grown = growth;
    for (axis, grown) in grown.iter_mut().enumerate() {
        let start = values[first + axis];
        let to_second = values[first + axis + step] - start;
        let to_third = values[first + axis + 2 * step] - start;
        *grown = to_second * growth[0] + to_third * growth[1];
    }
    grown
}
