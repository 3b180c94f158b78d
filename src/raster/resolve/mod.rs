//! Lit points -> the pixels of a tile: samples averaged in premultiplied linear light, then encoded.

pub(crate) mod blend;

use crate::math::srgb::LaneEncoder;
use crate::math::{Vec3, Vec4, lanes};
use crate::model::Background;
use crate::raster::coverage::lanes::{DepthPlane, MAX_SAMPLES, sample_place};
use crate::raster::fragments::{Mixed, MixedPoints, Points};
use crate::raster::geometry::bin::Rect;
use crate::raster::geometry::setup::TriangleId;
use crate::raster::ground::lanes::Behind;
use crate::raster::morton::{BLOCK, Spot};
use crate::raster::resolve::blend::Layer;
use crate::raster::shading::lanes::BATCH;
use crate::raster::shading::scalar::Scene;
use crate::raster::{RasterOptions, encode_pixel};
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, f32x4};

/// The background of a row of the picture, premultiplied.
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub(crate) fn background_of_row(scene: &Scene, y: u32) -> Vec4 {
    match scene.view.background {
        Background::Transparent => Vec4::ZERO,
        Background::Gradient { top, bottom } => {
            let part = (y as f32 + 0.5) / scene.view.size[1] as f32;
            let mix = |from: f32, to: f32| from + (to - from) * part;
            let color = Vec3::new(mix(top.r, bottom.r), mix(top.g, bottom.g), mix(top.b, bottom.b));
            color.extend(1.0)
        }
    }
}

/// The same with the ground before it.
pub(crate) fn background_of_pixel(scene: &Scene, x: u32, y: u32) -> Vec4 {
    let background = background_of_row(scene, y);
    match scene.ground {
        None => background,
        Some(ground) => ground.over(scene, x, y, background),
    }
}

/// What [`background_of_pixel`] says, from what is known of a tile if anything is.
#[inline(always)]
fn background_of_spot(scene: &Scene, rect: &Rect, behind: &Behind, spot: Spot) -> Vec4 {
    match behind.at(spot) {
        Some(color) => Vec4::from_array(color),
        None => background_of_pixel(scene, rect.x + spot.column(), rect.y + spot.row()),
    }
}

/// The pixels of a tile, spot by spot.
#[derive(Default)]
pub(crate) struct Pixels(Vec<u32>);

/// The pixels of a block, spot by spot.
const BLOCK_PIXELS: usize = (BLOCK * BLOCK) as usize;

impl Pixels {
    /// Shows the background everywhere.
    pub fn clear(&mut self, scene: &Scene, rect: &Rect) {
        let end = Spot::end(rect);
        self.0.clear();
        self.0.resize(end, background_code(scene, rect.y));
        if let Background::Gradient { .. } = scene.view.background {
            // Four spots from a multiple of four on are two in each of two rows.
            let mut codes = [0; RasterOptions::MAX_TILE as usize];
            for (y, code) in (rect.y..rect.y + rect.height).zip(&mut codes) {
                *code = background_code(scene, y);
            }
            let (squares, _) = self.0.as_chunks_mut::<4>();
            for (number, square) in squares.iter_mut().enumerate() {
                let row = Spot::of(4 * number).row() as usize;
                let [upper, lower] = [codes[row], codes[row + 1]];
                *square = [upper, upper, lower, lower];
            }
        }
    }

    /// Lays the ground over the background: the definition of [`lay_ground`](crate::raster::ground::lanes::lay_ground).
    pub fn lay_ground(&mut self, scene: &Scene, rect: &Rect) {
        if scene.ground.is_some() {
            for row in 0..rect.height {
                for column in 0..rect.width {
                    let seen = background_of_pixel(scene, rect.x + column, rect.y + row);
                    let code = u32::from_le_bytes(encode_pixel(seen.to_array()));
                    self.0[usize::from(Spot::new(column, row).0)] = code;
                }
            }
        }
    }

