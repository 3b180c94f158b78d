//! Silhouette: a model drawn tiny and without light, to measure its shape from one side.
//!
//! Input: a [`Solid`] and a direction. Output: a small grid of depth and orientation, and measures
//! of it. Faces are two-sided. It is used to choose viewpoints; no pixel of a picture comes from
//! it.
//!
//! # Determinism
//! Only `+ - * /`, `sqrt` and comparison, in the order of the triangles.

use super::solid::Solid;
use tintype_model::math::{Vec3, any_perpendicular, max, min, unit_or};

/// Cells per side.
pub const SIDE: usize = 40;

/// A grid that looks along `-back`, with `up` upward.
#[derive(Clone, Debug)]
pub struct Silhouette {
    /// Depth of the nearest surface in each cell, larger is nearer, in cells; negative infinity for
    /// an empty cell.
    depth: Vec<f32>,
    /// Normal of that surface.
    normals: Vec<Vec3>,
    side: f32,
}

/// Measures of a sketch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Fraction of covered cells.
    pub fill: f32,
    /// Evenness of the visible normals, 0 for one direction, near 1 for many: a cube seen along its
    /// face has 0, over its corner two thirds.
    pub variety: f32,
    /// Borders and edges: fraction of the covered cells beside a step in depth or a bend.
    pub detail: f32,
    /// Fraction of the covered cells beside an empty one.
    pub border: f32,
}

/// Right and up in the picture.
fn axes(back: Vec3, up: Vec3) -> [Vec3; 2] {
    let right = unit_or(up.cross(back), any_perpendicular(back));
    [right, back.cross(right)]
}

impl Silhouette {
    /// Draws a solid into the smallest square that contains it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "small numbers of cells")]
    pub fn new(solid: &Solid, back: Vec3, up: Vec3) -> Self {
        // 1. The square.
        let [right, up] = axes(back, up);
        let [(left, most), (low, high)] = [right, up].map(|axis| solid.range(axis));
        let half = max(most - left, high - low) * 0.5;
        let half = if half > 0.0 && half < f32::INFINITY { half } else { 1.0 };
        let center = [(left + most) * 0.5, (low + high) * 0.5];

        // 2. Cells of the grid, whose rows count downward.
        let (scale, middle) = (SIDE as f32 * 0.5 / half, SIDE as f32 * 0.5);
        let place = |&point: &Vec3| {
            Placed::new(Vec3::new(
                (right.dot(point) - center[0]) * scale + middle,
                middle - (up.dot(point) - center[1]) * scale,
                back.dot(point) * scale,
            ))
        };
        let placed: Vec<Placed> = solid.points.iter().map(place).collect();
        let mut sketch = Self::empty(half * 2.0);
        for triangle in &solid.triangles {
            sketch.add(triangle.map(|corner| placed[corner as usize]));
        }
        sketch
    }

    /// An empty grid with this side length.
    fn empty(side: f32) -> Self {
        let cells = SIDE * SIDE;
        Self { depth: vec![f32::NEG_INFINITY; cells], normals: vec![Vec3::ZERO; cells], side }
    }

    /// Length of a side of the grid, in the units of the solid.
    #[must_use]
    pub fn side(&self) -> f32 {
        self.side
    }

