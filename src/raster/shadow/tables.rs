//! Tables of a depth map that the filter reads: strided maps, bounds of blocks, the greatest depth.
//!
//! Each tile fills its part as soon as it is drawn, while its texels are in the cache, so no pass over the whole map follows and an
//! empty tile costs nothing.

use crate::raster::geometry::grid::Grid;
use crate::raster::shadow::bounds::{BITS, BlockBounds, Bounds, TileBounds};
use crate::raster::shadow::strided::{STRIDES, StridedMap};
use crate::raster::shadow::tile::{Keep, TILE, TileTexels};

/// Tables of one map.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// All texels, then every second, fourth and so on.
    pub strided: Vec<StridedMap>,
    /// Bounds of the blocks of each size of [`BITS`].
    pub bounds: Vec<BlockBounds>,
    /// Greatest depth of all.
    pub highest: u16,
}

/// Part of the tables that one tile fills.
pub(crate) struct TileTables<'a, 'm> {
    strided: Vec<&'a mut [&'m mut [u16]]>,
    bounds: Vec<&'a mut [&'m mut [Bounds]]>,
    highest: &'a mut u16,
}

impl Tables {
    /// Tables of a map of that size, which `fill` passes on to its tiles.
    pub(crate) fn filled(size: [u32; 2], fill: impl FnOnce(Vec<TileTables>)) -> Self {
        let grid = |bits: u32| Grid::new(size.map(|side| side.div_ceil(1 << bits)), TILE >> bits);

        // 1. Everything empty.
        let empty = |bits| {
            let Grid { width, height, .. } = grid(bits);
            StridedMap::new(width as usize, height as usize)
        };
        let mut strided: Vec<StridedMap> = (0..STRIDES).map(empty).collect();
        let mut bounds: Vec<_> = BITS.map(|bits| BlockBounds::new(size, bits)).into();
        let mut highest = vec![0; grid(0).tile_count()];

        // 2. The parts of each tile.
        let mut texels: Vec<_> =
            (0..).zip(&mut strided).map(|(bits, map)| grid(bits).pieces(map.rows_mut())).collect();
        let mut blocks: Vec<_> = BITS
            .iter()
            .zip(&mut bounds)
            .map(|(&bits, all)| grid(bits).rows(&mut all.blocks))
            .collect();
        let mut texels: Vec<_> = (0..)
            .zip(&mut texels)
            .map(|(bits, rows)| grid(bits).by_tile(rows).into_iter())
            .collect();
        let mut blocks: Vec<_> = BITS
            .iter()
            .zip(&mut blocks)
            .map(|(&bits, rows)| grid(bits).by_tile(rows).into_iter())
            .collect();
        let tile = |highest| TileTables {
            strided: texels.iter_mut().filter_map(Iterator::next).collect(),
            bounds: blocks.iter_mut().filter_map(Iterator::next).collect(),
            highest,
        };
        fill(highest.iter_mut().map(tile).collect());
        let highest = highest.into_iter().max().unwrap_or(0);
        Self { strided, bounds, highest }
    }

    /// Tables of rows of texels.
    #[cfg(test)]
    pub(crate) fn of_texels(size: [u32; 2], texels: &[u16]) -> Self {
        let grid = Grid::new(size, TILE);
        Self::filled(size, |tiles| {
            for (index, tile) in tiles.into_iter().enumerate() {
                let rect = grid.rect(index);
                let mut part = [[0; TILE as usize]; TILE as usize];
                for (row, to) in (rect.y..rect.y + rect.height).zip(&mut part) {
                    let from = &texels[(row * size[0] + rect.x) as usize..][..rect.width as usize];
                    to[..from.len()].copy_from_slice(from);
                }
                tile.keep(&part);
            }
        })
    }
}

impl Keep for TileTables<'_, '_> {
    #[inline(always)]
    fn keep(mut self, texels: &TileTexels) {
        // 1. Strided maps: of every second row every second texel goes on to the next.
        let mut highest = 0;
        for (y, row) in texels.iter().enumerate() {
            for &texel in row {
                highest = highest.max(texel);
            }
            let (mut row, mut y) = (*row, y);
            for map in &mut self.strided {
                if let Some(to) = map.get_mut(y) {
                    to.copy_from_slice(&row[..to.len()]);
                }
                if y % 2 != 0 {
                    break;
                }
                y /= 2;
                for at in 0..row.len() / 2 {
                    row[at] = row[2 * at];
                }
            }
        }
        *self.highest = highest;

        // 2. Bounds of blocks.
        let found = TileBounds::of(texels);
        for (kind, rows) in self.bounds.into_iter().enumerate() {
            for (to, from) in rows.iter_mut().zip(found.rows(kind)) {
                to.copy_from_slice(&from[..to.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::shadow::strided::BESIDE;

    #[test]
    fn strided_maps_hold_every_texel_that_stands_on_their_lattice() {
        for [width, height] in [[1_u32, 1_u32], [7, 5], [64, 33], [130, 67]] {
            let texels: Vec<u16> = (1..=width * height).map(|number| number as u16).collect();
            let tables = Tables::of_texels([width, height], &texels);
            assert_eq!(u32::from(tables.highest), width * height);
            assert_eq!(tables.strided.len(), STRIDES as usize);
            for (bits, grain) in tables.strided.iter().enumerate() {
                let step = 1 << bits;
                assert_eq!(grain.height, (height as usize).div_ceil(step));
                for y in 0..grain.height {
                    let every = |x: usize| texels[y * step * width as usize + x * step];
                    let wanted: Vec<u16> = (0..grain.width).map(every).collect();
                    assert_eq!(grain.row(y), wanted);
                    let whole = &grain.texels[y * grain.stride..(y + 1) * grain.stride];
                    let (left, rest) = whole.split_at(BESIDE);
                    let right = &rest[grain.width..];
                    assert!(right.len() == BESIDE && left.iter().chain(right).all(|&t| t == 0));
                }
            }
        }
    }
}
