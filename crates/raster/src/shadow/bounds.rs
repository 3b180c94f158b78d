//! Planes above and below the depths of each block of texels: they show for most points of a packet
//! that they are fully lit or fully dark, without reading the texels.
//!
//! A plane follows the slope of the surface in its block, so it stays close to a surface that is
//! slanted relative to the light. There, the minimum and maximum depth of the block are far apart
//! and decide nothing.
//!
//! # Determinism
//! Bounds only save work: they are right for any slope, and undecided points are checked texel by
//! texel.

use crate::shadow::tile::{TILE, TileTexels};
use tintype_model::math::{max, min};

/// Binary logarithms of the sides of the blocks.
pub(crate) const BITS: [u32; 3] = [3, 4, 5];

/// Texels along a side of the smallest blocks.
const SIDE: usize = 1 << BITS[0];

/// Upper and lower bound of the depths of a block; both are planes with the same slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// Units of depth per texel along a row, and per row.
    pub slope: [f32; 2],
    /// Value of the upper plane at the middle of the block; the minimum if all texels are empty.
    pub high: f32,
    /// Value of the lower plane there; the minimum if any texel is empty or beyond the map.
    pub low: f32,
}

impl Bounds {
    /// Empty bounds.
    const EMPTY: Self = Self { slope: [0.0; 2], high: f32::NEG_INFINITY, low: f32::NEG_INFINITY };
}

/// Bounds of all blocks of one size, row by row.
#[derive(Clone, Debug)]
pub(crate) struct BlockBounds {
    /// Blocks of a row.
    pub columns: usize,
    pub blocks: Vec<Bounds>,
}

impl BlockBounds {
    /// Bounds of the blocks of an empty map; `bits` is one of [`BITS`].
    pub(crate) fn new(size: [u32; 2], bits: u32) -> Self {
        let [columns, rows] = size.map(|side| side.div_ceil(1 << bits) as usize);
        Self { columns, blocks: vec![Bounds::EMPTY; columns * rows] }
    }
}

/// Blocks along a side of a tile, for each size of [`BITS`].
const BLOCKS_OF_TILE: [usize; 3] = {
    let side = TILE as usize;
    [side >> BITS[0], side >> BITS[1], side >> BITS[2]]
};

/// Bounds of the blocks of a tile.
pub(super) struct TileBounds {
    small: [[Bounds; BLOCKS_OF_TILE[0]]; BLOCKS_OF_TILE[0]],
    middle: [[Bounds; BLOCKS_OF_TILE[1]]; BLOCKS_OF_TILE[1]],
    large: [[Bounds; BLOCKS_OF_TILE[2]]; BLOCKS_OF_TILE[2]],
}

impl TileBounds {
    #[inline(always)]
    pub(super) fn of(texels: &TileTexels) -> Self {
        let mut small = [[Bounds::EMPTY; BLOCKS_OF_TILE[0]]; BLOCKS_OF_TILE[0]];
        for (rows, bounds) in texels.as_chunks::<SIDE>().0.iter().zip(&mut small) {
            // Much of a map is empty.
            if rows.as_flattened().iter().fold(0, |all, depth| all | depth) != 0 {
                *bounds = of_rows(rows);
            }
        }
        let middle = doubled(&small, SIDE);
        let large = doubled(&middle, 2 * SIDE);
        Self { small, middle, large }
    }

    /// Rows of the bounds of one size of [`BITS`].
    pub(super) fn rows(&self, kind: usize) -> impl Iterator<Item = &[Bounds]> {
        let rows: [&[Bounds]; 3] =
            [self.small.as_flattened(), self.middle.as_flattened(), self.large.as_flattened()];
        rows[kind].chunks_exact(BLOCKS_OF_TILE[kind])
    }
}

