//! Blending of the layers of a pixel over lanes; [`crate::resolve::blend`] is the definition.
//!
//! Input: the layers of a pixel, approximately farthest first, with their light, and the colour
//! behind them at each sample. Layers are blended in the order of their list while a comparison of
//! depths, four samples at a time, verifies that order. If it was wrong, they are sorted by their
//! depth at the first sample, which is right unless two surfaces cross within the pixel; in that
//! case each sample is sorted separately.

use crate::coverage::depth::DepthPlane;
use crate::coverage::samples::MAX_SAMPLES;
use crate::fragments::fragment::{BlendedFragment, number_of};
use crate::fragments::layers::Layers;
use crate::geometry::edge::SamplePattern;
use crate::resolve::blend::{Layer, blend_farthest_first};
use tintype_model::math::Vec4;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{Simd, f32x4, i32x4, mask32x4};
use tintype_model::{AlphaMode, Stacking};

/// Samples that are compared together.
const BLOCK: usize = 4;

/// The layers of a pixel and their light.
#[derive(Clone, Copy)]
pub(crate) struct PixelLayers<'a> {
    /// All layers of the tile, with their depths.
    pub of_tile: &'a Layers,
    pub layers: &'a [BlendedFragment],
    pub lights: &'a [[f32; 4]],
}

/// Blends the layers of pixels, reusing its memory.
pub(crate) struct LayerBlender<S: Simd> {
    pattern: SamplePattern,
    /// Positions of the samples in their pixel, four per block; the last one is repeated.
    places: [[i32x4<S>; 2]; MAX_SAMPLES / BLOCK],
    /// Order of the layers, by index.
    order: Vec<u32>,
    /// Sort key of each layer at a sample.
    keys: Vec<i64>,
    /// Layers of a sample, if some have a rank.
    layers: Vec<Layer>,
}

impl<S: Simd> LayerBlender<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S, pattern: SamplePattern) -> Self {
        let mut places = [[i32x4::splat(simd, 0); 2]; MAX_SAMPLES / BLOCK];
        for (block, places) in places.iter_mut().enumerate() {
            for (axis, places) in places.iter_mut().enumerate() {
                let of = |k: usize| pattern[(block * BLOCK + k).min(pattern.len() - 1)][axis];
                *places = i32x4::from_slice(simd, &[of(0), of(1), of(2), of(3)]);
            }
        }
        Self { pattern, places, order: Vec::new(), keys: Vec::new(), layers: Vec::new() }
    }

    /// Blends the layers of the pixel at `corner`, in 1/256 pixel, over the colours of its samples.
    ///
    /// Not `#[inline(always)]`: few pixels have layers, and the others keep their registers.
    pub(crate) fn blend(
        &mut self,
        simd: S,
        pixel: PixelLayers,
        corner: [i32; 2],
        seen: &mut [f32x4<S>],
    ) {
        simd.vectorize(
            #[inline(always)]
            || self.blend_inlined(simd, pixel, corner, seen),
        );
    }

    #[inline(always)]
    fn blend_inlined(
        &mut self,
        simd: S,
        pixel: PixelLayers,
        corner: [i32; 2],
        seen: &mut [f32x4<S>],
    ) {
        let PixelLayers { layers, lights, .. } = pixel;
        if let ([layer], [light]) = (layers, lights) {
            // A single layer needs no order.
            let (_, mode) = pixel.of_tile.triangle(layer.order);
            blend_layer(simd, mode, light, layer.fragment.samples, seen);
            return;
        }
        if !pixel.of_tile.stackings().is_empty() {
            self.blend_stacked(simd, pixel, corner, seen);
            return;
        }
        let mut behind = [f32x4::splat(simd, 0.0); MAX_SAMPLES];
        let behind = &mut behind[..seen.len()];
        behind.copy_from_slice(seen);

        // 1. In the order of the list, then sorted at the first sample.
        self.order.clear();
        self.order.extend(0..number_of(layers.len()));
        for is_sorted in [false, true] {
            if is_sorted {
                self.sort(pixel, corner, 0);
                seen.copy_from_slice(behind);
            }
            if self.blend_in_order(simd, pixel, corner, seen) {
                return;
            }
        }

        // 2. Each sample separately, most often in nearly the order of the one before.
        for (sample, (seen, &behind)) in seen.iter_mut().zip(&*behind).enumerate() {
            self.sort(pixel, corner, sample);
            *seen = behind;
            for &index in &self.order {
                let layer = &layers[index as usize];
                if layer.fragment.samples & (1 << sample) != 0 {
                    let (_, mode) = pixel.of_tile.triangle(layer.order);
                    *seen = layer_over(simd, mode, &lights[index as usize], *seen);
                }
            }
        }
    }

    /// Blends layers of which some have a rank, one sample after the other. Not inlined because it
    /// is rare.
    #[inline(never)]
    fn blend_stacked(
        &mut self,
        simd: S,
        pixel: PixelLayers,
        corner: [i32; 2],
        seen: &mut [f32x4<S>],
    ) {
        for (sample, seen) in seen.iter_mut().enumerate() {
            let [x, y] = self.pattern[sample];
            self.layers.clear();
            for (layer, light) in pixel.layers.iter().zip(pixel.lights) {
                if layer.fragment.samples & (1 << sample) != 0 {
                    let (plane, mode) = pixel.of_tile.triangle(layer.order);
                    let depth = plane.at(corner[0] + x, corner[1] + y);
                    let light = Vec4::from_array(*light);
                    let (stacking, order) =
                        (pixel.of_tile.stackings()[layer.order as usize], layer.order);
                    self.layers.push(Layer { depth, light, mode, stacking, order });
                }
            }
            let behind = Vec4::from_slice(seen.as_slice());
            let blended = blend_farthest_first(&mut self.layers, behind).to_array();
            *seen = f32x4::from_slice(simd, &blended);
        }
    }

    /// Blends layers in the order of `self.order`; false if that is wrong at any sample.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "at most 2^16 layers in a tile")]
    fn blend_in_order(
        &self,
        simd: S,
        pixel: PixelLayers,
        corner: [i32; 2],
        seen: &mut [f32x4<S>],
    ) -> bool {
        // Key of the depth of the last layer at each sample, and its position in the order of
        // submission.
        let mut last = [[i32x4::splat(simd, i32::MIN); 2]; MAX_SAMPLES / BLOCK];
        let blocks = seen.len().div_ceil(BLOCK);
        let mut wrong = 0;
        for &index in &self.order {
            let layer = &pixel.layers[index as usize];
            let (plane, mode) = pixel.of_tile.triangle(layer.order);
            let submitted = i32x4::splat(simd, layer.order as i32);
            for (block, ([last_key, last_submitted], places)) in
                last.iter_mut().zip(&self.places).take(blocks).enumerate()
            {
                let key = key_of(depths_at(simd, plane, corner, places));
                let is_next = key.simd_gt(*last_key)
                    | (key.simd_eq(*last_key) & submitted.simd_gt(*last_submitted));
                let shown = u64::from(layer.fragment.samples) >> (block * BLOCK);
                let shown = shown & ((1 << BLOCK) - 1);
                wrong |= shown & !is_next.to_bitmask();
                let shown = mask32x4::from_bitmask(simd, shown);
                *last_key = shown.select(key, *last_key);
                *last_submitted = shown.select(submitted, *last_submitted);
            }
            let light = &pixel.lights[index as usize];
            blend_layer(simd, mode, light, layer.fragment.samples, seen);
        }
        wrong == 0
    }

    /// Sorts the layers by their depth at a sample, farthest first; ties keep submission order.
    #[inline(always)]
    fn sort(&mut self, pixel: PixelLayers, corner: [i32; 2], sample: usize) {
        let Self { pattern, order, keys, .. } = self;
        let [x, y] = pattern[sample];
        keys.clear();
        keys.extend(pixel.layers.iter().map(|layer| {
            let depth = pixel.of_tile.triangle(layer.order).0.at(corner[0] + x, corner[1] + y);
            i64::from(total_order(depth)) << 32 | i64::from(layer.order)
        }));
        order.sort_unstable_by_key(|&layer| keys[layer as usize]);
    }
}

