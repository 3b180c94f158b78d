//! Depth pass: triangles -> depth map, as a directional light sees them.
//!
//! Input: the casters of a view and the space of the map. Output: the depth of the surface nearest to the light over the middle of
//! each texel. Coverage is that of the frame, with one sample per texel: exact, and the same on every level.

use crate::model::AlphaMode;
use crate::raster::alpha_test::lanes::cover_mask;
use crate::raster::alpha_test::scalar::PointTest;
use crate::raster::coverage::lanes::Lattice;
use crate::raster::coverage::samples::Samples;
use crate::raster::coverage::scalar::cover_scalar;
use crate::raster::coverage::triangle_lanes::Group;
use crate::raster::geometry::chunk::{TriangleId, list_triangles};
use crate::raster::geometry::context::GeometryContext;
use crate::raster::geometry::edge::{SamplePattern, sample_pattern};
use crate::raster::geometry::grid::{Grid, Rect};
use crate::raster::geometry::setup::{Screen, set_up};
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::interpolate::scalar::Interpolants;
use crate::raster::shadow::project::project_to_map;
use crate::raster::shadow::space::Space;
use crate::raster::shadow::tile::{
    Keep, NEAREST_NOTHING, TILE, TileTexels, texels_of, whole_depth, whole_lanes,
};
use crate::raster::view::View;
use crate::simd::prelude::*;
use crate::simd::{self, Kernel, Level, Simd};
use rayon::prelude::*;

/// Least alpha from which a blended surface casts a shadow.
pub(crate) const SOLID: f32 = 0.5;

/// Depth of the surface nearest to the light, texel by texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DepthMap {
    pub width: u32,
    pub height: u32,
    /// Rows of depths in units; larger is nearer to the light, 0 is empty.
    pub texels: Vec<u16>,
}

/// Draws all casters of a view into a map.
pub(crate) fn draw_depth_map(
    view: &View,
    level: Level,
    table: &VertexTable,
    space: &Space,
) -> DepthMap {
    let [width, height] = space.size;
    let grid = Grid::new(space.size, TILE);
    let mut texels = vec![0; width as usize * height as usize];
    let mut rows = grid.rows(&mut texels);
    let tiles = grid.by_tile(&mut rows).into_iter().map(TileRows).collect();
    draw_depth_tiles(view, level, table, space, tiles);
    DepthMap { width, height, texels }
}

/// Rows of a [`DepthMap`] that belong to a tile.
struct TileRows<'a, 'm>(&'a mut [&'m mut [u16]]);

impl Keep for TileRows<'_, '_> {
    #[inline(always)]
    fn keep(self, texels: &TileTexels) {
        for (to, from) in self.0.iter_mut().zip(texels) {
            to.copy_from_slice(&from[..to.len()]);
        }
    }
}

/// Draws all casters of a view tile by tile; each tile is kept where it belongs, those without a triangle are left as they are.
pub(super) fn draw_depth_tiles<K: Keep>(
    view: &View,
    level: Level,
    table: &VertexTable,
    space: &Space,
    tiles: Vec<K>,
) {
    // 1. Triangles in texels.
    let grid = &Grid::new(space.size, TILE);
    let vertices = project_to_map(level, space, view.draws);
    let screen = Screen { camera: None, vertices: &vertices, grid, samples: 1 };
    let chunks = set_up(view, level, table, screen);

    // 2. Tiles.
    let pattern = sample_pattern(1).expect("one sample is a pattern");
    let geometry = GeometryContext {
        draws: view.draws,
        materials: view.materials,
        textures: view.textures,
        anisotropy: view.anisotropy,
        screen: &vertices,
        chunks: &chunks,
        table,
        is_parallel: true,
        pattern,
        #[cfg(test)]
        fault: None,
    };
    let has_masks = view
        .draws
        .iter()
        .any(|draw| draw.casts && cutoff(view.materials[draw.material].alpha).is_some());
    tiles.into_par_iter().enumerate().for_each_init(
        DepthScratch::default,
        |scratch, (index, keep)| {
            list_triangles(&chunks, index, &mut scratch.triangles);
            if !scratch.triangles.is_empty() {
                let rect = grid.rect(index);
                simd::run(
                    level,
                    DepthPassTile { geometry: &geometry, rect, scratch, keep, has_masks },
                );
            }
        },
    );
}

