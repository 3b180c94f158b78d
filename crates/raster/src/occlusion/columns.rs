//! Rays over lanes, for several rows of voxels at once; [`super::cast`] is the definition.
//!
//! From consecutive rows along y, rays of one direction read adjacent words. [`Columns`] keeps
//! these side by side in memory, with padding around the lattice: a vector contains the words of
//! several rows, and no step has to check whether it has left the lattice.

use super::lattice::Voxels;
use super::rays::{CLASSES, DIRECTIONS, REACH, Ray, Rays, pack_axis};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{Simd, i8x64, mask8x64};

/// Rows before and after a column that a ray may read.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "12")]
const AROUND: usize = REACH[REACH.len() - 1] as usize;
/// Most words of a vector.
const MAX_ROWS: usize = 8;

/// Words of voxels, column by column along y.
pub(super) struct Columns {
    /// Planes of z, and after them one for everything beyond.
    depth: usize,
    height: usize,
    /// Words of a row along x; columns have one more on each side.
    row: usize,
    /// Words of a column.
    tall: usize,
    words: Vec<u64>,
}

/// One voxel of a ray: the position of its word relative to the start of the ray, and the number of
/// bits to shift it by.
#[derive(Clone, Copy)]
struct Step {
    place: usize,
    dx: i32,
}

/// Rays of rows blocked up to each distance, by direction.
type Blocked = [[[u64; MAX_ROWS]; REACH.len()]; DIRECTIONS];

impl Columns {
    pub(super) fn new(voxels: &Voxels) -> Self {
        let [_, height, depth] = voxels.size;
        let row = voxels.row;
        let tall = AROUND + height + AROUND + MAX_ROWS;
        let mut words = vec![0; (depth + 1) * (row + 2) * tall];
        let columns = words.chunks_exact_mut(tall);
        for (index, column) in columns.enumerate() {
            let (z, word) = (index / (row + 2), (index % (row + 2)).wrapping_sub(1));
            if z < depth && word < row {
                for (y, to) in column[AROUND..AROUND + height].iter_mut().enumerate() {
                    *to = voxels.words[(z * height + y) * row + word];
                }
            }
            let sunken = voxels.ground.saturating_add_unsigned(AROUND);
            let sunken = usize::try_from(sunken).unwrap_or(0).min(tall);
            column[..sunken].fill(u64::MAX);
        }
        Self { depth, height, row, tall, words }
    }

    /// Casts the rays of a plane, for the voxels `near` a surface, into the texels of the plane.
    #[inline(always)]
    pub(super) fn cast_plane<S: Simd>(
        &self,
        simd: S,
        Rays { rays, shares }: &Rays,
        z: usize,
        near: &[u64],
        texels: &mut [[u16; 4]],
    ) {
        let steps: Vec<[Vec<Step>; REACH.len()]> =
            rays.iter().map(|ray| self.steps_from(ray, z)).collect();
        let width = texels.len() / self.height;
        let mut blocked: Blocked = [[[0; MAX_ROWS]; REACH.len()]; DIRECTIONS];
        for word in 0..self.row {
            for top in (0..self.height).step_by(S::u64s::LEN) {
                let rows = top..(top + S::u64s::LEN).min(self.height);
                if rows.clone().all(|y| near[y * self.row + word] == 0) {
                    continue;
                }
                let start = (word + 1) * self.tall + top;
                for (steps, blocked) in steps.iter().zip(&mut blocked) {
                    self.cast_rows(simd, steps, start, blocked);
                }
                for (lane, y) in rows.enumerate() {
                    let wanted = near[y * self.row + word];
                    if wanted != 0 {
                        let row = &mut texels[y * width..(y + 1) * width];
                        let end = width.min(64 * word + 64);
                        let texels = &mut row[64 * word..end];
                        let counts = count(simd, rays, &blocked, lane, wanted);
                        add_up(&counts, shares, wanted, texels);
                    }
                }
            }
        }
    }

