//! Triangle setup: reject, clip, snap to 1/256 pixel, cull.
//!
//! Input: meshes and their vertices, projected to a picture or a depth map. Output: chunks of
//! set-up triangles, binned by tile. The triangles of all draws are numbered consecutively and
//! split into chunks; chunks run in parallel and keep their order.

pub(crate) mod lanes;
pub(crate) mod run;
pub(crate) mod scalar;

use crate::geometry::bin::bin_triangles;
use crate::geometry::bin::lanes::TileOf;
use crate::geometry::chunk::{Chunk, TRIANGLES_PER_CHUNK};
use crate::geometry::grid::Grid;
use crate::geometry::projection::Projection;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::geometry::setup::lanes::SetUpRun;
use crate::geometry::setup::run::{DroppedSides, Gaps, Run};
use crate::geometry::vertex_table::VertexTable;
use crate::view::View;
use rayon::prelude::*;
use tintype_model::simd::{self, Level};

/// A picture or a depth map as the target of triangle setup.
#[derive(Clone, Copy)]
pub(crate) struct Screen<'a> {
    /// The camera of a picture. None for a depth map, which contains only casters, with all their
    /// vertices.
    pub camera: Option<&'a Projection>,
    /// True if y points up: then fronts have a positive area, otherwise a negative one.
    pub is_upward: bool,
    /// Vertices of all draws, in the order of the vertex table.
    pub vertices: &'a [ScreenVertex],
    pub grid: &'a Grid,
    /// Samples per pixel.
    pub samples: u32,
}

/// Sets up and bins all triangles of a view.
pub(crate) fn set_up(view: &View, level: Level, table: &VertexTable, screen: Screen) -> Vec<Chunk> {
    let Screen { camera: projection, is_upward, vertices, grid, samples } = screen;
    // The number of the first triangle of each draw, and the total.
    let mut first = vec![0];
    for draw in view.draws {
        let is_shown = projection.is_some() || draw.casts;
        let count = if is_shown { draw.triangles.len() } else { 0 };
        first.push(first[first.len() - 1] + count);
    }
    let total = first[first.len() - 1];
    let gaps = Gaps::new(samples);
    let tile_of = TileOf::new(grid);
    (0..total.div_ceil(TRIANGLES_PER_CHUNK))
        .into_par_iter()
        .map(|index| {
            let range = index * TRIANGLES_PER_CHUNK..((index + 1) * TRIANGLES_PER_CHUNK).min(total);
            // Reserved pages without triangles are never touched.
            let (triangles, tiles) =
                (Vec::with_capacity(range.len() / 2), Vec::with_capacity(range.len() / 2));
            let mut chunk = Chunk { triangles, tiles, ..Chunk::default() };
            let mut draw = first.partition_point(|&start| start <= range.start) - 1;
            let mut at = range.start;
            while at < range.end {
                let end = first[draw + 1].min(range.end);
                let source = at - first[draw]..end - first[draw];
                let dropped = match projection {
                    Some(_) => DroppedSides::of(view, &view.draws[draw]),
                    None => DroppedSides::of_caster(view, &view.draws[draw], is_upward),
                };
                let number = u32::try_from(draw).expect("fewer than 2^32 draws");
                chunk.draws.push((chunk.triangles.len(), number));
                let first = table.first[draw];
                let vertices = &vertices[first as usize..][..view.draws[draw].posed.len()];
                let run = Run { view, projection, vertices, first, draw, gaps, tile_of, dropped };
                simd::run(level, SetUpRun { run: &run, source, chunk: &mut chunk });
                at = end;
                draw += 1;
            }
            chunk.bins = bin_triangles(grid, &chunk, vertices);
            chunk
        })
        .collect()
}
