//! World space -> clip coordinates -> 1/256 pixel, once a vertex.

use crate::math::Vec3;
use crate::math::lanes::splat;
use crate::model::{Camera, PosedMesh};
use crate::raster::geometry::clip::{GUARD_PX, plane_distances};
use crate::simd::prelude::*;
use crate::simd::{self, Kernel, Level, MAX_LANES, Simd};
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

/// The camera as three rows: what maps a world position to scaled clip coordinates.
///
/// In clip coordinates a vertex is `(x, y, w)` with `w` the distance along the view axis and `x / w`, `y / w` in **pixels** from the middle of
/// the picture, y down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    rows: [Vec3; 3],
    offset: [f32; 3],
    /// Pixels from the edge of the picture to its middle, x and y.
    pub half: [f32; 2],
    /// Smallest `w` that is drawn.
    pub near: f32,
}

impl Projection {
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub fn new(camera: &Camera, [width, height]: [u32; 2]) -> Self {
        let (width, height) = (width as f32, height as f32);
        let (tangent_x, tangent_y) = camera.half_tangents(width / height);
        let half = [width * 0.5, height * 0.5];
        let axes = camera.world_from_view;
        let rows = [
            axes.x_axis * (half[0] / tangent_x),
            axes.y_axis * (-half[1] / tangent_y),
            axes.z_axis * -1.0,
        ];
        let offset = rows.map(|row| -row.dot(camera.eye));
        Self { rows, offset, half, near: camera.near }
    }
}

/// Bits of [`ScreenVertex::outside`].
pub(crate) mod outside {
    /// Before the near plane.
    pub const NEAR: u32 = 1;
    /// Beyond one edge of the picture each.
    pub const RIGHT: u32 = 2;
    pub const LEFT: u32 = 4;
    pub const BOTTOM: u32 = 8;
    pub const TOP: u32 = 16;
    /// Any of these: where all corners of a triangle have one in common, nothing of it is seen.
    pub const PICTURE: u32 = NEAR | RIGHT | LEFT | BOTTOM | TOP;
    /// Out of the range of the fixed-point arithmetic, so that a triangle must be cut first.
    pub const RANGE: u32 = 32;
}

/// One vertex on the screen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ScreenVertex {
    /// In 1/256 pixel; 0 where out of range.
    pub x: i32,
    pub y: i32,
    /// 1/w.
    pub depth: f32,
    /// Bits of [`outside`].
    pub outside: u32,
}

impl Projection {
    /// Scaled clip coordinates of a world position.
    #[inline]
    pub fn clip_coordinates(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let along = |axis: usize| {
            let (row, offset) = (self.rows[axis], self.offset[axis]);
            row.x * x + row.y * y + row.z * z + offset
        };
        [along(0), along(1), along(2)]
    }

    /// One vertex: the definition of [`Projection::project_lanes`].
    fn project(&self, place: [f32; 3]) -> ScreenVertex {
        let [x, y, w] = self.clip_coordinates(place);
        let [half_x, half_y] = self.half;
        let mut outside = 0;
        for (is_outside, bit) in [
            (w < self.near, outside::NEAR),
            (x > half_x * w, outside::RIGHT),
            (x < -half_x * w, outside::LEFT),
            (y > half_y * w, outside::BOTTOM),
            (y < -half_y * w, outside::TOP),
        ] {
            outside |= if is_outside { bit } else { 0 };
        }
        if !plane_distances(self, x, y, w).iter().all(|&distance| distance >= 0.0) {
            outside |= outside::RANGE;
            return ScreenVertex { x: 0, y: 0, depth: 0.0, outside };
        }
        let (x, y, depth) = snap(self.half, x, y, w);
        ScreenVertex { x, y, depth, outside }
    }

