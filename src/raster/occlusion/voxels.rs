//! Voxels that hold a surface, one bit each.

use super::triangles::{AddTriangles, LEAST_POINTS, Mask};
use crate::math::{Aabb, Vec3, larger, max};
use crate::raster::view::{Draw, View};
use crate::simd::{self, Level};

/// Voxels between the casters and the ends of the lattice.
const MARGIN: f32 = 5.0;
/// Most voxels of a lattice; finer ones are made coarser.
const MOST: f64 = 2_000_000.0;
/// Most points at which triangles are sampled; with more the lattice is made coarser.
const MOST_POINTS: f64 = 6_000_000.0;
/// Height of the ground above the lowest caster, in voxels, up to which it blocks light.
const SUNKEN: f32 = 3.0;

/// Voxels that hold a surface.
pub(super) struct Voxels {
    /// Voxels along each axis.
    pub size: [usize; 3],
    pub per_length: f32,
    /// Corner of the lattice, in whole voxels from its origin.
    pub corner: Vec3,
    /// Words of a row along x.
    pub row: usize,
    /// Rows along x, then y, in planes of z.
    pub words: Vec<u64>,
    /// Rows of y below this one are within the ground; the least number without a ground.
    pub ground: isize,
}

impl Voxels {
    /// The voxels of the casters of a view; none without casters of finite size.
    pub(super) fn of(view: &View, level: Level, voxel: f32, origin: Vec3) -> Option<Self> {
        let casters = || view.draws.iter().filter(|draw| draw.casts);
        let mut bounds = Aabb::EMPTY;
        casters().for_each(|draw| bounds.merge(&draw.posed.bounds()));
        let [low, high] = [bounds.min - origin, bounds.max - origin];
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        let triangles: usize = casters().map(|draw| draw.mesh.triangles.len()).sum();
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
        if let Some(floor) = view.ground {
            let level = (floor.center.y - origin.y) * voxels.per_length - voxels.corner.y;
            if level < MARGIN + SUNKEN {
                voxels.ground = whole(level + 0.5).cast_signed();
            }
        }
        Some(voxels)
    }

    /// A lattice around a box, without memory; none for one that no lattice can hold.
    pub(super) fn empty(low: Vec3, high: Vec3, per_length: f32) -> Option<Self> {
        let corner = (low * per_length).floor() - Vec3::splat(MARGIN);
        let end = (high * per_length).ceil() + Vec3::splat(MARGIN);
        let size = (end - corner).to_array();
        if !(per_length > 0.0 && corner.is_finite() && end.is_finite()) {
            return None;
        }
        let size = size.map(whole);
        Some(Self {
            size,
            per_length,
            corner,
            row: size[0].div_ceil(64),
            words: Vec::new(),
            ground: isize::MIN,
        })
    }

    /// Adds the triangles of the casters of a view; false where that would take more points than `most`.
    fn add(&mut self, view: &View, level: Level, origin: Vec3, mut most: f64) -> bool {
        let mut places = Vec::new();
        for draw in view.draws.iter().filter(|draw| draw.casts) {
            self.place(draw, origin, &mut places);
            let mask = Mask::of(view, draw);
            let triangles = &draw.mesh.triangles;
            let add = AddTriangles { voxels: self, places: &places, triangles, mask, most };
            most -= simd::run(level, add);
            if most < 0.0 {
                return false;
            }
        }
        true
    }

    /// Writes the positions of vertices in voxels from the corner, with a fourth number for alignment, to a list that it empties first.
    fn place(&self, draw: &Draw, origin: Vec3, places: &mut Vec<[f32; 4]>) {
        places.clear();
        places.extend((0..draw.posed.len()).map(|vertex| {
            let place = (draw.posed.position_at(vertex) - origin) * self.per_length - self.corner;
            [place.x, place.y, place.z, 0.0]
        }));
    }

    /// Marks the voxel of a point.
    #[inline]
    pub(super) fn set(&mut self, at: Vec3) {
        let [x, y, z] = at.to_array().map(whole);
        let [width, height, depth] = self.size;
        if x < width && y < height && z < depth {
            let word = (z * height + y) * self.row + (x >> 6);
            self.words[word] |= 1 << (x & 63);
        }
    }
}

/// Most points at which so many triangles are sampled: however coarse the lattice, each has [`LEAST_POINTS`].
#[expect(clippy::cast_precision_loss, reason = "a bound")]
fn most_points(triangles: usize) -> f64 {
    larger(MOST_POINTS, (triangles * (LEAST_POINTS + 1)) as f64)
}

/// The whole part of a number; 0 for what is below 0.
#[expect(clippy::cast_possible_truncation, reason = "sides of a lattice are small")]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
fn whole(value: f32) -> usize {
    max(value, 0.0) as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::super::triangles::points_of;
    use super::*;

    #[test]
    fn lattice_ends_to_grow_coarser_for_any_number_of_triangles() {
        let smallest = [Vec3::ZERO, Vec3::X * 1e-3, Vec3::Y * 1e-3];
        let least = points_of(smallest);
        assert_eq!(least, LEAST_POINTS as f64);
        for triangles in [0, 1000, 1_500_000, 8_000_000, 1 << 30] {
            assert!(least * triangles as f64 <= most_points(triangles), "{triangles}");
        }
    }
}
