//! Rays from every voxel near a surface, 64 voxels at a time.
//!
//! A ray in one direction from all voxels of a row meets, after some steps, the voxels of another row, shifted: with one bit a voxel, one
//! shift and one `or` advance 64 rays.

use super::columns::Columns;
use super::voxels::Voxels;
use crate::simd::{self, Kernel, Level, Simd};
use rayon::prelude::*;

/// Directions of rays, without sign and order: the 26 neighbours of a voxel.
pub(super) const DIRECTIONS: usize = 26;
/// Distances in voxels up to which something blocks all of a ray, three quarters, a half and a quarter.
pub(super) const REACH: [f32; 4] = [3.0, 6.0, 9.0, 12.0];
/// Distance in voxels, along each axis, of voxels that a look-up near a surface may read.
const NEAR: usize = 3;
/// The value of 1 in a texel.
pub(super) const ONE: f32 = 32_768.0;
/// The value of a direction without length.
pub(super) const MIDDLE: u16 = 32_768;
/// A texel with nothing around it: the values that stand for 0.
const OPEN: [u16; 4] = [0, MIDDLE, MIDDLE, MIDDLE];

/// Classes of directions, by the number of axes that they lie between, less one.
pub(super) const CLASSES: usize = 3;

/// One direction.
pub(super) struct Ray {
    /// Offsets of the voxels that it meets up to each distance of [`REACH`] and beyond the one before.
    pub steps: [Vec<[isize; 3]>; REACH.len()],
    pub class: usize,
    /// Sign along each axis, or 0.
    pub signs: [i32; 3],
}

/// All directions.
pub(super) struct Rays {
    pub rays: Vec<Ray>,
    /// Amounts that a quarter of a blocked ray adds to a texel, by its class: to the blocked share, and along each of its axes.
    pub shares: [[i32; 2]; CLASSES],
}

/// Sums of texels have so many more bits than texels.
const FRACTION: u32 = 12;

#[expect(clippy::cast_possible_truncation, reason = "a few voxels")]
#[expect(clippy::cast_precision_loss, reason = "a few voxels")]
fn rays() -> Rays {
    let mut rays = Vec::with_capacity(DIRECTIONS);
    for index in 0..27_i16 {
        let signs = [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1];
        let count = signs.iter().filter(|&&sign| sign != 0).count();
        let Some(class) = count.checked_sub(1) else { continue };
        let unit = signs.map(|sign| f32::from(sign) / (count as f32).sqrt());
        let mut steps: [Vec<[isize; 3]>; REACH.len()] = Default::default();
        let mut last = [0; 3];
        for step in 1..=REACH[3] as i16 {
            let at = unit.map(|part| (part * f32::from(step) + 0.5).floor() as isize);
            let distance = at.iter().map(|&part| (part * part) as f32).sum::<f32>().sqrt();
            let level = REACH.iter().position(|&reach| distance <= reach);
            if let Some(level) = level
                && at != last
            {
                steps[level].push(at);
                last = at;
            }
        }
        rays.push(Ray { steps, class, signs: signs.map(i32::from) });
    }
    let share = |class: usize| {
        let weight = [1.0 / 21.0, 4.0 / 105.0, 9.0 / 280.0][class];
        let unit = 1.0 / ((class + 1) as f32).sqrt();
        // Twice the mean of direction times blocked share, times a normal, is its part in the cosine-weighted hemisphere.
        let scale = ONE * 0.25 * (1_u32 << FRACTION) as f32 * weight;
        [1.0, 2.0 * unit].map(|part: f32| (part * scale + 0.5).floor() as i32)
    };
    Rays { rays, shares: core::array::from_fn(share) }
}

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
    /// Casts the rays of the wanted voxels of a word.
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

    /// Rays of a direction from a word of voxels that are blocked up to each distance of [`REACH`].
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

/// Packs the sums of a voxel.
fn pack(sums: [i32; 4]) -> [u16; 4] {
    core::array::from_fn(|axis| pack_axis(sums[axis], axis))
}

/// Packs the sum of one axis, or of the blocked share at index 0.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
pub(super) fn pack_axis(sum: i32, axis: usize) -> u16 {
    ((sum >> FRACTION) + i32::from(OPEN[axis])).clamp(0, 0xffff) as u16
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
        let corner = crate::math::Vec3::ZERO;
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

    #[test]
    fn shares_of_all_directions_are_the_whole_sphere() {
        let Rays { rays, shares } = rays();
        assert_eq!(rays.len(), DIRECTIONS);
        let all: i32 = rays.iter().map(|ray| 4 * shares[ray.class][0]).sum();
        let whole = f64::from(ONE) * f64::from(1 << FRACTION);
        assert!((f64::from(all) / whole - 1.0).abs() < 1e-6, "{all}");
    }
}
