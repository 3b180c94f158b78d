//! Resolve over lanes: pixels with several opaque fragments. Used for tiles without blended triangles;
//! [`crate::raster::resolve::scalar`] is the definition.

use crate::math::lanes;
use crate::math::srgb::LaneEncoder;
use crate::raster::context::FrameContext;
use crate::raster::coverage::samples::MAX_SAMPLES;
use crate::raster::fragments::fragment::{MixedFragments, MixedPixel};
use crate::raster::geometry::grid::Rect;
use crate::raster::geometry::morton::Morton;
use crate::raster::interpolate::packet::BATCH;
use crate::raster::resolve::background::{TileBackground, background_at};
use crate::raster::resolve::encode::Encoding;
use crate::raster::resolve::pixels::Pixels;
use crate::raster::resolve::scalar::model_color;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, f32x4};

/// Pixels that wait to be encoded together.
struct Waiting<S: Simd> {
    channels: [[[f32; MAX_LANES]; 4]; BATCH],
    mortons: [[u32; MAX_LANES]; BATCH],
    count: usize,
    encoding: Encoding<S>,
}

impl<S: Simd> Waiting<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self {
            channels: [[[0.0; MAX_LANES]; 4]; BATCH],
            mortons: [[0; MAX_LANES]; BATCH],
            count: 0,
            encoding: Encoding::new(simd),
        }
    }

    /// Adds a pixel; false when the batch is full.
    #[inline(always)]
    fn push(&mut self, color: &[f32], morton: Morton) -> bool {
        let (vector, lane) = (self.count / S::f32s::LEN, self.count % S::f32s::LEN);
        for (channel, &value) in self.channels[vector].iter_mut().zip(color) {
            channel[lane] = value;
        }
        self.mortons[vector][lane] = u32::from(morton.0);
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
            let mortons = S::u32s::from_slice(simd, &self.mortons[vector][..lanes]);
            pixels.scatter::<S>(codes, mortons, count);
        }
        self.count = 0;
    }
}

/// Averages and encodes the pixels with several opaque fragments; the scalar `resolve` is the definition.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
pub(crate) fn resolve_mixed<S: Simd>(
    simd: S,
    encoder: LaneEncoder,
    frame: &FrameContext,
    rect: &Rect,
    mixed: &MixedFragments,
    tile_background: &TileBackground,
    pixels: &mut Pixels,
) {
    let samples = frame.geometry.pattern.len();
    let share = 1.0 / samples as f32;
    let mut waiting = Waiting::new(simd);
    let mut seen = [f32x4::splat(simd, 0.0); MAX_SAMPLES];
    let seen = &mut seen[..samples];
    for &MixedPixel { morton, first, end } in &mixed.pixels {
        let background = background_at(frame, rect, tile_background, morton).to_array();
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
        let mut color = [0.0; 4];
        color.copy_from_slice(mean.as_slice());
        if !waiting.push(&model_color(frame, rect, morton, color), morton) {
            waiting.emit(simd, encoder, pixels);
        }
    }
    if waiting.count > 0 {
        waiting.emit(simd, encoder, pixels);
    }
}
