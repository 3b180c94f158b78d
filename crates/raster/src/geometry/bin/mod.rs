//! Binning: lists the triangles that may touch each tile.
//!
//! Input: the set-up triangles of a chunk. Output: for each tile the indices of its triangles in
//! submission order. Triangles are binned by bounding box and, where that spans several tiles, also
//! by their edge functions.

pub(crate) mod bins;
pub(crate) mod lanes;

use crate::geometry::bin::bins::Bins;
use crate::geometry::chunk::Chunk;
use crate::geometry::edge::{Against, triangle_edges};
use crate::geometry::grid::{Grid, MANY_TILES};
use crate::geometry::screen_vertex::ScreenVertex;
use core::iter;

/// Bins the triangles of a chunk: by bounding box, and if that spans several tiles, by the edges
/// too. Tiles not yet known to the chunk are computed here.
pub(crate) fn bin_triangles(grid: &Grid, chunk: &Chunk, screen: &[ScreenVertex]) -> Bins {
    let (across, down) = grid.squares();
    let side = across.side;
    let count = chunk.triangles.len();
    let tiles = chunk.tiles.iter().copied().chain(iter::repeat(MANY_TILES)).take(count);

    // Pairs of tile and triangle, in submission order.
    let mut entries: Vec<(u32, u16)> = Vec::with_capacity(count * 2);
    let (mut first, mut last) = (u32::MAX, 0);
    for (index, tile) in (0_u16..).zip(tiles) {
        if tile != MANY_TILES {
            (first, last) = (first.min(tile), last.max(tile));
            entries.push((tile, index));
            continue;
        }
        let triangle = chunk.triangle(usize::from(index), screen);
        let ((left, right), (top, bottom)) = (across.touched(triangle.x), down.touched(triangle.y));
        let mut put = |column: i32, row: i32| {
            let tile = row.cast_unsigned() * grid.columns + column.cast_unsigned();
            (first, last) = (first.min(tile), last.max(tile));
            entries.push((tile, index));
        };
        if left == right || top == bottom {
            for row in top..=bottom {
                for column in left..=right {
                    put(column, row);
                }
            }
            continue;
        }
        let edges = triangle_edges(triangle.x, triangle.y);
        for row in top..=bottom {
            for column in left..=right {
                let (x, y) = (column * side, row * side);
                if !edges.iter().any(|edge| edge.against_square(x, y, side) == Against::Outside) {
                    put(column, row);
                }
            }
        }
    }
    Bins::new(&entries, first, last)
}