    /// Copies the tile to its rows of the picture.
    #[inline(always)]
    pub fn copy_to(&self, rows: &mut [&mut [[u8; 4]]]) {
        let (blocks, _) = self.0.as_chunks::<BLOCK_PIXELS>();
        for (y, row) in (0..).zip(rows) {
            // In a block, a row of pixels is two pairs of spots.
            let left = usize::from(Spot::new(0, y % BLOCK).0) / 2;
            let first = Spot::new(0, y - y % BLOCK).0;
            let (wholes, rest) = row.as_chunks_mut::<{ BLOCK as usize }>();
            let count = wholes.len();
            for (x, whole) in (0..).step_by(BLOCK as usize).zip(wholes) {
                *whole = piece(blocks, first | Spot::new(x, 0).0, left);
            }
            if !rest.is_empty() {
                let x = BLOCK * u32::try_from(count).unwrap_or(0);
                let last = piece(blocks, first | Spot::new(x, 0).0, left);
                rest.copy_from_slice(&last[..rest.len()]);
            }
        }
    }

    /// Shows the background in the rows of a picture, without ground.
    pub fn leave_empty(scene: &Scene, rect: &Rect, rows: &mut [&mut [[u8; 4]]]) {
        for (y, row) in (rect.y..).zip(rows) {
            row.fill(background_code(scene, y).to_le_bytes());
        }
    }
}

/// Four pixels side by side of the block that begins with a spot, from a pair of its spots on.
#[inline(always)]
fn piece(blocks: &[[u32; BLOCK_PIXELS]], first: u16, pair: usize) -> [[u8; 4]; BLOCK as usize] {
    let (pairs, _) = blocks[usize::from(first) / BLOCK_PIXELS].as_chunks::<2>();
    let ([a, b], [c, d]) = (pairs[pair & 5], pairs[(pair & 5) + 2]);
    [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()]
}

/// The background of a row of the picture as it is shown.
fn background_code(scene: &Scene, y: u32) -> u32 {
    u32::from_le_bytes(encode_pixel(background_of_row(scene, y).to_array()))
}

/// Takes the entries of one pixel off the front of a list that is sorted by pixel.
fn take_pixel<'a, T>(
    list: &mut &'a [T],
    colors: &mut &'a [[f32; 4]],
    pixel: impl Fn(&T) -> bool,
) -> (&'a [T], &'a [[f32; 4]]) {
    let count = list.iter().take_while(|entry| pixel(entry)).count();
    let (taken, rest) = list.split_at(count);
    let (taken_colors, rest_colors) = colors.split_at(count);
    (*list, *colors) = (rest, rest_colors);
    (taken, taken_colors)
}

/// What of a tile is already known when it is resolved.
pub(crate) struct Lit<'a> {
    pub triangles: &'a [TriangleId],
    pub points: &'a Points,
    /// The light of each point, premultiplied linear RGBA.
    pub colors: &'a [[f32; 4]],
    pub behind: &'a Behind,
}

/// Averages and encodes every pixel that shows something, one at a time. The count of those is returned.
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
pub(crate) fn resolve(
    scene: &Scene,
    rect: &Rect,
    lit: &Lit,
    layers: &mut Vec<Layer>,
    pixels: &mut Pixels,
) -> u64 {
    let samples = scene.pattern.len();
    let share = 1.0 / samples as f32;
    let (mut opaque_colors, mut blended_colors) = lit.colors.split_at(lit.points.opaque.len());
    let (mut opaque, mut blended) = (lit.points.opaque.as_slice(), lit.points.fragments.as_slice());
    let mut covered_pixels = 0;
    loop {
        let next = [opaque.first().map(|p| p.spot), blended.first().map(|f| f.point.spot)];
        let Some(spot) = next.into_iter().flatten().min() else { break };
        let (points, colors) =
            take_pixel(&mut opaque, &mut opaque_colors, |point| point.spot == spot);
        let (fragments, fragment_colors) =
            take_pixel(&mut blended, &mut blended_colors, |part| part.point.spot == spot);
        covered_pixels += 1;
        let out = &mut pixels.0[usize::from(spot.0)];

        // 1. A pixel that shows one thing is that thing: the mean of equal samples would only round it.
        if let ([point], [color], []) = (points, colors, fragments)
            && u32::from(point.samples).count_ones() == scene.view.samples
        {
            *out = u32::from_le_bytes(encode_pixel(*color));
            continue;
        }

        // 2. What each sample sees.
        let background = background_of_spot(scene, rect, lit.behind, spot);
        let mut seen = [background; MAX_SAMPLES];
        for (point, color) in points.iter().zip(colors) {
            for (sample, seen) in seen.iter_mut().enumerate().take(samples) {
                if point.samples & (1 << sample) != 0 {
                    *seen = Vec4::from_array(*color);
                }
            }
        }
        for (sample, seen) in seen.iter_mut().enumerate().take(samples) {
            let (x, y) = sample_place(scene.pattern, rect, spot.column(), spot.row(), sample);
            layers.clear();
            for (fragment, &color) in fragments.iter().zip(fragment_colors) {
                if fragment.point.samples & (1 << sample) != 0 {
                    let id = lit.triangles[fragment.point.triangle as usize];
                    let (_, triangle) = id.of(scene.chunks);
                    let depth = DepthPlane::new(triangle).at(x, y);
                    let (light, mode) = (Vec4::from_array(color), scene.alpha(triangle));
                    layers.push(Layer { depth, light, mode });
                }
            }
            // Farthest first; the sort is stable, so ties keep submission order.
            layers.sort_by(|left, right| left.depth.total_cmp(&right.depth));
            for layer in layers.iter() {
                *seen = layer.over(*seen);
            }
        }
        let sum = seen[..samples].iter().fold(Vec4::ZERO, |sum, sample| sum + *sample);
        *out = u32::from_le_bytes(encode_pixel((sum * share).to_array()));
    }
    covered_pixels
}

