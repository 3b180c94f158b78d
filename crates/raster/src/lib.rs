//! Rasterizer: posed meshes + materials + lights + camera -> frame.
//!
//! # Stages
//! Data runs through the folders from top to bottom; no module imports from a later one.
//!
//! ```text
//! view, options, check   input; checked once a frame
//! memory, still          tables that a frame leaves to the next ones
//! geometry               project -> clip -> setup -> bin            (vertices and chunks of triangles in parallel)
//! coverage               triangles of a tile -> nearest triangle per sample, exact
//! texture                trilinear and anisotropic filtering
//! interpolate            barycentric coordinates -> attributes at a point
//! alpha_test             holes of masked surfaces
//! fragments              samples -> parts of pixels to shade, queued by shader
//! environment            light from all directions: maps, prefiltered, and their look-up
//! occlusion              casters -> voxels -> blocked share of the light from all around
//! shadow                 depth pass for each light, then soft filtering
//! shading                fragment -> light toward the eye
//! ground                 the disc below the models, its shadow and contact shadow
//! behind                 the picture that surfaces which let light pass are seen before, through all stages below
//! resolve                fragments of a pixel -> mean -> 8-bit sRGB
//! tile                   one tile through coverage, shading and resolve; the loop over tiles
//! ```
//!
//! Most stages have two forms side by side: `scalar` handles one vertex, triangle, sample or
//! fragment at a time and is the definition; `lanes` handles one per lane of the current
//! [`Level`](tintype_model::simd::Level), with the same bits. Tests compare every level with the
//! scalar form.
//!
//! The rasterizer loads nothing, poses nothing and writes no file. It does not sort triangles:
//! opaque ones are resolved by the depth buffer, blended ones are sorted per sample.
//!
//! # Determinism
//! A tile belongs to one thread; its triangles keep submission order. Every value of a pixel is
//! computed from the absolute position of the pixel, so neither the tile size nor the number of
//! threads can change a byte.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

#[cfg(test)]
extern crate self as tintype_raster;

mod alpha_test;
mod background;
mod behind;
mod check;
mod context;
mod coverage;
use crate::behind::draw_behind;
use crate::prepare::prepare;
use crate::stats::StageTimer;
use crate::tile::inspect::{ListGround, ListShaded, ListVisible};
use crate::tile::scheduler::draw_tiles;
use crate::tile::scratch::{Scratch, TileWork};
pub mod environment;
mod fault;
mod fragments;
pub mod geometry;
mod ground;
mod interpolate;
mod memory;
pub mod occlusion;
mod options;
mod prepare;
mod resolve;
pub mod shading;
pub mod shadow;
mod shown;
mod stats;
mod still;
pub mod texture;
#[cfg(test)]
mod tests;
mod tile;
mod view;

pub use background::Background;
pub use check::ViewError;
pub use environment::{Environment, EnvironmentMap};
#[cfg(test)]
pub use fault::PlantedFault;
pub use geometry::edge;
pub use memory::Memory;
pub use options::RasterOptions;
pub use shown::{ShadedFragment, VisibleFragment};
pub use stats::{Clock, Counts, Culled, Times};
pub use texture::anisotropic::scalar as anisotropy;
pub use tile::inspect::VisibleTile;
pub use view::{Draw, Floor, Occlusion, Shadow, View, octaves};

use rayon::prelude::*;
use tintype_model::frame::Frame;
use tintype_model::simd::{self};

/// Lists the fragments of each pixel, without light: row by row, and within a pixel opaque
/// triangles in the order of their samples, then blended ones in submission order. Pieces of a
/// clipped triangle are listed separately.
///
/// # Errors
/// As [`draw`].
pub fn visibility(view: &View, options: RasterOptions) -> Result<Vec<VisibleFragment>, ViewError> {
    let columns = view.size[0].div_ceil(options.tile_for(view.size, view.samples)) as usize;
    let tiles = visibility_by_tile(view, options, |tile| {
        let rows = (0..tile.size()[1]).map(|row| {
            (0..tile.size()[0]).flat_map(|column| tile.at([column, row])).collect::<Vec<_>>()
        });
        rows.collect::<Vec<_>>()
    })?;
    let mut found = Vec::with_capacity(tiles.iter().flatten().map(Vec::len).sum());
    for band in tiles.chunks(columns) {
        for row in 0..band[0].len() {
            band.iter().for_each(|tile| found.extend_from_slice(&tile[row]));
        }
    }
    Ok(found)
}

