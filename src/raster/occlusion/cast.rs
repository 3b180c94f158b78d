//! Rays from every voxel near a surface, 64 voxels at a time.
//!
//! A ray in one direction from all voxels of a row meets, after some steps, the voxels of another row, shifted: with one bit a voxel, one
//! shift and one `or` advance 64 rays.

use super::voxels::Voxels;
use crate::simd::{self, Kernel, Level, Simd};
use rayon::prelude::*;

/// Directions of rays, without sign and order: the 26 neighbours of a voxel.
const DIRECTIONS: usize = 26;
/// Distances in voxels up to which something blocks all of a ray, three quarters, a half and a quarter.
const REACH: [f32; 4] = [3.0, 6.0, 9.0, 12.0];
/// Distance in voxels, along each axis, of voxels that a look-up near a surface may read.
const NEAR: usize = 3;
/// The value of 1 in a texel.
pub(super) const ONE: f32 = 32_768.0;
/// The value of a direction without length.
pub(super) const MIDDLE: u16 = 32_768;
/// A texel with nothing around it.
const OPEN: [u16; 4] = [0, MIDDLE, MIDDLE, MIDDLE];

/// One direction.
struct Ray {
    /// Offsets of the voxels that it meets, and the index of their distance in [`REACH`].
    steps: Vec<([isize; 3], usize)>,
    /// Amounts that a blocked ray adds to a texel, in quarters.
    share: [i32; 4],
}

/// Sums of texels have so many more bits than texels.
const FRACTION: u32 = 12;

#[expect(clippy::cast_possible_truncation, reason = "a few voxels")]
#[expect(clippy::cast_precision_loss, reason = "a few voxels")]
fn rays() -> Vec<Ray> {
    let mut rays = Vec::with_capacity(DIRECTIONS);
    for index in 0..27_i16 {
        let axes = [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1].map(f32::from);
        let squared = axes.iter().map(|part| part * part).sum::<f32>();
        let weight = match squared {
            0.0 => continue,
            1.0 => 1.0 / 21.0,
            2.0 => 4.0 / 105.0,
            _ => 9.0 / 280.0,
        };
        let unit = axes.map(|part| part / squared.sqrt());
        let mut steps: Vec<([isize; 3], usize)> = Vec::new();
        for step in 1..=REACH[3] as i16 {
            let at = unit.map(|part| (part * f32::from(step) + 0.5).floor() as isize);
            let distance = at.iter().map(|&part| (part * part) as f32).sum::<f32>().sqrt();
            let level = REACH.iter().position(|&reach| distance <= reach);
            if let Some(level) = level
                && steps.last().is_none_or(|last| last.0 != at)
            {
                steps.push((at, level));
            }
        }
        // Twice the mean of direction times blocked share, times a normal, is its part in the cosine-weighted hemisphere.
        let scale = ONE * 0.25 * (1_u32 << FRACTION) as f32 * weight;
        let whole = |part: f32| (part * scale + 0.5).floor() as i32;
        let share = [1.0, 2.0 * unit[0], 2.0 * unit[1], 2.0 * unit[2]].map(whole);
        rays.push(Ray { steps, share });
    }
    rays
}

/// Casts the rays of all voxels near a surface.
pub(super) fn cast(voxels: &Voxels, level: Level) -> Vec<[u16; 4]> {
    let [width, height, depth] = voxels.size;
    let (near, rays) = (near(voxels), rays());
    let mut texels = vec![OPEN; width * height * depth];
    let planes = texels
        .par_chunks_mut((width * height).max(1))
        .zip(near.par_chunks((voxels.row * height).max(1)));
    planes.enumerate().for_each(|(z, (texels, near))| {
        simd::run(level, Plane { voxels, rays: &rays, z, texels, near });
    });
    texels
}

/// Casts the rays of a plane of voxels.
struct Plane<'a> {
    voxels: &'a Voxels,
    rays: &'a [Ray],
    z: usize,
    texels: &'a mut [[u16; 4]],
    near: &'a [u64],
}

impl Kernel for Plane<'_> {
    type Output = ();

    /// Whole numbers, vectorized by the compiler: any level gives the same sums.
    #[inline(always)]
    fn scalar(self) {
        let Self { voxels, rays, z, texels, near } = self;
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
    fn lanes<S: Simd>(self, _: S) {
        self.scalar();
    }
}

/// The number of masks that have each bit.
#[inline(always)]
fn counts(masks: [u64; 4]) -> [u8; 64] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut counts = [0; 64];
    for (byte, counts) in counts.chunks_exact_mut(8).enumerate() {
        let mut sum = 0;
        for mask in masks {
            // Each byte of the word holds one bit of the byte of the mask.
            let bits = (((mask >> (8 * byte)) & 0xff) * EACH) & 0x8040_2010_0804_0201;
            sum += ((bits + 0x7f * EACH) >> 7) & EACH;
        }
        counts.copy_from_slice(&sum.to_le_bytes());
    }
    counts
}

impl Voxels {
    /// Casts the rays of the wanted voxels of a word.
    #[inline(always)]
    fn cast_word(
        &self,
        rays: &[Ray],
        [word, y, z]: [usize; 3],
        wanted: u64,
        texels: &mut [[u16; 4]],
    ) {
        let mut sums = [[0_i32; 64]; 4];
        for Ray { steps, share } in rays {
            // 1. Rays that are blocked up to each distance.
            let (mut blocked, mut up_to) = (0, [0; 4]);
            for &([dx, dy, dz], level) in steps {
                blocked |= self.shifted(word, y.cast_signed() + dy, z.cast_signed() + dz, dx);
                up_to[level] = blocked;
            }
            if blocked & wanted == 0 {
                continue;
            }

            // 2. Their shares.
            let quarters = counts(up_to);
            for (sums, &share) in sums.iter_mut().zip(share) {
                for (sum, &quarters) in sums.iter_mut().zip(&quarters) {
                    *sum += share * i32::from(quarters);
                }
            }
        }
        let mut left = wanted;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(texel) = texels.get_mut(bit) {
                *texel = pack(sums.each_ref().map(|sums| sums[bit]));
            }
        }
    }

    /// The bits of a word of a row, moved by a few voxels along x.
    #[inline]
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
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
fn pack([blocked, x, y, z]: [i32; 4]) -> [u16; 4] {
    let round = |sum: i32, from: u16| ((sum >> FRACTION) + i32::from(from)).clamp(0, 0xffff) as u16;
    [round(blocked, 0), round(x, MIDDLE), round(y, MIDDLE), round(z, MIDDLE)]
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

    #[test]
    fn counts_are_sums_of_bits() {
        let masks = [0x8000_0000_0000_0001, 0xdead_beef_0123_4567, u64::MAX, 0x00ff_00ff_f00f_0ff1];
        for (bit, found) in counts(masks).into_iter().enumerate() {
            let expected: u64 = masks.iter().map(|mask| mask >> bit & 1).sum();
            assert_eq!(u64::from(found), expected, "{bit}");
        }
    }
}
