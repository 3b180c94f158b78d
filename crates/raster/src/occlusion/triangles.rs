//! Triangles in voxels: each is sampled at points closer together than voxels, and the voxel of
//! each point is marked.

use super::lattice::Voxels;
use crate::shadow::depth_pass::cutoff;
use crate::texture::footprint::Footprint;
use crate::texture::trilinear::scalar::Taps;
use crate::view::{Draw, View};
use tintype_model::math::lanes::{self, Vec3s, splat, to_int_in_range};
use tintype_model::math::{Vec2, Vec3, max};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Simd, gather_words};
use tintype_model::{Material, Texture, TextureCoordinates, TextureRole};

/// Points of a triangle that is smaller than a voxel: its corners.
pub(super) const MIN_POINTS: usize = 3;
/// Number of steps of a triangle from which its rows are long enough for separate lanes.
const LARGE: f32 = 8.0;
/// Distance between the sample points of a triangle, in voxels.
const SPACING: f32 = 0.5;
/// Beyond a lattice along an axis, in voxels.
const FARTHEST: f32 = 1e9;
/// Steps from the first point of a vector.
const STEPS: [f32; simd::MAX_LANES] =
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];

/// Points of a triangle in rows: `steps` to each side, from the first corner along two of its
/// sides.
struct PointRows {
    corner: Vec3,
    sides: [Vec3; 2],
    /// An integer.
    steps: f32,
    /// 1 / steps.
    share: f32,
}

impl PointRows {
    fn new([a, b, c]: [Vec3; 3]) -> Self {
        let steps = steps_of([a, b, c]);
        Self { corner: a, sides: [b - a, c - a], steps, share: 1.0 / steps }
    }

    /// Number of the points.
    fn count(&self) -> f64 {
        count_of(self.steps)
    }

    /// Marks the points of a row, from the column `first` on, that pass a test, which gets their
    /// barycentric coordinates along the two sides.
    #[inline(always)]
    fn set_row(
        &self,
        voxels: &mut Voxels,
        row: f32,
        first: f32,
        is_there: impl Fn([f32; 2]) -> bool,
    ) {
        let u = row * self.share;
        let start = self.corner + self.sides[0] * u;
        let mut column = first;
        while row + column <= self.steps {
            let v = column * self.share;
            if is_there([u, v]) {
                voxels.set(start + self.sides[1] * v);
            }
            column += 1.0;
        }
    }

    /// Marks all points of a row: [`Self::set_row`] over lanes.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a few lanes")]
    fn set_row_lanes<S: Simd>(&self, simd: S, voxels: &mut Voxels, row: f32) {
        let start = self.corner + self.sides[0] * (row * self.share);
        let count = S::f32s::LEN;
        let (starts, side) = (Vec3s::splat(simd, start), Vec3s::splat(simd, self.sides[1]));
        let mut column = 0.0;
        while row + column + (count - 1) as f32 <= self.steps {
            let along = (S::f32s::from_slice(simd, &STEPS[..count]) + column) * self.share;
            let at = starts.plus(side.scaled(along));
            set_lanes(simd, voxels, at, u64::MAX);
            column += count as f32;
        }
        self.set_row(voxels, row, column, |_| true);
    }
}

/// Number of points of a triangle with this number of steps per side.
#[inline(always)]
fn count_of(steps: f32) -> f64 {
    let steps = f64::from(steps);
    (steps + 1.0) * (steps + 2.0) * 0.5
}

/// Marks the voxels of points, one per lane, in the lanes of a mask.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "sides of a lattice are small")]
#[expect(clippy::cast_possible_wrap, reason = "sides of a lattice are small")]
fn set_lanes<S: Simd>(simd: S, voxels: &mut Voxels, at: Vec3s<S>, lanes: u64) {
    let [width, height, depth] = voxels.size.map(|side| side as i32);
    let [x, y, z] = [voxel_of(simd, at.x), voxel_of(simd, at.y), voxel_of(simd, at.z)];
    let is_in = x.simd_lt(width) & y.simd_lt(height) & z.simd_lt(depth);
    let word = (z * height + y) * voxels.row as i32 + (x >> 6_u32);
    let mut left = is_in.to_bitmask() & lanes;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let bit = x.as_slice()[lane] & 63;
        voxels.words[word.as_slice()[lane].cast_unsigned() as usize] |= 1 << bit;
    }
}

/// Number of the voxel that contains a coordinate, in every lane.
#[inline(always)]
fn voxel_of<S: Simd>(simd: S, at: S::f32s) -> S::i32s {
    to_int_in_range::<S>(lanes::clamp(simd, at, 0.0, FARTHEST))
}

