//! Which tiles a triangle may touch.

use crate::raster::geometry::edge::{Against, UNIT, triangle_edges};
use crate::raster::geometry::setup::SetupTriangle;
use crate::simd::Simd;
use crate::simd::prelude::*;
use core::iter;

/// The picture cut into square tiles, numbered row by row; the last column and row may be narrower.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    width: u32,
    height: u32,
    tile: u32,
    columns: u32,
    rows: u32,
}

/// The pixels of one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Grid {
    pub fn new([width, height]: [u32; 2], tile: u32) -> Self {
        Self { width, height, tile, columns: width.div_ceil(tile), rows: height.div_ceil(tile) }
    }

    /// Its columns and rows as squares along either axis.
    fn squares(&self) -> (Squares, Squares) {
        (Squares::new(self.tile, self.columns), Squares::new(self.tile, self.rows))
    }

    pub fn tile_count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The rows of all tiles in the pixels of a picture, tile by tile.
    pub fn rows<'f, T>(&self, pixels: &'f mut [T]) -> Vec<&'f mut [T]> {
        let (width, tile) = (self.width as usize, self.tile as usize);
        let mut pieces = Vec::with_capacity(self.height as usize * self.columns as usize);
        let mut rows: Vec<_> =
            pixels.chunks_exact_mut(width).map(|row| row.chunks_mut(tile)).collect();
        for band in rows.chunks_mut(tile) {
            for _ in 0..self.columns {
                pieces.extend(band.iter_mut().filter_map(Iterator::next));
            }
        }
        pieces
    }

    /// What belongs to each tile of what [`Grid::rows`] lists.
    pub fn by_tile<'p, T>(&self, mut pieces: &'p mut [T]) -> Vec<&'p mut [T]> {
        let heights = (0..self.tile_count()).map(|index| self.rect(index).height as usize);
        heights.map(|height| pieces.split_off_mut(..height).expect("a row each")).collect()
    }

    pub fn rect(&self, index: usize) -> Rect {
        let index = u32::try_from(index).expect("at most 2^24 tiles");
        let (x, y) = (index % self.columns * self.tile, index / self.columns * self.tile);
        Rect { x, y, width: self.tile.min(self.width - x), height: self.tile.min(self.height - y) }
    }
}

/// The triangles of one chunk by tile, each tile's in submission order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    /// The tile with the lowest number that a triangle may touch.
    first: usize,
    /// Per tile from there on: where its triangles begin; one more tells where the last one's end.
    start: Vec<u32>,
    /// Places of triangles in the chunk.
    triangles: Vec<u16>,
}

impl Bins {
    /// The triangles that may touch a tile, in submission order.
    #[inline]
    pub fn of_tile(&self, tile: usize) -> &[u16] {
        match tile.checked_sub(self.first) {
            Some(local) if local + 1 < self.start.len() => {
                &self.triangles[self.start[local] as usize..self.start[local + 1] as usize]
            }
            _ => &[],
        }
    }
}

/// Instead of the number of a tile: a triangle may touch several, or nobody has asked.
pub(crate) const MANY_TILES: u32 = u32::MAX;

/// Which single tile holds the boxes of triangles, over lanes.
#[derive(Clone, Copy)]
pub(crate) struct TileOf {
    bits: u32,
    last: [i32; 2],
    columns: u32,
}

impl TileOf {
    /// None where the side of a tile is no power of two.
    pub fn new(grid: &Grid) -> Option<Self> {
        let (across, down) = grid.squares();
        Some(Self { bits: across.bits?, last: [across.last, down.last], columns: grid.columns })
    }

    /// The number of the tile that holds a box, or [`MANY_TILES`].
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "at most 2^14 tiles a side")]
    pub fn of<S: Simd>(&self, simd: S, low: [S::i32s; 2], high: [S::i32s; 2]) -> S::u32s {
        let (left, right) = (low[0] >> self.bits, high[0] >> self.bits);
        let (top, bottom) = (low[1] >> self.bits, high[1] >> self.bits);
        let is_one = left.simd_eq(right) & top.simd_eq(bottom);
        let is_there = left.simd_ge(0)
            & top.simd_ge(0)
            & left.simd_le(self.last[0])
            & top.simd_le(self.last[1]);
        let tile: S::u32s = (top * self.columns as i32 + left).bitcast();
        (is_one & is_there).select(tile, S::u32s::simd_from(simd, MANY_TILES))
    }
}

/// Squares of equal side along an axis.
#[derive(Clone, Copy)]
struct Squares {
    side: i32,
    /// The binary logarithm of the side, if that is whole.
    bits: Option<u32>,
    last: i32,
}

impl Squares {
    fn new(tile: u32, count: u32) -> Self {
        let side = i32::try_from(tile).expect("a tile is small") * UNIT;
        let bits = tile.is_power_of_two().then(|| side.trailing_zeros());
        Self { side, bits, last: i32::try_from(count).expect("at most 2^14 tiles a side") - 1 }
    }

    #[inline]
    fn of(&self, coordinate: i32) -> i32 {
        self.bits.map_or_else(|| coordinate.div_euclid(self.side), |bits| coordinate >> bits)
    }

    /// The first and last square that the closed range of coordinates touches.
    #[inline]
    fn touched(&self, [a, b, c]: [i32; 3]) -> (i32, i32) {
        let low = self.of(a.min(b).min(c)).max(0);
        (low, self.of(a.max(b).max(c)).min(self.last))
    }
}

/// Bins triangles: by bounding box, and where that spans several tiles, by the edges too. `tiles` tells the tile of each that is
/// known to touch one only; triangles beyond its end are asked.
pub(crate) fn bin_triangles(grid: &Grid, triangles: &[SetupTriangle], tiles: &[u32]) -> Bins {
    let (across, down) = grid.squares();
    let side = across.side;
    let tiles = tiles.iter().copied().chain(iter::repeat(MANY_TILES));

    // 1. Pairs of tile and triangle, in submission order.
    let mut entries: Vec<(u32, u16)> = Vec::with_capacity(triangles.len() * 2);
    let (mut first, mut last) = (u32::MAX, 0);
    for ((index, triangle), tile) in (0_u16..).zip(triangles).zip(tiles) {
        if tile != MANY_TILES {
            (first, last) = (first.min(tile), last.max(tile));
            entries.push((tile, index));
            continue;
        }
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
    if entries.is_empty() {
        return Bins::default();
    }

    // 2. Sorted by tile, each tile's in submission order.
    let first = first as usize;
    let mut start = vec![0; last as usize - first + 2];
    for &(tile, _) in &entries {
        start[tile as usize - first + 1] += 1;
    }
    let mut total = 0;
    for start in &mut start {
        total += *start;
        *start = total;
    }
    let mut sorted = vec![0; entries.len()];
    for &(tile, index) in entries.iter().rev() {
        // Filled from the end of each tile, which leaves each number one tile too early.
        let end = &mut start[tile as usize - first + 1];
        *end -= 1;
        sorted[*end as usize] = index;
    }
    start.remove(0);
    start.push(total);
    Bins { first, start, triangles: sorted }
}
