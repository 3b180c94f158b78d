//! The contact shadow: ambient light that the models block from the ground near them.
//!
//! Input: depth maps of the models from below and from above. Output: a map of the ground with the
//! fraction of ambient light that is lost, 0..=65535.
//!
//! The two depth maps contain the heights at which geometry begins and ends over each point of the
//! ground. An occluder at height `h` darkens the ground approximately like a blur of its outline
//! with a radius that grows with `h`: sharp and dark under a sole, wide and faint under an arm; a
//! leg that rises above the sole adds some darkness around it. Heights are sorted into layers, each
//! twice as high as the one below, with weights in both neighbours so that nothing jumps as a foot
//! is lifted. Layers are blurred from the highest down, each together with all above it.
//!
//! # Determinism
//! Layers and blurs are integers.

use crate::geometry::vertex_table::VertexTable;
use crate::shadow::depth_pass::draw_depth_map;
use crate::shadow::space::{Extent, Space, axes};
use crate::view::floor::Floor;
use crate::view::{Shadow, View, octaves};
use tintype_model::math::lanes::{self, splat, to_int_in_range};
use tintype_model::math::{Vec3, clamp, max};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Texels along a side for models of usual width; twice as many for wider ones.
const SIZE: f32 = 256.0;
/// Units of depth from the ground to twice the usual height of the models.
const DEPTHS: f32 = 60_000.0;
/// Number of layers.
const LAYERS: usize = 6;
/// Standard deviation of the blur of an occluder, as a fraction of its height.
const SPREAD: f32 = 0.32;
/// Weight of geometry that rises from below a layer (a leg above its sole), relative to geometry
/// that begins in it.
const RISING: f32 = 0.9;
/// Minimum standard deviation, in texels.
const LEAST: f32 = 2.0;
/// Margin of the map around the models, in standard deviations of the widest blur.
const ROOM: f32 = 2.5;
/// Value of full shadow.
pub(crate) const FULL: f32 = 65535.0;

/// Zeros after the last texel: a lane loads eight values at once.
pub(crate) const BEHIND: usize = 7;

/// Contact shadow of one frame.
pub(crate) struct Contact {
    pub space: Space,
    pub width: usize,
    pub height: usize,
    /// Lost light, 0..=65535; and [`BEHIND`] zeros.
    pub kept: Vec<u16>,
}

impl Contact {
    /// None if there are no casters.
    pub(crate) fn new(
        view: &View,
        level: Level,
        table: &VertexTable,
        floor: &Floor,
    ) -> Option<Self> {
        let from_below = axes(Vec3::NEG_Y);
        let [across, along, _] = from_below;
        let from_above = [across, along, Vec3::Y];
        let room = ROOM * SPREAD * floor.reach;
        let casters = view.draws.iter().filter(|draw| draw.casts).map(|draw| draw.posed);
        let mut extent = Extent::of(from_below, casters);
        if extent.is_empty() {
            return None;
        }
        extent.low -= Vec3::new(room, room, 0.0);
        extent.high += Vec3::new(room, room, 0.0);
        // Models that are wider or higher in this frame have coarser texels or units of depth, by
        // powers of 2.
        let Vec3 { x, y, z } = extent.size();
        let (wide, high) = (floor.width + 2.0 * room, (floor.height + floor.reach) * 2.0);
        let texel = wide / (SIZE - 4.0) * octaves(max(x, y), [0.0, Shadow::WIDEST * wide]);
        let depth_step = high / DEPTHS * octaves(z, [0.0, high]);
        let space = Space::new(from_below, floor.center, texel, depth_step, &extent)?;
        (extent.low.z, extent.high.z) = (-extent.high.z, -extent.low.z);
        let above = Space::new(from_above, floor.center, texel, depth_step, &extent)?;
        let (low, high) = rayon::join(
            || draw_depth_map(view, level, table, &space),
            || draw_depth_map(view, level, table, &above),
        );
        let reach = floor.reach / depth_step;
        let [low_ground, high_ground] = [&space, &above].map(|space| space.local(floor.center).z);
        let heights = Heights::new(&low.texels, &high.texels, [low_ground, high_ground], reach);
        let (width, height) = (low.width as usize, low.height as usize);
        let reach_texels = floor.reach / texel;
        let layers = Layers { heights: &heights, width, height, reach_texels };
        let mut kept = simd::run(level, layers);
        kept.resize(kept.len() + BEHIND, 0);
        Some(Self { space, width, height, kept })
    }

