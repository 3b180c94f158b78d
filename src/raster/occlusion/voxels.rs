//! Voxels that hold a surface, one bit each.

use crate::math::{Vec2, Vec3, larger, max, min};
use crate::model::{Texture, TextureCoordinates, TextureRole};
use crate::raster::shadow::depth_pass::cutoff;
use crate::raster::texture::footprint::Footprint;
use crate::raster::texture::trilinear::scalar::Taps;
use crate::raster::view::{Draw, View};

/// Voxels between the casters and the ends of the lattice.
const MARGIN: f32 = 5.0;
/// Most voxels of a lattice; finer ones are made coarser.
const MOST: f64 = 2_000_000.0;
/// Most points at which triangles are sampled; with more the lattice is made coarser.
const MOST_POINTS: f64 = 6_000_000.0;
/// Points of a triangle that is smaller than a voxel.
const LEAST_POINTS: usize = 3;
/// Distance between the points at which a triangle is sampled, in voxels.
const SPACING: f32 = 0.5;
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
    pub(super) fn of(view: &View, voxel: f32, origin: Vec3) -> Option<Self> {
        let casters = || view.draws.iter().filter(|draw| draw.casts);
        let (mut low, mut high) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        for draw in casters() {
            for vertex in 0..draw.posed.len() {
                let Vec3 { x, y, z } = draw.posed.position_at(vertex) - origin;
                low = Vec3::new(min(x, low.x), min(y, low.y), min(z, low.z));
                high = Vec3::new(max(x, high.x), max(y, high.y), max(z, high.z));
            }
        }
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        let triangles: usize = casters().map(|draw| draw.mesh.triangles.len()).sum();
        let most_points = most_points(triangles);
        let mut per_length = 1.0 / voxel;
        let mut voxels = loop {
            let lattice = Self::empty(low, high, per_length)?;
            #[expect(clippy::cast_precision_loss, reason = "a bound")]
            let count: f64 = lattice.size.iter().map(|&side| side as f64).product();
            if count <= MOST
                && casters().map(|draw| lattice.points(draw, origin)).sum::<f64>() <= most_points
            {
                break lattice;
            }
            per_length *= 0.5;
        };
        let [_, height, depth] = voxels.size;
        voxels.words = vec![0; voxels.row * height * depth];
        for draw in casters() {
            voxels.add(view, draw, origin);
        }
        if let Some(floor) = view.ground {
            let level = (floor.center.y - origin.y) * voxels.per_length - voxels.corner.y;
            if level < MARGIN + SUNKEN {
                voxels.ground = whole(level + 0.5).cast_signed();
            }
        }
        Some(voxels)
    }

    /// A lattice around a box, without memory; none for one that no lattice can hold.
    fn empty(low: Vec3, high: Vec3, per_length: f32) -> Option<Self> {
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

    /// A position in voxels from the corner.
    fn place(&self, draw: &Draw, origin: Vec3, vertex: u32) -> Vec3 {
        (draw.posed.position_at(vertex as usize) - origin) * self.per_length - self.corner
    }

    /// Number of points at which the triangles of a draw are sampled.
    fn points(&self, draw: &Draw, origin: Vec3) -> f64 {
        let of_triangle = |triangle: &[u32; 3]| {
            let corners = triangle.map(|vertex| self.place(draw, origin, vertex));
            let steps = f64::from(steps_of(corners));
            (steps + 1.0) * (steps + 2.0) * 0.5
        };
        draw.mesh.triangles.iter().map(of_triangle).sum()
    }

    /// Adds the triangles of a draw.
    fn add(&mut self, view: &View, draw: &Draw, origin: Vec3) {
        let material = &view.materials[draw.material];
        let mask = cutoff(material.alpha).and_then(|cutoff| {
            let texture = &view.textures[material.diffuse?];
            (!texture.is_opaque).then_some((texture, cutoff))
        });
        let coordinates = material.coordinates_of(TextureRole::Diffuse);
        let texcoords = match coordinates {
            Some(own) if own.is_second => &draw.mesh.second_texcoords,
            _ => &draw.mesh.texcoords,
        };
        let texcoord = |vertex: u32| texcoords.get(vertex as usize).copied().unwrap_or_default();
        for &triangle in &draw.mesh.triangles {
            let corners = triangle.map(|vertex| self.place(draw, origin, vertex));
            let steps = steps_of(corners);
            let [across, along] = [corners[1] - corners[0], corners[2] - corners[0]];
            let share = 1.0 / max(steps, 1.0);
            let uv = triangle.map(texcoord);
            let (mut i, last) = (0.0, max(steps, 1.0));
            while i <= last {
                let mut j = 0.0;
                while i + j <= last {
                    let (u, v) = (i * share, j * share);
                    let is_there = mask.is_none_or(|(texture, cutoff)| {
                        let at = uv[0] + (uv[1] - uv[0]) * u + (uv[2] - uv[0]) * v;
                        alpha(texture, coordinates, at) * material.opacity >= cutoff
                    });
                    if is_there {
                        self.set(corners[0] + across * u + along * v);
                    }
                    j += 1.0;
                }
                i += 1.0;
            }
        }
    }

    /// Marks the voxel of a point.
    #[inline]
    fn set(&mut self, at: Vec3) {
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

/// Steps along the sides of a triangle from point to point: at least 1, a whole number.
fn steps_of([a, b, c]: [Vec3; 3]) -> f32 {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let longest = max(max(ab.dot(ab), bc.dot(bc)), ca.dot(ca)).sqrt();
    max((longest * (1.0 / SPACING)).ceil(), 1.0)
}

/// Alpha of a texture at a point.
fn alpha(texture: &Texture, coordinates: Option<&TextureCoordinates>, at: Vec2) -> f32 {
    let footprint = Footprint { at, across: Vec2::ZERO, down: Vec2::ZERO };
    let footprint = coordinates.map_or(footprint, |own| footprint.on(own));
    Taps::new(texture, &footprint).sample(texture).w
}

/// The whole part of a number; 0 for what is below 0.
#[expect(clippy::cast_possible_truncation, reason = "sides of a lattice are small")]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
fn whole(value: f32) -> usize {
    max(value, 0.0) as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lattice_ends_to_grow_coarser_for_any_number_of_triangles() {
        let smallest = [Vec3::ZERO, Vec3::X * 1e-3, Vec3::Y * 1e-3];
        let steps = f64::from(steps_of(smallest));
        let least = (steps + 1.0) * (steps + 2.0) * 0.5;
        assert_eq!(least, LEAST_POINTS as f64);
        for triangles in [0, 1000, 1_500_000, 8_000_000, 1 << 30] {
            assert!(least * triangles as f64 <= most_points(triangles), "{triangles}");
        }
    }
}
