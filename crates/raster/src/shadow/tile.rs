//! Texels of one tile of a depth map, row by row, and the rows of tiles that store them.

use crate::coverage::samples::Samples;
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
use tintype_model::math::clamp;
use tintype_model::math::lanes::{self, to_int_in_range};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;

/// Texels along a side of a tile.
pub(crate) const TILE: u32 = 64;

const SIDE: usize = TILE as usize;

/// Depth of an empty texel; depths of surfaces are integers and at least 1.
pub(super) const NEAREST_NOTHING: f32 = 0.5;

/// Rows of depths in units; larger is nearer to the light, 0 is empty, as are texels beyond the
/// map.
pub(crate) type TileTexels = [[u16; SIDE]; SIDE];

/// Maximum number of tiles in a stretch: the work of one thread at a time.
pub(super) const STRETCH: usize = 4;

/// A row of tiles of a map.
pub(crate) trait Band: Send {
    type Stretch: Stretch;

    /// Cuts the row into pieces of [`STRETCH`] tiles, the last one with the rest.
    fn stretches(self) -> Vec<Self::Stretch>;
}

/// A few tiles of a row, counted from the left.
pub(crate) trait Stretch: Send {
    /// The maximum stored depth; surfaces nearer to the light have it too.
    const HIGHEST: u16;

    /// Stores the texels of a tile; `#[inline(always)]`, otherwise the instructions of the level
    /// are not used.
    fn keep(&mut self, tile: usize, texels: &TileTexels);

    /// Leaves a tile empty.
    fn skip(&mut self, tile: usize);
}

/// Splits rows of `side` texels per tile into stretches.
pub(super) fn rows_of_stretches<'t, T>(
    rows: impl Iterator<Item = &'t mut [T]>,
    side: usize,
) -> Vec<Vec<&'t mut [T]>> {
    let mut stretches: Vec<Vec<&mut [T]>> = Vec::new();
    for row in rows {
        for (number, piece) in row.chunks_mut(STRETCH * side).enumerate() {
            if number == stretches.len() {
                stretches.push(Vec::with_capacity(side));
            }
            stretches[number].push(piece);
        }
    }
    stretches
}

/// Rounds a depth to an integer, at most `highest`; 0 if there is no surface.
#[expect(clippy::cast_possible_truncation, reason = "held to 16 bits")]
#[expect(clippy::cast_sign_loss, reason = "above 0")]
#[inline(always)]
pub(super) fn whole_depth(depth: f32, highest: u16) -> u16 {
    let held = clamp(depth + 0.5, 1.0, f32::from(highest)) as u32 as u16;
    if depth > NEAREST_NOTHING { held } else { 0 }
}

/// Texels of a block of 4 by 4, which are adjacent in Morton order.
const BLOCK: usize = 16;

/// [`whole_depth`] of each texel of a block.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "held to 16 bits")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
pub(super) fn whole_lanes<S: Simd>(simd: S, depths: &[f32; BLOCK], highest: u16) -> [u16; BLOCK] {
    let mut whole = [0_i32; BLOCK];
    let count = S::f32s::LEN;
    for (to, from) in whole.chunks_exact_mut(count).zip(depths.chunks_exact(count)) {
        let depth = S::f32s::from_slice(simd, from);
        let held = to_int_in_range::<S>(lanes::clamp(simd, depth + 0.5, 1.0, f32::from(highest)));
        let nothing = S::i32s::simd_from(simd, 0);
        depth.simd_gt(NEAREST_NOTHING).select(held, nothing).store_slice(to);
    }
    whole.map(|depth| depth as u16)
}

/// The texels of a tile drawn with one sample per texel; `whole` rounds the depths of a block.
#[inline(always)]
pub(super) fn texels_of(
    rect: &Rect,
    samples: &Samples,
    whole: impl Fn(&[f32; BLOCK]) -> [u16; BLOCK],
) -> TileTexels {
    let mut texels = [[0; SIDE]; SIDE];
    for (block, depths) in samples.depths().as_chunks::<BLOCK>().0.iter().enumerate() {
        let first = Morton::of(block * BLOCK);
        let (column, row) = (first.column() as usize, first.row() as usize);
        if column >= rect.width as usize || row >= rect.height as usize {
            continue;
        }
        // Each four are two rows of two.
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = whole(depths);
        let rows = [[a, b, e, f], [c, d, g, h], [i, j, m, n], [k, l, o, p]];
        for (to, from) in texels[row..].iter_mut().zip(&rows) {
            to[column..column + 4].copy_from_slice(from);
        }
    }

    // Pixels beyond the map are written but meaningless.
    let (width, height) = (rect.width as usize, rect.height as usize);
    if width < SIDE {
        texels.iter_mut().for_each(|row| row[width..].fill(0));
    }
    texels[height..].fill([0; SIDE]);
    texels
}
