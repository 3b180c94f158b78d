//! The contact shadow: how much of the light from all around the models keep from the ground by standing near.
//!
//! The models are drawn from below and from above, which gives the height at which something begins over each spot of the ground,
//! and where it ends. What is `h` above the ground darkens it about as a blur of its outline with a radius that grows with `h`:
//! sharp and dark where a sole stands, wide and faint under an arm; and a leg that rises over the sole darkens some more around
//! it. Heights are sorted into layers, each twice as high as the one below, with a share in both neighbours so that nothing
//! jumps as a foot is lifted. Layers are blurred from the highest down, each together with all above it.
//!
//! # Determinism
//! Layers and blurs are whole numbers.

use super::Floor;
use crate::math::{Vec3, clamp};
use crate::raster::View;
use crate::raster::shadow::cast::cast;
use crate::raster::shadow::space::{Extent, Space, axes};
use crate::raster::table::VertexTable;
use crate::simd::Level;

/// Texels a side.
const SIZE: f32 = 256.0;
/// Bytes of the heights and of the layers.
pub(super) const BYTES: usize = 256 * 256 * 26;
/// How many layers.
const LAYERS: usize = 6;
/// The standard deviation of the blur of something, as a share of its height.
const SPREAD: f32 = 0.32;
/// How much what rises over a spot counts, against what hangs over it.
const RISING: f32 = 0.9;
/// The least standard deviation, in texels.
const LEAST: f32 = 2.0;
/// Standard deviations of the widest blur that the map has room for around the models.
const ROOM: f32 = 2.5;
/// What is all in shadow.
pub(super) const FULL: f32 = 65535.0;

/// The contact shadow of one picture.
pub(super) struct Contact {
    pub space: Space,
    pub width: usize,
    pub height: usize,
    /// 0..=65535.
    pub kept: Vec<u16>,
}

impl Contact {
    /// None if nothing casts.
    pub fn new(view: &View, level: Level, table: &VertexTable, floor: &Floor) -> Option<Self> {
        let from_below = axes(Vec3::NEG_Y);
        let [across, along, _] = from_below;
        let from_above = [across, along, Vec3::Y];
        let room = ROOM * SPREAD * floor.reach;
        let texel = (floor.width + 2.0 * room) / (SIZE - 4.0);
        let depth_step = (floor.height + floor.reach) / 60_000.0;
        let casters = view.draws.iter().filter(|draw| draw.casts).map(|draw| draw.posed);
        let mut extent = Extent::of(from_below, casters);
        if extent.is_empty() {
            return None;
        }
        extent.low -= Vec3::new(room, room, 0.0);
        extent.high += Vec3::new(room, room, 0.0);
        let space = Space::new(from_below, floor.center, texel, depth_step, &extent)?;
        (extent.low.z, extent.high.z) = (-extent.high.z, -extent.low.z);
        let above = Space::new(from_above, floor.center, texel, depth_step, &extent)?;
        let low = cast(view, level, table, &space);
        let high = cast(view, level, table, &above);
        let reach = floor.reach / depth_step;
        let [low_ground, high_ground] = [&space, &above].map(|space| space.local(floor.center).z);
        // The heights at which something begins and ends, as shares of the reach.
        let heights: Vec<Option<[f32; 2]>> = (low.texels.iter().zip(&high.texels))
            .map(|(&low, &high)| {
                let begins = (low_ground - f32::from(low)) / reach;
                let ends = (f32::from(high) - high_ground) / reach;
                (low > 0 && high > 0).then_some([clamp(begins, 0.0, 2.0), clamp(ends, 0.0, 2.0)])
            })
            .collect();
        let (width, height) = (low.width as usize, low.height as usize);
        let kept = blurred_layers(&heights, [width, height], floor.reach / texel);
        Some(Self { space, width, height, kept })
    }

    /// Where anything is kept at all: ends of x and z.
    pub fn footprint(&self, height: f32) -> Option<[[f32; 2]; 2]> {
        self.space.footprint(height, 1.0)
    }