/// Vectors of pixels between the steps of [`Encoding::encode`].
pub(crate) struct Encoding<S: Simd> {
    bits: [[S::u32s; 3]; BATCH],
    entries: [[[u32; MAX_LANES]; 3]; BATCH],
    /// Straight 8-bit sRGB with alpha, red in the lowest byte.
    pub codes: [S::u32s; BATCH],
}

impl<S: Simd> Encoding<S> {
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let zero = S::u32s::simd_from(simd, 0);
        Self {
            bits: [[zero; 3]; BATCH],
            entries: [[[0; MAX_LANES]; 3]; BATCH],
            codes: [zero; BATCH],
        }
    }

    /// Encodes premultiplied linear RGBA: [`encode_pixel`] in every lane. With `OPAQUE`, alpha is 1 everywhere.
    #[inline(always)]
    pub fn encode<const OPAQUE: bool>(
        &mut self,
        simd: S,
        encoder: LaneEncoder,
        colors: &[[S::f32s; 4]],
    ) {
        let Self { bits, entries, codes } = self;
        for ((color, bits), entries) in colors.iter().zip(&mut *bits).zip(&mut *entries) {
            let [r, g, b, _] = *color;
            let straight = if OPAQUE { [r, g, b] } else { straight::<S>(color) };
            for ((&value, bits), entries) in straight.iter().zip(bits).zip(entries) {
                *bits = LaneEncoder::place(simd, value, entries);
            }
        }
        for entries in entries.as_flattened_mut().iter_mut().take(3 * colors.len()) {
            encoder.look_up::<S>(entries);
        }
        for (((color, bits), entries), code) in colors.iter().zip(bits).zip(entries).zip(codes) {
            let r = LaneEncoder::choose(simd, bits[0], &entries[0]);
            let g = LaneEncoder::choose(simd, bits[1], &entries[1]);
            let b = LaneEncoder::choose(simd, bits[2], &entries[2]);
            let rgb = r | (g << 8_u32) | (b << 16_u32);
            *code = if OPAQUE {
                (rgb | S::i32s::simd_from(simd, 255 << 24)).bitcast()
            } else {
                pack(simd, rgb, color[3])
            };
        }
    }
}

/// Colour that is not premultiplied.
#[inline(always)]
fn straight<S: Simd>(&[r, g, b, alpha]: &[S::f32s; 4]) -> [S::f32s; 3] {
    let is_clear = alpha.simd_lt(1.0);
    if is_clear.any_true() {
        return [
            is_clear.select(r / alpha, r),
            is_clear.select(g / alpha, g),
            is_clear.select(b / alpha, b),
        ];
    }
    [r, g, b]
}

/// Codes with those of alpha in the highest byte.
#[inline(always)]
fn pack<S: Simd>(simd: S, rgb: S::i32s, alpha: S::f32s) -> S::u32s {
    let is_seen = alpha.simd_gt(0.0);
    let held = lanes::clamp(simd, alpha, 0.0, 1.0);
    let a = (held * 255.0 + 0.5).to_int::<S::i32s>();
    is_seen.select(rgb | (a << 24_u32), S::i32s::simd_from(simd, 0)).bitcast()
}