    /// Draws a triangle. Most lie between the centres of cells.
    #[expect(clippy::cast_precision_loss, reason = "small numbers of cells")]
    fn add(&mut self, corners: [Placed; 3]) {
        let [first, end] = Placed::cells(corners);
        if first[0] >= end[0] || first[1] >= end[1] {
            return;
        }
        let [a, b, c] = corners.map(|corner| corner.point);
        // Twice the area on the grid; an edge-on triangle covers nothing.
        let area = (b - a).cross(c - a).z;
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let mut normal = None;
        let edge = |from: Vec3, to: Vec3, x: f32, y: f32| {
            (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
        };
        for row in usize::from(first[1])..usize::from(end[1]) {
            for column in usize::from(first[0])..usize::from(end[0]) {
                let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
                let shares = [edge(b, c, x, y), edge(c, a, x, y), edge(a, b, x, y)];
                let is_inside = if area > 0.0 {
                    shares.iter().all(|&share| share >= 0.0)
                } else {
                    shares.iter().all(|&share| share <= 0.0)
                };
                if !is_inside {
                    continue;
                }
                let depth = (shares[0] * a.z + shares[1] * b.z + shares[2] * c.z) / area;
                let index = row * SIDE + column;
                if depth > self.depth[index] {
                    self.depth[index] = depth;
                    self.normals[index] = *normal.get_or_insert_with(|| facing([a, b, c]));
                }
            }
        }
    }

    /// Measures the sketch.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of cells")]
    pub fn read(&self) -> Reading {
        let is_seen = |index: usize| self.depth[index] > f32::NEG_INFINITY;
        // Normals fall into seventeen bins by their direction on the grid and their slope.
        let mut bins = [0_u32; 17];
        let (mut seen, mut detailed, mut border) = (0_u32, 0_u32, 0_u32);
        for row in 0..SIDE {
            for column in 0..SIDE {
                let index = row * SIDE + column;
                if !is_seen(index) {
                    continue;
                }
                seen += 1;
                bins[bin(self.normals[index])] += 1;
                let neighbours = [
                    (column > 0).then(|| index - 1),
                    (column + 1 < SIDE).then(|| index + 1),
                    (row > 0).then(|| index - SIDE),
                    (row + 1 < SIDE).then(|| index + SIDE),
                ];
                let is_out = |next: &Option<usize>| next.is_none_or(|next| !is_seen(next));
                let differs = |next: usize| {
                    let step = (self.depth[next] - self.depth[index]).abs();
                    // Steeper than the slopes of both surfaces, or bent by more than 45 degrees.
                    let slope = |k: usize| 1.0 / max(self.normals[k].z, 0.2);
                    step > 1.5 + slope(index) + slope(next)
                        || self.normals[index].dot(self.normals[next]) < 0.7
                };
                let is_border = neighbours.iter().any(is_out);
                border += u32::from(is_border);
                let is_detail =
                    neighbours.iter().flatten().any(|&next| is_seen(next) && differs(next));
                detailed += u32::from(is_detail);
            }
        }
        if seen == 0 {
            return Reading::default();
        }
        let all = seen as f32;
        let share = |count: &u32| (*count as f32 / all) * (*count as f32 / all);
        Reading {
            fill: all / (SIDE * SIDE) as f32,
            variety: 1.0 - bins.iter().map(share).sum::<f32>(),
            detail: detailed as f32 / all,
            border: border as f32 / all,
        }
    }
}

/// A point on the grid.
#[derive(Clone, Copy)]
struct Placed {
    /// Column, row and depth.
    point: Vec3,
    /// First column and first row with a centre at the point or beyond it.
    first: [u8; 2],
    /// Ends of the columns and of the rows with a centre at the point or before it.
    end: [u8; 2],
}

impl Placed {
    fn new(point: Vec3) -> Self {
        let at = [point.x - 0.5, point.y - 0.5];
        Self { point, first: at.map(first_cell), end: at.map(end_cell) }
    }

