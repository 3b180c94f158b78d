//! Reads an environment at a point, plain and over lanes.
//!
//! Both forms use the same [`Number`] code; only the loads of texels are written twice.

use super::Environment;
use super::albedo::{SIDE, table};
use super::lamps::facing;
use super::lobe::{Lobe, level_of_panorama};
use super::map::{LEVELS, Levels, MapLevel};
use super::octahedral::square_from_direction;
use super::texel::{BASE, RAISE, SHIFT, unpack};
use tintype_model::math::func;
use tintype_model::math::lanes::{max, min, splat, to_int_in_range};
use tintype_model::math::number::{Lanes, Number, Triple};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{LaneIndices, Simd, gather_pairs, gather_words};

/// The nine functions of a unit normal that sum to diffuse light: the first three bands of
/// spherical harmonics, without their constant factors.
#[inline(always)]
pub(super) fn diffuse_terms<N: Number>(normal: Triple<N>) -> [N; 9] {
    let Triple { x, y, z } = normal;
    let one = x.constant(1.0);
    [one, x, y, z, x * y, y * z, z * z * 3.0 - 1.0, x * z, x * x - y * y]
}

/// A number that can read an environment.
pub(crate) trait Lookup: Number {
    /// Radiance of a map at a position in the square, between two levels.
    fn texel(environment: &Environment, place: [Self; 2], detail: Self) -> Triple<Self>;

    /// Radiance at a position of the square, in the map with that integer number.
    fn of_level(levels: Levels, number: Self, place: [Self; 2]) -> Triple<Self>;

    /// Width and height of the map of that number.
    fn size_of(levels: Levels, number: Self) -> [Self; 2];

    /// The integer part of a number of 0 to 2^24.
    #[must_use]
    fn whole(self) -> Self;

    /// Scale and offset of the reflectance at the normal, for a cosine to the eye and a roughness,
    /// each 0..=1.
    fn albedo(cosine: Self, roughness: Self) -> [Self; 2];
}