impl Pixels {
    /// Puts the first pixels of a vector where they belong; each number is that of a [`Spot`].
    #[inline(always)]
    pub fn scatter<S: Simd>(&mut self, codes: S::u32s, spots: S::u32s, count: usize) {
        let pairs = spots.as_slice().iter().zip(codes.as_slice());
        for (&spot, &code) in pairs.take(count) {
            self.0[spot as usize] = code;
        }
    }

    /// Puts a vector of pixels where `shown` is, from the spot of a number on.
    #[inline(always)]
    pub fn put_run<S: Simd>(&mut self, simd: S, codes: S::u32s, shown: u64, first: usize) {
        let shown = S::mask32s::from_bitmask(simd, shown);
        let pixels = &mut self.0[first..first + S::u32s::LEN];
        shown.select(codes, S::u32s::from_slice(simd, pixels)).store_slice(pixels);
    }
}

/// Pixels that wait to be encoded together.
struct Waiting<S: Simd> {
    channels: [[[f32; MAX_LANES]; 4]; BATCH],
    spots: [[u32; MAX_LANES]; BATCH],
    count: usize,
    encoding: Encoding<S>,
}

impl<S: Simd> Waiting<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self {
            channels: [[[0.0; MAX_LANES]; 4]; BATCH],
            spots: [[0; MAX_LANES]; BATCH],
            count: 0,
            encoding: Encoding::new(simd),
        }
    }

    /// Adds a pixel; tells whether there is room for another.
    #[inline(always)]
    fn push(&mut self, color: &[f32], spot: Spot) -> bool {
        let (vector, lane) = (self.count / S::f32s::LEN, self.count % S::f32s::LEN);
        for (channel, &value) in self.channels[vector].iter_mut().zip(color) {
            channel[lane] = value;
        }
        self.spots[vector][lane] = u32::from(spot.0);
        self.count += 1;
        self.count < BATCH * S::f32s::LEN
    }

    #[inline(always)]
    fn emit(&mut self, simd: S, encoder: LaneEncoder, pixels: &mut Pixels) {
        let lanes = S::f32s::LEN;
        let mut colors = [[lanes::splat(simd, 0.0); 4]; BATCH];
        let filled = self.count.div_ceil(lanes);
        for (color, channels) in colors.iter_mut().zip(&self.channels[..filled]) {
            for (color, channel) in color.iter_mut().zip(channels) {
                *color = S::f32s::from_slice(simd, &channel[..lanes]);
            }
        }
        self.encoding.encode::<false>(simd, encoder, &colors[..filled]);
        for (vector, &codes) in self.encoding.codes[..filled].iter().enumerate() {
            let count = (self.count - vector * lanes).min(lanes);
            let spots = S::u32s::from_slice(simd, &self.spots[vector][..lanes]);
            pixels.scatter::<S>(codes, spots, count);
        }
        self.count = 0;
    }
}

/// Averages and encodes the pixels that show several opaque things; [`resolve`] is the definition.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
pub(crate) fn resolve_mixed<S: Simd>(
    simd: S,
    encoder: LaneEncoder,
    scene: &Scene,
    rect: &Rect,
    mixed: &MixedPoints,
    behind: &Behind,
    pixels: &mut Pixels,
) {
    let samples = scene.pattern.len();
    let share = 1.0 / samples as f32;
    let mut waiting = Waiting::new(simd);
    let mut seen = [f32x4::splat(simd, 0.0); MAX_SAMPLES];
    let seen = &mut seen[..samples];
    for &Mixed { spot, first, end } in &mixed.pixels {
        let background = background_of_spot(scene, rect, behind, spot).to_array();
        seen.fill(f32x4::from_slice(simd, &background));
        let range = first as usize..end as usize;
        for (&samples, color) in mixed.samples[range.clone()].iter().zip(&mixed.colors[range]) {
            let color = f32x4::from_slice(simd, color);
            let mut left = samples;
            while left != 0 {
                seen[left.trailing_zeros() as usize] = color;
                left &= left - 1;
            }
        }
        let mut sum = f32x4::splat(simd, 0.0);
        for &seen in &*seen {
            sum += seen;
        }
        let mean = sum * share;
        if !waiting.push(mean.as_slice(), spot) {
            waiting.emit(simd, encoder, pixels);
        }
    }
    if waiting.count > 0 {
        waiting.emit(simd, encoder, pixels);
    }
}