    /// Area with any shadow: ends of x and z.
    pub(crate) fn footprint(&self, height: f32) -> Option<[[f32; 2]; 2]> {
        self.space.footprint(height, 1.0)
    }

    /// Lost light at a position on the ground, 0..=1.
    #[expect(clippy::cast_possible_truncation, reason = "held to the map")]
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_precision_loss, reason = "a map is small")]
    pub(crate) fn at(&self, position: Vec3) -> f32 {
        let local = self.space.local(position);
        let (x, y) = (local.x - 0.5, local.y - 0.5);
        let (right, bottom) = (self.width as f32 - 1.0, self.height as f32 - 1.0);
        if !(x > 0.0 && x < right && y > 0.0 && y < bottom) {
            return 0.0;
        }
        let (column, row) = (x as usize, y as usize);
        let (part_x, part_y) = (x - column as f32, y - row as f32);
        let texel = |column: usize, row: usize| f32::from(self.kept[row * self.width + column]);
        let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
        let (next_column, next_row) =
            ((column + 1).min(self.width - 1), (row + 1).min(self.height - 1));
        let upper = mix(texel(column, row), texel(next_column, row), part_x);
        let lower = mix(texel(column, next_row), texel(next_column, next_row), part_x);
        // Corners are darker than explained by one bounce of light: the open part is squared.
        let open = 1.0 - mix(upper, lower, part_y) * (1.0 / FULL);
        1.0 - open * open
    }
}

/// Height at which an empty texel begins.
const NOTHING: f32 = 2.0;

/// Heights at which geometry begins and ends over each texel, as fractions of the reach, 0..=2.
struct Heights {
    begins: Vec<f32>,
    ends: Vec<f32>,
}

impl Heights {
    /// Heights from the depth maps from below and from above, and the depths of the ground in them.
    fn new(low: &[u16], high: &[u16], [low_ground, high_ground]: [f32; 2], reach: f32) -> Self {
        // Empty texels count as beginning at a height without weight.
        let (mut begins, mut ends) = (vec![NOTHING; low.len()], vec![0.0; low.len()]);
        let texels = begins.iter_mut().zip(&mut ends).zip(low.iter().zip(high));
        for ((begins, ends), (&low, &high)) in texels {
            if low > 0 && high > 0 {
                *begins = clamp((low_ground - f32::from(low)) / reach, 0.0, 2.0);
                *ends = clamp((f32::from(high) - high_ground) / reach, 0.0, 2.0);
            }
        }
        Self { begins, ends }
    }
}

/// Adds the weights of texels in a layer to sums. Returns true if any sum is above 0.
#[inline(always)]
fn add_weights(layer: usize, begins: &[f32], ends: &[f32], sums: &mut [u32]) -> bool {
    let mut any = 0;
    for ((sum, &begins), &ends) in sums.iter_mut().zip(begins).zip(ends) {
        *sum = (*sum + weight_in(layer, begins, ends)).min(0xffff);
        any |= *sum;
    }
    any != 0
}

