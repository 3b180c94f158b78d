//! Silhouette: a model drawn tiny and without light, to measure its shape from one side.
//!
//! Input: a [`Solid`] and a direction. Output: a small grid of depth and orientation, and measures
//! of it. Faces are two-sided. It is used to choose viewpoints; no pixel of a picture comes from
//! it.
//!
//! # Determinism
//! Only `+ - * /`, `sqrt` and comparison, in the order of the triangles.

use super::solid::Solid;
use tintype_model::math::lanes;
use tintype_model::math::{Vec3, any_perpendicular, max, min, unit_or};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, LANE, Level, MAX_LANES, Simd, gather_words};

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
            [
                (right.dot(point) - center[0]) * scale + middle,
                middle - (up.dot(point) - center[1]) * scale,
                back.dot(point) * scale,
                0.0,
            ]
        };
        let placed: Vec<[f32; 4]> = solid.points.iter().map(place).collect();
        // The instructions of the level change no bit.
        let sketch = Sketch { placed: &placed, triangles: &solid.triangles, side: half * 2.0 };
        simd::run(Level::best(), sketch)
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

    #[expect(clippy::cast_precision_loss, reason = "small numbers of cells")]
    fn add(&mut self, [a, b, c]: [Vec3; 3]) {
        let (x0, x1) = span([a.x, b.x, c.x]);
        let (y0, y1) = span([a.y, b.y, c.y]);
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        // Twice the area on the grid; an edge-on triangle covers nothing.
        let area = (b - a).cross(c - a).z;
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let mut normal = None;
        let edge = |from: Vec3, to: Vec3, x: f32, y: f32| {
            (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
        };
        for row in y0..y1 {
            for column in x0..x1 {
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

/// Draws triangles on a grid.
struct Sketch<'a> {
    /// Points on the grid: column, row and depth, and a number that fills 16 bytes.
    placed: &'a [[f32; 4]],
    triangles: &'a [[u32; 3]],
    /// Length of a side of the grid, in the units of the solid.
    side: f32,
}

impl Sketch<'_> {
    fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|corner| {
            let [x, y, z, _] = self.placed[corner as usize];
            Vec3::new(x, y, z)
        })
    }

    /// The cells with the normals of their triangles.
    fn silhouette(&self, cells: &Cells) -> Silhouette {
        let mut sketch = Silhouette::empty(self.side);
        let mut last = (NO_OWNER, Vec3::ZERO);
        for row in 0..SIDE {
            let (from, to) = (row * STRIDE, row * SIDE);
            sketch.depth[to..to + SIDE].copy_from_slice(&cells.depth[from..from + SIDE]);
            for (&owner, normal) in
                cells.owner[from..from + SIDE].iter().zip(&mut sketch.normals[to..to + SIDE])
            {
                if owner != last.0 {
                    let own = || facing(self.corners(owner as usize));
                    last = (owner, if owner == NO_OWNER { Vec3::ZERO } else { own() });
                }
                *normal = last.1;
            }
        }
        sketch
    }
}

impl Kernel for Sketch<'_> {
    type Output = Silhouette;

    fn scalar(self) -> Silhouette {
        let mut sketch = Silhouette::empty(self.side);
        for triangle in 0..self.triangles.len() {
            sketch.add(self.corners(triangle));
        }
        sketch
    }

    /// Most triangles lie between the centres of cells, which is tested for several triangles at
    /// once; all others are drawn several cells at once.
    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Silhouette {
        let mut cells = Cells { depth: [f32::NEG_INFINITY; WHOLE], owner: [NO_OWNER; WHOLE] };
        let (lanes, words) = (S::u32s::LEN, bytemuck::cast_slice(self.placed));
        for (number, triangles) in self.triangles.chunks(lanes).enumerate() {
            let mut corners = [[0; MAX_LANES]; 3];
            for (lane, triangle) in triangles.iter().enumerate() {
                for (corners, &corner) in corners.iter_mut().zip(triangle) {
                    corners[lane] = corner;
                }
            }
            let [a, b, c] = [
                gather_words(simd, words, S::u32s::from_slice(simd, &corners[0][..lanes])),
                gather_words(simd, words, S::u32s::from_slice(simd, &corners[1][..lanes])),
                gather_words(simd, words, S::u32s::from_slice(simd, &corners[2][..lanes])),
            ];
            let is_across = holds_middles(simd, [a[0], b[0], c[0]]);
            let is_down = holds_middles(simd, [a[1], b[1], c[1]]);
            let mut left = (is_across & is_down).to_bitmask();
            left &= u64::MAX >> (64 - triangles.len());
            while left != 0 {
                let triangle = number * lanes + left.trailing_zeros() as usize;
                left &= left - 1;
                cells.add(simd, triangle, self.corners(triangle));
            }
        }
        self.silhouette(&cells)
    }
}