    /// Columns and rows whose centres a triangle may cover: the first, and the end.
    fn cells([a, b, c]: [Self; 3]) -> [[u8; 2]; 2] {
        let first = |axis: usize| a.first[axis].min(b.first[axis]).min(c.first[axis]);
        let end = |axis: usize| a.end[axis].max(b.end[axis]).max(c.end[axis]);
        [[first(0), first(1)], [end(0), end(1)]]
    }
}

/// Unit normal of a triangle, turned to the viewer.
fn facing([a, b, c]: [Vec3; 3]) -> Vec3 {
    let unit = unit_or((b - a).cross(c - a), Vec3::Z);
    if unit.z < 0.0 { -unit } else { unit }
}

/// The first cell at a position or beyond it, on the grid.
fn first_cell(at: f32) -> u8 {
    let (held, whole) = held(at);
    whole + u8::from(f32::from(whole) < held)
}

/// The end of the cells at a position or before it, on the grid.
fn end_cell(at: f32) -> u8 {
    held(at + 1.0).1
}

/// A position on the grid, and the cell that begins at it or before it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "held to the grid before"
)]
fn held(at: f32) -> (f32, u8) {
    let held = min(max(at, 0.0), SIDE as f32);
    (held, held as u8)
}

/// Bin of a normal.
fn bin(normal: Vec3) -> usize {
    if normal.z > 0.92 {
        return 0;
    }
    let octant = usize::from(normal.x > 0.0)
        + 2 * usize::from(normal.y > 0.0)
        + 4 * usize::from(normal.x.abs() > normal.y.abs());
    1 + octant + 8 * usize::from(normal.z < 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::tests::cuboid;

    fn read(solid: &Solid, back: Vec3, up: Vec3) -> Reading {
        Silhouette::new(solid, back, up).read()
    }

    #[test]
    fn sketch_of_a_face_fills_the_grid_and_has_one_direction() {
        let solid = cuboid(Vec3::splat(-1.0), Vec3::splat(1.0));
        let found = read(&solid, Vec3::Z, Vec3::Y);
        assert_eq!((found.fill, found.variety, found.detail), (1.0, 0.0, 0.0));
        let corner = read(&solid, Vec3::new(1.0, 1.0, 1.0).normalize(), Vec3::Y);
        assert!((corner.variety - 2.0 / 3.0).abs() < 0.02, "{corner:?}");
        assert!(corner.detail > 0.05 && corner.fill < 0.85, "{corner:?}");
    }

    #[test]
    fn sketch_of_a_plate_is_a_line_from_its_edge() {
        let plate = cuboid(Vec3::new(-1.0, -1.0, -0.001), Vec3::new(1.0, 1.0, 0.001));
        assert_eq!(read(&plate, Vec3::Z, Vec3::Y).fill, 1.0);
        assert!(read(&plate, Vec3::X, Vec3::Y).fill < 0.06);
        let ([wide, high, thin], axes) = plate.spread();
        assert!((wide - high).abs() < 0.01 && thin < 0.01, "{wide} {high} {thin}");
        assert!(axes[2].dot(Vec3::Z).abs() > 0.999, "{axes:?}");
    }

    #[test]
    fn sketch_of_nothing_reads_as_nothing() {
        let point = Solid::of_triangles(vec![Vec3::ONE], vec![[0, 0, 0]]);
        assert_eq!(read(&point, Vec3::Z, Vec3::Y), Reading::default());
        assert_eq!(read(&Solid::default(), Vec3::Z, Vec3::Y), Reading::default());
    }

    #[test]
    fn sketch_shows_the_nearer_of_two() {
        let mut solid = cuboid(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 0.0));
        let first = u32::try_from(solid.points.len()).unwrap();
        solid.points.extend([
            Vec3::new(-1.0, -1.0, 3.0),
            Vec3::new(1.0, -1.0, 3.0),
            Vec3::new(0.0, 1.0, 5.0),
        ]);
        solid.triangles.push([first, first + 1, first + 2]);
        let sketch = Silhouette::new(&solid, Vec3::Z, Vec3::Y);
        let middle = SIDE / 2 * SIDE + SIDE / 2;
        assert!(
            (sketch.depth[middle] - 4.0 * SIDE as f32 * 0.5).abs() < 1.5,
            "{}",
            sketch.depth[middle]
        );
        assert!(sketch.normals[middle].z < 0.9, "tilted");
        assert!(sketch.read().detail > 0.02);
    }
}
