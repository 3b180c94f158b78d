//! [`super::sample`] over lanes: a point of a surface in every lane, each with its own mip levels.
//!
//! The operations and their order are those of [`super::sample::Taps`]; the tests of `raster` hold every level to its bits.

use crate::math::lanes::{clamp, log2, max, splat};
use crate::model::{MipLevel, Texture};
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd};

/// Where each lane falls on a texture, and how far its neighbours are: [`super::sample::Footprint`].
#[derive(Clone, Copy)]
pub(super) struct Footprints<S: Simd> {
    pub at: [S::f32s; 2],
    pub across: [S::f32s; 2],
    pub down: [S::f32s; 2],
}

/// Which texels each lane mixes, and how: [`super::sample::Taps`].
#[derive(Clone, Copy)]
pub(super) struct LaneTaps<S: Simd> {
    finer: Cells<S>,
    coarser: Cells<S>,
    part: S::f32s,
    /// Whether any lane mixes two levels.
    has_coarser: bool,
}

/// The four texels around a point of one level.
#[derive(Clone, Copy)]
struct Cells<S: Simd> {
    level: S::u32s,
    /// Places of the left texels and of the right ones, in the upper row and in the lower.
    left: [S::u32s; 2],
    right: [S::u32s; 2],
    part_x: S::f32s,
    part_y: S::f32s,
}

impl<S: Simd> LaneTaps<S> {
    /// The first texel everywhere.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let (zero, none) = (S::u32s::simd_from(simd, 0), splat(simd, 0.0));
        let cells =
            Cells { level: zero, left: [zero; 2], right: [zero; 2], part_x: none, part_y: none };
        Self { finer: cells, coarser: cells, part: none, has_coarser: false }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "fewer than 16 levels")]
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub fn new(simd: S, texture: &Texture, footprint: &Footprints<S>) -> Self {
        let size = [texture.levels[0].width, texture.levels[0].height];
        let last = (texture.levels.len() - 1) as u32;
        let longest = max::<S>(
            length_squared::<S>(footprint.across, size),
            length_squared::<S>(footprint.down, size),
        );
        let detail = clamp(simd, log2(simd, longest) * 0.5, 0.0, last as f32);
        let level = detail.to_int::<S::u32s>();
        let part = detail - level.to_float::<S::f32s>();
        let has_coarser = part.simd_gt(0.0).any_true();
        let finer = Cells::new(simd, size, level, footprint.at);
        // Where the part is above 0 there is a next level; elsewhere what it holds is multiplied by 0.
        let next = level + 1;
        let next = next.simd_gt(last).select(level, next);
        let coarser = Cells::new(simd, size, next, footprint.at);
        Self { finer, coarser, part, has_coarser }
    }

    /// The first channels of the filtered texels, premultiplied linear in 0..=1.
    #[inline(always)]
    pub fn sample<const CHANNELS: usize>(&self, simd: S, texture: &Texture) -> [S::f32s; CHANNELS] {
        let mut texel = self.finer.mix::<CHANNELS>(simd, &texture.levels);
        if self.has_coarser {
            let far = self.coarser.mix::<CHANNELS>(simd, &texture.levels);
            for (near, far) in texel.iter_mut().zip(far) {
                *near = *near + (far - *near) * self.part;
            }
        }
        for value in &mut texel {
            *value *= 1.0 / 65535.0;
        }
        texel
    }
}

/// The squared length of a step over a texture, in texels of its first level.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
fn length_squared<S: Simd>(step: [S::f32s; 2], size: [u32; 2]) -> S::f32s {
    let (x, y) = (step[0] * size[0] as f32, step[1] * size[1] as f32);
    x * x + y * y
}

/// The two texels around a coordinate along one axis, wrapped, and how far it is from the first to the second.
#[inline(always)]
fn neighbours<S: Simd>(simd: S, coordinate: S::f32s, side: S::u32s) -> (S::u32s, S::u32s, S::f32s) {
    let wrapped = coordinate - coordinate.floor();
    let place = wrapped * side.to_float::<S::f32s>() + 0.5;
    // What is no number becomes 0, as in plain conversion.
    let held = place.simd_gt(0.0).select(place, splat(simd, 0.0));
    let second = held.to_int::<S::u32s>();
    let part = place - second.to_float::<S::f32s>();
    let last = side - 1;
    let first = second.simd_eq(0).select(last, second - 1);
    let second = second.simd_gt(last).select(S::u32s::simd_from(simd, 0), second);
    (first, second, part)
}

impl<S: Simd> Cells<S> {
    #[inline(always)]
    fn new(simd: S, size: [u32; 2], level: S::u32s, at: [S::f32s; 2]) -> Self {
        let width = side(simd, size[0], level);
        let (first_x, second_x, part_x) = neighbours(simd, at[0], width);
        let (first_y, second_y, part_y) = neighbours(simd, at[1], side(simd, size[1], level));
        let rows = [first_y * width, second_y * width];
        Self {
            level,
            left: [rows[0] + first_x, rows[1] + first_x],
            right: [rows[0] + second_x, rows[1] + second_x],
            part_x,
            part_y,
        }
    }

