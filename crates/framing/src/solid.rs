//! Solid: the surface of a posed model as only points and triangles, for judgements of its shape.
//!
//! Input: posed meshes. Output: the solid, and global measures: extents along a direction and
//! principal axes.
//!
//! # Determinism
//! Only `+ - * /`, `sqrt` and comparison, in the order of the triangles.

use tintype_model::math::area::has_area;
use tintype_model::math::{Vec3, any_perpendicular, max, min, unit_or};
use tintype_model::{Mesh, PosedMesh};

/// Maximum number of triangles; of more, only every second, third, ... is kept. In a tiny picture
/// that leaves no visible hole.
const MAX_TRIANGLES: usize = 12_000;

/// Triangles of a model, without attributes.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    /// Corners of triangles, each once.
    pub(super) points: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Solid {
    /// Collects the drawn triangles of posed meshes.
    #[must_use]
    pub fn new<'m>(meshes: impl IntoIterator<Item = (&'m Mesh, &'m PosedMesh)>) -> Self {
        let mut solid = Self::default();
        let meshes: Vec<_> = meshes.into_iter().collect();
        let count: usize = meshes.iter().map(|(mesh, _)| mesh.triangles.len()).sum();
        let step = count.div_ceil(MAX_TRIANGLES).max(1);
        for (mesh, posed) in meshes {
            let first = u32::try_from(solid.points.len()).unwrap_or(u32::MAX);
            solid.points.extend((0..posed.len()).map(|vertex| posed.position_at(vertex)));
            let triangles = mesh.triangles.iter().step_by(step);
            let corners = |triangle: &[u32; 3]| triangle.map(|at| posed.position_at(at as usize));
            let triangles = triangles.filter(|triangle| has_area(corners(triangle)));
            let moved =
                triangles.map(|triangle| triangle.map(|vertex| first.saturating_add(vertex)));
            solid.triangles.extend(moved);
        }
        solid.without_loose_points()
    }

    /// Drops points that no triangle uses.
    fn without_loose_points(mut self) -> Self {
        let mut is_corner = vec![false; self.points.len()];
        for &corner in self.triangles.as_flattened() {
            is_corner[corner as usize] = true;
        }
        let mut place = vec![0; self.points.len()];
        let mut kept = 0;
        for (point, (place, &is_corner)) in place.iter_mut().zip(&is_corner).enumerate() {
            *place = kept;
            if is_corner {
                self.points[kept as usize] = self.points[point];
                kept += 1;
            }
        }
        self.points.truncate(kept as usize);
        for corner in self.triangles.as_flattened_mut() {
            *corner = place[*corner as usize];
        }
        self
    }

    /// A solid of points and triangles between them.
    ///
    /// # Panics
    /// If a triangle uses a point that does not exist.
    #[must_use]
    pub fn of_triangles(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        assert!(triangles.iter().flatten().all(|&corner| (corner as usize) < points.len()));
        Self { points, triangles }.without_loose_points()
    }

    /// True without any triangle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The smallest and the largest coordinate of a corner along a direction; without corners,
    /// infinities in reverse order.
    #[must_use]
    pub fn range(&self, direction: Vec3) -> (f32, f32) {
        self.points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &corner| {
            let along = direction.dot(corner);
            (min(along, low), max(along, high))
        })
    }

    /// Standard deviations of the surface along its principal axes, the largest first, and the
    /// axes.
    #[must_use]
    pub fn spread(&self) -> ([f32; 3], [Vec3; 3]) {
        let (mut weight, mut sum) = (0.0_f32, Vec3::ZERO);
        let centers = || {
            self.triangles.iter().map(|triangle| {
                let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
                ((b - a).cross(c - a).length(), [a, b, c])
            })
        };
        for (area, [a, b, c]) in centers() {
            weight += area;
            sum += (a + b + c) * (area / 3.0);
        }
        if weight <= 0.0 {
            return ([0.0; 3], [Vec3::X, Vec3::Y, Vec3::Z]);
        }
        let middle = sum / weight;
        // Symmetric: xx, yy, zz, xy, xz, yz.
        let mut m = [0.0_f32; 6];
        for (area, corners) in centers() {
            let [a, b, c] = corners.map(|corner| corner - middle);
            // The integral over a triangle.
            for d in [a, b, c, a + b + c] {
                let w = area / (12.0 * weight);
                let terms = [d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z];
                m.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term * w);
            }
        }
        let times = |v: Vec3| {
            Vec3::new(
                m[0] * v.x + m[3] * v.y + m[4] * v.z,
                m[3] * v.x + m[1] * v.y + m[5] * v.z,
                m[4] * v.x + m[5] * v.y + m[2] * v.z,
            )
        };
        // The largest axis by power iteration, the second likewise perpendicular to it, the third
        // from both.
        let start = Vec3::new(0.53, 0.61, 0.59);
        let mut first = start;
        for _ in 0..40 {
            first = unit_or(times(first), first);
        }
        let aside = |v: Vec3| v - first * v.dot(first);
        let mut second = unit_or(aside(start), any_perpendicular(first));
        for _ in 0..40 {
            second = unit_or(aside(times(second)), second);
        }
        let axes = [first, second, first.cross(second)];
        (axes.map(|axis| max(axis.dot(times(axis)), 0.0).sqrt()), axes)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A box from `low` to `high`.
    pub(crate) fn cuboid(low: Vec3, high: Vec3) -> Solid {
        let corner = |k: u32| {
            let pick = |bit: u32, low: f32, high: f32| if k & bit == 0 { low } else { high };
            Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
        };
        let faces =
            [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Solid::of_triangles((0..8).map(corner).collect(), triangles)
    }
}