/// Blends a layer over the samples that show it.
#[inline(always)]
fn blend_layer<S: Simd>(
    simd: S,
    mode: AlphaMode,
    light: &[f32; 4],
    samples: u16,
    seen: &mut [f32x4<S>],
) {
    if samples == u16::MAX >> (MAX_SAMPLES - seen.len()) {
        for seen in seen {
            *seen = layer_over(simd, mode, light, *seen);
        }
        return;
    }
    let mut left = samples;
    while left != 0 {
        let seen = &mut seen[left.trailing_zeros() as usize];
        *seen = layer_over(simd, mode, light, *seen);
        left &= left - 1;
    }
}

/// [`Layer::over`], with the channels in lanes if all are blended in the same way.
#[inline(always)]
pub(crate) fn layer_over<S: Simd>(
    simd: S,
    mode: AlphaMode,
    light: &[f32; 4],
    seen: f32x4<S>,
) -> f32x4<S> {
    match mode {
        AlphaMode::Blend => f32x4::from_slice(simd, light) + seen * (1.0 - light[3]),
        _ => {
            let (light, stacking) = (Vec4::from_array(*light), Stacking::default());
            let layer = Layer { depth: 0.0, light, mode, stacking, order: 0 };
            let blended = layer.over(Vec4::from_slice(seen.as_slice()));
            f32x4::from_slice(simd, &blended.to_array())
        }
    }
}

/// [`DepthPlane::at`] for the samples of a block.
#[inline(always)]
fn depths_at<S: Simd>(
    simd: S,
    plane: &DepthPlane,
    corner: [i32; 2],
    places: &[i32x4<S>; 2],
) -> f32x4<S> {
    let [dx, dy] = [0, 1].map(|axis| -> f32x4<S> {
        (places[axis] + (corner[axis] - plane.origin[axis])).to_float()
    });
    let splat = |value| f32x4::splat(simd, value);
    let depth = splat(plane.value) + dx * plane.along[0] + dy * plane.along[1];
    let (low, high) = (splat(plane.low), splat(plane.high));
    let depth = depth.simd_gt(low).select(depth, low);
    depth.simd_lt(high).select(depth, high)
}

/// [`total_order`] of the numbers in four lanes.
#[inline(always)]
fn key_of<S: Simd>(depth: f32x4<S>) -> i32x4<S> {
    let bits: i32x4<S> = depth.bitcast();
    bits ^ ((bits >> 31_u32) & i32::MAX)
}

/// An integer with the order of [`f32::total_cmp`].
#[inline(always)]
fn total_order(value: f32) -> i32 {
    let bits = value.to_bits().cast_signed();
    bits ^ (bits >> 31 & i32::MAX)
}
