//! Posed meshes + materials + lights + camera -> frame.
//!
//! The picture is made in five steps, each a module, in the order in which data runs through them:
//!
//! ```text
//! project   world space -> clip coordinates -> 1/256 pixel, once a vertex   (runs of vertices in parallel)
//! setup     triangles: reject, clip, cull                           (chunks of triangles in parallel, order kept)
//! bin       which tiles a triangle may touch                        (per chunk)
//! tile      exact integer coverage and depth -> triangle id per sample, in tile memory   (tiles in parallel)
//! shade     every visible pixel once per triangle that it shows -> light -> resolve -> sRGB
//! ```
//!
//! Each step is written plainly, and again over lanes of the level that runs: `sieve` sets triangles up, `group` and `cover` find
//! what samples see for `visible`, with `mask` where a texture has holes; `corners`, `texel` and `packet` shade, and `blend` is what
//! glass and flames do to what is behind them. Lanes read vertices from one `table`. In a tile, pixels stand in the order of `spot`;
//! the threads of the `crew` come for one tile after the other. `rays` lead from the eye through the pixels.
//!
//! [`edge`] holds the coverage arithmetic, [`sample`] the texture filter, [`anisotropy`] the one for slanted surfaces (over lanes:
//! `probes`), [`light`] the light model. Before the tiles, [`shadow`] draws a depth map for each light that casts one, and
//! [`ground`] what the models keep from the ground.
//!
//! This module loads nothing, poses nothing and writes no file. It does not sort triangles: opaque ones meet in the depth
//! buffer, blended ones are sorted per sample.
//!
//! # Determinism
//! A tile belongs to one thread; the triangles in it keep submission order. Every value at a pixel is computed from the
//! pixel's absolute position, so neither the tile size nor the number of threads can change a byte.

mod alpha_test;
mod coverage;
mod fault;
mod fragments;
pub mod geometry;
mod ground;
mod interpolate;
mod options;
mod prepare;
mod resolve;
mod shading;
pub mod shadow;
mod shown;
mod stats;
pub mod texture;
mod tile;
mod view;

pub use fault::Fault;
pub use geometry::edge;
pub use options::RasterOptions;
pub use shown::{LitPoint, SeenPoint};
pub use stats::{Clock, Counts, Culled, Times};
pub use texture::anisotropic::scalar as anisotropy;
pub use view::{Draw, Floor, Shadow, View};

use crate::frame::Frame;
use crate::raster::prepare::prepare;
use crate::raster::stats::Lap;
use crate::raster::tile::inspect::{GroundTile, LightTile, SeeTile};
use crate::raster::tile::scheduler::draw_tiles;
use crate::raster::tile::scratch::{Scratch, TileWork};
use crate::simd::{self};
use rayon::prelude::*;

/// What each pixel shows, without light: row by row, and within a pixel opaque triangles in the order of their samples, then
/// blended ones in submission order. Pieces of a clipped triangle stand apart.
///
/// # Panics
/// As [`draw`].
#[must_use]
pub fn see(view: &View, cut: RasterOptions) -> Vec<SeenPoint> {
    let mut seen = each_tile(view, cut, false, |work| simd::run(cut.level, SeeTile(work))).concat();
    // Stable: what one tile says of a pixel stays in its order.
    seen.sort_by_key(|point| (point.pixel[1], point.pixel[0]));
    seen
}

/// What [`see`] tells, with the light of each part of a pixel before it is mixed with others and encoded: the place to look
/// for a difference that the bytes of a picture may round away.
///
/// # Panics
/// As [`draw`].
#[must_use]
pub fn light_up(view: &View, cut: RasterOptions) -> Vec<LitPoint> {
    let mut lit = each_tile(view, cut, true, |work| simd::run(cut.level, LightTile(work))).concat();
    lit.sort_by_key(|point| (point.seen.pixel[1], point.seen.pixel[0]));
    lit
}

/// What is behind the draws in each pixel, row by row, before it is encoded: the background with the ground before it, premultiplied
/// linear RGBA.
///
/// # Panics
/// As [`draw`].
#[must_use]
pub fn lay_ground(view: &View, cut: RasterOptions) -> Vec<[f32; 4]> {
    let mut behind =
        each_tile(view, cut, true, |work| simd::run(cut.level, GroundTile(work))).concat();
    behind.sort_by_key(|&([x, y], _)| (y, x));
    behind.into_iter().map(|(_, color)| color).collect()
}

/// Works on every tile alone; results stand in the order of the tiles.
fn each_tile<R: Send>(
    view: &View,
    cut: RasterOptions,
    with_light: bool,
    work: impl Fn(TileWork) -> R + Sync,
) -> Vec<R> {
    let prepared = prepare(view, cut, with_light, &mut Lap::start(None));
    let (grid, scene) = (&prepared.grid, prepared.scene(view, cut));
    (0..grid.tile_count())
        .into_par_iter()
        .map_init(Scratch::default, |scratch, index| {
            work(TileWork { scene: &scene, rect: grid.rect(index), index, scratch })
        })
        .collect()
}

/// Draws one picture on the threads of the current rayon pool.
///
/// # Panics
/// If the size, the samples, the anisotropy, the tile or an index in `view` is out of its range, which `scene` and `asset` check, or if
/// this machine does not have the level.
#[must_use]
pub fn draw(view: &View, cut: RasterOptions) -> (Frame, Counts) {
    let (frame, counts, _) = draw_timed(view, cut, None);
    (frame, counts)
}

/// [`draw`], and how long its steps took by a clock, if there is one; the clock changes no byte.
///
/// # Panics
/// As [`draw`].
#[must_use]
pub fn draw_timed(view: &View, cut: RasterOptions, clock: Option<Clock>) -> (Frame, Counts, Times) {
    // 1. Every vertex once, every triangle once.
    let mut lap = Lap::start(clock);
    let prepared = prepare(view, cut, true, &mut lap);
    let (grid, scene) = (&prepared.grid, prepared.scene(view, cut));

    // 2. Every tile alone, into its rows of the picture.
    let [width, height] = view.size;
    let mut frame = Frame::new(width, height);
    let mut rows = grid.rows(&mut frame.rgba);
    let tiles = draw_tiles(cut.level, &scene, grid, grid.by_tile(&mut rows), clock);

    // 3. What there is to tell.
    let mut counts = Counts {
        triangles_in: view.draws.iter().map(|draw| draw.mesh.triangles.len() as u64).sum(),
        tiles: tiles.len() as u64,
        ..Counts::default()
    };
    for chunk in &prepared.chunks {
        counts.triangles_binned += chunk.triangles.len() as u64;
        counts.triangles_clipped += chunk.clipped;
        counts.culled.add(&chunk.culled);
    }
    let mut times = prepared.times;
    times.tiles_s = lap.lap();
    for (index, tile) in tiles.iter().enumerate() {
        counts.covered_pixels += tile.covered_pixels;
        counts.shaded_points += tile.shaded_points;
        counts.tile_triangles += tile.triangles;
        if tile.triangles > 0 {
            let rect = grid.rect(index);
            counts.tiles_used += 1;
            counts.samples +=
                u64::from(rect.width) * u64::from(rect.height) * u64::from(view.samples);
        }
        (counts.level, counts.threads) = (tile.level, tile.threads);
        counts.tile = counts.tile.max(tile.side);
        times.cover_s += tile.cover_s;
        times.shade_s += tile.shade_s;
    }
    (frame, counts, times)
}