    /// As many vertices as a vector has lanes.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "small bits")]
    fn project_lanes<S: Simd>(&self, simd: S, place: [S::f32s; 3], out: &mut [ScreenVertex]) {
        let [x, y, w] = [
            self.along_lanes::<S>(0, place),
            self.along_lanes::<S>(1, place),
            self.along_lanes::<S>(2, place),
        ];
        let [half_x, half_y] = self.half;
        let zero = S::i32s::simd_from(simd, 0);
        let none = splat(simd, 0.0);

        // 1. Where it lies.
        let mut outside =
            w.simd_lt(self.near).select(S::i32s::simd_from(simd, outside::NEAR as i32), zero);
        outside |=
            x.simd_gt(w * half_x).select(S::i32s::simd_from(simd, outside::RIGHT as i32), zero);
        outside |=
            x.simd_lt(w * -half_x).select(S::i32s::simd_from(simd, outside::LEFT as i32), zero);
        outside |=
            y.simd_gt(w * half_y).select(S::i32s::simd_from(simd, outside::BOTTOM as i32), zero);
        outside |=
            y.simd_lt(w * -half_y).select(S::i32s::simd_from(simd, outside::TOP as i32), zero);
        let (limit_x, limit_y) = (w * (half_x + GUARD_PX), w * (half_y + GUARD_PX));
        let in_range = (w - self.near).simd_ge(0.0)
            & (limit_x + x).simd_ge(0.0)
            & (limit_x - x).simd_ge(0.0)
            & (limit_y + y).simd_ge(0.0)
            & (limit_y - y).simd_ge(0.0);
        outside |= in_range.select(zero, S::i32s::simd_from(simd, outside::RANGE as i32));

        // 2. Divide and round, where that is in range.
        let depth = in_range.select(splat(simd, 1.0) / w, none);
        let x = in_range.select(((x * depth + half_x) * 256.0 + 0.5).floor(), none);
        let y = in_range.select(((y * depth + half_y) * 256.0 + 0.5).floor(), none);
        let (x, y) = (x.to_int::<S::i32s>(), y.to_int::<S::i32s>());
        for (lane, out) in out.iter_mut().enumerate() {
            *out = ScreenVertex {
                x: x.as_slice()[lane],
                y: y.as_slice()[lane],
                depth: depth.as_slice()[lane],
                outside: outside.as_slice()[lane].cast_unsigned(),
            };
        }
    }

    #[inline(always)]
    fn along_lanes<S: Simd>(&self, axis: usize, [x, y, z]: [S::f32s; 3]) -> S::f32s {
        let row = self.rows[axis];
        x * row.x + y * row.y + z * row.z + self.offset[axis]
    }
}

/// Divides by `w` and rounds to the nearest 1/256 pixel, halves upwards.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "in the guard band: below 2^23")]
pub(crate) fn snap(half: [f32; 2], x: f32, y: f32, w: f32) -> (i32, i32, f32) {
    const UNITS: f32 = 256.0; // UNIT
    let depth = 1.0 / w;
    let fixed = |value: f32, half: f32| ((value * depth + half) * UNITS + 0.5).floor() as i32;
    (fixed(x, half[0]), fixed(y, half[1]), depth)
}

/// Vertices that one thread projects at a time.
const VERTICES_PER_JOB: usize = 8192;

/// Projects a run of vertices.
struct ProjectRun<'a> {
    projection: &'a Projection,
    posed: &'a PosedMesh,
    first: usize,
    out: &'a mut [ScreenVertex],
}

impl Kernel for ProjectRun<'_> {
    type Output = ();

    fn scalar(self) {
        let [x, y, z] = &self.posed.position;
        for (vertex, out) in (self.first..).zip(self.out) {
            *out = self.projection.project([x[vertex], y[vertex], z[vertex]]);
        }
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { projection, posed, first, out } = self;
        let [x, y, z] = &posed.position;
        let lanes = S::f32s::LEN;
        let (mut first, end) = (first, first + out.len());
        let mut out = out.chunks_exact_mut(lanes);
        for out in &mut out {
            let range = first..first + lanes;
            let place = [
                S::f32s::from_slice(simd, &x[range.clone()]),
                S::f32s::from_slice(simd, &y[range.clone()]),
                S::f32s::from_slice(simd, &z[range]),
            ];
            projection.project_lanes(simd, place, out);
            first += lanes;
        }
        let rest = out.into_remainder();
        if !rest.is_empty() {
            let mut place = [[1.0; MAX_LANES]; 3];
            for (place, axis) in place.iter_mut().zip([x, y, z]) {
                place[..rest.len()].copy_from_slice(&axis[first..end]);
            }
            let place = [
                S::f32s::from_slice(simd, &place[0][..lanes]),
                S::f32s::from_slice(simd, &place[1][..lanes]),
                S::f32s::from_slice(simd, &place[2][..lanes]),
            ];
            projection.project_lanes(simd, place, rest);
        }
    }
}

/// The vertices of one draw on the screen.
pub(crate) fn project_vertices(
    level: Level,
    projection: &Projection,
    posed: &PosedMesh,
) -> Vec<ScreenVertex> {
    let mut vertices = vec![ScreenVertex::default(); posed.len()];
    vertices.par_chunks_mut(VERTICES_PER_JOB).enumerate().for_each(|(index, out)| {
        let first = index * VERTICES_PER_JOB;
        simd::run(level, ProjectRun { projection, posed, first, out });
    });
    vertices
}