/// Positions of vertices, one per lane.
#[inline(always)]
fn places_of<S: Simd>(simd: S, places: &[[u32; 4]], vertices: &[u32; simd::MAX_LANES]) -> Vec3s<S> {
    let vertices = S::u32s::from_slice(simd, &vertices[..S::u32s::LEN]);
    let [x, y, z, _] = gather_words(simd, places, vertices);
    Vec3s::new(x.bitcast(), y.bitcast(), z.bitcast())
}

/// Adds triangles to voxels and returns the number of their points; stops before the triangle that
/// would exceed `most`.
pub(super) struct AddTriangles<'a> {
    pub voxels: &'a mut Voxels,
    /// Positions of the vertices, in voxels.
    pub places: &'a [[f32; 4]],
    pub triangles: &'a [[u32; 3]],
    pub mask: Option<Mask<'a>>,
    pub most: f64,
}

impl AddTriangles<'_> {
    fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|vertex| {
            let [x, y, z, _] = self.places[vertex as usize];
            Vec3::new(x, y, z)
        })
    }

    /// Marks the points of triangles, one per lane, in the lanes of a mask; `steps` are integers of
    /// at most `most`.
    #[inline(always)]
    fn add_small<S: Simd>(
        &mut self,
        simd: S,
        [a, b, c]: [Vec3s<S>; 3],
        (steps, most): (S::f32s, f32),
        lanes: u64,
    ) {
        // The points of `PointRows`, with their roundings.
        let sides = [b.minus(a), c.minus(a)];
        let share = splat(simd, 1.0) / steps;
        let mut row = 0.0;
        while row <= most {
            let start = a.plus(sides[0].scaled(share * row));
            let mut column = 0.0;
            while row + column <= most {
                let at = start.plus(sides[1].scaled(share * column));
                let reached = steps.simd_ge(row + column).to_bitmask();
                set_lanes(simd, self.voxels, at, lanes & reached);
                column += 1.0;
            }
            row += 1.0;
        }
    }
}

impl Kernel for AddTriangles<'_> {
    type Output = f64;

    #[inline(always)]
    fn scalar(self) -> f64 {
        let mut points = 0.0;
        for &triangle in self.triangles {
            let rows = PointRows::new(self.corners(triangle));
            points += rows.count();
            if points > self.most {
                break;
            }
            let mask = self.mask.as_ref().map(|mask| (mask, mask.texcoords_of(triangle)));
            let mut row = 0.0;
            while row <= rows.steps {
                rows.set_row(self.voxels, row, 0.0, |at| {
                    mask.as_ref().is_none_or(|(mask, uv)| mask.is_solid(*uv, at))
                });
                row += 1.0;
            }
        }
        points
    }

    /// One triangle per lane at a time; large ones one by one, their points over lanes.
    #[inline(always)]
    fn lanes<S: Simd>(mut self, simd: S) -> f64 {
        if self.mask.is_some() {
            return self.scalar();
        }
        let count = S::f32s::LEN;
        let places: &[[u32; 4]] = bytemuck::cast_slice(self.places);
        let mut points = 0.0;
        for triangles in self.triangles.chunks(count) {
            let mut vertices = [[0; simd::MAX_LANES]; 3];
            for lane in 0..count {
                let triangle = triangles[lane.min(triangles.len() - 1)];
                for (vertices, vertex) in vertices.iter_mut().zip(triangle) {
                    vertices[lane] = vertex;
                }
            }
            let [a, b, c] = [
                places_of(simd, places, &vertices[0]),
                places_of(simd, places, &vertices[1]),
                places_of(simd, places, &vertices[2]),
            ];
            let (ab, bc, ca) = (b.minus(a), c.minus(b), a.minus(c));
            let (ab, bc, ca) = (ab.dot(ab), bc.dot(bc), ca.dot(ca));
            let longest = lanes::max::<S>(lanes::max::<S>(ab, bc), ca).sqrt();
            // `steps_of`, clamped to the bound of large triangles.
            let along = lanes::clamp(simd, longest * (1.0 / SPACING), 1.0, LARGE);
            let whole = to_int_in_range::<S>(along).to_float::<S::f32s>();
            let steps = whole.simd_lt(along).select(whole + 1.0, whole);
            let given = u64::MAX >> (64 - triangles.len());
            let mut large = steps.simd_ge(LARGE).to_bitmask() & given;
            let small = given & !large;
            let mut most = 0.0;
            for (lane, &steps) in steps.as_slice().iter().enumerate() {
                if small >> lane & 1 != 0 {
                    points += count_of(steps);
                    most = max(most, steps);
                }
            }
            if points > self.most {
                break;
            }
            self.add_small(simd, [a, b, c], (steps, most), small);
            while large != 0 {
                let triangle = triangles[large.trailing_zeros() as usize];
                large &= large - 1;
                let rows = PointRows::new(self.corners(triangle));
                points += rows.count();
                if points > self.most {
                    return points;
                }
                let mut row = 0.0;
                while row <= rows.steps {
                    rows.set_row_lanes(simd, self.voxels, row);
                    row += 1.0;
                }
            }
        }
        points
    }
}

