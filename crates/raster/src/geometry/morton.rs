//! Morton order (Z-order) of the pixels of a tile.
//!
//! Bits of column and row alternate in the code of a pixel, so any run of 2^k pixels that starts at
//! a multiple of 2^k is a square or two squares side by side. A vector of samples then lies on few
//! triangles and few texels, whatever its length, and the order is the same on every level.
//!
//! # Source
//! Morton, "A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing", IBM,
//! 1966.

use crate::geometry::grid::Rect;
use crate::options::RasterOptions;
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd};

/// Morton code of a pixel within a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Morton(pub u16);

/// Codes of the widest tile.
pub(crate) const MORTON_CODES: usize = 1 << 12;
/// Bits of the column; those of the row lie between them.
pub(crate) const COLUMN_BITS: u16 = 0x5555;
/// Pixels along a side of a square block that lies in one run; the maximum of all vectors.
pub(crate) const BLOCK: u32 = 4;

/// The bits of a column or row of the widest tile, each followed by a gap.
#[expect(clippy::cast_possible_truncation, reason = "12 bits")]
const SPREAD: [u16; RasterOptions::MAX_TILE as usize] = {
    let mut spread = [0; RasterOptions::MAX_TILE as usize];
    let mut number = 0;
    while number < RasterOptions::MAX_TILE {
        let mut bit = 0;
        while bit < 6 {
            spread[number as usize] |= ((number >> bit & 1) << (2 * bit)) as u16;
            bit += 1;
        }
        number += 1;
    }
    spread
};

impl Morton {
    #[inline(always)]
    pub(crate) const fn new(column: u32, row: u32) -> Self {
        Self(SPREAD[column as usize] | SPREAD[row as usize] << 1)
    }

    /// The pixel of a code, from 2^12 codes.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "2^12 mortons")]
    pub(crate) const fn of(number: usize) -> Self {
        Self(number as u16)
    }

    /// The code after the last pixel of a tile that is extended to whole blocks.
    #[inline]
    pub(crate) fn end(rect: &Rect) -> usize {
        let last = |side: u32| side.next_multiple_of(BLOCK) - 1;
        usize::from(Self::new(last(rect.width), last(rect.height)).0) + 1
    }

    #[inline(always)]
    pub(crate) const fn column(self) -> u32 {
        let bits = self.0 & COLUMN_BITS;
        let bits = (bits | bits >> 1) & 0x3333;
        let bits = (bits | bits >> 2) & 0x0f0f;
        ((bits | bits >> 4) & 0xff) as u32
    }

    #[inline(always)]
    pub(crate) const fn row(self) -> u32 {
        Self(self.0 >> 1).column()
    }

    /// Columns and rows of the pixels of several codes.
    #[inline(always)]
    pub(crate) fn places_of<S: Simd>(codes: S::u32s) -> [S::u32s; 2] {
        [columns_of::<S>(codes), columns_of::<S>(codes >> 1_u32)]
    }
}

/// [`Morton::column`] in every lane.
#[inline(always)]
fn columns_of<S: Simd>(codes: S::u32s) -> S::u32s {
    let bits = codes & u32::from(COLUMN_BITS);
    let bits = (bits | bits >> 1_u32) & 0x3333;
    let bits = (bits | bits >> 2_u32) & 0x0f0f;
    (bits | bits >> 4_u32) & 0xff
}

/// Columns and rows of a run of pixels in Morton order.
#[inline(always)]
pub(crate) const fn sides(pixels: usize) -> [u32; 2] {
    let bits = pixels.ilog2();
    [1 << bits.div_ceil(2), 1 << (bits / 2)]
}

/// Columns and rows of the first pixels of a tile.
const FIRST_COLUMNS: [u32; MAX_LANES] = first(false);
const FIRST_ROWS: [u32; MAX_LANES] = first(true);

const fn first(is_row: bool) -> [u32; MAX_LANES] {
    let mut places = [0; MAX_LANES];
    let mut number = 0;
    while number < MAX_LANES {
        let morton = Morton::of(number);
        places[number] = if is_row { morton.row() } else { morton.column() };
        number += 1;
    }
    places
}

/// Iterates over the pixels of a tile, one vector at a time.
pub(crate) struct Runs<S: Simd> {
    columns: S::u32s,
    rows: S::u32s,
    width: u32,
    height: u32,
    next: usize,
    end: usize,
    /// True if the tile consists of whole runs.
    is_whole: bool,
}

/// Consecutive pixels in Morton order, one per lane; at least one is in the tile.
#[derive(Clone, Copy)]
pub(crate) struct Run<S: Simd> {
    /// Code of the first pixel.
    pub first: usize,
    /// Columns and rows in the tile.
    pub columns: S::u32s,
    pub rows: S::u32s,
    /// Lanes on the tile, one bit each.
    pub within: u64,
}

impl<S: Simd> Runs<S> {
    /// All lanes, one bit each.
    pub(crate) const ALL: u64 = u64::MAX >> (64 - S::u32s::LEN);

    #[inline(always)]
    pub(crate) fn new(simd: S, rect: &Rect) -> Self {
        let lanes = S::u32s::LEN;
        let [wide, tall] = sides(lanes);
        Self {
            columns: S::u32s::from_slice(simd, &FIRST_COLUMNS[..lanes]),
            rows: S::u32s::from_slice(simd, &FIRST_ROWS[..lanes]),
            width: rect.width,
            height: rect.height,
            next: 0,
            end: Morton::end(rect),
            is_whole: rect.width.is_multiple_of(wide) && rect.height.is_multiple_of(tall),
        }
    }

    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Run<S>> {
        let lanes = S::u32s::LEN;
        while self.next < self.end {
            let first = self.next;
            self.next += lanes;
            let morton = Morton::of(first);
            let (column, row) = (morton.column(), morton.row());
            if column >= self.width || row >= self.height {
                continue;
            }
            let (columns, rows) = (self.columns + column, self.rows + row);
            let mut within = Self::ALL;
            if !self.is_whole {
                let is_within = columns.simd_lt(self.width) & rows.simd_lt(self.height);
                within &= is_within.to_bitmask();
            }
            return Some(Run { first, columns, rows, within });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_codes_name_their_pixels() {
        let mut seen = vec![false; 1 << 12];
        for row in 0..RasterOptions::MAX_TILE {
            for column in 0..RasterOptions::MAX_TILE {
                let morton = Morton::new(column, row);
                assert_eq!([morton.column(), morton.row()], [column, row]);
                assert!(!core::mem::replace(&mut seen[usize::from(morton.0)], true));
            }
        }
    }

    #[test]
    fn runs_are_compact() {
        for pixels in [1, 2, 4, 8, 16] {
            let [wide, tall] = sides(pixels);
            for number in 0..pixels {
                let morton = Morton::of(number);
                assert!(morton.column() < wide && morton.row() < tall);
            }
            assert_eq!(wide as usize * tall as usize, pixels);
        }
    }

    #[test]
    fn end_holds_every_pixel_of_a_tile() {
        for (width, height) in [(1, 1), (5, 3), (64, 56), (30, 64), (64, 64)] {
            let rect = Rect { x: 0, y: 0, width, height };
            let highest = (0..height)
                .flat_map(|row| (0..width).map(move |column| Morton::new(column, row).0))
                .max();
            assert!(usize::from(highest.unwrap_or(0)) < Morton::end(&rect));
        }
    }
}