impl Environment<'_> {
    /// A direction of the world in the axes of the map.
    #[inline(always)]
    fn turned<N: Number>(&self, Triple { x, y, z }: Triple<N>) -> Triple<N> {
        let [cosine, sine] = self.turn;
        Triple::new(x * cosine - z * sine, y, x * sine + z * cosine)
    }

    /// Mean light on a surface with a unit normal, by the cosine: the light reflected by a white
    /// diffuse surface.
    #[inline(always)]
    pub(crate) fn diffuse<N: Lookup>(&self, normal: Triple<N>) -> Triple<N> {
        let mut sum = self.around(normal);
        let normal = self.turned(normal);
        for lamp in &self.map.lamps {
            let cosine = normal.dot(Triple::constant(normal.x, lamp.toward));
            let light = facing(cosine, lamp.half_width).at_least(normal.x.constant(0.0));
            let color = lamp.color * self.intensity;
            sum = sum.plus(Triple::constant(normal.x, color).scaled(light));
        }
        sum
    }

    /// [`Self::diffuse`] without the light of lamps.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "few levels")]
    pub(crate) fn around<N: Lookup>(&self, normal: Triple<N>) -> Triple<N> {
        let normal = self.turned(normal);
        let like = normal.x;
        let Some([first, terms @ ..]) = &self.map.diffuse else {
            let place = square_from_direction(normal);
            let light = N::texel(self, place, like.constant(LEVELS as f32));
            return light.map(|value| value * self.intensity);
        };
        let mut sum = Triple::constant(like, *first);
        let [_, values @ ..] = diffuse_terms(normal);
        for (term, value) in terms.iter().zip(values) {
            sum = sum.plus(Triple::new(value * term.x, value * term.y, value * term.z));
        }
        let zero = like.constant(0.0);
        sum.map(|value| value.at_least(zero) * self.intensity)
    }

    /// Radiance of a direction as a background shows it: blurred, lamps too.
    #[inline(always)]
    pub(crate) fn backdrop<N: Lookup>(&self, direction: Triple<N>) -> Triple<N> {
        const ROUGHNESS: f32 = Environment::BACKGROUND_ROUGHNESS;
        const SQUARED: f32 = ROUGHNESS * ROUGHNESS * ROUGHNESS * ROUGHNESS;
        // The density of half vectors used to blur the maps, and its sum over the sphere by the
        // cosine, over π.
        const SLOPE: f32 = 0.5 * (SQUARED - 1.0);
        const START: f32 = 0.5 * (SQUARED + 1.0);
        let like = direction.x;
        let mut sum = self.reflected(direction, like.constant(ROUGHNESS));
        let direction = self.turned(direction);
        let log = func::log2(SQUARED / START) * core::f32::consts::LN_2;
        let whole = 2.0 * (log + START / SQUARED - 1.0) / (SLOPE * SLOPE);
        for lamp in &self.map.lamps {
            let cosine = direction.dot(Triple::constant(like, lamp.toward));
            let t = cosine * SLOPE + START;
            let share = cosine.at_least(like.constant(0.0)) / (t * t);
            let color = lamp.color * (self.intensity / whole);
            sum = sum.plus(Triple::constant(like, color).scaled(share));
        }
        sum
    }

    /// True for a panorama, which metal reflects by [lobes](Lobe).
    #[inline(always)]
    pub(crate) const fn is_panorama(&self) -> bool {
        self.map.diffuse.is_none()
    }

    /// Radiance around a direction as reflected by a surface of this roughness; lamps are included as
    /// far as [`super::lobe::lamp_share`] leaves them.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "few levels")]
    pub(crate) fn reflected<N: Lookup>(&self, direction: Triple<N>, roughness: N) -> Triple<N> {
        let level = if self.is_panorama() {
            level_of_panorama(roughness)
        } else {
            roughness * (LEVELS - 1) as f32
        };
        self.at_level(direction, level)
    }

    /// Radiance of the directions that a lobe is of; `diffuse` is the mean by the cosine.
    #[inline(always)]
    pub(crate) fn in_lobe<N: Lookup>(&self, lobe: &Lobe<N>, diffuse: Triple<N>) -> Triple<N> {
        let zero = lobe.apart.constant(0.0);
        let mut spot = self.at_level(lobe.toward(lobe.lean + lobe.apart), lobe.level);
        if N::any(lobe.apart.is_above(zero)) {
            // Where the spots are one this changes nothing.
            let other = self.at_level(lobe.toward(lobe.lean - lobe.apart), lobe.level);
            spot = spot.plus(other.minus(spot).scaled(lobe.apart.constant(0.5)));
        }
        spot.plus(diffuse.minus(spot).scaled(lobe.diffuse))
    }

    /// Radiance of a direction between two maps.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "few levels")]
    fn at_level<N: Lookup>(&self, direction: Triple<N>, level: N) -> Triple<N> {
        let place = square_from_direction(self.turned(direction));
        let last = level.constant((LEVELS - 1) as f32);
        let level = level.at_least(level.constant(0.0)).at_most(last);
        let intensity = self.intensity;
        N::texel(self, place, level).map(|value| value * intensity)
    }
}

impl Lookup for f32 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "held to the levels")]
    #[expect(clippy::cast_sign_loss, reason = "held to the levels")]
    #[expect(clippy::cast_precision_loss, reason = "few levels")]
    fn texel(environment: &Environment, place: [Self; 2], detail: Self) -> Triple<Self> {
        let finer = detail as usize;
        let part = detail - finer as Self;
        let Levels { levels, texels } = environment.map.levels();
        let near = mix(texels, levels[finer], place);
        if part > 0.0 {
            let next = (finer + 1).min(LEVELS - 1);
            let far = mix(texels, levels[next], place);
            return near.plus(far.minus(near).scaled(part));
        }
        near
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the number of a level")]
    #[expect(clippy::cast_sign_loss, reason = "the number of a level")]
    fn of_level(Levels { levels, texels }: Levels, number: Self, place: [Self; 2]) -> Triple<Self> {
        mix(texels, levels[number as usize], place)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the number of a level")]
    #[expect(clippy::cast_sign_loss, reason = "the number of a level")]
    #[expect(clippy::cast_precision_loss, reason = "a side has few bits")]
    fn size_of(Levels { levels, .. }: Levels, number: Self) -> [Self; 2] {
        levels[number as usize].size.map(|side| side as Self)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "below 2^24")]
    #[expect(clippy::cast_precision_loss, reason = "below 2^24")]
    fn whole(self) -> Self {
        self as i32 as Self
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "held to the table")]
    #[expect(clippy::cast_sign_loss, reason = "held to the table")]
    #[expect(clippy::cast_precision_loss, reason = "few entries")]
    fn albedo(cosine: Self, roughness: Self) -> [Self; 2] {
        let last = (SIDE - 1) as Self;
        let before = (SIDE - 2) as Self;
        let (x, y) = (cosine * last, roughness * last);
        let whole =
            |at: Self| tintype_model::math::min(tintype_model::math::max(at, 0.0), before) as usize;
        let (column, row) = (whole(x), whole(y));
        let (part_x, part_y) = (x - column as Self, y - row as Self);
        let [upper, lower] = [row, row + 1].map(|row| {
            let [a, b, c, d] = table()[row * SIDE + column].map(Self::from_bits);
            [a + (c - a) * part_x, b + (d - b) * part_x]
        });
        [upper[0] + (lower[0] - upper[0]) * part_y, upper[1] + (lower[1] - upper[1]) * part_y]
    }
}