/// [`add_weights`] over lanes.
#[inline(always)]
fn add_weights_lanes<S: Simd>(
    simd: S,
    layer: usize,
    begins: &[f32],
    ends: &[f32],
    sums: &mut [u32],
) -> bool {
    let count = S::f32s::LEN;
    let most = S::u32s::simd_from(simd, 0xffff);
    let mut any = S::u32s::simd_from(simd, 0);
    let whole = sums.len() / count * count;
    let (wholes, rest) = sums.split_at_mut(whole);
    let texels = begins.chunks_exact(count).zip(ends.chunks_exact(count));
    for (sums, (begins, ends)) in wholes.chunks_exact_mut(count).zip(texels) {
        let mut sum = S::u32s::from_slice(simd, sums);
        let begins = S::f32s::from_slice(simd, begins);
        // Most texels are empty and have no weight.
        if begins.simd_lt(NOTHING).any_true() {
            sum += weights_in(simd, layer, begins, S::f32s::from_slice(simd, ends));
            sum = sum.simd_lt(most).select(sum, most);
            sum.store_slice(sums);
        }
        any |= sum;
    }
    let is_rest_any = add_weights(layer, &begins[whole..], &ends[whole..], rest);
    is_rest_any | !any.simd_eq(0).all_true()
}

/// Sorts heights into layers and blurs these; the result is 0..=65535 per texel.
struct Layers<'a> {
    heights: &'a Heights,
    width: usize,
    height: usize,
    reach_texels: f32,
}

impl Kernel for Layers<'_> {
    type Output = Vec<u16>;

    fn scalar(self) -> Vec<u16> {
        self.blurred(add_weights)
    }

    /// The blurs are the same code, vectorized by the compiler.
    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Vec<u16> {
        simd.vectorize(
            #[inline(always)]
            || {
                self.blurred(
                    #[inline(always)]
                    |layer, begins, ends, sum| add_weights_lanes(simd, layer, begins, ends, sum),
                )
            },
        )
    }
}

impl Layers<'_> {
    /// Blurs layer by layer; `add` adds the occluders at the height of a layer to those above, and
    /// returns true if there are any.
    #[inline(always)]
    fn blurred(self, add: impl Fn(usize, &[f32], &[f32], &mut [u32]) -> bool) -> Vec<u16> {
        let Self { heights, width, height, reach_texels } = self;
        let mut sum = vec![0_u32; width * height];
        let (mut other, mut line) = (vec![0_u32; width * height], Vec::new());
        for layer in (0..LAYERS).rev() {
            // 1. Add the occluders at this height to those above. An empty layer stays empty.
            if !add(layer, &heights.begins, &heights.ends, &mut sum) {
                continue;
            }

            // 2. Blur by the difference between this layer and the one below.
            let deviation = |layer: usize| SPREAD * height_of(layer) * reach_texels;
            let here = deviation(layer);
            let below = if layer > 0 { deviation(layer - 1) } else { 0.0 };
            let least = if layer == 0 { LEAST * LEAST } else { 0.0 };
            let variance = here * here - below * below + least;
            let radius = box_radius(variance * 0.5);
            if radius > 0 {
                for _ in 0..2 {
                    blur_along(&sum, width, radius, &mut line, &mut other);
                    blur_across(&other, width, radius, &mut line, &mut sum);
                }
            }
        }
        let mut kept = vec![0; width * height];
        for (kept, value) in kept.iter_mut().zip(sum) {
            *kept = value.min(0xffff) as u16;
        }
        kept
    }
}

/// Height of a layer as a fraction of the reach.
#[expect(clippy::cast_precision_loss, reason = "a few layers")]
fn height_of(layer: usize) -> f32 {
    1.0 / (1_u32 << (LAYERS - 1 - layer)) as f32
}

/// Weight in a layer of geometry between two heights, given as fractions of the reach: 0..=65535.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "0..=65535")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn weight_in(layer: usize, begins: f32, ends: f32) -> u32 {
    let own = height_of(layer);
    let half = own * 0.5;
    let over = clamp((2.0 * own - begins) / own, 0.0, 1.0);
    let under = if layer == 0 { 1.0 } else { clamp((begins - half) / half, 0.0, 1.0) };
    let rising = (1.0 - under) * clamp((ends - half) / half, 0.0, 1.0);
    let (hangs, rises) = if begins > own { (over, 0.0) } else { (under, rising) };
    // The higher, the less light is lost; none at the reach.
    let part = hangs * clamp(1.0 - begins, 0.0, 1.0) + rises * RISING * (1.0 - own);
    (part * FULL + 0.5) as i32 as u32
}

