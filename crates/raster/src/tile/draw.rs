//! Draws one tile: visibility, background, shading, resolve.
//!
//! Input: a tile and the frame context. Output: its rows of the picture, and its counts.

use crate::geometry::grid::Rect;
use crate::resolve::background::{TileBackground, draw_ground};
use crate::resolve::pixels::{PixelWriter, Pixels};
use crate::resolve::scalar::{Lit, encoded, resolve};
use crate::stats::{Clock, StageTimer};
use crate::tile::scratch::{Scratch, TileWork};
use crate::tile::shade::lanes::{Tools, draw_fragments};
use crate::tile::shade::scalar::shade_fragments;
use crate::tile::visibility::lanes::find_visible_lanes;
use crate::tile::visibility::scalar::find_visible_scalar;
use tintype_model::math::srgb::LaneEncoder;
use tintype_model::simd::{Level, Simd};

/// Counts and times of a finished tile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TileCounts {
    pub covered_pixels: u64,
    pub shaded_points: u64,
    /// Triangles that may touch it.
    pub triangles: u64,
    /// Seconds of coverage, and of shading and resolve; 0 without a clock.
    pub cover_s: f64,
    pub shade_s: f64,
    /// Level that ran.
    pub level: Level,
    /// Threads of the pool.
    pub threads: usize,
    /// The longer side in pixels.
    pub side: u32,
}

impl TileCounts {
    /// Counts of an empty tile.
    fn of(level: Level, rect: &Rect) -> Self {
        let (threads, side) = (rayon::current_num_threads(), rect.width.max(rect.height));
        Self { level, threads, side, ..Self::default() }
    }
}

/// Draws the pixels of a tile into its rows of the picture: the definition of [`draw_tile`].
pub(crate) fn draw_tile_scalar(
    mut work: TileWork,
    rows: &mut [&mut [[u8; 4]]],
    clock: Option<Clock>,
) -> TileCounts {
    let mut lap = StageTimer::start(clock);
    find_visible_scalar(&mut work);
    let cover_s = lap.lap();
    let TileWork { frame, rect, scratch, .. } = work;
    shade_fragments(frame, &rect, scratch);
    let Scratch { triangles, fragments, colors, blend, pixels, .. } = scratch;
    pixels.clear(frame, &rect);
    pixels.draw_ground(frame, &rect);
    let lit = Lit { triangles, fragments, colors, tile_background: &TileBackground::default() };
    let covered_pixels = resolve(frame, &rect, &lit, blend, |morton, color| {
        pixels.0[usize::from(morton.0)] = encoded(frame, &rect, morton, color);
    });
    pixels.copy_to(rows);
    TileCounts {
        covered_pixels,
        shaded_points: fragments.len() as u64,
        triangles: triangles.len() as u64,
        cover_s,
        shade_s: lap.lap(),
        ..TileCounts::of(Level::Scalar, &rect)
    }
}

/// Draws the pixels of a tile into its rows of the picture, over lanes.
#[inline(always)]
pub(crate) fn draw_tile<S: Simd>(
    simd: S,
    tools: &mut Tools<S>,
    mut work: TileWork,
    rows: &mut [&mut [[u8; 4]]],
    clock: Option<Clock>,
) -> TileCounts {
    let ran = TileCounts::of(Level::of(simd), &work.rect);
    let mut lap = StageTimer::start(clock);
    let has_any = find_visible_lanes(&tools.lattice, &mut work);
    let cover_s = lap.lap();
    let TileWork { frame, rect, scratch, .. } = work;
    if !has_any && frame.ground.is_none() && frame.sky.is_none() {
        Pixels::leave_empty(frame, &rect, rows);
        return TileCounts { cover_s, shade_s: lap.lap(), ..ran };
    }
    scratch.pixels.clear(frame, &rect);
    let Scratch { samples, pixels, tile_background, .. } = &mut *scratch;
    let samples = has_any.then_some(&*samples);
    let encoding = &mut tools.encoding;
    let writer = &mut PixelWriter { encoder: LaneEncoder::new(), encoding, pixels };
    draw_ground(simd, frame, &rect, samples, writer, tile_background);
    if !has_any {
        scratch.pixels.copy_to(rows);
        return TileCounts { cover_s, shade_s: lap.lap(), ..ran };
    }
    let Scratch { setups, blended, samples, layers, .. } = &mut *scratch;
    layers.collect(&tools.lattice, frame.geometry, &rect, setups, blended, samples);
    let (covered_pixels, shaded_points) = draw_fragments(simd, tools, frame, &rect, scratch);
    scratch.pixels.copy_to(rows);
    let triangles = scratch.triangles.len() as u64;
    TileCounts { covered_pixels, shaded_points, triangles, cover_s, shade_s: lap.lap(), ..ran }
}
