//! Trilinear filtering over lanes, one point per lane, each with its mip levels.
//! [`crate::texture::trilinear::scalar::Taps`] is the definition; tests check that every level has
//! the same bits.

use crate::texture::motion::moved;
use tintype_model::math::lanes::{clamp, log2_coarse, max, splat, to_int_in_range};
use tintype_model::math::number::Lanes;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LaneIndices, Simd, gather_pairs, prefetch};
use tintype_model::{
    MipLevel, TexcoordMotion, Texture, TextureCoordinates, TextureFilter, TextureWrap,
};

/// Footprints, one a lane.
#[derive(Clone, Copy)]
pub(crate) struct Footprints<S: Simd> {
    pub at: [S::f32s; 2],
    pub across: [S::f32s; 2],
    pub down: [S::f32s; 2],
}

impl<S: Simd> Footprints<S> {
    /// Footprints on a texture with transformed coordinates:
    /// [`crate::texture::footprint::Footprint::on`].
    #[inline(always)]
    pub(crate) fn on(&self, coordinates: &TextureCoordinates) -> Self {
        let [first, second] = coordinates.steps;
        let direction =
            |[u, v]: [S::f32s; 2]| [u * first.x + v * second.x, u * first.y + v * second.y];
        let [x, y] = direction(self.at);
        Self {
            at: [x + coordinates.offset.x, y + coordinates.offset.y],
            across: direction(self.across),
            down: direction(self.down),
        }
    }

    /// Footprints after a fraction of a motion: [`crate::texture::footprint::Footprint::moved`].
    #[inline(always)]
    pub(crate) fn moved(&self, motion: &TexcoordMotion, share: S::f32s) -> Self {
        let Self { at: [u, v], across: [across_u, across_v], down: [down_u, down_v] } = *self;
        let (at, across) = ([Lanes(u), Lanes(v)], [Lanes(across_u), Lanes(across_v)]);
        let own = [at, across, [Lanes(down_u), Lanes(down_v)]];
        let [at, across, down] = moved::<Lanes<S>>(motion, Lanes(share), own);
        Self {
            at: [at[0].0, at[1].0],
            across: [across[0].0, across[1].0],
            down: [down[0].0, down[1].0],
        }
    }
}

/// Texels mixed in each lane, and their weights: [`crate::texture::trilinear::scalar::Taps`].
#[derive(Clone, Copy)]
pub(crate) struct LaneTaps<S: Simd> {
    finer: Cells<S>,
    coarser: Cells<S>,
    part: S::f32s,
    /// True if any lane mixes two levels.
    has_coarser: bool,
}

/// The four texels around a point at one level.
#[derive(Clone, Copy)]
pub(crate) struct Cells<S: Simd> {
    /// True if any lane is on the first level.
    has_first: bool,
    /// Indices of the left texels in the upper and the lower row; the right ones follow.
    upper: LaneIndices<S>,
    lower: LaneIndices<S>,
    part_x: S::f32s,
    part_y: S::f32s,
}