/// Bounds of blocks twice as large along each side; these have `side` texels.
#[inline(always)]
fn doubled<const FROM: usize, const TO: usize>(
    blocks: &[[Bounds; FROM]; FROM],
    side: usize,
) -> [[Bounds; TO]; TO] {
    let mut found = [[Bounds::EMPTY; TO]; TO];
    for (row, found) in found.iter_mut().enumerate() {
        for (column, found) in found.iter_mut().enumerate() {
            let block = |x: usize, y: usize| blocks[2 * row + y][2 * column + x];
            let parts = [block(0, 0), block(1, 0), block(0, 1), block(1, 1)];
            *found = Bounds::of_parts(&parts, side);
        }
    }
    found
}

/// Columns of texels of a tile.
const COLUMNS: usize = TILE as usize;

/// Bounds of the blocks in [`SIDE`] rows of a tile, column by column, so that the compiler
/// vectorizes it; texels without a surface are 0.
#[expect(clippy::cast_precision_loss, reason = "depths have 16 bits, and blocks few texels")]
#[inline(always)]
fn of_rows(rows: &[[u16; COLUMNS]; SIDE]) -> [Bounds; BLOCKS_OF_TILE[0]] {
    // 1. Sums and counts of the slopes between neighbours with a surface.
    let mut depths = [[0; COLUMNS]; SIDE];
    for (to, from) in depths.as_flattened_mut().iter_mut().zip(rows.as_flattened()) {
        *to = i32::from(*from);
    }
    let (mut across, mut along) = ([[0; COLUMNS]; 2], [[0; COLUMNS]; 2]);
    for row in &depths {
        let mut next = [0; COLUMNS];
        next[..COLUMNS - 1].copy_from_slice(&row[1..]);
        add_steps(&mut across, row, &next);
    }
    for pair in depths.windows(2) {
        if let [row, next] = pair {
            add_steps(&mut along, row, next);
        }
    }

    // 2. Mean slope of each block. The last column of a block has no neighbour in it.
    let mut slopes = [[0.0; 2]; BLOCKS_OF_TILE[0]];
    for (block, slope) in slopes.iter_mut().enumerate() {
        let columns = block * SIDE..(block + 1) * SIDE;
        let mean = |[sums, counts]: &[[i32; COLUMNS]; 2], columns: core::ops::Range<usize>| {
            let sum: i32 = sums[columns.clone()].iter().sum();
            let count: i32 = counts[columns].iter().sum();
            sum as f32 / count.max(1) as f32
        };
        *slope = [mean(&across, columns.start..columns.end - 1), mean(&along, columns)];
    }

    // 3. Distance of the texels from a plane with this slope.
    let middle = 0.5 * (SIDE - 1) as f32;
    let (mut bases, mut rises) = ([0.0; COLUMNS], [0.0; COLUMNS]);
    for (column, (base, rise)) in bases.iter_mut().zip(&mut rises).enumerate() {
        let [slope_x, slope_y] = slopes[column / SIDE];
        *base = slope_x * ((column % SIDE) as f32 - middle);
        *rise = slope_y;
    }
    let (mut highs, mut lows) = ([f32::NEG_INFINITY; COLUMNS], [f32::INFINITY; COLUMNS]);
    for (y, row) in depths.iter().enumerate() {
        let from_middle = y as f32 - middle;
        for column in 0..COLUMNS {
            let above = row[column] as f32 - (bases[column] + rises[column] * from_middle);
            let above = if row[column] > 0 { above } else { f32::NEG_INFINITY };
            highs[column] = max(highs[column], above);
            lows[column] = min(lows[column], above);
        }
    }
    let mut found = [Bounds::EMPTY; BLOCKS_OF_TILE[0]];
    for (block, found) in found.iter_mut().enumerate() {
        let (mut high, mut low) = (f32::NEG_INFINITY, f32::INFINITY);
        for column in block * SIDE..(block + 1) * SIDE {
            (high, low) = (max(high, highs[column]), min(low, lows[column]));
        }
        *found = Bounds { slope: slopes[block], high, low };
    }
    found
}

