//! Overdraw: the number of triangles that cover the centre of each pixel, hidden ones too, as in a
//! renderer without a depth buffer.
//!
//! Coverage uses the rasterizer's exact edge functions and fill rule, so two triangles of one
//! surface never count twice on their common edge; culled sides do not count.

use super::screen::{Projected, Screen, cut};
use super::seen::Shape;
use crate::asset::Assets;
use rayon::prelude::*;
use tintype_model::CullMode;
use tintype_raster::geometry::edge::{Edge, UNIT, doubled_area, triangle_edges};

/// Guard band in pixels: within it the corners of a triangle fit fixed point.
const GUARD_PX: f64 = 8192.0;
/// Rows per job of the thread pool.
const BAND: usize = 16;

/// A triangle on the lattice of 1/256 pixel.
struct Snapped {
    edges: [Edge; 3],
    /// Columns and rows whose centre it may cover.
    columns: (i32, i32),
    rows: (i32, i32),
}

/// The count of each pixel, row by row.
pub(super) fn count(screen: &Screen, shapes: &[Shape], assets: &Assets) -> Vec<u32> {
    let of_shape = |shape: &Shape| triangles(screen, shape, assets);
    let triangles: Vec<Vec<Snapped>> = shapes.par_iter().map(of_shape).collect();
    let [width, height] = screen.size.map(|side| side as usize);
    let mut counts = vec![0_u32; width * height];
    let bands = counts.par_chunks_mut(width * BAND).enumerate();
    bands.for_each(|(band, counts)| {
        let first = i32::try_from(band * BAND).unwrap_or(i32::MAX);
        let last = first + i32::try_from(counts.len() / width).unwrap_or(0) - 1;
        for triangle in triangles.iter().flatten() {
            for row in triangle.rows.0.max(first)..=triangle.rows.1.min(last) {
                let offset = usize::try_from(row - first).unwrap_or(0) * width;
                for column in triangle.columns.0..=triangle.columns.1 {
                    let (x, y) = (column * UNIT + UNIT / 2, row * UNIT + UNIT / 2);
                    if triangle.edges.iter().all(|edge| edge.covers(x, y)) {
                        counts[offset + usize::try_from(column).unwrap_or(0)] += 1;
                    }
                }
            }
        }
    });
    counts
}

/// Triangles of a mesh that may cover the picture.
fn triangles(screen: &Screen, shape: &Shape, assets: &Assets) -> Vec<Snapped> {
    let (drop_back, drop_front) = match assets.materials[shape.material].cull {
        CullMode::Auto => (shape.mesh.is_closed_outward() || shape.mesh.is_outline_hull, false),
        CullMode::Back => (true, false),
        CullMode::Front => (false, true),
        CullMode::None => (false, false),
    };
    let points: Vec<Projected> =
        (0..shape.posed.len()).map(|v| screen.project(shape.posed.position_at(v))).collect();
    let [width, height] = screen.size.map(f64::from);
    let distances = |p: &Projected| {
        [
            p[3] - screen.near,
            p[0] + GUARD_PX * p[2],
            (width + GUARD_PX) * p[2] - p[0],
            p[1] + GUARD_PX * p[2],
            (height + GUARD_PX) * p[2] - p[1],
        ]
    };
    let mut found = Vec::new();
    for triangle in shape.triangles {
        let mut polygon = triangle.map(|v| points[v as usize]).to_vec();
        if polygon.iter().any(|corner| distances(corner).iter().any(|&distance| distance < 0.0)) {
            for plane in 0..5 {
                polygon = cut(&polygon, |corner| distances(corner)[plane]);
            }
        }
        for next in 2..polygon.len() {
            let corners = [polygon[0], polygon[next - 1], polygon[next]];
            found.extend(snap(screen, corners, drop_back, drop_front));
        }
    }
    found
}

/// Snaps to the lattice. None if the triangle has no area, or the side is culled.
#[expect(clippy::cast_possible_truncation, reason = "in the guard band: below 2^23")]
fn snap(
    screen: &Screen,
    corners: [Projected; 3],
    drop_back: bool,
    drop_front: bool,
) -> Option<Snapped> {
    let fixed = |value: f64, w: f64| (value / w * f64::from(UNIT) + 0.5).floor() as i32;
    let mut x = corners.map(|[x, _, w, _]| fixed(x, w));
    let mut y = corners.map(|[_, y, w, _]| fixed(y, w));
    let area = doubled_area(x, y);
    let is_front = area < 0;
    if area == 0 || (is_front && drop_front) || (!is_front && drop_back) {
        return None;
    }
    if is_front {
        x.swap(1, 2);
        y.swap(1, 2);
    }
    let span = |corners: [i32; 3], side: u32| {
        let low = corners.into_iter().min().unwrap_or(0).div_euclid(UNIT).max(0);
        let high = corners.into_iter().max().unwrap_or(0).div_euclid(UNIT);
        (low, high.min(i32::try_from(side).unwrap_or(i32::MAX) - 1))
    };
    let (columns, rows) = (span(x, screen.size[0]), span(y, screen.size[1]));
    (columns.0 <= columns.1 && rows.0 <= rows.1).then(|| Snapped {
        edges: triangle_edges(x, y),
        columns,
        rows,
    })
}
