//! Depth pass: triangles -> depth map, as a directional light sees them.
//!
//! Input: the casters of a view and the space of the map. Output: the depth of the surface nearest to the light over the middle of
//! each texel. Coverage is that of the frame, with one sample per texel: exact, and the same on every level.

use crate::math::clamp;
use crate::model::AlphaMode;
use crate::raster::alpha_test::lanes::cover_mask;
use crate::raster::alpha_test::scalar::PointTest;
use crate::raster::coverage::lanes::Lattice;
use crate::raster::coverage::samples::Samples;
use crate::raster::coverage::scalar::cover_scalar;
use crate::raster::coverage::triangle_lanes::Group;
use crate::raster::geometry::bin::bin_triangles;
use crate::raster::geometry::chunk::{Chunk, TRIANGLES_PER_CHUNK, TriangleId};
use crate::raster::geometry::context::GeometryContext;
use crate::raster::geometry::edge::{SamplePattern, UNIT, UNIT_BITS, doubled_area, sample_pattern};
use crate::raster::geometry::grid::{Grid, Rect};
use crate::raster::geometry::morton::Morton;
use crate::raster::geometry::triangle::{SetupTriangle, Source};
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::interpolate::scalar::Interpolants;
use crate::raster::shadow::space::Space;
use crate::raster::view::View;
use crate::simd::prelude::*;
use crate::simd::{self, Kernel, Level, Simd};
use rayon::prelude::*;

/// Least alpha from which a blended surface casts a shadow.
pub(crate) const SOLID: f32 = 0.5;
/// Texels along a side of a tile.
const TILE: u32 = 64;
/// Depth of an empty texel; depths of surfaces are whole and at least 1.
const NEAREST_NOTHING: f32 = 0.5;

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

    // 1. Triangles in texels, draw by draw.
    let mut jobs: Vec<(usize, core::ops::Range<usize>)> = Vec::new();
    for (number, draw) in view.draws.iter().enumerate().filter(|(_, draw)| draw.casts) {
        let count = draw.mesh.triangles.len();
        let starts = (0..count).step_by(TRIANGLES_PER_CHUNK);
        jobs.extend(starts.map(|start| (number, start..(start + TRIANGLES_PER_CHUNK).min(count))));
    }
    let map_vertices: Vec<Vec<MapVertex>> = view
        .draws
        .par_iter()
        .map(
            |draw| if draw.casts { project_vertices_to_map(space, draw.posed) } else { Vec::new() },
        )
        .collect();
    let chunks: Vec<Chunk> = jobs
        .into_par_iter()
        .map(|(number, range)| {
            let triangles = set_up(view, number, range, &map_vertices[number], table.first[number]);
            let bins = bin_triangles(&grid, &triangles, &[]);
            Chunk { triangles, bins, ..Chunk::default() }
        })
        .collect();

    // 2. Tiles.
    let pattern = sample_pattern(1).expect("one sample is a pattern");
    let geometry = GeometryContext {
        draws: view.draws,
        materials: view.materials,
        textures: view.textures,
        anisotropy: view.anisotropy,
        chunks: &chunks,
        table,
        is_parallel: true,
        pattern,
        #[cfg(test)]
        fault: None,
    };
    let mut texels = vec![0; width as usize * height as usize];
    let mut rows = grid.rows(&mut texels);
    grid.by_tile(&mut rows).into_par_iter().enumerate().for_each_init(
        || (Samples::default(), Vec::new()),
        |(samples, solid), (index, rows)| {
            let rect = grid.rect(index);
            // The texels are empty already.
            if chunks.iter().all(|chunk| chunk.bins.of_tile(index).is_empty()) {
                return;
            }
            let tile = DepthPassTile { geometry: &geometry, rect, index, samples, solid, rows };
            simd::run(level, tile);
        },
    );
    DepthMap { width, height, texels }
}

/// A vertex in the map: position in 1/256 texel, and depth.
type MapVertex = ([i32; 2], f32);

#[expect(clippy::cast_possible_truncation, reason = "the map holds all casters")]
fn project_vertices_to_map(space: &Space, posed: &crate::model::PosedMesh) -> Vec<MapVertex> {
    const UNITS: f32 = 256.0; // UNIT
    let place = |vertex| {
        let at = space.local(posed.position_at(vertex));
        let fixed = |value: f32| (value * UNITS + 0.5).floor() as i32;
        ([fixed(at.x), fixed(at.y)], at.z)
    };
    (0..posed.len()).map(place).collect()
}