/// Finds what each pixel shows as [`visibility`] does, and hands it out tile by tile; results are in the order of the tiles, row by row.
///
/// # Errors
/// As [`draw`].
pub fn visibility_by_tile<R: Send>(
    view: &View,
    options: RasterOptions,
    visit: impl Fn(VisibleTile) -> R + Sync,
) -> Result<Vec<R>, ViewError> {
    each_tile(view, options, false, |work| simd::run(options.level, ListVisible(work, &visit)))
}

/// Lists the fragments of [`visibility`] with the light of each, before mixing and encoding: tests
/// compare these numbers, as rounding may hide a difference in the bytes of a frame.
///
/// # Errors
/// As [`draw`].
pub fn shade(view: &View, options: RasterOptions) -> Result<Vec<ShadedFragment>, ViewError> {
    let mut lit =
        each_tile(view, options, true, |work| simd::run(options.level, ListShaded(work)))?.concat();
    lit.sort_by_key(|point| (point.seen.pixel[1], point.seen.pixel[0]));
    Ok(lit)
}

/// Lists the background of each pixel with the ground before it, row by row, before it is encoded:
/// premultiplied linear RGBA.
///
/// # Errors
/// As [`draw`].
pub fn shade_ground(view: &View, options: RasterOptions) -> Result<Vec<[f32; 4]>, ViewError> {
    let mut behind =
        each_tile(view, options, true, |work| simd::run(options.level, ListGround(work)))?.concat();
    behind.sort_by_key(|&([x, y], _)| (y, x));
    Ok(behind.into_iter().map(|(_, color)| color).collect())
}

/// Processes every tile separately; results are in the order of the tiles.
fn each_tile<R: Send>(
    view: &View,
    options: RasterOptions,
    with_light: bool,
    work: impl Fn(TileWork) -> R + Sync,
) -> Result<Vec<R>, ViewError> {
    let (memory, lap) = (&Memory::default(), &mut StageTimer::start(None));
    let mut prepared = prepare(view, options, with_light, memory, lap)?;
    if with_light {
        prepared.behind = draw_behind(&prepared, view, options);
    }
    let (geometry, light) = (prepared.geometry(view), prepared.light(view));
    let (grid, frame) = (&prepared.grid, prepared.frame(view, &geometry, &light));
    let tiles = (0..grid.tile_count()).into_par_iter();
    Ok(tiles
        .map_init(Scratch::default, |scratch, index| {
            work(TileWork { frame: &frame, rect: grid.rect(index), index, scratch })
        })
        .collect())
}

/// Draws one frame on the threads of the current rayon pool.
///
/// # Errors
/// [`ViewError`] if a size, a count or an index in the view, or an option, is out of its range.
pub fn draw(view: &View, options: RasterOptions) -> Result<(Frame, Counts), ViewError> {
    let (frame, counts, _) = draw_timed(view, options, &Memory::default(), None)?;
    Ok((frame, counts))
}

/// [`draw`] reusing the memory of previous frames, and the seconds that its stages took by a clock,
/// if there is one; neither changes a byte.
///
/// # Errors
/// As [`draw`].
pub fn draw_timed(
    view: &View,
    options: RasterOptions,
    memory: &Memory,
    clock: Option<Clock>,
) -> Result<(Frame, Counts, Times), ViewError> {
    // 1. Every vertex once, every triangle once.
    let mut lap = StageTimer::start(clock);
    let mut prepared = prepare(view, options, true, memory, &mut lap)?;
    prepared.behind = draw_behind(&prepared, view, options);
    let (geometry, light) = (prepared.geometry(view), prepared.light(view));
    let (grid, shared) = (&prepared.grid, prepared.frame(view, &geometry, &light));

    // 2. Every tile separately, into its rows of the frame; together they write every pixel.
    let mut frame = memory.frame(view.size);
    let mut rows = grid.rows(&mut frame.rgba);
    let tiles = draw_tiles(options.level, &shared, grid, grid.by_tile(&mut rows), clock);

    // 3. Statistics.
    let mut counts = Counts {
        triangles_in: view.draws.iter().map(|draw| draw.triangles.len() as u64).sum(),
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
    memory.keep(view, options, prepared.done());
    Ok((frame, counts, times))
}