/// Least alpha at which a material casts; none if all of it does.
pub(crate) fn cutoff(alpha: AlphaMode) -> Option<f32> {
    match alpha {
        AlphaMode::Mask { cutoff } => Some(cutoff),
        AlphaMode::Blend => Some(SOLID),
        AlphaMode::Opaque | AlphaMode::Add | AlphaMode::Multiply => None,
    }
}

/// One tile of a map.
struct DepthPassTile<'a, K> {
    geometry: &'a GeometryContext<'a>,
    rect: Rect,
    scratch: &'a mut DepthScratch,
    keep: K,
    /// True if a caster has an alpha test.
    has_masks: bool,
}

/// Memory that a worker keeps from tile to tile.
#[derive(Default)]
struct DepthScratch {
    samples: Samples,
    /// Triangles of the tile in submission order.
    triangles: Vec<TriangleId>,
    /// Triangles without an alpha test, for lanes.
    solid: Vec<SetupTriangle>,
}

/// The triangle for texture interpolation: a directional light has no perspective.
fn flat(triangle: &SetupTriangle) -> SetupTriangle {
    SetupTriangle { depth: [1.0; 3], ..*triangle }
}

impl<K: Keep> Kernel for DepthPassTile<'_, K> {
    type Output = ();

    fn scalar(self) {
        let Self { geometry, rect, scratch, keep, .. } = self;
        let DepthScratch { samples, triangles, .. } = scratch;
        let pattern: SamplePattern = geometry.pattern;
        samples.clear(&rect, pattern.len(), NEAREST_NOTHING);
        for &id in triangles.iter() {
            let triangle = &geometry.triangle(id);
            match cutoff(geometry.alpha(triangle)) {
                None => cover_scalar(pattern, &rect, triangle, 0, samples, |_, _| true),
                Some(cutoff) => {
                    let surface = Interpolants::new(geometry, id);
                    let test = PointTest { surface, cutoff };
                    let solid = |x: i32, y: i32| test.is_solid(x, y);
                    cover_scalar(pattern, &rect, triangle, 0, samples, solid);
                }
            }
        }
        keep.keep(&texels_of(&rect, samples, |depths| depths.map(whole_depth)));
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { geometry, rect, scratch, keep, has_masks } = self;
        let DepthScratch { samples, triangles, solid } = scratch;
        let pattern: SamplePattern = geometry.pattern;
        samples.clear(&rect, pattern.len(), NEAREST_NOTHING);
        let lattice = &Lattice::new(simd, pattern);

        // 1. Triangles with an alpha test; the others move to the front of the list.
        solid.clear();
        geometry.bring(simd, triangles, solid);
        if has_masks {
            let mut kept = 0;
            for (index, &id) in triangles.iter().enumerate() {
                let triangle = solid[index];
                match cutoff(geometry.alpha(&triangle)) {
                    None => {
                        solid[kept] = triangle;
                        kept += 1;
                    }
                    Some(cutoff) => {
                        let surface = Interpolants::new(geometry, id);
                        let test = &PointTest { surface, cutoff };
                        let both = [&triangle, &flat(&triangle)];
                        cover_mask(lattice, geometry, &rect, both, 0, test, samples);
                    }
                }
            }
            solid.truncate(kept);
        }

        // 2. The others, a vector of them at a time. Only depths are kept, so their order does not matter.
        for together in solid.chunks(S::u32s::LEN) {
            let group = Group::new(lattice, &rect, together);
            let mut left = group.alone();
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let triangle = &together[lane as usize];
                group.cover_alone::<false>(lattice, &rect, lane, triangle, 0, samples);
            }
            group.cover_small::<false>(lattice, &rect, group.small(), 0, samples);
        }
        keep.keep(&texels_of(&rect, samples, |depths| whole_lanes(simd, depths)));
    }
}
