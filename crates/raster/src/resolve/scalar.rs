//! Resolve, one pixel at a time: the definition of [`crate::resolve::lanes`].

use crate::context::FrameContext;
use crate::coverage::depth::DepthPlane;
use crate::coverage::samples::{MAX_SAMPLES, sample_position};
use crate::fragments::scalar::Fragments;
use crate::geometry::chunk::TriangleId;
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
use crate::resolve::background::{TileBackground, background_at};
use crate::resolve::blend::{Layer, blend_farthest_first};
use crate::resolve::dither::{dithered, threshold};
use crate::resolve::encode::encode_pixel;
use tintype_model::math::Vec4;

/// Takes the entries of one pixel from the front of a list sorted by pixel.
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

/// Shaded fragments and background of a tile.
pub(crate) struct Lit<'a> {
    pub triangles: &'a [TriangleId],
    pub fragments: &'a Fragments,
    /// Light of each fragment, premultiplied linear RGBA.
    pub colors: &'a [[f32; 4]],
    pub tile_background: &'a TileBackground,
}

/// The code of a pixel that shows models.
pub(crate) fn encoded(frame: &FrameContext, rect: &Rect, morton: Morton, color: [f32; 4]) -> u32 {
    u32::from_le_bytes(encode_pixel(model_color(frame, rect, morton, color)))
}

/// The encoded colour of a pixel that shows models: dithered if requested.
#[inline(always)]
pub(crate) fn model_color(
    frame: &FrameContext,
    rect: &Rect,
    morton: Morton,
    color: [f32; 4],
) -> [f32; 4] {
    if !frame.dithers_models {
        return color;
    }
    dithered(color, threshold(rect.x + morton.column(), rect.y + morton.row()))
}

/// Averages every pixel with fragments, one at a time, and passes on its linear colour. Returns
/// their number.
#[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
pub(crate) fn resolve(
    frame: &FrameContext,
    rect: &Rect,
    lit: &Lit,
    layers: &mut Vec<Layer>,
    mut put: impl FnMut(Morton, [f32; 4]),
) -> u64 {
    let samples = frame.geometry.pattern.len();
    let share = 1.0 / samples as f32;
    let (mut opaque_colors, mut blended_colors) = lit.colors.split_at(lit.fragments.opaque.len());
    let (mut opaque, mut blended) =
        (lit.fragments.opaque.as_slice(), lit.fragments.blended.as_slice());
    let mut covered_pixels = 0;
    loop {
        let next = [opaque.first().map(|p| p.morton), blended.first().map(|f| f.fragment.morton)];
        let Some(morton) = next.into_iter().flatten().min() else { break };
        let (parts, colors) =
            take_pixel(&mut opaque, &mut opaque_colors, |fragment| fragment.morton == morton);
        let (layered, layered_colors) =
            take_pixel(&mut blended, &mut blended_colors, |part| part.fragment.morton == morton);
        covered_pixels += 1;

        // 1. A pixel with one fragment takes its colour: the mean of equal samples would only round
        //    it.
        if let ([fragment], [color], []) = (parts, colors, layered)
            && u32::from(fragment.samples).count_ones() as usize == samples
        {
            put(morton, *color);
            continue;
        }

        // 2. Colour of each sample.
        let background = background_at(frame, rect, lit.tile_background, morton);
        let mut seen = [background; MAX_SAMPLES];
        for (fragment, color) in parts.iter().zip(colors) {
            for (sample, seen) in seen.iter_mut().enumerate().take(samples) {
                if fragment.samples & (1 << sample) != 0 {
                    *seen = Vec4::from_array(*color);
                }
            }
        }
        for (sample, seen) in seen.iter_mut().enumerate().take(samples) {
            let (x, y) = sample_position(
                frame.geometry.pattern,
                rect,
                morton.column(),
                morton.row(),
                sample,
            );
            layers.clear();
            for (part, &color) in layered.iter().zip(layered_colors) {
                if part.fragment.samples & (1 << sample) != 0 {
                    let id = lit.triangles[part.fragment.triangle as usize];
                    let triangle = frame.geometry.triangle(id);
                    let depth = DepthPlane::new(&triangle).at(x, y);
                    let (light, mode) = (Vec4::from_array(color), frame.geometry.alpha(&triangle));
                    let (stacking, order) = (frame.geometry.stacking(&triangle), part.order);
                    layers.push(Layer { depth, light, mode, stacking, order });
                }
            }
            *seen = blend_farthest_first(layers, *seen);
        }
        let sum = seen[..samples].iter().fold(Vec4::ZERO, |sum, sample| sum + *sample);
        put(morton, (sum * share).to_array());
    }
    covered_pixels
}
