//! Resolve over lanes: mixed pixels, with several fragments, opaque and blended; [`crate::raster::resolve::scalar`] is the definition.

use crate::math::number::Lanes;
use crate::math::srgb::LaneEncoder;
use crate::math::{Vec4, lanes};
use crate::model::AlphaMode;
use crate::raster::context::FrameContext;
use crate::raster::coverage::samples::{MAX_SAMPLES, sample_position};
use crate::raster::fragments::fragment::{LayeredPixel, MixedFragments, number_of};
use crate::raster::fragments::layers::Layers;
use crate::raster::geometry::grid::Rect;
use crate::raster::geometry::morton::Morton;
use crate::raster::interpolate::packet::BATCH;
use crate::raster::resolve::blend::Layer;
use crate::raster::resolve::dither::{dithered, thresholds};
use crate::raster::resolve::encode::Encoding;
use crate::raster::resolve::pixels::Pixels;
use crate::raster::resolve::scalar::model_color;
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd, f32x4, gather_words};
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

/// Mixed pixels, and all that is seen in them.
pub(crate) struct MixedParts<'a> {
    /// The pixels and their opaque fragments, with the light of these and then of the layers.
    pub fragments: &'a MixedFragments,
    /// The blended fragments.
    pub layers: &'a Layers,
}

impl MixedParts<'_> {
    /// Light and mode of the only layer of a pixel and the colour behind it, where both fill all samples; `range` are the opaque
    /// fragments of the pixel.
    #[inline(always)]
    fn alike(
        &self,
        morton: Morton,
        range: Range<usize>,
        all: u16,
    ) -> Option<(&[f32; 4], AlphaMode, &[f32; 4])> {
        let own = self.layers.of_pixel(morton);
        let ([layer], [behind]) =
            (&self.layers.fragments()[own.clone()], &self.fragments.samples[range.clone()])
        else {
            return None;
        };
        if layer.fragment.samples != all || *behind != all {
            return None;
        }
        let MixedFragments { samples, colors, .. } = self.fragments;
        let (_, mode) = self.layers.triangle(layer.order);
        Some((&colors[samples.len() + own.start], mode, &colors[range.start]))
    }

    /// Blends the layers of a pixel over the colours of its samples.
    ///
    /// Not `#[inline(always)]`: few pixels have layers, and the others keep their registers.
    fn blend_layers<S: Simd>(
        &self,
        simd: S,
        frame: &FrameContext,
        rect: &Rect,
        morton: Morton,
        order: &mut LayerOrder,
        seen: &mut [f32x4<S>],
    ) {
        simd.vectorize(
            #[inline(always)]
            || self.blend_inlined(simd, frame, rect, morton, order, seen),
        );
    }

    #[inline(always)]
    fn blend_inlined<S: Simd>(
        &self,
        simd: S,
        frame: &FrameContext,
        rect: &Rect,
        morton: Morton,
        LayerOrder { depths, order }: &mut LayerOrder,
        seen: &mut [f32x4<S>],
    ) {
        let range = self.layers.of_pixel(morton);
        let pattern = frame.geometry.pattern;
        let (column, row) = (morton.column(), morton.row());
        let lights = &self.fragments.colors[self.fragments.samples.len()..][range.clone()];
        let layers = &self.layers.fragments()[range];
        if let [layer] = layers {
            // One layer has no order.
            let mut left = layer.fragment.samples;
            while left != 0 {
                let seen = &mut seen[left.trailing_zeros() as usize];
                let (_, mode) = self.layers.triangle(layer.order);
                *seen = layer_over(simd, mode, &lights[0], *seen);
                left &= left - 1;
            }
            return;
        }
        // The order of a sample is most often that of the one before, which costs one look at each layer.
        order.clear();
        order.extend(0..number_of(layers.len()));
        for (sample, seen) in seen.iter_mut().enumerate() {
            let (x, y) = sample_position(pattern, rect, column, row, sample);
            depths.clear();
            depths.extend(layers.iter().map(|layer| self.layers.triangle(layer.order).0.at(x, y)));
            let depth = |layer: u32| depths[layer as usize];
            order.sort_by(|&left, &right| {
                depth(left).total_cmp(&depth(right)).then(left.cmp(&right))
            });
            for &index in &*order {
                let layer = &layers[index as usize];
                if layer.fragment.samples & (1 << sample) != 0 {
                    let (_, mode) = self.layers.triangle(layer.order);
                    *seen = layer_over(simd, mode, &lights[index as usize], *seen);
                }
            }
        }
    }
}

/// [`Layer::over`], with the channels in lanes where they are blended alike.
#[inline(always)]
fn layer_over<S: Simd>(simd: S, mode: AlphaMode, light: &[f32; 4], seen: f32x4<S>) -> f32x4<S> {
    match mode {
        AlphaMode::Blend => f32x4::from_slice(simd, light) + seen * (1.0 - light[3]),
        _ => {
            let layer = Layer { depth: 0.0, light: Vec4::from_array(*light), mode };
            let blended = layer.over(Vec4::from_slice(seen.as_slice()));
            f32x4::from_slice(simd, &blended.to_array())
        }
    }
}

/// Order of the layers of a pixel, farthest first; its memory serves all pixels.
#[derive(Default)]
struct LayerOrder {
    /// Depth of each layer at a sample.
    depths: Vec<f32>,
    order: Vec<u32>,
}

