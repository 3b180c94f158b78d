//! Depth pass: triangles -> depth map, seen from a directional light.
//!
//! Input: the casters of a view and the space of the map. Output: the depth of the surface nearest
//! to the light over the centre of each texel. Coverage is computed as in the frame, with one
//! sample per texel: exact, and the same on every level.

use crate::alpha_test::lanes::cover_mask;
use crate::alpha_test::scalar::PointTest;
use crate::coverage::lanes::Lattice;
use crate::coverage::samples::Samples;
use crate::coverage::scalar::cover_scalar;
use crate::coverage::triangle_lanes::Group;
use crate::geometry::chunk::{TriangleId, list_triangles};
use crate::geometry::context::GeometryContext;
use crate::geometry::edge::{SamplePattern, sample_pattern};
use crate::geometry::grid::{Grid, Rect};
use crate::geometry::setup::{Screen, set_up};
use crate::geometry::triangle::SetupTriangle;
use crate::geometry::vertex_table::VertexTable;
use crate::interpolate::scalar::Interpolants;
use crate::shadow::project::project_to_map;
use crate::shadow::space::Space;
use crate::shadow::tile::{
    Band, NEAREST_NOTHING, STRETCH, Stretch, TILE, TileTexels, rows_of_stretches, texels_of,
    whole_depth, whole_lanes,
};
use crate::view::View;
use rayon::prelude::*;
use tintype_model::AlphaMode;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Minimum alpha at which a blended surface casts a shadow.
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
    let mut texels = vec![0; width as usize * height as usize];
    let rows = |texels| Rows { texels, width: width as usize };
    let bands = texels.chunks_mut((width * TILE).max(1) as usize).map(rows).collect();
    draw_depth_tiles(view, level, table, space, bands);
    DepthMap { width, height, texels }
}

/// Rows of an empty [`DepthMap`] that belong to a row of tiles.
struct Rows<'m> {
    texels: &'m mut [u16],
    width: usize,
}

/// Rows of a few tiles.
struct Pieces<'m>(Vec<&'m mut [u16]>);

impl<'m> Band for Rows<'m> {
    type Stretch = Pieces<'m>;

    fn stretches(self) -> Vec<Pieces<'m>> {
        let rows = self.texels.chunks_exact_mut(self.width);
        rows_of_stretches(rows, TILE as usize).into_iter().map(Pieces).collect()
    }
}

impl Stretch for Pieces<'_> {
    const HIGHEST: u16 = u16::MAX;

    #[inline(always)]
    fn keep(&mut self, tile: usize, texels: &TileTexels) {
        let side = TILE as usize;
        for (row, from) in self.0.iter_mut().zip(texels) {
            let to = &mut row[tile * side..];
            let count = side.min(to.len());
            to[..count].copy_from_slice(&from[..count]);
        }
    }

    fn skip(&mut self, _: usize) {}
}

/// Draws all casters of a view, one band per row of tiles.
pub(super) fn draw_depth_tiles<B: Band>(
    view: &View,
    level: Level,
    table: &VertexTable,
    space: &Space,
    bands: Vec<B>,
) {
    // 1. Triangles in texels.
    let grid = &Grid::new(space.size, TILE);
    let vertices = project_to_map(level, space, view.draws);
    let [right, up, toward] = space.axes;
    let is_upward = right.cross(up).dot(toward) > 0.0;
    let screen = Screen { camera: None, is_upward, vertices: &vertices, grid, samples: 1 };
    let chunks = set_up(view, level, table, screen);

    // 2. Tiles.
    let pattern = sample_pattern(1).expect("one sample is a pattern");
    let geometry = GeometryContext {
        draws: view.draws,
        materials: view.materials,
        textures: view.textures,
        is_stacked: false,
        anisotropy: view.anisotropy,
        screen: &vertices,
        chunks: &chunks,
        table,
        is_orthographic: true,
        pattern,
        leaves_clear: false,
        #[cfg(test)]
        fault: None,
    };
    let has_masks = view
        .draws
        .iter()
        .any(|draw| draw.casts && cutoff(view.materials[draw.material].alpha).is_some());
    let columns = grid.columns as usize;
    let stretch = |scratch: &mut DepthScratch, first: usize, count: usize, mut kept: B::Stretch| {
        for tile in 0..count {
            let index = first + tile;
            list_triangles(&chunks, index, &mut scratch.triangles);
            if scratch.triangles.is_empty() {
                kept.skip(tile);
                continue;
            }
            let (geometry, rect, kept) = (&geometry, grid.rect(index), &mut kept);
            let scratch = &mut *scratch;
            simd::run(level, DepthPassTile { geometry, rect, scratch, kept, tile, has_masks });
        }
    };
    bands.into_par_iter().enumerate().for_each(|(row, band)| {
        let stretches = band.stretches().into_par_iter().enumerate();
        stretches.for_each_init(DepthScratch::default, |scratch, (number, kept)| {
            let column = number * STRETCH;
            let count = STRETCH.min(columns.saturating_sub(column));
            stretch(scratch, row * columns + column, count, kept);
        });
    });
}

/// Minimum alpha at which a material casts. None if all of it does.
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
    kept: &'a mut K,
    /// Its position in the stretch.
    tile: usize,
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

impl<K: Stretch> Kernel for DepthPassTile<'_, K> {
    type Output = ();

    fn scalar(self) {
        let Self { geometry, rect, scratch, kept, tile, .. } = self;
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
        kept.keep(
            tile,
            &texels_of(&rect, samples, |depths| depths.map(|depth| whole_depth(depth, K::HIGHEST))),
        );
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { geometry, rect, scratch, kept, tile, has_masks } = self;
        let DepthScratch { samples, triangles, solid } = scratch;
        let pattern: SamplePattern = geometry.pattern;
        samples.clear(&rect, pattern.len(), NEAREST_NOTHING);
        let lattice = &Lattice::new(simd, pattern);

        // 1. Triangles with an alpha test; the others move to the front of the list.
        solid.clear();
        geometry.bring(simd, triangles, solid);
        if has_masks {
            let mut count = 0;
            for (index, &id) in triangles.iter().enumerate() {
                let triangle = solid[index];
                match cutoff(geometry.alpha(&triangle)) {
                    None => {
                        solid[count] = triangle;
                        count += 1;
                    }
                    Some(cutoff) => {
                        let surface = Interpolants::new(geometry, id);
                        let test = &PointTest { surface, cutoff };
                        let both = [&triangle, &flat(&triangle)];
                        cover_mask(lattice, geometry, &rect, both, 0, test, samples);
                    }
                }
            }
            solid.truncate(count);
        }

        // 2. The others, a vector of them at a time. Only depths are kept, so their order does not
        //    matter.
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
        kept.keep(tile, &texels_of(&rect, samples, |depths| whole_lanes(simd, depths, K::HIGHEST)));
    }
}