impl<S: Simd> LaneTaps<S> {
    /// The first texel everywhere.
    #[inline(always)]
    pub(crate) fn none(simd: S) -> Self {
        let (first, none) = (LaneIndices::first(simd), splat(simd, 0.0));
        let cells =
            Cells { has_first: true, upper: first, lower: first, part_x: none, part_y: none };
        Self { finer: cells, coarser: cells, part: none, has_coarser: false }
    }

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "fewer than 16 levels")]
    pub(crate) fn new(simd: S, texture: &Texture, footprint: &Footprints<S>) -> Self {
        let size = [texture.levels[0].width, texture.levels[0].height];
        let last = (texture.levels.len() - 1) as f32;
        let longest = max::<S>(
            length_squared::<S>(footprint.across, size),
            length_squared::<S>(footprint.down, size),
        );
        let detail = clamp(simd, log2_coarse(simd, longest) * 0.5, 0.0, last);
        let level = to_int_in_range::<S>(detail);
        let part = detail - level.to_float::<S::f32s>();
        let [finer, coarser] = LaneLevels::with_next(simd, texture, level);
        let at = wrapped(simd, texture, footprint.at);
        Self {
            finer: finer.cells(simd, texture, at),
            coarser: coarser.cells(simd, texture, at),
            part,
            has_coarser: part.simd_gt(0.0).any_true(),
        }
    }

    /// Prefetches the texels: waiting for them would take longer than all arithmetic on them.
    /// Neighbours have most of them in common.
    #[inline(always)]
    pub(crate) fn prefetch(&self, texture: &Texture) {
        self.finer.prefetch::<2>(texture);
        self.coarser.prefetch::<4>(texture);
    }

    /// First channels of the filtered texels, premultiplied linear in 0..=1.
    #[inline(always)]
    pub(crate) fn sample<const CHANNELS: usize>(
        &self,
        simd: S,
        texture: &Texture,
    ) -> [S::f32s; CHANNELS] {
        let mut texel = self.finer.mix::<CHANNELS>(simd, texture);
        if self.has_coarser {
            let far = self.coarser.mix::<CHANNELS>(simd, texture);
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

/// Squared length of a step over a texture, in texels of its first level.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub(crate) fn length_squared<S: Simd>(step: [S::f32s; 2], size: [u32; 2]) -> S::f32s {
    let (x, y) = (step[0] * size[0] as f32, step[1] * size[1] as f32);
    x * x + y * y
}

/// Coordinates in 0..=1 of the texels at a point, on all levels of a texture.
#[inline(always)]
pub(crate) fn wrapped<S: Simd>(simd: S, texture: &Texture, mut at: [S::f32s; 2]) -> [S::f32s; 2] {
    // One branch for all lanes: a texture has one wrap mode per axis.
    for (coordinate, wrap) in at.iter_mut().zip(texture.wrap) {
        *coordinate = match wrap {
            TextureWrap::Repeat => *coordinate - coordinate.floor(),
            TextureWrap::Clamp => clamp(simd, *coordinate, 0.0, 1.0),
            TextureWrap::Mirror => {
                let folded = *coordinate - (*coordinate * 0.5).floor() * 2.0;
                folded.simd_gt(1.0).select(splat(simd, 2.0) - folded, folded)
            }
        };
    }
    at
}

/// First of the two texels around a wrapped coordinate along one axis, and the distance from it to
/// the coordinate; see the scalar form.
#[inline(always)]
fn neighbours<S: Simd>(simd: S, wrapped: S::f32s, side: S::i32s) -> (S::i32s, S::f32s) {
    let place = wrapped * side.to_float::<S::f32s>() + 0.5;
    // NaN becomes 0, as in the scalar conversion.
    let held = max::<S>(place, splat(simd, 0.0));
    let first = to_int_in_range::<S>(held);
    (first, place - first.to_float::<S::f32s>())
}

/// The level after another, or the last.
#[inline(always)]
fn after(levels: &[MipLevel], number: usize) -> usize {
    (number + 1).min(levels.len() - 1)
}

/// Mip level of every lane: its first texel and size.
#[derive(Clone, Copy)]
pub(crate) struct LaneLevels<S: Simd> {
    /// True if any lane is on the first level.
    has_first: bool,
    first: S::i32s,
    width: S::i32s,
    height: S::i32s,
}

impl<S: Simd> LaneLevels<S> {
    /// The levels of these indices, and after each the next one; the last is followed by itself.
    #[inline(always)]
    #[expect(clippy::cast_sign_loss, reason = "a level's number is held to the chain")]
    pub(crate) fn with_next(simd: S, texture: &Texture, level: S::i32s) -> [Self; 2] {
        // Most packets need one or two levels.
        let levels = &texture.levels[..];
        let number = level.as_slice()[0];
        let mut pair = [
            Self::all(simd, levels, number as usize),
            Self::all(simd, levels, after(levels, number as usize)),
        ];
        let mut left = !level.simd_eq(number).to_bitmask() & (u64::MAX >> (64 - S::i32s::LEN));
        while left != 0 {
            let another = level.as_slice()[left.trailing_zeros() as usize];
            let here = level.simd_eq(another);
            left &= !here.to_bitmask();
            pair[0].set(simd, levels, another as usize, here);
            pair[1].set(simd, levels, after(levels, another as usize), here);
        }
        pair
    }

    /// One level in every lane.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a chain has fewer than 2^31 texels")]
    #[expect(clippy::cast_possible_wrap, reason = "a chain has fewer than 2^31 texels")]
    fn all(simd: S, levels: &[MipLevel], number: usize) -> Self {
        let level = &levels[number];
        Self {
            has_first: number == 0,
            first: S::i32s::simd_from(simd, level.first as i32),
            width: S::i32s::simd_from(simd, level.width as i32),
            height: S::i32s::simd_from(simd, level.height as i32),
        }
    }

    /// Sets some lanes to a level.
    #[inline(always)]
    fn set(&mut self, simd: S, levels: &[MipLevel], number: usize, here: S::mask32s) {
        let other = Self::all(simd, levels, number);
        self.has_first |= other.has_first;
        self.first = here.select(other.first, self.first);
        self.width = here.select(other.width, self.width);
        self.height = here.select(other.height, self.height);
    }

    /// The four texels around a [`wrapped`] point of each level.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a border has one texel a side")]
    #[expect(clippy::cast_possible_wrap, reason = "a border has one texel a side")]
    pub(crate) fn cells(&self, simd: S, texture: &Texture, at: [S::f32s; 2]) -> Cells<S> {
        let (x, mut part_x) = neighbours(simd, at[0], self.width);
        let (y, mut part_y) = neighbours(simd, at[1], self.height);
        if texture.filter != TextureFilter::Linear {
            let is_first = self.first.simd_eq(texture.levels[0].first as i32);
            let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
            for part in [&mut part_x, &mut part_y] {
                *part = is_first.select(part.simd_lt(0.5).select(zero, one), *part);
            }
        }
        let stride = self.width + MipLevel::BORDERS as i32;
        let left = self.first + y * stride + x;
        let (left, stride): (S::u32s, S::u32s) = (left.bitcast(), stride.bitcast());
        // Each has another one after it.
        let last = &texture.levels[0];
        let count = last.first + if self.has_first { last.padded_len() } else { 0 } - 1;
        let [upper, lower] = LaneIndices::both_among([left, left + stride], count);
        Cells { has_first: self.has_first, upper, lower, part_x, part_y }
    }
}

impl<S: Simd> Cells<S> {
    /// The texels of a texture that the lanes index.
    #[inline(always)]
    fn texels<'t>(&self, texture: &'t Texture) -> &'t [[u16; 4]] {
        if self.has_first { texture.texels() } else { texture.smaller_texels() }
    }

    /// Prefetches the texels of every `STEP`th lane.
    #[inline(always)]
    fn prefetch<const STEP: usize>(&self, texture: &Texture) {
        let texels = self.texels(texture);
        prefetch::<S, STEP>(texels, &self.upper);
        prefetch::<S, STEP>(texels, &self.lower);
    }

    /// The mix of the four texels, in 0..=65535.
    #[inline(always)]
    pub(crate) fn mix<const CHANNELS: usize>(
        &self,
        simd: S,
        texture: &Texture,
    ) -> [S::f32s; CHANNELS] {
        let texels = self.texels(texture);
        let upper = gather_pairs(simd, texels, &self.upper);
        let lower = gather_pairs(simd, texels, &self.lower);
        let mut mixed = [self.part_x; CHANNELS];
        for (channel, mixed) in mixed.iter_mut().enumerate() {
            let (first, second) =
                (code::<S>(&upper[..2], channel), code::<S>(&upper[2..], channel));
            let (third, fourth) =
                (code::<S>(&lower[..2], channel), code::<S>(&lower[2..], channel));
            let upper = first + (second - first) * self.part_x;
            let lower = third + (fourth - third) * self.part_x;
            *mixed = upper + (lower - upper) * self.part_y;
        }
        mixed
    }
}

/// One channel of texels.
#[inline(always)]
fn code<S: Simd>(texel: &[S::u32s], channel: usize) -> S::f32s {
    let pair = texel[channel / 2];
    let code = if channel.is_multiple_of(2) { pair & 0xffff } else { pair >> 16_u32 };
    let code: S::i32s = code.bitcast();
    code.to_float::<S::f32s>()
}