/// Sets up the triangles of a range that may hold the middle of a texel.
fn set_up(
    view: &View,
    number: usize,
    range: core::ops::Range<usize>,
    map_vertices: &[MapVertex],
    first_vertex: u32,
) -> Vec<SetupTriangle> {
    let mesh = view.draws[number].mesh;
    let draw = u32::try_from(number).expect("fewer than 2^32 draws");
    let first = u32::try_from(range.start).expect("fewer than 2^32 triangles");
    let mut triangles = Vec::with_capacity(range.len());
    for (source, triangle) in (first..).zip(&mesh.triangles[range]) {
        let corners = triangle.map(|vertex| map_vertices[vertex as usize]);
        let (x, y) = (corners.map(|(at, _)| at[0]), corners.map(|(at, _)| at[1]));
        let area = doubled_area(x, y);
        if area == 0 || misses_middles(x) || misses_middles(y) {
            continue;
        }
        // Casters are two-sided.
        let depth = corners.map(|(_, depth)| depth);
        let source =
            Source { vertices: triangle.map(|vertex| first_vertex + vertex), draw, source };
        triangles.push(SetupTriangle::whole(x, y, depth, source, area < 0));
    }
    // In a crowd most triangles are smaller than a texel.
    triangles.shrink_to_fit();
    triangles
}

/// Whether a closed range of coordinates holds no middle of a texel.
fn misses_middles([a, b, c]: [i32; 3]) -> bool {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    (low - UNIT / 2 - 1) >> UNIT_BITS == (high - UNIT / 2) >> UNIT_BITS
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
struct DepthPassTile<'a, 'm> {
    geometry: &'a GeometryContext<'a>,
    rect: Rect,
    index: usize,
    samples: &'a mut Samples,
    /// Triangles without an alpha test, for lanes.
    solid: &'a mut Vec<SetupTriangle>,
    rows: &'a mut [&'m mut [u16]],
}

impl DepthPassTile<'_, '_> {
    #[inline(always)]
    fn store(self) {
        // One sample per texel, in Morton order.
        let depths = self.samples.depths();
        for (row, out) in (0..).zip(self.rows.iter_mut()) {
            // Two columns from an even one on have consecutive codes.
            for (column, out) in (0..).step_by(2).zip(out.chunks_mut(2)) {
                let first = usize::from(Morton::new(column, row).0);
                for (out, &depth) in out.iter_mut().zip(&depths[first..]) {
                    *out = whole_depth(depth);
                }
            }
        }
    }
}

/// Rounds a depth to a whole number; 0 where there is no surface.
#[expect(clippy::cast_possible_truncation, reason = "held to 16 bits")]
#[expect(clippy::cast_sign_loss, reason = "above 0")]
#[inline(always)]
fn whole_depth(depth: f32) -> u16 {
    if depth > NEAREST_NOTHING { clamp(depth + 0.5, 1.0, 65535.0) as u16 } else { 0 }
}

/// The triangle for texture interpolation: a directional light has no perspective.
fn flat(triangle: &SetupTriangle) -> SetupTriangle {
    SetupTriangle { depth: [1.0; 3], ..*triangle }
}

impl Kernel for DepthPassTile<'_, '_> {
    type Output = ();

    fn scalar(self) {
        let Self { geometry, rect, index, .. } = self;
        let pattern: SamplePattern = geometry.pattern;
        self.samples.clear(&rect, pattern.len(), NEAREST_NOTHING);
        for (number, chunk) in geometry.chunks.iter().enumerate() {
            for &local in chunk.bins.of_tile(index) {
                let id = TriangleId::new(number, local);
                let triangle = &chunk.triangles[usize::from(local)];
                match cutoff(geometry.material(id).alpha) {
                    None => {
                        cover_scalar(pattern, &rect, triangle, 0, self.samples, |_, _| true);
                    }
                    Some(cutoff) => {
                        let surface = Interpolants::new(geometry, id);
                        let test = PointTest { surface, cutoff };
                        let solid = |x: i32, y: i32| test.is_solid(x, y);
                        cover_scalar(pattern, &rect, triangle, 0, self.samples, solid);
                    }
                }
            }
        }
        self.store();
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { geometry, rect, index, .. } = self;
        let pattern: SamplePattern = geometry.pattern;
        self.samples.clear(&rect, pattern.len(), NEAREST_NOTHING);
        let lattice = &Lattice::new(simd, pattern);

        // 1. Triangles with an alpha test; of the others, only copies.
        self.solid.clear();
        for (number, chunk) in geometry.chunks.iter().enumerate() {
            for &local in chunk.bins.of_tile(index) {
                let id = TriangleId::new(number, local);
                let triangle = &chunk.triangles[usize::from(local)];
                match cutoff(geometry.material(id).alpha) {
                    None => self.solid.push(*triangle),
                    Some(cutoff) => {
                        let surface = Interpolants::new(geometry, id);
                        let test = &PointTest { surface, cutoff };
                        let both = [triangle, &flat(triangle)];
                        cover_mask(lattice, geometry, &rect, both, 0, test, self.samples);
                    }
                }
            }
        }

        // 2. The others, a vector of them at a time. Only depths are kept, so their order does not matter.
        for together in self.solid.chunks(S::u32s::LEN) {
            let group = Group::new(lattice, &rect, together);
            let mut left = group.alone();
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let triangle = &together[lane as usize];
                group.cover_alone(lattice, &rect, lane, triangle, 0, self.samples);
            }
            group.cover_small(lattice, &rect, group.small(), 0, self.samples);
        }
        self.store();
    }
}