/// [`weight_in`] in every lane. Heights of layers are powers of two, so factors and divisions have
/// equal bits.
#[inline(always)]
fn weights_in<S: Simd>(simd: S, layer: usize, begins: S::f32s, ends: S::f32s) -> S::u32s {
    let own = height_of(layer);
    let (half, per_own, per_half) = (own * 0.5, 1.0 / own, 2.0 / own);
    let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
    let over = lanes::clamp(simd, (splat(simd, 2.0 * own) - begins) * per_own, 0.0, 1.0);
    let under = match layer {
        0 => one,
        _ => lanes::clamp(simd, (begins - half) * per_half, 0.0, 1.0),
    };
    let rising = (one - under) * lanes::clamp(simd, (ends - half) * per_half, 0.0, 1.0);
    let does_hang = begins.simd_gt(own);
    let (hangs, rises) = (does_hang.select(over, under), does_hang.select(zero, rising));
    let part = hangs * lanes::clamp(simd, one - begins, 0.0, 1.0) + rises * RISING * (1.0 - own);
    to_int_in_range::<S>(part * FULL + 0.5).bitcast()
}

/// Radius of the box with the nearest variance.
#[expect(clippy::cast_possible_truncation, reason = "a map is small")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn box_radius(variance: f32) -> usize {
    // A box of 2 r + 1 texels has the variance r (r + 1) / 3.
    let radius = ((1.0 + 12.0 * variance).sqrt() - 1.0) * 0.5;
    clamp(radius + 0.5, 0.0, 512.0) as usize
}

/// The mean of a box from its sum, by a factor in parts of 2^32.
#[inline(always)]
fn mean_of(sum: u32, share: u32) -> u32 {
    ((u64::from(sum) * u64::from(share) + (1 << 31)) >> 32) as u32
}

/// The factor of [`mean_of`] for a radius above 0.
#[expect(clippy::cast_possible_truncation, reason = "a third of 2^32 at most")]
fn share_of(radius: usize) -> u32 {
    ((1_u64 << 32) / (2 * radius as u64 + 1)) as u32
}

/// Blurs the rows of a picture by a box; outside it everything is 0.
#[inline(always)]
fn blur_along(from: &[u32], width: usize, radius: usize, line: &mut Vec<u32>, to: &mut [u32]) {
    let share = share_of(radius);
    line.clear();
    line.resize(width + 2 * radius + 1, 0);
    for (row, out) in from.chunks_exact(width.max(1)).zip(to.chunks_exact_mut(width.max(1))) {
        // An empty row stays empty.
        let mut any = 0;
        for &value in row {
            any |= value;
        }
        if any == 0 {
            out.fill(0);
            continue;
        }
        // Prefix sums, extended by the radius on both sides.
        let mut sum = 0;
        let sums = &mut line[radius + 1..];
        let (wholes, rest) = row.as_chunks::<4>();
        let (to_wholes, to_rest) = sums[..width].as_chunks_mut::<4>();
        for (to, &[a, b, c, d]) in to_wholes.iter_mut().zip(wholes) {
            let (two, three, four) = (a + b, a + b + c, (a + b) + (c + d));
            *to = [sum + a, sum + two, sum + three, sum + four];
            sum += four;
        }
        for (to, &value) in to_rest.iter_mut().zip(rest) {
            sum += value;
            *to = sum;
        }
        sums[width..].fill(sum);
        let ends = line[2 * radius + 1..].iter().zip(line.iter());
        for (out, (&end, &start)) in out.iter_mut().zip(ends) {
            *out = mean_of(end - start, share);
        }
    }
}

