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
mod fragments;
pub mod geometry;
pub mod ground;
mod interpolate;
mod morton;
mod rays;
mod resolve;
mod shading;
pub mod shadow;
mod stats;
pub mod texture;
mod tile;

use crate::frame::Frame;
use crate::math::func::UnitPower;
use crate::math::srgb;
use crate::model::{Background, Camera, Light, LinearRgb, Material, Mesh, PosedMesh, Texture};
use crate::simd::{self, Level};
use fragments::Centroids;
pub use geometry::edge;
use geometry::vertex_table::VertexTable;
use geometry::{bin, project, setup};
use rayon::prelude::*;
use rays::Rays;
use shading::scalar::{self as shade, powers_of};
use stats::Lap;
pub use stats::{Clock, Counts, Culled, Times};
pub use texture::anisotropic::scalar as anisotropy;
use tile::{scheduler as crew, visibility as visible};

pub use ground::Floor;
pub use shadow::Shadow;

/// One mesh of one instance, posed in world space.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Triangles and texture coordinates.
    pub mesh: &'a Mesh,
    /// Its vertices in world space; tangents only if its material has a normal map.
    pub posed: &'a PosedMesh,
    /// Index into [`View::materials`].
    pub material: usize,
    /// Whether it casts shadows.
    pub casts: bool,
}

/// Everything that a picture depends on.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The camera.
    pub camera: Camera,
    /// Width and height in pixels, each 1..=[`Frame::MAX_SIDE`].
    pub size: [u32; 2],
    /// Samples a pixel: 1, 2, 4, 8 or 16.
    pub samples: u32,
    /// Probes a texture and point at most: 1, which is trilinear filtering, 2, 4, 8 or 16.
    pub anisotropy: u32,
    /// What is behind everything.
    pub background: Background,
    /// Light from everywhere, in linear colour.
    pub ambient: LinearRgb,
    /// The lights.
    pub lights: &'a [Light],
    /// Which of them cast shadows; at most one entry each.
    pub shadows: &'a [Shadow],
    /// What catches shadows behind everything.
    pub ground: Option<Floor>,
    /// The materials that draws name.
    pub materials: &'a [Material],
    /// The textures that materials name.
    pub textures: &'a [Texture],
    /// What to draw; ties in depth go to the earlier one.
    pub draws: &'a [Draw<'a>],
}

/// How the work is cut; no choice changes a byte of the picture.
#[derive(Clone, Copy, Debug)]
pub struct RasterOptions {
    /// Side of a tile in pixels, [`RasterOptions::MIN_TILE`]..=[`RasterOptions::MAX_TILE`]; or [`RasterOptions::AUTO`].
    pub tile: u32,
    /// The instructions to use, which this machine must have.
    pub level: Level,
    /// A level that computes wrong in one lane by one unit in the last place, and what: so that a test can see that it would
    /// be noticed.
    #[doc(hidden)]
    pub fault: Option<(Level, Fault)>,
}

/// What a planted fault spoils.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The depth of every second triangle; were it every triangle, their order would not change.
    Depth,
    /// The first barycentric coordinate of points.
    Share,
    /// A weight in the windows through which points see a light with a shadow.
    Shadow,
    /// Where rays meet the ground.
    Ground,
}

impl RasterOptions {
    /// A tile whose side suits the picture.
    pub const AUTO: u32 = 0;
    /// The smallest tile.
    pub const MIN_TILE: u32 = 4;

    /// The side of a tile for a picture: large ones have less work at their borders, small ones stay in the cache with many
    /// samples and leave work for many threads where the picture is small.
    #[must_use]
    pub fn tile_for(&self, [width, height]: [u32; 2], samples: u32) -> u32 {
        match self.tile {
            Self::AUTO if samples <= 4 && width.saturating_mul(height) >= 1_000_000 => 64,
            Self::AUTO => 32,
            tile => tile,
        }
    }

    /// What is spoilt on the level that is used.
    fn planted(&self) -> Option<Fault> {
        self.fault.filter(|&(level, _)| level == self.level).map(|(_, fault)| fault)
    }

    /// The largest tile: edge functions on its lattice still fit 32 bits.
    pub const MAX_TILE: u32 = 64;
}

impl Default for RasterOptions {
    fn default() -> Self {
        Self { tile: Self::AUTO, level: Level::best(), fault: None }
    }
}

/// A part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenPoint {
    /// Column and row.
    pub pixel: [u32; 2],
    /// Which of [`View::draws`].
    pub draw: u32,
    /// Which triangle of its mesh.
    pub triangle: u32,
    /// The samples that show it, one bit each.
    pub samples: u32,
    /// Whether its front is seen.
    pub is_front: bool,
}

/// The light that leaves a part of a pixel toward the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LitPoint {
    /// The part of the pixel.
    pub seen: SeenPoint,
    /// Premultiplied linear RGBA, each 0..=1.
    pub color: [f32; 4],
}

