//! Tables of a depth map that the filter reads: strided maps, bounds of blocks, the greatest depth.
//!
//! Each tile fills its part as soon as it is drawn, while its texels are in the cache, so no pass over the whole map follows and an
//! empty tile costs nothing. Tables of a frame that is done are filled again: their memory is known to the processor, and only
//! tiles that were drawn before have to be emptied.

use crate::raster::geometry::grid::Grid;
use crate::raster::shadow::bounds::{BITS, BlockBounds, Bounds, TileBounds};
use crate::raster::shadow::strided::{BESIDE, STRIDES, StridedMap};
use crate::raster::shadow::tile::{Band, TILE, TileTexels};

/// Tables of one map.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// All texels, then every second, fourth and so on.
    pub strided: Vec<StridedMap>,
    /// Bounds of the blocks of each size of [`BITS`].
    pub bounds: Vec<BlockBounds>,
    /// Greatest depth of all.
    pub highest: u16,
    /// Texels a side for which there is room, whole tiles.
    room: [u32; 2],
    /// Tiles that hold a surface, row by row.
    drawn: Vec<bool>,
}

/// Tables grow by so many texels a side: those of a map that is a little larger in the next frame are filled again.
const ROOM: u32 = 4 * TILE;

/// Part of the tables that one row of tiles fills.
pub(crate) struct TableBand<'t> {
    /// Rows of each strided map, and the texels from one to the next.
    strided: Vec<(&'t mut [u16], usize)>,
    /// Rows of the blocks of each size, and the blocks of a row.
    bounds: Vec<(&'t mut [Bounds], usize)>,
    highest: &'t mut u16,
    drawn: &'t mut [bool],
}

/// Room for a map.
fn room_of(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side.next_multiple_of(ROOM))
}

const EMPTY: TileTexels = [[0; TILE as usize]; TILE as usize];

impl Tables {
    /// Tables of a map of that size, which `fill` passes on to its rows of tiles; made of those of another map, if there are any.
    pub(crate) fn filled(
        spare: Option<Self>,
        size: [u32; 2],
        fill: impl FnOnce(Vec<TableBand>),
    ) -> Self {
        let spare = spare.filter(|spare| spare.has_room_of(size));
        let mut tables = spare.unwrap_or_else(|| Self::with_room(room_of(size)));
        for (bits, map) in tables.strided.iter_mut().enumerate() {
            [map.width, map.height] = size.map(|side| (side as usize).div_ceil(1 << bits));
        }

        let grid = Grid::new(size, TILE);
        let mut highest = vec![0; (tables.room[1] / TILE) as usize];
        let mut bands = tables.bands(&mut highest);
        for (row, band) in bands.iter_mut().enumerate() {
            let first = if row < grid.rows as usize { grid.columns } else { 0 };
            (first as usize..band.drawn.len()).for_each(|column| band.skip(column));
        }
        bands.truncate(grid.rows as usize);
        fill(bands);
        tables.highest = highest.into_iter().max().unwrap_or(0);
        tables
    }

    /// Whether a map of that size is given the room that these have.
    pub(crate) fn has_room_of(&self, size: [u32; 2]) -> bool {
        self.room == room_of(size)
    }

    /// Empty tables.
    fn with_room(room: [u32; 2]) -> Self {
        let [width, height] = room.map(|side| side as usize);
        let strided =
            (0..STRIDES).map(|bits| StridedMap::with_room(width >> bits, height >> bits)).collect();
        let bounds = BITS.map(|bits| BlockBounds::new(room, bits)).into();
        let drawn = vec![false; Grid::new(room, TILE).tile_count()];
        Self { strided, bounds, highest: 0, room, drawn }
    }

    /// All rows of tiles for which there is room.
    fn bands<'t>(&'t mut self, highest: &'t mut [u16]) -> Vec<TableBand<'t>> {
        let side = TILE as usize;
        let columns = self.room[0] as usize / side;
        let mut strided: Vec<_> = (0..)
            .zip(&mut self.strided)
            .map(|(bits, map)| {
                let stride = map.stride;
                let rows = map.texels.chunks_exact_mut(stride * (side >> bits));
                rows.map(move |rows| (rows, stride))
            })
            .collect();
        let mut bounds: Vec<_> = BITS
            .iter()
            .zip(&mut self.bounds)
            .map(|(bits, all)| {
                let columns = all.columns;
                let rows = all.blocks.chunks_exact_mut(columns * (side >> bits));
                rows.map(move |rows| (rows, columns))
            })
            .collect();
        let band = |(highest, drawn)| TableBand {
            strided: strided.iter_mut().filter_map(Iterator::next).collect(),
            bounds: bounds.iter_mut().filter_map(Iterator::next).collect(),
            highest,
            drawn,
        };
        highest.iter_mut().zip(self.drawn.chunks_exact_mut(columns)).map(band).collect()
    }

