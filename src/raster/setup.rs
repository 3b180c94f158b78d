//! Triangles: reject, clip, snap to 1/256 pixel, cull.
//!
//! The triangles of all draws are numbered through and cut into chunks; chunks run in parallel and keep their order.

use super::bin::{self, Grid};
use super::clip::{Corner, clip_triangle, plane_distances};
use super::edge::doubled_area;
use super::project::{Projected, Projection};
use super::{Draw, View};
use crate::model::CullMode;
use rayon::prelude::*;

/// Source triangles in a chunk. A clipped triangle makes at most six pieces, so a chunk holds under 2^15.
const TRIANGLES_PER_CHUNK: usize = 4096;
/// Binary digits of a triangle's place in its chunk within a [`TriangleId`].
const LOCAL_BITS: u32 = 15;

/// Names one set-up triangle of a picture: the chunk and the place in it. Order is submission order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TriangleId(u32);

impl TriangleId {
    /// No triangle.
    pub const NONE: Self = Self(u32::MAX);

    pub fn new(chunk: usize, local: u16) -> Self {
        let chunk = u32::try_from(chunk).expect("fewer than 2^17 chunks of triangles");
        Self(chunk << LOCAL_BITS | u32::from(local))
    }

    pub fn of(self, chunks: &[Chunk]) -> (&Chunk, &SetupTriangle) {
        let chunk = &chunks[(self.0 >> LOCAL_BITS) as usize];
        (chunk, &chunk.triangles[(self.0 & ((1 << LOCAL_BITS) - 1)) as usize])
    }
}

/// A triangle on the screen, ready for coverage: its doubled area is positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetupTriangle {
    /// Corners in 1/256 pixel.
    pub x: [i32; 3],
    pub y: [i32; 3],
    /// 1/w at the corners.
    pub depth: [f32; 3],
    /// Which draw, and which of its triangles.
    pub draw: u32,
    pub source: u32,
    /// Corner k of this triangle is corner `order[k]` of the source; unused for a clipped piece.
    pub order: [u8; 3],
    /// Whether its front is seen.
    pub is_front: bool,
    /// For a piece of a clipped triangle: index into [`Chunk::shares`].
    pub piece: Option<u32>,
}

/// The set-up triangles of one run of source triangles, and the tiles that they touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    pub triangles: Vec<SetupTriangle>,
    /// For clipped pieces: the corners' barycentric coordinates in the source triangle.
    pub shares: Vec<[[f32; 3]; 3]>,
    /// Filled by [`bin`].
    pub bins: bin::Bins,
}

/// Sets up and bins all triangles of a view.
pub(super) fn set_up(
    view: &View,
    projection: &Projection,
    projected: &[Projected],
    grid: &Grid,
) -> Vec<Chunk> {
    // The number of the first triangle of each draw, and the total.
    let mut first = vec![0];
    for draw in view.draws {
        first.push(first[first.len() - 1] + draw.mesh.triangles.len());
    }
    let total = first[first.len() - 1];
    (0..total.div_ceil(TRIANGLES_PER_CHUNK))
        .into_par_iter()
        .map(|index| {
            let range = index * TRIANGLES_PER_CHUNK..((index + 1) * TRIANGLES_PER_CHUNK).min(total);
            let mut chunk = Chunk::default();
            let mut draw = first.partition_point(|&start| start <= range.start) - 1;
            let mut at = range.start;
            while at < range.end {
                let end = first[draw + 1].min(range.end);
                let source = at - first[draw]..end - first[draw];
                set_up_run(view, projection, &projected[draw], draw, source, &mut chunk);
                at = end;
                draw += 1;
            }
            chunk.bins = bin::bin_triangles(grid, &chunk.triangles);
            chunk
        })
        .collect()
}

/// Which sides of a draw are dropped: back, front.
fn dropped_sides(view: &View, draw: &Draw) -> (bool, bool) {
    match view.materials[draw.material].cull {
        CullMode::Auto => (draw.mesh.closed_outward, false),
        CullMode::Back => (true, false),
        CullMode::Front => (false, true),
        CullMode::None => (false, false),
    }
}

