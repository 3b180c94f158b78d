//! Rays from every voxel near a surface, 64 voxels at a time.
//!
//! A ray in one direction from all voxels of a row meets, after some steps, the voxels of another row, shifted: with one bit a voxel, one
//! shift and one `or` advance 64 rays.

use super::voxels::Voxels;
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
pub(super) fn cast(voxels: &Voxels) -> Vec<[u16; 4]> {
    let [width, height, depth] = voxels.size;
    let (near, rays) = (near(voxels), rays());
    let mut texels = vec![OPEN; width * height * depth];
    let planes = texels
        .par_chunks_mut((width * height).max(1))
        .zip(near.par_chunks((voxels.row * height).max(1)));
    planes.enumerate().for_each(|(z, (texels, near))| {
        for (y, row) in texels.chunks_mut(width).enumerate() {
            for (word, texels) in row.chunks_mut(64).enumerate() {
                let wanted = near[y * voxels.row + word];
                if wanted != 0 {
                    voxels.cast_word(&rays, [word, y, z], wanted, texels);
                }
            }
        }
    });
    texels
}

impl Voxels {
    /// Casts the rays of the wanted voxels of a word.
    fn cast_word(
        &self,
        rays: &[Ray],
        [word, y, z]: [usize; 3],
        wanted: u64,
        texels: &mut [[u16; 4]],
    ) {
        let mut sums = [[0_i32; 4]; 64];
        for Ray { steps, share } in rays {
            // 1. Rays that are blocked up to each distance.
            let (mut blocked, mut up_to) = (0, [0; 4]);
            for &([dx, dy, dz], level) in steps {
                blocked |= self.shifted(word, y.cast_signed() + dy, z.cast_signed() + dz, dx);
                up_to[level] = blocked;
            }
            let any = blocked & wanted;

            // 2. Their shares.
            let mut left = any;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let quarters: i32 = up_to.iter().map(|mask| i32::from(mask >> bit & 1 == 1)).sum();
                for (sum, share) in sums[bit as usize].iter_mut().zip(share) {
                    *sum += share * quarters;
                }
            }
        }
        let mut left = wanted;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(texel) = texels.get_mut(bit) {
                *texel = pack(sums[bit]);
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
