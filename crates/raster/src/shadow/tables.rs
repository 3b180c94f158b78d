//! Tables of a depth map that the filter reads: strided maps, bounds of blocks, the maximum depth.
//!
//! Each tile fills its part right after drawing, while its texels are in the cache, so no pass over
//! the whole map follows and an empty tile costs nothing. Tables of finished frames are refilled:
//! their memory is already mapped, and only tiles that were drawn before must be cleared.

use crate::geometry::grid::Grid;
use crate::shadow::bounds::{BITS, BlockBounds, Bounds, TileBounds};
use crate::shadow::strided::{BESIDE, STRIDES, StridedMap};
use crate::shadow::tile::{Band, STRETCH, Stretch, TILE, TileTexels, rows_of_stretches};

/// Tables of one map.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// All texels, then every second, fourth and so on.
    pub strided: Vec<StridedMap>,
    /// Bounds of the blocks of each size of [`BITS`].
    pub bounds: Vec<BlockBounds>,
    /// Maximum depth of all.
    pub highest: u16,
    /// Capacity in texels per side, in whole tiles.
    room: [u32; 2],
    /// Maximum depth of each tile, row by row; 0 if it is empty.
    tiles: Vec<u16>,
}

/// Tables grow by this many texels per side, so that they can be refilled for a slightly larger map
/// in the next frame.
const ROOM: u32 = 4 * TILE;

/// Rows of the tables filled by one row of tiles.
pub(crate) struct TableBand<'t> {
    /// For each strided map, its rows and the texels from one to the next.
    strided: Vec<(&'t mut [u16], usize)>,
    /// The blocks of each size, and the blocks of a row.
    bounds: Vec<(&'t mut [Bounds], usize)>,
    tiles: &'t mut [u16],
}

/// Part of the tables that a few tiles fill.
pub(crate) struct TableStretch<'t> {
    strided: Vec<Vec<&'t mut [u16]>>,
    bounds: Vec<Vec<&'t mut [Bounds]>>,
    tiles: &'t mut [u16],
}

/// Room for a map.
fn room_of(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side.next_multiple_of(ROOM))
}

const EMPTY: TileTexels = [[0; TILE as usize]; TILE as usize];

impl Tables {
    /// Tables for a map of that size, reusing those of another map if available; `fill` is called
    /// with the rows of tiles.
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
        let [columns, rows] = [grid.columns, grid.rows].map(|count| count as usize);
        tables.empty_beyond(columns, rows);
        let mut bands = tables.bands();
        bands.truncate(rows);
        fill(bands);
        tables.highest = tables.tiles.iter().copied().max().unwrap_or(0);
        tables
    }

    /// True if a map of this size takes the same room as these.
    pub(crate) fn has_room_of(&self, size: [u32; 2]) -> bool {
        self.room == room_of(size)
    }

    /// Upper bound of the bytes of the tables of a map of this size.
    pub(super) fn most_bytes(size: [u32; 2]) -> usize {
        let [width, height] = room_of(size).map(|side| side as usize);
        let texels = (width + 2 * BESIDE) * height * size_of::<u16>();
        let blocks = width * height / (1 << (2 * BITS[0])) * size_of::<Bounds>();
        // The smaller strided maps and blocks take a third, margins and depths of tiles less than
        // the rest of a half.
        (texels + blocks) * 3 / 2
    }

    /// Empty tables.
    fn with_room(room: [u32; 2]) -> Self {
        let [width, height] = room.map(|side| side as usize);
        let strided =
            (0..STRIDES).map(|bits| StridedMap::with_room(width >> bits, height >> bits)).collect();
        let bounds = BITS.map(|bits| BlockBounds::new(room, bits)).into();
        let tiles = vec![0; Grid::new(room, TILE).tile_count()];
        Self { strided, bounds, highest: 0, room, tiles }
    }

    /// Clears the tiles of a former map beyond the first columns and rows.
    fn empty_beyond(&mut self, columns: usize, rows: usize) {
        let all = (self.room[0] / TILE) as usize;
        let is_beyond = |at: usize| at % all >= columns || at / all >= rows;
        let mut tiles = self.tiles.iter().enumerate();
        if !tiles.any(|(at, &highest)| highest > 0 && is_beyond(at)) {
            return;
        }
        for (row, band) in self.bands().into_iter().enumerate() {
            for (number, mut stretch) in band.stretches().into_iter().enumerate() {
                let first = row * all + number * STRETCH;
                let tiles = 0..stretch.tiles.len();
                tiles.filter(|tile| is_beyond(first + tile)).for_each(|tile| stretch.skip(tile));
            }
        }
    }

    /// All rows of tiles, up to the capacity.
    fn bands(&mut self) -> Vec<TableBand<'_>> {
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
        let band = |tiles| TableBand {
            strided: strided.iter_mut().filter_map(Iterator::next).collect(),
            bounds: bounds.iter_mut().filter_map(Iterator::next).collect(),
            tiles,
        };
        self.tiles.chunks_exact_mut(columns).map(band).collect()
    }

    /// Tables of rows of texels.
    #[cfg(test)]
    pub(crate) fn of_texels(spare: Option<Self>, size: [u32; 2], texels: &[u16]) -> Self {
        let grid = Grid::new(size, TILE);
        Self::filled(spare, size, |bands| {
            for (row, band) in bands.into_iter().enumerate() {
                let mut stretches = band.stretches();
                for column in 0..grid.columns as usize {
                    let rect = grid.rect(row * grid.columns as usize + column);
                    let mut part = EMPTY;
                    for (row, to) in (rect.y..rect.y + rect.height).zip(&mut part) {
                        let start = (row * size[0] + rect.x) as usize;
                        let from = &texels[start..][..rect.width as usize];
                        to[..from.len()].copy_from_slice(from);
                    }
                    let (stretch, tile) = (&mut stretches[column / STRETCH], column % STRETCH);
                    if part == EMPTY { stretch.skip(tile) } else { stretch.keep(tile, &part) }
                }
            }
        })
    }
}