fn set_up_run(
    view: &View,
    projection: &Projection,
    projected: &Projected,
    draw: usize,
    source: core::ops::Range<usize>,
    chunk: &mut Chunk,
) {
    let (drop_back, drop_front) = dropped_sides(view, &view.draws[draw]);
    let half = projection.half;
    for index in source {
        let corners = view.draws[draw].mesh.triangles[index].map(|vertex| vertex as usize);
        let [x, y, w] = [&projected.x, &projected.y, &projected.w]
            .map(|axis| corners.map(|vertex| axis[vertex]));

        // 1. All corners beyond one edge of the picture, or before the near plane: nothing is seen.
        let beyond = |outside: &dyn Fn(usize) -> bool| (0..3).all(outside);
        if beyond(&|k| w[k] < projection.near)
            || beyond(&|k| x[k] > half[0] * w[k])
            || beyond(&|k| x[k] < -half[0] * w[k])
            || beyond(&|k| y[k] > half[1] * w[k])
            || beyond(&|k| y[k] < -half[1] * w[k])
        {
            continue;
        }

        // 2. Snap, if all corners are in range; else cut first and snap the pieces.
        let in_range =
            (0..3).all(|k| plane_distances(projection, x[k], y[k], w[k]).iter().all(|&d| d >= 0.0));
        let place = Place {
            draw: u32::try_from(draw).expect("fewer than 2^32 draws"),
            source: u32::try_from(index).expect("fewer than 2^32 triangles"),
            drop_back,
            drop_front,
        };
        if in_range {
            let snapped = [0, 1, 2].map(|k| snap(half, x[k], y[k], w[k]));
            if let Some(triangle) = place.finish(snapped, None) {
                chunk.triangles.push(triangle);
            }
            continue;
        }
        let polygon = clip_triangle(
            projection,
            [0, 1, 2].map(|k| {
                let mut share = [0.0; 3];
                share[k] = 1.0;
                Corner { x: x[k], y: y[k], w: w[k], share }
            }),
        );
        let corners = polygon.corners();
        for next in 2..corners.len() {
            let piece = [corners[0], corners[next - 1], corners[next]];
            let snapped = piece.map(|corner| snap(half, corner.x, corner.y, corner.w));
            let number = u32::try_from(chunk.shares.len()).expect("a chunk is small");
            if let Some(triangle) = place.finish(snapped, Some(number)) {
                chunk.shares.push(triangle.order.map(|k| piece[usize::from(k)].share));
                chunk.triangles.push(triangle);
            }
        }
    }
}

/// A corner on the screen: x and y in 1/256 pixel, and 1/w.
type Snapped = (i32, i32, f32);

/// Divides by `w` and rounds to the nearest 1/256 pixel, halves upwards.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "in the guard band: below 2^23")]
fn snap(half: [f32; 2], x: f32, y: f32, w: f32) -> Snapped {
    const UNITS: f32 = 256.0; // UNIT
    let depth = 1.0 / w;
    let fixed = |value: f32, half: f32| ((value * depth + half) * UNITS + 0.5).floor() as i32;
    (fixed(x, half[0]), fixed(y, half[1]), depth)
}

/// Where a triangle comes from, and which of its sides are dropped.
#[derive(Clone, Copy)]
struct Place {
    draw: u32,
    source: u32,
    drop_back: bool,
    drop_front: bool,
}

impl Place {
    /// Orders the corners so that the area is positive; none if there is no area or the side is dropped.
    fn finish(&self, corners: [Snapped; 3], piece: Option<u32>) -> Option<SetupTriangle> {
        let area = doubled_area(corners.map(|c| c.0), corners.map(|c| c.1));
        // Counter-clockwise with y up is a negative area with y down.
        let is_front = area < 0;
        if area == 0 || (is_front && self.drop_front) || (!is_front && self.drop_back) {
            return None;
        }
        let order: [u8; 3] = if is_front { [0, 2, 1] } else { [0, 1, 2] };
        let corners = order.map(|k| corners[usize::from(k)]);
        Some(SetupTriangle {
            x: corners.map(|c| c.0),
            y: corners.map(|c| c.1),
            depth: corners.map(|c| c.2),
            draw: self.draw,
            source: self.source,
            order,
            is_front,
            piece,
        })
    }
}
