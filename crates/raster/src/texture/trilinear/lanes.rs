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

/// Mip levels that points mix.
#[derive(Clone, Copy)]
pub(crate) struct LaneDetail<S: Simd> {
    at: [S::f32s; 2],
    /// The finer level, and the weight of the next one.
    level: S::i32s,
    part: S::f32s,
}

impl<S: Simd> LaneDetail<S> {
    /// The first level everywhere.
    #[inline(always)]
    pub(crate) fn none(simd: S) -> Self {
        let zero = splat(simd, 0.0);
        Self { at: [zero; 2], level: S::i32s::simd_from(simd, 0), part: zero }
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
        Self { at: footprint.at, level, part: detail - level.to_float::<S::f32s>() }
    }
}

/// The four texels around a point at one level.
#[derive(Clone, Copy)]
pub(crate) struct Cells<S: Simd> {
    /// True if any lane is on the first level.
    has_first: bool,
    /// Indices of the left texels in the upper and the lower row; the right ones follow.
    upper: LaneIndices,
    lower: LaneIndices,
    part_x: S::f32s,
    part_y: S::f32s,
}

impl<S: Simd> LaneTaps<S> {
    /// The first texel everywhere.
    #[inline(always)]
    pub(crate) fn none(simd: S) -> Self {
        let (first, none) = (LaneIndices::FIRST, splat(simd, 0.0));
        let cells =
            Cells { has_first: true, upper: first, lower: first, part_x: none, part_y: none };
        Self { finer: cells, coarser: cells, part: none, has_coarser: false }
    }

    #[inline(always)]
    pub(crate) fn new(simd: S, texture: &Texture, footprint: &Footprints<S>) -> Self {
        let mut taps = Self::none(simd);
        let detail = LaneDetail::new(simd, texture, footprint);
        taps.set_finer(simd, texture, &detail);
        taps.set_coarser(simd, texture, &detail);
        taps
    }

    /// Sets the texels of the finer level.
    #[inline(always)]
    pub(crate) fn set_finer(&mut self, simd: S, texture: &Texture, detail: &LaneDetail<S>) {
        let LaneDetail { at, level, part } = *detail;
        self.part = part;
        self.finer = LaneLevels::new(simd, texture, level).cells(simd, texture, at);
    }

    /// Sets the taps of the coarser level. It exists if its weight is above 0; otherwise the taps
    /// are multiplied by 0.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "fewer than 16 levels")]
    #[expect(clippy::cast_possible_wrap, reason = "fewer than 16 levels")]
    pub(crate) fn set_coarser(&mut self, simd: S, texture: &Texture, detail: &LaneDetail<S>) {
        let LaneDetail { at, level, part } = *detail;
        self.has_coarser = part.simd_gt(0.0).any_true();
        let last = (texture.levels.len() - 1) as i32;
        let next = level + 1;
        let next = next.simd_gt(last).select(level, next);
        self.coarser = LaneLevels::new(simd, texture, next).cells(simd, texture, at);
    }

    /// Prefetches the texels: waiting for them would take longer than all arithmetic on them.
    /// Neighbours have some of the coarser in common.
    #[inline(always)]
    pub(crate) fn prefetch(&self, texture: &Texture) {
        self.finer.prefetch::<1>(texture);
        self.coarser.prefetch::<2>(texture);
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

/// First of the two texels around a coordinate along one axis, and the distance from it to the
/// coordinate; see the scalar form.
#[inline(always)]
fn neighbours<S: Simd>(
    simd: S,
    coordinate: S::f32s,
    side: S::i32s,
    wrap: TextureWrap,
) -> (S::i32s, S::f32s) {
    // One branch for all lanes: a texture has one wrap mode per axis.
    let wrapped = match wrap {
        TextureWrap::Repeat => coordinate - coordinate.floor(),
        TextureWrap::Clamp => clamp(simd, coordinate, 0.0, 1.0),
        TextureWrap::Mirror => {
            let folded = coordinate - (coordinate * 0.5).floor() * 2.0;
            folded.simd_gt(1.0).select(splat(simd, 2.0) - folded, folded)
        }
    };
    let place = wrapped * side.to_float::<S::f32s>() + 0.5;
    // NaN becomes 0, as in the scalar conversion.
    let held = max::<S>(place, splat(simd, 0.0));
    let first = to_int_in_range::<S>(held);
    (first, place - first.to_float::<S::f32s>())
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
    /// The levels of these indices.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a chain has fewer than 2^31 texels")]
    #[expect(clippy::cast_possible_wrap, reason = "a chain has fewer than 2^31 texels")]
    #[expect(clippy::cast_sign_loss, reason = "a level's number is held to the chain")]
    pub(crate) fn new(simd: S, texture: &Texture, level: S::i32s) -> Self {
        // Most packets need one or two levels.
        let number = level.as_slice()[0];
        let all = &texture.levels[number as usize];
        let mut first = S::i32s::simd_from(simd, all.first as i32);
        let mut width = S::i32s::simd_from(simd, all.width as i32);
        let mut height = S::i32s::simd_from(simd, all.height as i32);
        let mut has_first = number == 0;
        let mut left = !level.simd_eq(number).to_bitmask() & (u64::MAX >> (64 - S::i32s::LEN));
        while left != 0 {
            let another = level.as_slice()[left.trailing_zeros() as usize];
            has_first |= another == 0;
            let here = level.simd_eq(another);
            left &= !here.to_bitmask();
            let other = &texture.levels[another as usize];
            first = here.select(S::i32s::simd_from(simd, other.first as i32), first);
            width = here.select(S::i32s::simd_from(simd, other.width as i32), width);
            height = here.select(S::i32s::simd_from(simd, other.height as i32), height);
        }
        Self { has_first, first, width, height }
    }

    /// The four texels around a point of each level.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a border has one texel a side")]
    #[expect(clippy::cast_possible_wrap, reason = "a border has one texel a side")]
    pub(crate) fn cells(&self, simd: S, texture: &Texture, at: [S::f32s; 2]) -> Cells<S> {
        let [wrap_x, wrap_y] = texture.wrap;
        let (x, mut part_x) = neighbours(simd, at[0], self.width, wrap_x);
        let (y, mut part_y) = neighbours(simd, at[1], self.height, wrap_y);
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
        let upper = LaneIndices::among(simd, left, count);
        let lower = LaneIndices::among(simd, left + stride, count);
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
