//! The grid of tiles over a picture.

use crate::geometry::edge::UNIT;
/// Picture cut into square tiles, numbered row by row; the last column and row may be narrower.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub width: u32,
    pub height: u32,
    pub tile: u32,
    pub columns: u32,
    pub rows: u32,
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
    pub(crate) fn new([width, height]: [u32; 2], tile: u32) -> Self {
        Self { width, height, tile, columns: width.div_ceil(tile), rows: height.div_ceil(tile) }
    }

    /// Columns and rows of tiles as intervals along x and y.
    pub(crate) fn squares(&self) -> (Squares, Squares) {
        (Squares::new(self.tile, self.columns), Squares::new(self.tile, self.rows))
    }

    pub(crate) fn tile_count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Cuts the rows of a picture at the tile borders; the pieces are listed tile by tile.
    pub(crate) fn rows<'f, T>(&self, pixels: &'f mut [T]) -> Vec<&'f mut [T]> {
        let rows = pixels.chunks_exact_mut(self.width as usize);
        let tile = self.tile as usize;
        let mut pieces = Vec::with_capacity(self.height as usize * self.columns as usize);
        let mut rows: Vec<_> = rows.map(|row| row.chunks_mut(tile)).collect();
        for band in rows.chunks_mut(tile) {
            for _ in 0..self.columns {
                pieces.extend(band.iter_mut().filter_map(Iterator::next));
            }
        }
        pieces
    }

    /// Groups the pieces of [`Grid::rows`] by tile.
    pub(crate) fn by_tile<'p, T>(&self, mut pieces: &'p mut [T]) -> Vec<&'p mut [T]> {
        let heights = (0..self.tile_count()).map(|index| self.rect(index).height as usize);
        heights.map(|height| pieces.split_off_mut(..height).expect("a row each")).collect()
    }

    /// The index of the tile of a pixel, and its position.
    pub(crate) fn tile_of(&self, x: u32, y: u32) -> (usize, Rect) {
        let index = (y / self.tile * self.columns + x / self.tile) as usize;
        (index, self.rect(index))
    }

    pub(crate) fn rect(&self, index: usize) -> Rect {
        let index = u32::try_from(index).expect("at most 2^24 tiles");
        let (x, y) = (index % self.columns * self.tile, index / self.columns * self.tile);
        Rect { x, y, width: self.tile.min(self.width - x), height: self.tile.min(self.height - y) }
    }
}

/// Marks a triangle that may touch several tiles, or whose tile is not yet known.
pub(crate) const MANY_TILES: u32 = u32::MAX;

/// Intervals of equal length along an axis, in 1/256 pixel.
#[derive(Clone, Copy)]
pub(crate) struct Squares {
    pub side: i32,
    /// The binary logarithm of the side, if it is an integer.
    pub bits: Option<u32>,
    pub last: i32,
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

    /// First and last interval touched by a closed range of coordinates.
    #[inline]
    pub(crate) fn touched(&self, [a, b, c]: [i32; 3]) -> (i32, i32) {
        let low = self.of(a.min(b).min(c)).max(0);
        (low, self.of(a.max(b).max(c)).min(self.last))
    }
}