/// Triangles that are ready for the tiles of a picture.
struct Prepared {
    grid: bin::Grid,
    chunks: Vec<setup::Chunk>,
    pattern: edge::SamplePattern,
    centroids: Centroids,
    table: VertexTable,
    rays: Rays,
    powers: Vec<UnitPower>,
    /// Per light; empty where none casts a shadow.
    shadows: Vec<Option<shadow::ShadowMap>>,
    ground: Option<ground::Ground>,
    /// Of the steps so far.
    times: Times,
}

impl Prepared {
    /// What all tiles of the picture share.
    fn scene<'a>(&'a self, view: &'a View, cut: RasterOptions) -> shade::Scene<'a> {
        let Self { chunks, pattern, centroids, table, rays, powers, shadows, .. } = self;
        let (pattern, ground) = (*pattern, self.ground.as_ref());
        let fault = cut.planted();
        let has_places = !shadows.is_empty()
            || view.lights.iter().any(|light| matches!(light, Light::Point { .. }));
        shade::Scene {
            view,
            chunks,
            pattern,
            centroids,
            table,
            rays,
            powers,
            has_places,
            fault,
            shadows,
            ground,
        }
    }
}

/// Every vertex once, every triangle once.
fn prepare(view: &View, cut: RasterOptions, with_light: bool, lap: &mut Lap) -> Prepared {
    let [width, height] = view.size;
    assert!((1..=Frame::MAX_SIDE).contains(&width) && (1..=Frame::MAX_SIDE).contains(&height));
    let tile = cut.tile_for(view.size, view.samples);
    assert!((RasterOptions::MIN_TILE..=RasterOptions::MAX_TILE).contains(&tile));
    let pattern = edge::sample_pattern(view.samples).expect("1, 2, 4, 8 or 16 samples");
    assert!(anisotropy::is_allowed(view.anisotropy), "1, 2, 4, 8 or 16 probes");
    let projection = project::Projection::new(&view.camera, view.size);
    let projected: Vec<Vec<project::ScreenVertex>> = view
        .draws
        .par_iter()
        .map(|draw| project::project_vertices(cut.level, &projection, draw.posed))
        .collect();
    let mut times = Times { project_s: lap.lap(), ..Times::default() };
    let grid = bin::Grid::new(view.size, tile);
    let table = match cut.level {
        Level::Scalar => VertexTable::of_places(view),
        _ => VertexTable::new(view, cut.level),
    };
    let chunks = setup::set_up(view, cut.level, &projection, &projected, &table, &grid);
    let centroids = Centroids::new(pattern);
    times.set_up_s = lap.lap();
    let (mut shadows, mut ground) = (Vec::new(), None);
    if with_light {
        (shadows, ground) = ground::Ground::with_shadows(view, cut, &table);
    }
    times.shadow_s = lap.lap();
    let rays = Rays::new(&view.camera, view.size);
    let powers = powers_of(view);
    Prepared { grid, chunks, pattern, centroids, table, rays, powers, shadows, ground, times }
}

/// What each pixel shows, without light: row by row, and within a pixel opaque triangles in the order of their samples, then
/// blended ones in submission order. Pieces of a clipped triangle stand apart.
///
/// # Panics
/// As [`draw`].
#[must_use]
pub fn see(view: &View, cut: RasterOptions) -> Vec<SeenPoint> {
    let mut seen =
        each_tile(view, cut, false, |work| simd::run(cut.level, tile::SeeTile(work))).concat();
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
    let mut lit =
        each_tile(view, cut, true, |work| simd::run(cut.level, tile::LightTile(work))).concat();
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
        each_tile(view, cut, true, |work| simd::run(cut.level, tile::GroundTile(work))).concat();
    behind.sort_by_key(|&([x, y], _)| (y, x));
    behind.into_iter().map(|(_, color)| color).collect()
}

/// Works on every tile alone; results stand in the order of the tiles.
fn each_tile<R: Send>(
    view: &View,
    cut: RasterOptions,
    with_light: bool,
    work: impl Fn(visible::TileWork) -> R + Sync,
) -> Vec<R> {
    let prepared = prepare(view, cut, with_light, &mut Lap::start(None));
    let (grid, scene) = (&prepared.grid, prepared.scene(view, cut));
    (0..grid.tile_count())
        .into_par_iter()
        .map_init(visible::Scratch::default, |scratch, index| {
            work(visible::TileWork { scene: &scene, rect: grid.rect(index), index, scratch })
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
    let tiles = crew::draw_tiles(cut.level, &scene, grid, grid.by_tile(&mut rows), clock);

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

/// One premultiplied linear colour as straight 8-bit sRGB.
fn encode_pixel(premultiplied: [f32; 4]) -> [u8; 4] {
    let [r, g, b, alpha] = premultiplied;
    if alpha <= 0.0 {
        return [0; 4];
    }
    let straight = if alpha < 1.0 { [r / alpha, g / alpha, b / alpha] } else { [r, g, b] };
    let [r, g, b] = straight.map(srgb::code_from_linear);
    #[expect(clippy::cast_possible_truncation, reason = "held to 0..=255.5")]
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    let alpha = (crate::math::min(alpha, 1.0) * 255.0 + 0.5) as u8;
    [r, g, b, alpha]
}
