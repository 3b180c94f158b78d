//! Which tiles a triangle may touch.

use super::edge::{Against, UNIT, triangle_edges};
use super::setup::SetupTriangle;

/// The picture cut into square tiles, numbered row by row; the last column and row may be narrower.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    width: u32,
    height: u32,
    tile: u32,
    columns: u32,
    rows: u32,
}

/// The pixels of one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Grid {
    pub fn new([width, height]: [u32; 2], tile: u32) -> Self {
        Self { width, height, tile, columns: width.div_ceil(tile), rows: height.div_ceil(tile) }
    }

    pub fn tile_count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The rows of each tile in the pixels of a picture.
    pub fn split<'f, T>(&self, pixels: &'f mut [T]) -> Vec<Vec<&'f mut [T]>> {
        let mut tiles: Vec<Vec<&mut [T]>> = Vec::new();
        tiles.resize_with(self.tile_count(), || Vec::with_capacity(self.tile as usize));
        for (y, row) in pixels.chunks_exact_mut(self.width as usize).enumerate() {
            let first = y / self.tile as usize * self.columns as usize;
            for (tile, piece) in tiles[first..].iter_mut().zip(row.chunks_mut(self.tile as usize)) {
                tile.push(piece);
            }
        }
        tiles
    }

    pub fn rect(&self, index: usize) -> Rect {
        let index = u32::try_from(index).expect("at most 2^24 tiles");
        let (x, y) = (index % self.columns * self.tile, index / self.columns * self.tile);
        Rect { x, y, width: self.tile.min(self.width - x), height: self.tile.min(self.height - y) }
    }
}

/// The triangles of one chunk by tile, each tile's in submission order.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    /// (tile, place of the triangle in the chunk), rising.
    entries: Vec<(u32, u16)>,
}

impl Bins {
    /// The triangles that may touch a tile, in submission order.
    pub fn of_tile(&self, tile: usize) -> impl Iterator<Item = u16> + '_ {
        let start = self.entries.partition_point(|&(at, _)| (at as usize) < tile);
        self.entries[start..]
            .iter()
            .take_while(move |&&(at, _)| at as usize == tile)
            .map(|&(_, triangle)| triangle)
    }
}

/// The first and last index of squares of `side` units that the closed range of coordinates touches, held to `0..count`;
/// none if it touches no square.
fn touched(coordinates: [i32; 3], side: i32, count: u32) -> Option<(i32, i32)> {
    let [a, b, c] = coordinates;
    let last = i32::try_from(count).expect("at most 2^14 tiles a side") - 1;
    let low = a.min(b).min(c).div_euclid(side).max(0);
    let high = a.max(b).max(c).div_euclid(side).min(last);
    (low <= high).then_some((low, high))
}

/// Bins triangles: by bounding box, and where that spans several tiles, by the edges too.
pub(super) fn bin_triangles(grid: &Grid, triangles: &[SetupTriangle]) -> Bins {
    let side = i32::try_from(grid.tile).expect("a tile is small") * UNIT;
    let mut entries = Vec::with_capacity(triangles.len() * 2);
    for (index, triangle) in (0_u16..).zip(triangles) {
        let (Some((left, right)), Some((top, bottom))) =
            (touched(triangle.x, side, grid.columns), touched(triangle.y, side, grid.rows))
        else {
            continue;
        };
        let one_line = left == right || top == bottom;
        let edges = triangle_edges(triangle.x, triangle.y);
        for row in top..=bottom {
            for column in left..=right {
                let outside = !one_line
                    && edges.iter().any(|edge| {
                        edge.against_square(column * side, row * side, side) == Against::Outside
                    });
                if !outside {
                    let tile = row.cast_unsigned() * grid.columns + column.cast_unsigned();
                    entries.push((tile, index));
                }
            }
        }
    }
    entries.sort_unstable();
    Bins { entries }
}