    /// How much is kept from a place on the ground, 0..=1.
    #[expect(clippy::cast_possible_truncation, reason = "held to the map")]
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_precision_loss, reason = "a map is small")]
    pub fn at(&self, place: Vec3) -> f32 {
        let local = self.space.local(place);
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
        // Rooms are darker in their corners than one bounce of light tells.
        let open = 1.0 - mix(upper, lower, part_y) * (1.0 / FULL);
        1.0 - open * open
    }
}

/// Sorts heights into layers and blurs these; the reach is in texels.
fn blurred_layers(
    heights: &[Option<[f32; 2]>],
    [width, height]: [usize; 2],
    reach_texels: f32,
) -> Vec<u16> {
    let mut sum = vec![0_u32; width * height];
    let mut other = Vec::new();
    for layer in (0..LAYERS).rev() {
        // 1. What hangs at this height, on top of what is above.
        for (sum, heights) in sum.iter_mut().zip(heights) {
            if let Some([begins, ends]) = *heights {
                *sum = (*sum + weight_in(layer, begins, ends)).min(0xffff);
            }
        }

        // 2. The blur of this layer on top of that of the one below.
        let deviation = |layer: usize| SPREAD * height_of(layer) * reach_texels;
        let here = deviation(layer);
        let below = if layer > 0 { deviation(layer - 1) } else { 0.0 };
        let least = if layer == 0 { LEAST * LEAST } else { 0.0 };
        let variance = here * here - below * below + least;
        let radius = box_radius(variance * 0.5);
        for _ in 0..2 {
            blur_rows(&sum, width, radius, &mut other);
            blur_rows(&other, height, radius, &mut sum);
        }
    }
    sum.into_iter().map(|value| value.min(0xffff) as u16).collect()
}

/// The height of a layer as a share of the reach.
#[expect(clippy::cast_precision_loss, reason = "a few layers")]
fn height_of(layer: usize) -> f32 {
    1.0 / (1_u32 << (LAYERS - 1 - layer)) as f32
}

/// How much something between two heights, shares of the reach, counts in a layer: 0..=65535.
#[expect(clippy::cast_possible_truncation, reason = "0..=65535")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn weight_in(layer: usize, begins: f32, ends: f32) -> u32 {
    let own = height_of(layer);
    let half = own * 0.5;
    let (hangs, rises) = if begins > own {
        (clamp((2.0 * own - begins) / own, 0.0, 1.0), 0.0)
    } else {
        let hangs = if layer == 0 { 1.0 } else { clamp((begins - half) / half, 0.0, 1.0) };
        (hangs, (1.0 - hangs) * clamp((ends - half) / half, 0.0, 1.0))
    };
    // The higher, the less is kept; at the reach nothing is.
    let part = hangs * clamp(1.0 - begins, 0.0, 1.0) + rises * RISING * (1.0 - own);
    (part * FULL + 0.5) as u32
}

/// The radius of a box whose variance comes nearest.
#[expect(clippy::cast_possible_truncation, reason = "a map is small")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn box_radius(variance: f32) -> usize {
    // A box of 2 r + 1 texels has the variance r (r + 1) / 3.
    let radius = ((1.0 + 12.0 * variance).sqrt() - 1.0) * 0.5;
    clamp(radius + 0.5, 0.0, 512.0) as usize
}

/// Blurs the rows of a picture by a box and turns the picture over its diagonal; nothing lies beside it.
fn blur_rows(from: &[u32], width: usize, radius: usize, to: &mut Vec<u32>) {
    let rows = from.len() / width.max(1);
    to.clear();
    to.resize(from.len(), 0);
    let count = 2 * radius as u64 + 1;
    let share = (1_u64 << 32) / count;
    for (y, row) in from.chunks_exact(width.max(1)).enumerate() {
        let mut sum: u64 = row.iter().take(radius).map(|&value| u64::from(value)).sum();
        for x in 0..width {
            sum += row.get(x + radius).map_or(0, |&value| u64::from(value));
            let mean = (sum * share + (1 << 31)) >> 32;
            to[x * rows + y] = u32::try_from(mean).unwrap_or(u32::MAX);
            if x >= radius {
                sum -= u64::from(row[x - radius]);
            }
        }
    }
}