/// Blurs the columns of a picture by a box; outside it everything is 0.
#[inline(always)]
fn blur_across(from: &[u32], width: usize, radius: usize, line: &mut Vec<u32>, to: &mut [u32]) {
    let (share, width) = (share_of(radius), width.max(1));
    line.clear();
    line.resize(width, 0);
    for row in from.chunks_exact(width).take(radius) {
        for (sum, &value) in line.iter_mut().zip(row) {
            *sum += value;
        }
    }
    for (y, out) in to.chunks_exact_mut(width).enumerate() {
        let entering = from.get((y + radius) * width..).unwrap_or_default();
        for (sum, &value) in line.iter_mut().zip(entering) {
            *sum += value;
        }
        for (out, &sum) in out.iter_mut().zip(&*line) {
            *out = mean_of(sum, share);
        }
        if y >= radius {
            for (sum, &value) in line.iter_mut().zip(&from[(y - radius) * width..]) {
                *sum -= value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean over a box along one axis, texel by texel.
    fn blurred(
        from: &[u32],
        [width, height]: [usize; 2],
        radius: usize,
        is_along: bool,
    ) -> Vec<u32> {
        let near = |a: usize, b: usize| a.abs_diff(b) <= radius;
        let at = |x: usize, y: usize| -> u32 {
            let all = (0..width * height).map(|index| (index % width, index / width));
            let inside = all.filter(|&(column, row)| {
                if is_along { row == y && near(column, x) } else { column == x && near(row, y) }
            });
            let sum: u64 = inside.map(|(column, row)| u64::from(from[row * width + column])).sum();
            let share = (1 << 32) / (2 * radius as u64 + 1);
            ((sum * share + (1 << 31)) >> 32) as u32
        };
        (0..width * height).map(|index| at(index % width, index / width)).collect()
    }

    #[test]
    fn blurs_are_means_over_boxes() {
        for [width, height] in [[1, 1], [7, 5], [19, 33], [3, 16]] {
            let mut state = 7_u32;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if state >> 30 == 0 { 0xffff } else { state >> 16 }
            };
            let from: Vec<u32> = (0..width * height).map(|_| next()).collect();
            for radius in [1, 2, 5, 40] {
                let (mut line, mut to) = (Vec::new(), vec![0; from.len()]);
                blur_along(&from, width, radius, &mut line, &mut to);
                assert_eq!(to, blurred(&from, [width, height], radius, true));
                blur_across(&from, width, radius, &mut line, &mut to);
                assert_eq!(to, blurred(&from, [width, height], radius, false));
            }
        }
    }

    #[test]
    fn weights_of_every_level_are_those_of_plain_code() {
        // All heights at which a rule changes, their neighbours, and many between; two texels
        // remain after the last vector.
        let mut heights = vec![0.0, 2.0];
        for layer in 0..LAYERS {
            for height in [height_of(layer) * 0.5, height_of(layer), 2.0 * height_of(layer)] {
                heights.extend([height.next_down(), height, height.next_up()]);
            }
        }
        heights.extend((0..97_u16).map(|k| f32::from(k) / 48.0));
        heights.retain(|height| (0.0..=2.0).contains(height));
        let pairs = || heights.iter().flat_map(|&a| heights.iter().map(move |&b| (a, b)));
        let mut heights = Heights { begins: Vec::new(), ends: Vec::new() };
        (heights.begins, heights.ends) = pairs().unzip();
        let spare = (heights.begins.len() - 2) % 16;
        heights.begins.truncate(heights.begins.len() - spare);
        heights.ends.truncate(heights.begins.len());
        let len = heights.begins.len();
        assert!(len > 10_000 && len % 16 == 2);
        let layers = || Layers { heights: &heights, width: len, height: 1, reach_texels: 0.0 };
        let plain = simd::run(Level::Scalar, layers());
        assert!(plain.iter().any(|&kept| kept > 0) && plain.contains(&0));
        for level in Level::available() {
            assert!(simd::run(level, layers()) == plain, "{level:?}");
        }
    }

    #[test]
    fn nothing_counts_in_no_layer() {
        for layer in 0..LAYERS {
            assert_eq!(weight_in(layer, 2.0, 0.0), 0);
            assert_eq!(weight_in(layer, 2.0, 2.0), 0);
        }
        assert_eq!(weight_in(0, 0.0, 0.0), 0xffff);
    }
}