/// Row stride in cells: whole vectors on every level.
const STRIDE: usize = SIDE.next_multiple_of(MAX_LANES);
const WHOLE: usize = SIDE * STRIDE;

/// Marks a cell that shows no triangle.
const NO_OWNER: u32 = u32::MAX;

/// Cells of a sketch over lanes: as in a [`Silhouette`], with triangles instead of normals.
struct Cells {
    depth: [f32; WHOLE],
    owner: [u32; WHOLE],
}

impl Cells {
    /// Draws a triangle: [`Silhouette::add`] over lanes.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "small numbers of cells")]
    #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 triangles")]
    fn add<S: Simd>(&mut self, simd: S, triangle: usize, [a, b, c]: [Vec3; 3]) {
        let lanes = S::f32s::LEN;
        let (x0, x1) = span([a.x, b.x, c.x]);
        let (y0, y1) = span([a.y, b.y, c.y]);
        let area = (b - a).cross(c - a).z;
        if x0 >= x1 || y0 >= y1 || area == 0.0 || !area.is_finite() {
            return;
        }
        let zero = lanes::splat(simd, 0.0);
        let (turn, own) = (area > 0.0, S::u32s::simd_from(simd, triangle as u32));
        let middle = lanes::splat(simd, 0.5);
        let lane: S::i32s = S::u32s::from_slice(simd, &LANE[..lanes]).bitcast();
        let (first, end) = (x0 as f32, x1 as f32);
        for row in y0..y1 {
            let y = row as f32 + 0.5;
            let [down_a, down_b, down_c] =
                [(c.x - b.x) * (y - b.y), (a.x - c.x) * (y - c.y), (b.x - a.x) * (y - a.y)];
            for start in (x0 / lanes * lanes..x1).step_by(lanes) {
                let column = lane.to_float::<S::f32s>() + start as f32;
                let x = column + middle;
                let shares = [
                    lanes::splat(simd, down_a) - (x - b.x) * (c.y - b.y),
                    lanes::splat(simd, down_b) - (x - c.x) * (a.y - c.y),
                    lanes::splat(simd, down_c) - (x - a.x) * (b.y - a.y),
                ];
                let is_inside = if turn {
                    shares[0].simd_ge(zero) & shares[1].simd_ge(zero) & shares[2].simd_ge(zero)
                } else {
                    shares[0].simd_le(zero) & shares[1].simd_le(zero) & shares[2].simd_le(zero)
                };
                let depth = (shares[0] * a.z + shares[1] * b.z + shares[2] * c.z) / area;
                let place = row * STRIDE + start;
                let present = S::f32s::from_slice(simd, &self.depth[place..place + lanes]);
                let is_nearer = is_inside
                    & column.simd_ge(first)
                    & column.simd_lt(end)
                    & depth.simd_gt(present);
                let owners = S::u32s::from_slice(simd, &self.owner[place..place + lanes]);
                let (depth, owners) =
                    (is_nearer.select(depth, present), is_nearer.select(own, owners));
                depth.store_slice(&mut self.depth[place..place + lanes]);
                owners.store_slice(&mut self.owner[place..place + lanes]);
            }
        }
    }
}

/// Columns or rows whose centres a triangle may cover.
#[inline(always)]
fn span([a, b, c]: [f32; 3]) -> (usize, usize) {
    (cell(min(min(a, b), c) - 0.5, true), cell(max(max(a, b), c) - 0.5, false))
}

