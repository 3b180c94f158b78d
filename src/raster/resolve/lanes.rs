//! Resolve over lanes: pixels with several fragments, opaque and blended; [`crate::raster::resolve::scalar`] is the definition.

use crate::math::srgb::LaneEncoder;
use crate::math::{Vec4, lanes};
use crate::raster::context::FrameContext;
use crate::raster::coverage::samples::{MAX_SAMPLES, sample_position};
use crate::raster::fragments::fragment::{BlendedFragment, MixedFragments, MixedPixel};
use crate::raster::fragments::layers::Layers;
use crate::raster::geometry::grid::Rect;
use crate::raster::geometry::morton::Morton;
use crate::raster::interpolate::packet::BATCH;
use crate::raster::resolve::background::{TileBackground, background_at};
use crate::raster::resolve::blend::{Layer, blend_farthest_first};
use crate::raster::resolve::encode::Encoding;
use crate::raster::resolve::pixels::Pixels;
use crate::raster::resolve::scalar::model_color;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, f32x4};
use core::ops::Range;

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

/// Pixels with several fragments, and all that is seen in them.
pub(crate) struct MixedParts<'a> {
    /// The pixels and their opaque fragments, with the light of these and then of the layers.
    pub fragments: &'a MixedFragments,
    /// The blended fragments.
    pub layers: &'a Layers,
    pub tile_background: &'a TileBackground,
}

impl MixedParts<'_> {
    /// Blends the layers of a pixel over the colours of its samples.
    ///
    /// Not `#[inline(always)]`: few pixels have layers, and the others keep their registers.
    fn blend_layers(
        &self,
        frame: &FrameContext,
        rect: &Rect,
        morton: Morton,
        range: Range<usize>,
        blend: &mut Vec<Layer>,
        seen: &mut [Vec4],
    ) {
        let pattern = frame.geometry.pattern;
        let (column, row) = (morton.column(), morton.row());
        let first_light = self.fragments.samples.len();
        if range.len() == 1 {
            // One layer has no order.
            let BlendedFragment { fragment, order } = self.layers.fragments()[range.start];
            let light = Vec4::from_array(self.fragments.colors[first_light + range.start]);
            let (_, mode) = self.layers.triangle(order);
            let layer = Layer { depth: 0.0, light, mode };
            let mut left = fragment.samples;
            while left != 0 {
                let seen = &mut seen[left.trailing_zeros() as usize];
                *seen = layer.over(*seen);
                left &= left - 1;
            }
            return;
        }
        for (sample, seen) in seen.iter_mut().enumerate() {
            let (x, y) = sample_position(pattern, rect, column, row, sample);
            blend.clear();
            for index in range.clone() {
                let BlendedFragment { fragment, order } = self.layers.fragments()[index];
                if fragment.samples & (1 << sample) != 0 {
                    let light = Vec4::from_array(self.fragments.colors[first_light + index]);
                    let (plane, mode) = self.layers.triangle(order);
                    blend.push(Layer { depth: plane.at(x, y), light, mode });
                }
            }
            *seen = blend_farthest_first(blend, *seen);
        }
    }
}

/// Averages and encodes the pixels with several fragments; the scalar `resolve` is the definition.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
pub(crate) fn resolve_mixed<S: Simd>(
    simd: S,
    encoder: LaneEncoder,
    frame: &FrameContext,
    rect: &Rect,
    parts: &MixedParts,
    blend: &mut Vec<Layer>,
    pixels: &mut Pixels,
) {
    let MixedParts { fragments: mixed, layers, tile_background } = *parts;
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
        let layered = layers.of_pixel(morton);
        if !layered.is_empty() {
            let mut colors = [Vec4::ZERO; MAX_SAMPLES];
            for (color, seen) in colors.iter_mut().zip(&*seen) {
                *color = Vec4::from_slice(seen.as_slice());
            }
            let colors = &mut colors[..samples];
            parts.blend_layers(frame, rect, morton, layered, blend, colors);
            for (seen, color) in seen.iter_mut().zip(colors) {
                *seen = f32x4::from_slice(simd, &color.to_array());
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