/// Alpha test of a draw whose texture has holes.
pub(super) struct Mask<'a> {
    material: &'a Material,
    texture: &'a Texture,
    coordinates: Option<&'a TextureCoordinates>,
    /// Texture coordinates of the vertices, in the set of the texture.
    texcoords: &'a [Vec2],
    cutoff: f32,
}

impl<'a> Mask<'a> {
    /// The test of a draw. None if all of it is solid.
    pub(super) fn of(view: &'a View, draw: &'a Draw) -> Option<Self> {
        let material = &view.materials[draw.material];
        let cutoff = cutoff(material.alpha)?;
        let texture = &view.textures[material.diffuse?];
        if texture.is_opaque {
            return None;
        }
        let coordinates = material.coordinates_of(TextureRole::Diffuse);
        let texcoords = match coordinates {
            Some(own) if own.is_second => &draw.mesh.second_texcoords,
            _ => &draw.mesh.texcoords,
        };
        Some(Self { material, texture, coordinates, texcoords, cutoff })
    }

    /// Texture coordinates of the corners of a triangle.
    fn texcoords_of(&self, triangle: [u32; 3]) -> [Vec2; 3] {
        triangle.map(|vertex| self.texcoords.get(vertex as usize).copied().unwrap_or_default())
    }

    /// True if a triangle with these texture coordinates has no hole at a point, given by its
    /// barycentric coordinates along the two sides.
    fn is_solid(&self, uv: [Vec2; 3], [u, v]: [f32; 2]) -> bool {
        let at = uv[0] + (uv[1] - uv[0]) * u + (uv[2] - uv[0]) * v;
        alpha(self.texture, self.coordinates, at) * self.material.opacity >= self.cutoff
    }
}

/// Steps along the sides of a triangle from point to point: an integer, at least 1.
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

#[cfg(test)]
pub(super) fn points_of(corners: [Vec3; 3]) -> f64 {
    PointRows::new(corners).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::simd::Level;

    #[test]
    fn voxels_of_every_level_are_those_of_plain_code() {
        let mut state = 5_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as f32 / 65536.0
        };
        // Large and small ones alternate, in groups that do not align with vectors. Some corners
        // lie beyond the lattice, one is NaN and one is infinite.
        let mut corners = Vec::new();
        for number in 0..400 {
            let size = [90.0, 40.0, 0.3, 0.6, 1.2, 2.0, 3.7][number % 7];
            let first = Vec3::new(next(), next(), next()) * 110.0 - Vec3::splat(8.0);
            corners.push(first);
            corners.extend([(); 2].map(|()| first + Vec3::new(next(), next(), next()) * size));
        }
        corners.extend([Vec3::new(f32::NAN, 3.0, 1e12), Vec3::ZERO, Vec3::ONE]);
        corners.extend([Vec3::new(1e-20, 3.0, 4.0), Vec3::ZERO, Vec3::new(f32::NAN, 0.1, 0.1)]);
        let places: Vec<[f32; 4]> = corners.iter().map(|at| [at.x, at.y, at.z, 0.0]).collect();
        let triangles: Vec<[u32; 3]> =
            (0..places.len() as u32 / 3).map(|k| [0, 1, 2].map(|c| 3 * k + c)).collect();
        let marked = |level, most| {
            let mut voxels = Voxels::empty(Vec3::ZERO, Vec3::splat(80.0), 1.0).unwrap();
            let [_, height, depth] = voxels.size;
            voxels.words = vec![0; voxels.row * height * depth];
            let add = AddTriangles {
                voxels: &mut voxels,
                places: &places,
                triangles: &triangles,
                mask: None,
                most,
            };
            (simd::run(level, add), voxels.words)
        };
        let (points, plain) = marked(Level::Scalar, f64::INFINITY);
        assert!(plain.iter().map(|word| word.count_ones()).sum::<u32>() > 20_000);
        for level in Level::available() {
            assert!(marked(level, f64::INFINITY) == (points, plain.clone()), "{level:?}");
            assert_eq!(marked(level, points).0, points, "{level:?}");
            for most in [0.0, 100.0, 20_000.0, points - 1.0] {
                assert!(marked(level, most).0 > most, "{level:?}: {most}");
            }
        }
    }
}