/// The mix of the four texels around a position in a level.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a place on the square")]
#[expect(clippy::cast_sign_loss, reason = "a place on the square")]
#[expect(clippy::cast_precision_loss, reason = "a side has few bits")]
pub(crate) fn mix(texels: &[[u16; 4]], level: MapLevel, [u, v]: [f32; 2]) -> Triple<f32> {
    let [width, height] = level.size.map(|side| side as f32);
    let (x, y) = (u * width + 0.5, v * height + 0.5);
    let [left, top] = [x, y].map(|at| tintype_model::math::max(at, 0.0) as u32);
    let (part_x, part_y) = (x - left as f32, y - top as f32);
    let upper = level.first + (top * level.stride() + left) as usize;
    let lower = upper + level.stride() as usize;
    let texel = |index: usize| {
        let [r, g, b, _] = texels[index];
        Triple::new(unpack(r), unpack(g), unpack(b))
    };
    let (first, third) = (texel(upper), texel(lower));
    let above = first.plus(texel(upper + 1).minus(first).scaled(part_x));
    let below = third.plus(texel(lower + 1).minus(third).scaled(part_x));
    above.plus(below.minus(above).scaled(part_y))
}

impl<S: Simd> Lookup for Lanes<S> {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "few levels")]
    #[expect(clippy::cast_possible_wrap, reason = "few levels")]
    fn texel(environment: &Environment, place: [Self; 2], detail: Self) -> Triple<Self> {
        let simd = detail.0.token();
        let finer = to_int_in_range::<S>(detail.0);
        let part = detail.0 - finer.to_float::<S::f32s>();
        let near = mix_lanes(simd, environment.map.levels(), finer, place);
        if part.simd_gt(0.0).any_true() {
            // If the weight is above 0 there is a next level; otherwise it is multiplied by 0.
            let next = finer + 1;
            let next = next.simd_gt(LEVELS as i32 - 1).select(finer, next);
            let far = mix_lanes(simd, environment.map.levels(), next, place);
            return near.plus(far.minus(near).scaled(Self(part)));
        }
        near
    }

    #[inline(always)]
    fn of_level(levels: Levels, number: Self, place: [Self; 2]) -> Triple<Self> {
        mix_lanes(number.0.token(), levels, to_int_in_range::<S>(number.0), place)
    }

    #[inline(always)]
    fn size_of(levels: Levels, number: Self) -> [Self; 2] {
        let (size, _) = levels_of_lanes(number.0.token(), levels, to_int_in_range::<S>(number.0));
        [Self(size[0].to_float::<S::f32s>()), Self(size[1].to_float::<S::f32s>())]
    }

    #[inline(always)]
    fn whole(self) -> Self {
        Self(to_int_in_range::<S>(self.0).to_float::<S::f32s>())
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "few entries")]
    #[expect(clippy::cast_precision_loss, reason = "few entries")]
    fn albedo(cosine: Self, roughness: Self) -> [Self; 2] {
        let simd = cosine.0.token();
        let (last, before) = ((SIDE - 1) as f32, (SIDE - 2) as f32);
        let (x, y) = (cosine.0 * last, roughness.0 * last);
        let whole = |at: S::f32s| {
            let held = min::<S>(max::<S>(at, splat(simd, 0.0)), splat(simd, before));
            to_int_in_range::<S>(held)
        };
        let (column, row) = (whole(x), whole(y));
        let (part_x, part_y) = (x - column.to_float::<S::f32s>(), y - row.to_float::<S::f32s>());
        #[expect(clippy::cast_possible_wrap, reason = "a side of 32")]
        let first: S::u32s = (row * SIDE as i32 + column).bitcast();
        let upper = albedo_row(simd, first, part_x);
        let lower = albedo_row(simd, first + SIDE as u32, part_x);
        [
            Self(upper[0] + (lower[0] - upper[0]) * part_y),
            Self(upper[1] + (lower[1] - upper[1]) * part_y),
        ]
    }
}