/// Adds the steps between texels of two rows to sums, and their number to counts, if both hold a
/// surface.
#[inline(always)]
fn add_steps([sums, counts]: &mut [[i32; COLUMNS]; 2], from: &[i32; COLUMNS], to: &[i32; COLUMNS]) {
    for column in 0..COLUMNS {
        let holds = i32::from(from[column] > 0) & i32::from(to[column] > 0);
        sums[column] += holds * (to[column] - from[column]);
        counts[column] += holds;
    }
}

impl Bounds {
    /// Bounds of a block from those of its quarters, which have `side` texels: left and right, then
    /// the next rows.
    #[expect(clippy::cast_precision_loss, reason = "a block is small")]
    #[inline(always)]
    fn of_parts(parts: &[Self; 4], side: usize) -> Self {
        let (half, reach) = (side as f32 * 0.5, (side - 1) as f32 * 0.5);
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for part in parts.iter().filter(|part| part.high > f32::NEG_INFINITY) {
            sum = [sum[0] + part.slope[0], sum[1] + part.slope[1]];
            count += 1.0;
        }
        let slope = sum.map(|sum| sum / max(count, 1.0));
        let (mut high, mut low) = (f32::NEG_INFINITY, f32::INFINITY);
        for (part, [x, y]) in
            parts.iter().zip([[-half, -half], [half, -half], [-half, half], [half, half]])
        {
            let turn = [0, 1].map(|axis| (part.slope[axis] - slope[axis]).abs());
            let spread = (turn[0] + turn[1]) * reach;
            let at = slope[0] * x + slope[1] * y;
            high = max(high, part.high - at + spread);
            low = min(low, part.low - at - spread);
        }
        Self { slope, high, low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::tables::Tables;

    /// A slanted plane with noise, a hole and an empty rim.
    fn depths(width: u32, height: u32) -> Vec<u16> {
        let mut state = 7_u32;
        let mut texels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let noise = state >> 27;
                let hole = (x > 20 && x < 30 && y > 5 && y < 17) || x == 0;
                texels.push(if hole { 0 } else { (3000 + 150 * x + 90 * y + noise) as u16 });
            }
        }
        texels
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "small maps")]
    #[expect(clippy::cast_precision_loss, reason = "small maps")]
    fn planes_bound_every_texel_and_are_near_in_full_blocks() {
        for (width, height) in [(1, 1), (8, 8), (70, 41), (129, 64)] {
            let texels = depths(width, height);
            let tables = Tables::of_texels(None, [width, height], &texels);
            for (level, bits) in tables.bounds.iter().zip(BITS) {
                let side = 1_u32 << bits;
                assert!(level.columns >= width.div_ceil(side) as usize);
                assert!(level.blocks.len() >= level.columns * height.div_ceil(side) as usize);
                for (index, block) in level.blocks.iter().enumerate() {
                    let column = (index % level.columns) as u32 * side;
                    let row = (index / level.columns) as u32 * side;
                    let places = (0..side * side).map(|at| (at % side, at / side));
                    let (mut is_full, mut widest) = (true, 0.0_f32);
                    for (x, y) in places {
                        let inside = column + x < width && row + y < height;
                        let index = ((row + y) * width + column + x) as usize;
                        let depth = if inside { f32::from(texels[index]) } else { 0.0 };
                        if depth == 0.0 {
                            is_full = false;
                            continue;
                        }
                        let from_middle = |at: u32| at as f32 - (side - 1) as f32 * 0.5;
                        let rise =
                            block.slope[0] * from_middle(x) + block.slope[1] * from_middle(y);
                        assert!(depth <= block.high + rise + 0.1);
                        assert!(depth >= block.low + rise - 0.1);
                        widest = max(widest, block.high + rise - depth);
                    }
                    assert_eq!(block.low > f32::NEG_INFINITY, is_full);
                    // Texels of a large block differ by thousands; from the plane only by noise,
                    // and by slightly wrong slopes.
                    assert!(!is_full || widest < 160.0, "{widest} of {bits}");
                }
            }
        }
    }
}
