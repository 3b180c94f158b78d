//! Rays from every voxel near a surface, 64 voxels at a time.
//!
//! A ray in one direction from all voxels of a row meets, after some steps, the voxels of another
//! row, shifted: with one bit per voxel, one shift and one `or` advance 64 rays.

use super::columns::Columns;
use super::lattice::Voxels;
use super::rays::{OPEN, REACH, Ray, Rays, pack, rays};
use rayon::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Distance in voxels, along each axis, of voxels that a look-up near a surface may read.
const NEAR: usize = 3;

/// Casts the rays of all voxels near a surface.
pub(super) fn cast(voxels: &Voxels, level: Level) -> Vec<[u16; 4]> {
    let [width, height, depth] = voxels.size;
    let (near, rays) = (near(voxels), rays());
    let columns = (level != Level::Scalar).then(|| Columns::new(voxels));
    let mut texels = vec![OPEN; width * height * depth];
    let planes = texels
        .par_chunks_mut((width * height).max(1))
        .zip(near.par_chunks((voxels.row * height).max(1)));
    planes.enumerate().for_each(|(z, (texels, near))| {
        let columns = columns.as_ref();
        simd::run(level, Plane { voxels, columns, rays: &rays, z, texels, near });
    });
    texels
}

/// Casts the rays of a plane of voxels.
struct Plane<'a> {
    voxels: &'a Voxels,
    /// The same voxels, for lanes.
    columns: Option<&'a Columns>,
    rays: &'a Rays,
    z: usize,
    texels: &'a mut [[u16; 4]],
    near: &'a [u64],
}

impl Kernel for Plane<'_> {
    type Output = ();

    fn scalar(self) {
        let Self { voxels, rays, z, texels, near, .. } = self;
        let [width, ..] = voxels.size;
        for (y, row) in texels.chunks_mut(width).enumerate() {
            for (word, texels) in row.chunks_mut(64).enumerate() {
                let wanted = near[y * voxels.row + word];
                if wanted != 0 {
                    voxels.cast_word(rays, [word, y, z], wanted, texels);
                }
            }
        }
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { columns, rays, z, texels, near, .. } = self;
        let columns = columns.expect("columns are made for lanes");
        columns.cast_plane(simd, rays, z, near, texels);
    }
}

impl Voxels {
    /// Casts the rays of the requested voxels of a word.
    fn cast_word(
        &self,
        Rays { rays, shares }: &Rays,
        place: [usize; 3],
        wanted: u64,
        texels: &mut [[u16; 4]],
    ) {
        let mut sums = [[0; 4]; 64];
        for ray in rays {
            let blocked = self.blocked(ray, place);
            let [share, along] = shares[ray.class];
            for (bit, sums) in sums.iter_mut().enumerate() {
                let quarters: i32 = blocked.iter().map(|mask| (mask >> bit & 1) as i32).sum();
                sums[0] += share * quarters;
                for (sum, sign) in sums[1..].iter_mut().zip(ray.signs) {
                    *sum += sign * along * quarters;
                }
            }
        }
        for (bit, (texel, sums)) in texels.iter_mut().zip(sums).enumerate() {
            if wanted >> bit & 1 != 0 {
                *texel = pack(sums);
            }
        }
    }

    /// Rays of a direction from a word of voxels, blocked up to each distance of [`REACH`].
    fn blocked(&self, ray: &Ray, [word, y, z]: [usize; 3]) -> [u64; REACH.len()] {
        let (mut blocked, mut up_to) = (0, [0; REACH.len()]);
        for (steps, up_to) in ray.steps.iter().zip(&mut up_to) {
            for &[dx, dy, dz] in steps {
                blocked |= self.shifted(word, y.cast_signed() + dy, z.cast_signed() + dz, dx);
            }
            *up_to = blocked;
        }
        up_to
    }

    /// The bits of a word of a row, moved by a few voxels along x.
    fn shifted(&self, word: usize, y: isize, z: isize, dx: isize) -> u64 {
        if y < self.ground {
            return u64::MAX;
        }
        let [_, height, depth] = self.size.map(usize::cast_signed);
        if !(0..height).contains(&y) || !(0..depth).contains(&z) {
            return 0;
        }
        let start = (z * height + y).cast_unsigned() * self.row;
        let row = &self.words[start..start + self.row];
        let here = row[word];
        match dx {
            0 => here,
            1.. => {
                let next = row.get(word + 1).copied().unwrap_or(0);
                here >> dx | next << (64 - dx)
            }
            _ => {
                let before = if word > 0 { row[word - 1] } else { 0 };
                here << -dx | before >> (64 + dx)
            }
        }
    }
}

/// Voxels that a look-up near a surface may read: those at most [`NEAR`] from one along each axis.
fn near(voxels: &Voxels) -> Vec<u64> {
    let [_, height, _] = voxels.size;
    let row = voxels.row;
    let mut wide = voxels.words.clone();
    for (to, from) in wide.chunks_mut(row.max(1)).zip(voxels.words.chunks(row.max(1))) {
        for (word, to) in to.iter_mut().enumerate() {
            let here = from[word];
            let before = if word > 0 { from[word - 1] } else { 0 };
            let next = from.get(word + 1).copied().unwrap_or(0);
            for step in 1..=NEAR {
                *to |= here << step | here >> step | before >> (64 - step) | next << (64 - step);
            }
        }
    }
    let spread = |from: &[u64], stride: usize, count: usize| {
        let mut to = from.to_vec();
        for step in 1..=NEAR {
            let shift = step * stride;
            for (index, to) in to.iter_mut().enumerate() {
                let line = index / stride % count;
                if line >= step {
                    *to |= from[index - shift];
                }
                if line + step < count {
                    *to |= from[index + shift];
                }
            }
        }
        to
    };
    let tall = spread(&wide, row.max(1), height.max(1));
    spread(&tall, (row * height).max(1), voxels.size[2].max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball with a hole, wider than a word.
    fn ball() -> Voxels {
        let size = [90_usize, 40, 33];
        let row = size[0].div_ceil(64);
        let mut words = vec![0; row * size[1] * size[2]];
        for (x, y, z) in (0..size[0])
            .flat_map(|x| (0..size[1]).flat_map(move |y| (0..size[2]).map(move |z| (x, y, z))))
        {
            let away = [x.abs_diff(52), y.abs_diff(19), z.abs_diff(15)];
            let squared: usize = away.iter().map(|part| part * part).sum();
            if (90..140).contains(&squared) && y % 7 != 3 {
                words[(z * size[1] + y) * row + x / 64] |= 1 << (x % 64);
            }
        }
        let corner = tintype_model::math::Vec3::ZERO;
        Voxels { size, per_length: 1.0, corner, row, words, ground: 2 }
    }

    #[test]
    fn rays_of_every_level_are_those_of_plain_code() {
        let ball = ball();
        let plain = cast(&ball, Level::Scalar);
        assert!(plain.iter().filter(|&&texel| texel != OPEN).count() > 10_000);
        for level in Level::available() {
            assert!(cast(&ball, level) == plain, "{level:?}");
        }
    }
}
