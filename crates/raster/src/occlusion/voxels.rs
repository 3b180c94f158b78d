//! The voxels that the casters of a view touch.

use super::lattice::{Voxels, whole};
use super::triangles::{AddTriangles, MIN_POINTS, Mask};
use crate::view::occlusion::Occlusion;
use crate::view::{Draw, View};
use tintype_model::math::{Aabb, Vec3, larger};
use tintype_model::simd::{self, Level};

/// Maximum voxels of a lattice; finer ones are made coarser.
const MOST: f64 = 2_000_000.0;
/// Maximum number of sample points on triangles; beyond it the lattice is made coarser.
const MAX_POINTS: f64 = 6_000_000.0;

impl Voxels {
    /// The voxels of the casters of a view. None without casters of finite size.
    pub(super) fn of(view: &View, level: Level, occlusion: Occlusion) -> Option<Self> {
        let Occlusion { voxel, origin, ground, .. } = occlusion;
        let casters = || view.draws.iter().filter(|draw| draw.casts);
        let mut bounds = Aabb::EMPTY;
        casters().for_each(|draw| bounds.merge(&draw.posed.bounds()));
        let [low, high] = [bounds.min - origin, bounds.max - origin];
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        let triangles: usize = casters().map(|draw| draw.triangles.len()).sum();
        let most_points = most_points(triangles);
        let mut per_length = 1.0 / voxel;
        let mut voxels = loop {
            let mut lattice = Self::empty(low, high, per_length)?;
            let [width, height, depth] = lattice.size;
            #[expect(clippy::cast_precision_loss, reason = "a bound")]
            let count = width as f64 * height as f64 * depth as f64;
            if count <= MOST {
                lattice.words = vec![0; lattice.row * height * depth];
                if lattice.add(view, level, origin, most_points) {
                    break lattice;
                }
            }
            per_length *= 0.5;
        };
        if let Some(height) = ground {
            let level = (height - origin.y) * voxels.per_length - voxels.corner.y;
            voxels.ground = whole(level + 0.5).cast_signed();
        }
        Some(voxels)
    }

    /// Adds the triangles of the casters of a view; returns false if that would take more points
    /// than `most`.
    fn add(&mut self, view: &View, level: Level, origin: Vec3, mut most: f64) -> bool {
        let mut places = Vec::new();
        for draw in view.draws.iter().filter(|draw| draw.casts) {
            self.place(draw, origin, &mut places);
            let mask = Mask::of(view, draw);
            let triangles = draw.triangles;
            let add = AddTriangles { voxels: self, places: &places, triangles, mask, most };
            most -= simd::run(level, add);
            if most < 0.0 {
                return false;
            }
        }
        true
    }

    /// Writes the positions of vertices in voxels from the corner, with a fourth number for
    /// alignment, to a list that it clears first.
    fn place(&self, draw: &Draw, origin: Vec3, places: &mut Vec<[f32; 4]>) {
        places.clear();
        places.extend((0..draw.posed.len()).map(|vertex| {
            let place = (draw.posed.position_at(vertex) - origin) * self.per_length - self.corner;
            [place.x, place.y, place.z, 0.0]
        }));
    }
}

/// Maximum number of sample points for this many triangles: however coarse the lattice, each has
/// [`MIN_POINTS`].
#[expect(clippy::cast_precision_loss, reason = "a bound")]
fn most_points(triangles: usize) -> f64 {
    larger(MAX_POINTS, (triangles * (MIN_POINTS + 1)) as f64)
}

#[cfg(test)]
mod tests {
    use super::super::triangles::points_of;
    use super::*;

    #[test]
    fn lattice_ends_to_grow_coarser_for_any_number_of_triangles() {
        let smallest = [Vec3::ZERO, Vec3::X * 1e-3, Vec3::Y * 1e-3];
        let least = points_of(smallest);
        assert_eq!(least, MIN_POINTS as f64);
        for triangles in [0, 1000, 1_500_000, 8_000_000, 1 << 30] {
            assert!(least * triangles as f64 <= most_points(triangles), "{triangles}");
        }
    }
}