/// Averages and encodes the mixed pixels without layers, one a lane; the scalar `resolve` is the definition.
#[inline(always)]
pub(crate) fn resolve_plain<S: Simd>(
    simd: S,
    encoder: LaneEncoder,
    frame: &FrameContext,
    rect: &Rect,
    mixed: &MixedFragments,
    encoding: &mut Encoding<S>,
    pixels: &mut Pixels,
) {
    match frame.geometry.pattern.len() {
        1 => {}
        2 => resolve_counted::<S, 2>(simd, encoder, frame, rect, mixed, encoding, pixels),
        4 => resolve_counted::<S, 4>(simd, encoder, frame, rect, mixed, encoding, pixels),
        8 => resolve_counted::<S, 8>(simd, encoder, frame, rect, mixed, encoding, pixels),
        _ => resolve_counted::<S, 16>(simd, encoder, frame, rect, mixed, encoding, pixels),
    }
}

/// [`resolve_plain`] with a number of samples.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
fn resolve_counted<S: Simd, const SAMPLES: usize>(
    simd: S,
    encoder: LaneEncoder,
    frame: &FrameContext,
    rect: &Rect,
    mixed: &MixedFragments,
    encoding: &mut Encoding<S>,
    pixels: &mut Pixels,
) {
    let (lanes, share) = (S::u32s::LEN, 1.0 / SAMPLES as f32);
    let light: &[[u32; 4]] = bytemuck::cast_slice(&mixed.colors);
    let (shown, _) = mixed.shown.as_chunks::<SAMPLES>();
    for (mortons, shown) in mixed.plain.chunks(BATCH * lanes).zip(shown.chunks(BATCH * lanes)) {
        let mut colors = [[lanes::splat(simd, 0.0); 4]; BATCH];
        let mut places = [S::u32s::simd_from(simd, 0); BATCH];
        let filled = mortons.len().div_ceil(lanes);
        for (vector, (mortons, shown)) in mortons.chunks(lanes).zip(shown.chunks(lanes)).enumerate()
        {
            // 1. The sum over samples; lanes without a pixel repeat the first.
            let (mut pixel, mut fragments) = ([mortons[0]; MAX_LANES], [shown[0]; MAX_LANES]);
            pixel[..mortons.len()].copy_from_slice(mortons);
            fragments[..shown.len()].copy_from_slice(shown);
            let mut sum = [lanes::splat(simd, 0.0); 4];
            for sample in 0..SAMPLES {
                let mut fragment = [0; MAX_LANES];
                for (fragment, fragments) in fragment.iter_mut().zip(&fragments) {
                    *fragment = fragments[sample];
                }
                let fragment = S::u32s::from_slice(simd, &fragment[..lanes]);
                for (sum, part) in sum.iter_mut().zip(gather_words(simd, light, fragment)) {
                    let part: S::f32s = part.bitcast();
                    *sum += part;
                }
            }

            // 2. The mean, dithered where that is asked for.
            let place = S::u32s::from_slice(simd, &pixel[..lanes]);
            let mut mean = [sum[0] * share, sum[1] * share, sum[2] * share, sum[3] * share];
            if frame.dithers_models {
                let [columns, rows] = Morton::places_of::<S>(place);
                let threshold = Lanes::<S>(thresholds(simd, columns + rect.x, rows + rect.y));
                mean = dithered(mean.map(Lanes), threshold).map(|channel| channel.0);
            }
            (colors[vector], places[vector]) = (mean, place);
        }
        encoding.encode::<false>(simd, encoder, &colors[..filled]);
        for (vector, (&codes, &place)) in encoding.codes[..filled].iter().zip(&places).enumerate() {
            pixels.scatter::<S>(codes, place, (mortons.len() - vector * lanes).min(lanes));
        }
    }
}

/// Averages and encodes the pixels with layers; the scalar `resolve` is the definition.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
pub(crate) fn resolve_layered<S: Simd>(
    simd: S,
    encoder: LaneEncoder,
    frame: &FrameContext,
    rect: &Rect,
    parts: &MixedParts,
    pixels: &mut Pixels,
) {
    let mixed = parts.fragments;
    if mixed.layered.is_empty() {
        return;
    }
    let samples = frame.geometry.pattern.len();
    let share = 1.0 / samples as f32;
    let (mut waiting, mut order) = (Waiting::new(simd), LayerOrder::default());
    let mut seen = [f32x4::splat(simd, 0.0); MAX_SAMPLES];
    let seen = &mut seen[..samples];
    let all = u16::MAX >> (MAX_SAMPLES - samples);
    for &LayeredPixel { morton, first, end } in &mixed.layered {
        let range = first as usize..end as usize;
        let mut sum = f32x4::splat(simd, 0.0);
        if let Some((light, mode, color)) = parts.alike(morton, range.clone(), all) {
            // All samples are equal: one is blended, and summed as often as there are samples.
            let seen = layer_over(simd, mode, light, f32x4::from_slice(simd, color));
            for _ in 0..samples {
                sum += seen;
            }
        } else {
            for (&samples, color) in mixed.samples[range.clone()].iter().zip(&mixed.colors[range]) {
                let color = f32x4::from_slice(simd, color);
                let mut left = samples;
                while left != 0 {
                    seen[left.trailing_zeros() as usize] = color;
                    left &= left - 1;
                }
            }
            parts.blend_layers(simd, frame, rect, morton, &mut order, seen);
            for &seen in &*seen {
                sum += seen;
            }
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
