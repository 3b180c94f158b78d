//! Resolve over lanes: mixed pixels, with several fragments, opaque and blended;
//! [`crate::resolve::scalar`] is the definition.

use crate::context::FrameContext;
use crate::coverage::samples::MAX_SAMPLES;
use crate::fragments::fragment::{LayeredPixel, MixedFragments};
use crate::fragments::layers::Layers;
use crate::geometry::edge::UNIT;
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
use crate::interpolate::packet::BATCH;
use crate::resolve::dither::{dithered, thresholds};
use crate::resolve::layers::{LayerBlender, PixelLayers, layer_over};
use crate::resolve::pixels::PixelWriter;
use crate::resolve::scalar::model_color;
use core::ops::Range;
use tintype_model::AlphaMode;
use tintype_model::math::lanes;
use tintype_model::math::number::Lanes;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd, f32x4, gather_words};

/// Pixels that wait to be encoded together.
struct Waiting {
    channels: [[[f32; MAX_LANES]; 4]; BATCH],
    mortons: [[u32; MAX_LANES]; BATCH],
    count: usize,
}

impl Waiting {
    #[inline(always)]
    fn new() -> Self {
        Self {
            channels: [[[0.0; MAX_LANES]; 4]; BATCH],
            mortons: [[0; MAX_LANES]; BATCH],
            count: 0,
        }
    }

    /// Adds a pixel; false when the batch is full.
    #[inline(always)]
    fn push<S: Simd>(&mut self, color: &[f32], morton: Morton) -> bool {
        let (vector, lane) = (self.count / S::f32s::LEN, self.count % S::f32s::LEN);
        for (channel, &value) in self.channels[vector].iter_mut().zip(color) {
            channel[lane] = value;
        }
        self.mortons[vector][lane] = u32::from(morton.0);
        self.count += 1;
        self.count < BATCH * S::f32s::LEN
    }

    #[inline(always)]
    fn emit<S: Simd>(&mut self, simd: S, writer: &mut PixelWriter<S>) {
        let lanes = S::f32s::LEN;
        let mut colors = [[lanes::splat(simd, 0.0); 4]; BATCH];
        let filled = self.count.div_ceil(lanes);
        for (color, channels) in colors.iter_mut().zip(&self.channels[..filled]) {
            for (color, channel) in color.iter_mut().zip(channels) {
                *color = S::f32s::from_slice(simd, &channel[..lanes]);
            }
        }
        writer.encoding.encode::<false>(simd, writer.encoder, &colors[..filled]);
        for (vector, &codes) in writer.encoding.codes[..filled].iter().enumerate() {
            let count = (self.count - vector * lanes).min(lanes);
            let mortons = S::u32s::from_slice(simd, &self.mortons[vector][..lanes]);
            writer.pixels.scatter::<S>(codes, mortons, count);
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
    /// Light and mode of the only layer of a pixel and the colour behind it, where both fill all
    /// samples; `range` are the opaque fragments of the pixel.
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

    /// The layers of a pixel.
    #[inline(always)]
    fn of_pixel(&self, morton: Morton) -> PixelLayers<'_> {
        let range = self.layers.of_pixel(morton);
        let lights = &self.fragments.colors[self.fragments.samples.len()..][range.clone()];
        PixelLayers { of_tile: self.layers, layers: &self.layers.fragments()[range], lights }
    }
}

/// Averages and encodes the mixed pixels without layers, one per lane; the scalar `resolve` is the
/// definition.
#[inline(always)]
pub(crate) fn resolve_plain<S: Simd>(
    simd: S,
    frame: &FrameContext,
    rect: &Rect,
    mixed: &MixedFragments,
    writer: &mut PixelWriter<S>,
) {
    match frame.geometry.pattern.len() {
        1 => {}
        2 => resolve_counted::<S, 2>(simd, frame, rect, mixed, writer),
        4 => resolve_counted::<S, 4>(simd, frame, rect, mixed, writer),
        8 => resolve_counted::<S, 8>(simd, frame, rect, mixed, writer),
        _ => resolve_counted::<S, 16>(simd, frame, rect, mixed, writer),
    }
}

/// [`resolve_plain`] with a number of samples.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
fn resolve_counted<S: Simd, const SAMPLES: usize>(
    simd: S,
    frame: &FrameContext,
    rect: &Rect,
    mixed: &MixedFragments,
    writer: &mut PixelWriter<S>,
) {
    let PixelWriter { encoder, encoding, pixels } = writer;
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

            // 2. The mean, dithered if requested.
            let place = S::u32s::from_slice(simd, &pixel[..lanes]);
            let mut mean = [sum[0] * share, sum[1] * share, sum[2] * share, sum[3] * share];
            if frame.dithers_models {
                let [columns, rows] = Morton::places_of::<S>(place);
                let threshold = Lanes::<S>(thresholds(simd, columns + rect.x, rows + rect.y));
                mean = dithered(mean.map(Lanes), threshold).map(|channel| channel.0);
            }
            (colors[vector], places[vector]) = (mean, place);
        }
        encoding.encode::<false>(simd, *encoder, &colors[..filled]);
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
    frame: &FrameContext,
    rect: &Rect,
    parts: &MixedParts,
    writer: &mut PixelWriter<S>,
) {
    let mixed = parts.fragments;
    if mixed.layered.is_empty() {
        return;
    }
    let samples = frame.geometry.pattern.len();
    let share = 1.0 / samples as f32;
    let mut waiting = Waiting::new();
    let mut blender = LayerBlender::new(simd, frame.geometry.pattern);
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
            let corner = [rect.x + morton.column(), rect.y + morton.row()];
            let corner = corner.map(|place| place.cast_signed() * UNIT);
            blender.blend(simd, parts.of_pixel(morton), corner, seen);
            for &seen in &*seen {
                sum += seen;
            }
        }
        let mean = sum * share;
        let mut color = [0.0; 4];
        color.copy_from_slice(mean.as_slice());
        if !waiting.push::<S>(&model_color(frame, rect, morton, color), morton) {
            waiting.emit(simd, writer);
        }
    }
    if waiting.count > 0 {
        waiting.emit(simd, writer);
    }
}
