//! Tiles of bounding boxes over lanes: most triangles lie in one tile, whose number setup finds at
//! once.

use crate::geometry::grid::{Grid, MANY_TILES};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

/// Finds the tile that contains a bounding box.
#[derive(Clone, Copy)]
pub(crate) struct TileOf {
    bits: u32,
    last: [i32; 2],
    columns: u32,
}

impl TileOf {
    /// None if the side of a tile is not a power of two.
    pub(crate) fn new(grid: &Grid) -> Option<Self> {
        let (across, down) = grid.squares();
        Some(Self { bits: across.bits?, last: [across.last, down.last], columns: grid.columns })
    }

    /// The number of the tile that contains a box, or [`MANY_TILES`]. Ends of the box in 1/256
    /// pixel.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "at most 2^14 tiles a side")]
    pub(crate) fn of<S: Simd>(&self, simd: S, low: [S::i32s; 2], high: [S::i32s; 2]) -> S::u32s {
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