    /// Tables of rows of texels.
    #[cfg(test)]
    pub(crate) fn of_texels(spare: Option<Self>, size: [u32; 2], texels: &[u16]) -> Self {
        let grid = Grid::new(size, TILE);
        Self::filled(spare, size, |mut bands| {
            for (index, column) in (0..grid.tile_count()).zip((0..grid.columns as usize).cycle()) {
                let rect = grid.rect(index);
                let mut part = EMPTY;
                for (row, to) in (rect.y..rect.y + rect.height).zip(&mut part) {
                    let from = &texels[(row * size[0] + rect.x) as usize..][..rect.width as usize];
                    to[..from.len()].copy_from_slice(from);
                }
                let band = &mut bands[index / grid.columns as usize];
                match part == EMPTY {
                    true => band.skip(column),
                    false => band.keep(column, &part),
                }
            }
        })
    }
}

impl Band for TableBand<'_> {
    #[inline(always)]
    fn keep(&mut self, column: usize, texels: &TileTexels) {
        self.drawn[column] = true;

        // 1. Strided maps: of every second row every second texel goes on to the next.
        let side = TILE as usize;
        let mut highest = 0;
        for (y, row) in texels.iter().enumerate() {
            for &texel in row {
                highest = texel.max(highest);
            }
            let (mut row, mut y) = (*row, y);
            for (bits, (rows, stride)) in self.strided.iter_mut().enumerate() {
                let count = side >> bits;
                let to = &mut rows[y * *stride + BESIDE + column * count..][..count];
                to.copy_from_slice(&row[..count]);
                if y % 2 != 0 {
                    break;
                }
                y /= 2;
                for at in 0..count / 2 {
                    row[at] = row[2 * at];
                }
            }
        }

        *self.highest = highest.max(*self.highest);

        // 2. Bounds of blocks.
        let found = TileBounds::of(texels);
        for (kind, (rows, columns)) in self.bounds.iter_mut().enumerate() {
            for (to, from) in rows.chunks_exact_mut(*columns).zip(found.rows(kind)) {
                to[column * from.len()..][..from.len()].copy_from_slice(from);
            }
        }
    }

    fn skip(&mut self, column: usize) {
        if self.drawn[column] {
            self.keep(column, &EMPTY);
            self.drawn[column] = false;
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
            let tables = Tables::of_texels(None, [width, height], &texels);
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
                    assert!(right.len() >= BESIDE && left.iter().chain(right).all(|&t| t == 0));
                }
            }
        }
    }

    #[test]
    fn tables_of_former_maps_are_those_of_new_ones() {
        let texels = |[width, height]: [u32; 2], seed: u32| -> Vec<u16> {
            let number = |at: u32| at.wrapping_mul(2_654_435_761).wrapping_add(seed * 40_503) >> 16;
            let is_held = |at: u32| !(at % width / 64 + at / width / 64 + seed).is_multiple_of(3);
            (0..width * height).map(|at| if is_held(at) { number(at) as u16 } else { 0 }).collect()
        };
        let mut spare = None;
        let sizes = [[250, 200], [256, 256], [70, 190], [3, 5], [200, 130], [300, 130], [257, 129]];
        for (seed, size) in (0..).zip(sizes) {
            let texels = texels(size, seed);
            let new = Tables::of_texels(None, size, &texels);
            let again = Tables::of_texels(spare.take(), size, &texels);
            assert_eq!(new.highest, again.highest);
            for (new, again) in new.strided.iter().zip(&again.strided) {
                assert_eq!([new.width, new.height], [again.width, again.height]);
                assert!(new.texels == again.texels, "{size:?}");
            }
            for (new, again) in new.bounds.iter().zip(&again.bounds) {
                assert!(new.blocks == again.blocks, "{size:?}");
            }
            spare = Some(again);
        }
    }
}