/// Scale and offset between an entry and the next of its row.
#[inline(always)]
fn albedo_row<S: Simd>(simd: S, index: S::u32s, part: S::f32s) -> [S::f32s; 2] {
    let [a, b, c, d] = gather_words(simd, table(), index);
    let (a, b): (S::f32s, S::f32s) = (a.bitcast(), b.bitcast());
    let (c, d): (S::f32s, S::f32s) = (c.bitcast(), d.bitcast());
    [a + (c - a) * part, b + (d - b) * part]
}

/// Width, height and first texel of the level of each lane; most packets need one or two.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a map has fewer than 2^31 texels")]
#[expect(clippy::cast_possible_wrap, reason = "a map has fewer than 2^31 texels")]
#[expect(clippy::cast_sign_loss, reason = "held to the levels")]
fn levels_of_lanes<S: Simd>(
    simd: S,
    Levels { levels, .. }: Levels,
    number: S::i32s,
) -> ([S::i32s; 2], S::i32s) {
    let common = number.as_slice()[0];
    let MapLevel { size, first } = levels[common as usize];
    let [width, height] = size;
    let mut size =
        [S::i32s::simd_from(simd, width as i32), S::i32s::simd_from(simd, height as i32)];
    let mut start = S::i32s::simd_from(simd, first as i32);
    let mut left = !number.simd_eq(common).to_bitmask() & (u64::MAX >> (64 - S::i32s::LEN));
    while left != 0 {
        let other = number.as_slice()[left.trailing_zeros() as usize];
        let here = number.simd_eq(other);
        left &= !here.to_bitmask();
        let level = levels[other as usize];
        for (side, of_level) in size.iter_mut().zip(level.size) {
            *side = here.select(S::i32s::simd_from(simd, of_level as i32), *side);
        }
        start = here.select(S::i32s::simd_from(simd, level.first as i32), start);
    }
    (size, start)
}

/// [`mix`] in every lane, each with a separate level.
#[inline(always)]
fn mix_lanes<S: Simd>(
    simd: S,
    levels: Levels,
    number: S::i32s,
    [u, v]: [Lanes<S>; 2],
) -> Triple<Lanes<S>> {
    // 1. The level of each lane.
    let ([width, height], start) = levels_of_lanes(simd, levels, number);

    // 2. The four texels around the position.
    let (wide, high) = (width.to_float::<S::f32s>(), height.to_float::<S::f32s>());
    let (x, y) = (u.0 * wide + 0.5, v.0 * high + 0.5);
    let zero = splat(simd, 0.0);
    let column = to_int_in_range::<S>(max::<S>(x, zero));
    let row = to_int_in_range::<S>(max::<S>(y, zero));
    let part_x = Lanes(x - column.to_float::<S::f32s>());
    let part_y = Lanes(y - row.to_float::<S::f32s>());
    let stride = width + 2;
    let upper = start + row * stride + column;
    let (upper, stride): (S::u32s, S::u32s) = (upper.bitcast(), stride.bitcast());
    let texels = levels.texels;
    // Each has another one after it.
    let count = texels.len() - 1;
    let [upper, lower] = LaneIndices::both_among([upper, upper + stride], count);
    let upper = gather_pairs(simd, texels, &upper);
    let lower = gather_pairs(simd, texels, &lower);
    let [a, b, c, d] = upper;
    let (first, second) = (texel_lanes::<S>(a, b), texel_lanes::<S>(c, d));
    let [a, b, c, d] = lower;
    let (third, fourth) = (texel_lanes::<S>(a, b), texel_lanes::<S>(c, d));
    let above = first.plus(second.minus(first).scaled(part_x));
    let below = third.plus(fourth.minus(third).scaled(part_x));
    above.plus(below.minus(above).scaled(part_y))
}

/// The texel of two words of 16-bit values. A closure called more than once may be compiled without
/// the instructions of the level; a function with this attribute is not.
#[inline(always)]
fn texel_lanes<S: Simd>(first: S::u32s, second: S::u32s) -> Triple<Lanes<S>> {
    let (red, green) = (first & 0xffff, first >> 16_u32);
    Triple::new(unpacked(red), unpacked(green), unpacked(second & 0xffff))
}

/// [`unpack`] in every lane.
#[inline(always)]
fn unpacked<S: Simd>(packed: S::u32s) -> Lanes<S> {
    let raised: S::f32s = ((packed << SHIFT) + BASE).bitcast();
    Lanes(raised - RAISE)
}