impl<'t> Band for TableBand<'t> {
    type Stretch = TableStretch<'t>;

    fn stretches(self) -> Vec<TableStretch<'t>> {
        let side = TILE as usize;
        let mut strided: Vec<_> = self
            .strided
            .into_iter()
            .enumerate()
            .map(|(bits, (rows, stride))| {
                let rows = rows.chunks_exact_mut(stride);
                let rows = rows.map(|row| &mut row[BESIDE..stride - BESIDE]);
                rows_of_stretches(rows, side >> bits).into_iter()
            })
            .collect();
        let mut bounds: Vec<_> = BITS
            .iter()
            .zip(self.bounds)
            .map(|(&bits, (rows, columns))| {
                rows_of_stretches(rows.chunks_exact_mut(columns), side >> bits).into_iter()
            })
            .collect();
        let stretch = |tiles| TableStretch {
            strided: strided.iter_mut().filter_map(Iterator::next).collect(),
            bounds: bounds.iter_mut().filter_map(Iterator::next).collect(),
            tiles,
        };
        self.tiles.chunks_mut(STRETCH).map(stretch).collect()
    }
}

impl Stretch for TableStretch<'_> {
    /// The filter computes with signed 16-bit numbers.
    const HIGHEST: u16 = i16::MAX.unsigned_abs();

    #[inline(always)]
    fn keep(&mut self, tile: usize, texels: &TileTexels) {
        // 1. Strided maps: every second texel of every second row is passed to the next.
        let side = TILE as usize;
        let mut highest = 0;
        for (y, row) in texels.iter().enumerate() {
            for &texel in row {
                highest = texel.max(highest);
            }
            let (mut row, mut y) = (*row, y);
            for (bits, rows) in self.strided.iter_mut().enumerate() {
                let count = side >> bits;
                rows[y][tile * count..][..count].copy_from_slice(&row[..count]);
                if y % 2 != 0 {
                    break;
                }
                y /= 2;
                for at in 0..count / 2 {
                    row[at] = row[2 * at];
                }
            }
        }
        self.tiles[tile] = highest;

        // 2. Bounds of blocks.
        let found = TileBounds::of(texels);
        for (kind, rows) in self.bounds.iter_mut().enumerate() {
            for (to, from) in rows.iter_mut().zip(found.rows(kind)) {
                to[tile * from.len()..][..from.len()].copy_from_slice(from);
            }
        }
    }

    fn skip(&mut self, tile: usize) {
        if self.tiles[tile] > 0 {
            self.keep(tile, &EMPTY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn bytes_of_tables_are_at_most_as_many_as_told() {
        for size in [[1, 1], [256, 256], [300, 2000], [1024, 600], [4087, 3634]] {
            let tables = Tables::with_room(room_of(size));
            let texels =
                tables.strided.iter().map(|map| size_of_val(&map.texels[..])).sum::<usize>();
            let blocks =
                tables.bounds.iter().map(|all| size_of_val(&all.blocks[..])).sum::<usize>();
            let all = texels + blocks + size_of_val(&tables.tiles[..]);
            let told = Tables::most_bytes(size);
            assert!(all <= told && told < all + all / 5, "{size:?}: {all}, told {told}");
        }
    }
}
