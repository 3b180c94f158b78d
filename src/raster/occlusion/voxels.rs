//! Voxels that hold a surface, one bit each.

use crate::math::lanes::{self, to_int_in_range};
use crate::math::{Vec2, Vec3, larger, max, min};
use crate::model::{Material, Texture, TextureCoordinates, TextureRole};
use crate::raster::shadow::depth_pass::cutoff;
use crate::raster::texture::footprint::Footprint;
use crate::raster::texture::trilinear::scalar::Taps;
use crate::raster::view::{Draw, View};
use crate::simd::prelude::*;
use crate::simd::{self, Kernel, Level, Simd};

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
/// Farther than a lattice reaches along an axis, in voxels.
const FARTHEST: f32 = 1e9;
/// Steps from the first point of a vector.
const STEPS: [f32; simd::MAX_LANES] =
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];
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
            simd::run(level, AddDraw { voxels: &mut voxels, view, draw, origin });
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

/// Adds the triangles of a draw.
struct AddDraw<'a> {
    voxels: &'a mut Voxels,
    view: &'a View<'a>,
    draw: &'a Draw<'a>,
    origin: Vec3,
}

/// Points of a triangle in rows: `steps` to each side, from the first corner along two of its sides.
struct PointRows {
    corner: Vec3,
    sides: [Vec3; 2],
    /// A whole number.
    steps: f32,
    /// 1 / steps.
    share: f32,
}

impl PointRows {
    fn new([a, b, c]: [Vec3; 3]) -> Self {
        let steps = steps_of([a, b, c]);
        Self { corner: a, sides: [b - a, c - a], steps, share: 1.0 / steps }
    }

    /// Marks the points of a row from the column `first` on that pass a test, which gets their shares of the two sides.
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
    #[expect(clippy::cast_precision_loss, reason = "sides of a lattice are small")]
    #[expect(clippy::cast_possible_truncation, reason = "sides of a lattice are small")]
    #[expect(clippy::cast_possible_wrap, reason = "sides of a lattice are small")]
    fn set_row_lanes<S: Simd>(&self, simd: S, voxels: &mut Voxels, row: f32) {
        let start = self.corner + self.sides[0] * (row * self.share);
        let [width, height, depth] = voxels.size;
        let count = S::f32s::LEN;
        let mut column = 0.0;
        while row + column + (count - 1) as f32 <= self.steps {
            let along = (S::f32s::from_slice(simd, &STEPS[..count]) + column) * self.share;
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let at = along * self.sides[1][axis] + start[axis];
                to_int_in_range::<S>(lanes::clamp(simd, at, 0.0, FARTHEST))
            });
            let is_in =
                x.simd_lt(width as i32) & y.simd_lt(height as i32) & z.simd_lt(depth as i32);
            let word = (z * height as i32 + y) * voxels.row as i32 + (x >> 6_u32);
            let mut left = is_in.to_bitmask();
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let bit = x.as_slice()[lane] & 63;
                voxels.words[word.as_slice()[lane].cast_unsigned() as usize] |= 1 << bit;
            }
            column += count as f32;
        }
        self.set_row(voxels, row, column, |_| true);
    }
}

impl AddDraw<'_> {
    /// Adds the triangles; `set_row` marks all points of a row.
    #[inline(always)]
    fn add(self, set_row: impl Fn(&PointRows, &mut Voxels, f32)) {
        let Self { voxels, view, draw, origin } = self;
        let mask = Mask::of(view, draw);
        for triangle in &draw.mesh.triangles {
            let rows = PointRows::new(triangle.map(|vertex| voxels.place(draw, origin, vertex)));
            let uv = mask.as_ref().map(|mask| mask.texcoords_of(*triangle));
            let mut row = 0.0;
            while row <= rows.steps {
                match mask.as_ref().zip(uv) {
                    None => set_row(&rows, voxels, row),
                    Some((mask, uv)) => rows.set_row(voxels, row, 0.0, |at| mask.is_solid(uv, at)),
                }
                row += 1.0;
            }
        }
    }
}

impl Kernel for AddDraw<'_> {
    type Output = ();

    fn scalar(self) {
        self.add(|rows, voxels, row| rows.set_row(voxels, row, 0.0, |_| true));
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        self.add(
            #[inline(always)]
            |rows, voxels, row| rows.set_row_lanes(simd, voxels, row),
        );
    }
}

/// Alpha test of a draw whose texture has holes.
struct Mask<'a> {
    material: &'a Material,
    texture: &'a Texture,
    coordinates: Option<&'a TextureCoordinates>,
    /// Texture coordinates of the vertices, in the set of the texture.
    texcoords: &'a [Vec2],
    cutoff: f32,
}

impl<'a> Mask<'a> {
    /// The test of a draw; none if all of it is solid.
    fn of(view: &'a View, draw: &'a Draw) -> Option<Self> {
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

    /// True if a triangle with these texture coordinates has no hole at a point, by its shares of the two sides.
    fn is_solid(&self, uv: [Vec2; 3], [u, v]: [f32; 2]) -> bool {
        let at = uv[0] + (uv[1] - uv[0]) * u + (uv[2] - uv[0]) * v;
        alpha(self.texture, self.coordinates, at) * self.material.opacity >= self.cutoff
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

    /// Marks the points of triangles.
    struct AddTriangles<'a>(&'a mut Voxels, &'a [[Vec3; 3]]);

    impl AddTriangles<'_> {
        fn add(self, set_row: impl Fn(&PointRows, &mut Voxels, f32)) {
            for &triangle in self.1 {
                let rows = PointRows::new(triangle);
                for row in 0..=rows.steps as u16 {
                    set_row(&rows, self.0, f32::from(row));
                }
            }
        }
    }

    impl Kernel for AddTriangles<'_> {
        type Output = ();

        fn scalar(self) {
            self.add(|rows, voxels, row| rows.set_row(voxels, row, 0.0, |_| true));
        }

        #[inline(always)]
        fn lanes<S: Simd>(self, simd: S) {
            self.add(|rows, voxels, row| rows.set_row_lanes(simd, voxels, row));
        }
    }

    #[test]
    fn voxels_of_every_level_are_those_of_plain_code() {
        let mut state = 5_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as f32 / 65536.0 * 110.0 - 8.0
        };
        // Some corners lie beyond the lattice, and one is no number.
        let mut triangles: Vec<_> =
            (0..60).map(|_| [(); 3].map(|()| Vec3::new(next(), next(), next()))).collect();
        triangles.push([Vec3::new(f32::NAN, 3.0, 1e12), Vec3::ZERO, Vec3::ONE]);
        let marked = |level| {
            let mut voxels = Voxels::empty(Vec3::ZERO, Vec3::splat(80.0), 1.0).unwrap();
            let [_, height, depth] = voxels.size;
            voxels.words = vec![0; voxels.row * height * depth];
            simd::run(level, AddTriangles(&mut voxels, &triangles));
            voxels.words
        };
        let plain = marked(Level::Scalar);
        assert!(plain.iter().map(|word| word.count_ones()).sum::<u32>() > 20_000);
        for level in Level::available() {
            assert!(marked(level) == plain, "{level:?}");
        }
    }

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