/// Unit normal of a triangle, turned to the viewer.
fn facing([a, b, c]: [Vec3; 3]) -> Vec3 {
    let unit = unit_or((b - a).cross(c - a), Vec3::Z);
    if unit.z < 0.0 { -unit } else { unit }
}

/// True in each lane whose triangle has the centre of a column or row of the grid between its
/// corners, by the same rule as [`cell`].
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "small numbers of cells")]
fn holds_middles<S: Simd>(simd: S, corners: [S::u32s; 3]) -> S::mask32s {
    let [a, b, c]: [S::f32s; 3] =
        [corners[0].bitcast(), corners[1].bitcast(), corners[2].bitcast()];
    let low = lanes::min::<S>(lanes::min::<S>(a, b), c) - 0.5;
    let high = lanes::max::<S>(lanes::max::<S>(a, b), c) - 0.5;
    let zero = lanes::splat(simd, 0.0);
    let side = lanes::splat(simd, SIDE as f32);
    let low = lanes::min::<S>(lanes::max::<S>(low, zero), side);
    let end = lanes::min::<S>(lanes::max::<S>(high + 1.0, zero), side);
    let first = lanes::to_int_in_range::<S>(low);
    let is_behind = first.to_float::<S::f32s>().simd_lt(low);
    let first = is_behind.select(first + 1, first);
    first.simd_lt(lanes::to_int_in_range::<S>(end))
}

/// The first or last row or column whose centre may be covered, clamped to the grid.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "held to the grid before"
)]
fn cell(at: f32, is_first: bool) -> usize {
    let at = if is_first { at } else { at + 1.0 };
    let held = min(max(at, 0.0), SIDE as f32);
    let whole = held as usize;
    // Rounded up, so that the centre of the first lies beyond the edge.
    if is_first && (whole as f32) < held { whole + 1 } else { whole }
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
    fn sketch_of_every_level_is_that_of_plain_code() {
        // A ball of small triangles, some of which contain the centre of a cell.
        let (around, along) = (60_u32, 31_u32);
        let point = |k: u32| {
            let (turn, rise) = ((k % around) as f32 * 0.105, (k / around) as f32 * 0.1047);
            let level = tintype_model::math::func::sin(rise);
            let height = 2.0 * tintype_model::math::func::cos(rise);
            let [x, z] =
                [tintype_model::math::func::sin(turn), tintype_model::math::func::cos(turn)];
            [x * level * 30.0 + 19.0, 20.0 - height * 9.0, z * level, 0.0]
        };
        let mut placed: Vec<[f32; 4]> = (0..around * along).map(point).collect();
        placed[77][0] = f32::NAN;
        placed[90][1] = 1e30;
        let mut triangles: Vec<[u32; 3]> = (0..around * (along - 1) - 1)
            .flat_map(|k| [[k, k + 1, k + around], [k + 1, k + around + 1, k + around]])
            .collect();
        let run =
            |level| simd::run(level, Sketch { placed: &placed, triangles: &triangles, side: 1.0 });
        check_levels(&run(Level::Scalar), run);
        // Large ones of both windings behind, across and in front of it.
        let corners =
            [[-7.0, 3.0, -40.0], [55.0, 8.0, 35.0], [21.0, 44.0, 2.0], [11.3, -9.0, 90.0]];
        let first = u32::try_from(placed.len()).unwrap();
        placed.extend(corners.map(|[x, y, z]| [x, y, z, 0.0]));
        let large = [[0, 1, 2], [3, 2, 1], [0, 3, 2], [1, 0, 3]];
        triangles.extend(large.map(|triangle| triangle.map(|corner| first + corner)));
        let run =
            |level| simd::run(level, Sketch { placed: &placed, triangles: &triangles, side: 1.0 });
        check_levels(&run(Level::Scalar), run);
    }

    fn check_levels(plain: &Silhouette, run: impl Fn(Level) -> Silhouette) {
        assert!(plain.read().fill > 0.2, "{:?}", plain.read());
        for level in Level::available() {
            let found = run(level);
            assert_eq!((&found.depth, &found.normals), (&plain.depth, &plain.normals), "{level:?}");
        }
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