    /// The mix of the four texels, in 0..=65535.
    #[inline(always)]
    fn mix<const CHANNELS: usize>(&self, simd: S, levels: &[MipLevel]) -> [S::f32s; CHANNELS] {
        let texels = self.gather(simd, levels);
        let mut mixed = [self.part_x; CHANNELS];
        for (channel, mixed) in mixed.iter_mut().enumerate() {
            let (first, second) = (code::<S>(texels[0], channel), code::<S>(texels[1], channel));
            let (third, fourth) = (code::<S>(texels[2], channel), code::<S>(texels[3], channel));
            let upper = first + (second - first) * self.part_x;
            let lower = third + (fourth - third) * self.part_x;
            *mixed = upper + (lower - upper) * self.part_y;
        }
        mixed
    }

    /// Upper left, upper right, lower left, lower right: red and green, blue and alpha.
    #[inline(always)]
    fn gather(&self, simd: S, levels: &[MipLevel]) -> [[S::u32s; 2]; 4] {
        let lanes = S::u32s::LEN;
        let level = self.level.as_slice();
        let (upper, lower) = (self.left[0].as_slice(), self.left[1].as_slice());
        let mut rows = [[[0_u32; 4]; MAX_LANES]; 2];
        if (self.right[0] - self.left[0]).simd_eq(1).all_true() {
            // 1. Mostly the right texel follows the left one, and the level is the same everywhere.
            let first = level[0];
            if self.level.simd_eq(first).all_true() {
                let texels = levels[first as usize].texels.as_slice();
                for lane in 0..lanes {
                    rows[0][lane] = pair_at(texels, upper[lane]);
                    rows[1][lane] = pair_at(texels, lower[lane]);
                }
            } else {
                for lane in 0..lanes {
                    let texels = levels[level[lane] as usize].texels.as_slice();
                    rows[0][lane] = pair_at(texels, upper[lane]);
                    rows[1][lane] = pair_at(texels, lower[lane]);
                }
            }
        } else {
            // 2. Some lane wraps around.
            for lane in 0..lanes {
                let texels = levels[level[lane] as usize].texels.as_slice();
                for (row, rows) in rows.iter_mut().enumerate() {
                    let left = self.left[row].as_slice()[lane] as usize;
                    let right = self.right[row].as_slice()[lane] as usize;
                    rows[lane] = bytemuck::cast([texels[left], texels[right]]);
                }
            }
        }
        let [a, b, c, d] = unmingle(simd, &rows[0].as_flattened()[..4 * lanes]);
        let [e, f, g, h] = unmingle(simd, &rows[1].as_flattened()[..4 * lanes]);
        [[a, b], [c, d], [e, f], [g, h]]
    }
}

/// A texel and the one that follows it.
#[inline(always)]
fn pair_at(texels: &[[u16; 4]], left: u32) -> [u32; 4] {
    let pair: &[[u16; 4]; 2] =
        texels[left as usize..].first_chunk().expect("a texel to the right of the left one");
    bytemuck::cast(*pair)
}

/// The length of a level along an axis.
#[inline(always)]
fn side<S: Simd>(simd: S, length: u32, level: S::u32s) -> S::u32s {
    let halved = S::u32s::simd_from(simd, length) >> level;
    halved.simd_eq(0).select(S::u32s::simd_from(simd, 1), halved)
}

/// One channel of texels.
#[inline(always)]
fn code<S: Simd>(texel: [S::u32s; 2], channel: usize) -> S::f32s {
    let pair = texel[channel / 2];
    let code = if channel.is_multiple_of(2) { pair & 0xffff } else { pair >> 16_u32 };
    code.to_float::<S::f32s>()
}

/// Four words of every lane, lane by lane, as four vectors.
#[inline(always)]
pub(super) fn unmingle<S: Simd>(simd: S, words: &[u32]) -> [S::u32s; 4] {
    let lanes = S::u32s::LEN;
    let first = S::u32s::from_slice(simd, &words[..lanes]);
    let second = S::u32s::from_slice(simd, &words[lanes..2 * lanes]);
    let third = S::u32s::from_slice(simd, &words[2 * lanes..3 * lanes]);
    let fourth = S::u32s::from_slice(simd, &words[3 * lanes..4 * lanes]);
    let (even_a, odd_a) = first.deinterleave(second);
    let (even_b, odd_b) = third.deinterleave(fourth);
    let (a, c) = even_a.deinterleave(even_b);
    let (b, d) = odd_a.deinterleave(odd_b);
    [a, b, c, d]
}