    /// The steps of a ray from a plane.
    fn steps_from(&self, ray: &Ray, z: usize) -> [Vec<Step>; REACH.len()] {
        let step = |&[dx, dy, dz]: &[isize; 3]| {
            let plane = z.checked_add_signed(dz).map_or(self.depth, |plane| plane.min(self.depth));
            let place = plane * (self.row + 2) * self.tall;
            let place = (place + AROUND).checked_add_signed(dy).expect("a ray stays in the column");
            Step { place, dx: i32::try_from(dx).expect("a few voxels") }
        };
        ray.steps.each_ref().map(|steps| steps.iter().map(step).collect())
    }

    /// Rays of one direction from the words of a vector.
    #[inline(always)]
    fn cast_rows<S: Simd>(
        &self,
        simd: S,
        steps: &[Vec<Step>; REACH.len()],
        start: usize,
        up_to: &mut [[u64; MAX_ROWS]; REACH.len()],
    ) {
        let mut blocked = S::u64s::simd_from(simd, 0);
        for (steps, up_to) in steps.iter().zip(up_to) {
            for &Step { place, dx } in steps {
                let at = start + place;
                let here = self.words_at(simd, at);
                blocked |= match dx {
                    0 => here,
                    1.. => {
                        let right = dx.unsigned_abs();
                        here >> right | self.words_at(simd, at + self.tall) << (64 - right)
                    }
                    _ => {
                        let left = dx.unsigned_abs();
                        here << left | self.words_at(simd, at - self.tall) >> (64 - left)
                    }
                };
            }
            blocked.store_slice(&mut up_to[..S::u64s::LEN]);
        }
    }

    #[inline(always)]
    fn words_at<S: Simd>(&self, simd: S, place: usize) -> S::u64s {
        S::u64s::from_slice(simd, &self.words[place..place + S::u64s::LEN])
    }
}

/// Quarters of blocked rays of 64 voxels, by class: their number, and their sum along each axis.
type Counts = [[[i8; 64]; 4]; CLASSES];

/// Counts the quarters of a word of a vector. They fit 8 bits; they are multiplied at the end.
#[inline(always)]
fn count<S: Simd>(simd: S, rays: &[Ray], blocked: &Blocked, lane: usize, wanted: u64) -> Counts {
    let (zero, one) = (i8x64::splat(simd, 0), i8x64::splat(simd, 1));
    let mut sums = [[zero; 4]; CLASSES];
    for (ray, blocked) in rays.iter().zip(blocked) {
        if blocked[REACH.len() - 1][lane] & wanted == 0 {
            continue;
        }
        let mut quarters = zero;
        for words in blocked {
            quarters += mask8x64::from_bitmask(simd, words[lane]).select(one, zero);
        }
        let [all, along @ ..] = &mut sums[ray.class];
        *all += quarters;
        for (sum, sign) in along.iter_mut().zip(ray.signs) {
            match sign {
                0 => {}
                1 => *sum += quarters,
                _ => *sum -= quarters,
            }
        }
    }
    let mut counts = [[[0; 64]; 4]; CLASSES];
    for (sums, counts) in sums.iter().zip(&mut counts) {
        for (sum, count) in sums.iter().zip(counts) {
            sum.store_slice(count);
        }
    }
    counts
}

/// Multiplies counts by the weights of their classes, and packs the sums of the requested voxels.
/// Plain loops of equal length, which the compiler vectorizes.
#[inline(always)]
fn add_up(counts: &Counts, shares: &[[i32; 2]; CLASSES], wanted: u64, texels: &mut [[u16; 4]]) {
    let mut packed = [[0; 64]; 4];
    for (axis, packed) in packed.iter_mut().enumerate() {
        let [first, second, third] = counts.each_ref().map(|counts| &counts[axis]);
        let [one, two, three] = shares.map(|[all, along]| if axis == 0 { all } else { along });
        for (bit, packed) in packed.iter_mut().enumerate() {
            let sum = one * i32::from(first[bit])
                + two * i32::from(second[bit])
                + three * i32::from(third[bit]);
            *packed = pack_axis(sum, axis);
        }
    }
    let mut left = wanted;
    while left != 0 {
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        if let Some(texel) = texels.get_mut(bit) {
            *texel = [packed[0][bit], packed[1][bit], packed[2][bit], packed[3][bit]];
        }
    }
}
