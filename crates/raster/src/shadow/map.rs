//! Shadow maps, ready to be filtered.

use crate::shadow::pixel::PixelSize;
use crate::shadow::space::Space;
use crate::shadow::tables::Tables;
use std::sync::Arc;
use tintype_model::simd::Level;

/// Minimum radius of a window in texels: it hides the resolution of the map.
pub(crate) const NARROWEST: f32 = 1.75;

/// Radius of the widest window.
pub(crate) const WIDEST: f32 = 64.0;

/// Maximum number of taps from the middle of a window; wider windows use every second texel, or
/// every fourth.
pub(crate) const REACH: f32 = 8.0;

/// The same for the blocker search.
pub(crate) const SEARCH_REACH: f32 = 4.0;

/// Binary logarithms of the sides of blocks with known extremes: small blocks, and large ones for
/// wide windows.
pub(crate) const BLOCKS: [u32; 2] = [3, 5];

/// Shadow map of one light, with the tables of the filter.
#[derive(Clone, Debug)]
pub struct ShadowMap {
    pub(crate) space: Space,
    /// Texels per row, and rows.
    pub(crate) size: [u32; 2],
    pub(crate) tables: Arc<Tables>,
    /// Growth of the penumbra in texels per unit of depth.
    pub(crate) widening: f32,
    /// The minimum width of an edge.
    pub(crate) pixel: PixelSize,
    /// Minimum and maximum depth of each block of texels, row by row, for small blocks and large
    /// ones; empty for lanes, which have separate bounds.
    pub(crate) blocks: [Vec<[u16; 2]>; 2],
    /// A value that a test spoils.
    #[cfg(test)]
    pub(crate) fault: Option<crate::fault::PlantedFault>,
}

impl ShadowMap {
    /// A map of drawn tables.
    pub(crate) fn new(
        space: Space,
        tables: Arc<Tables>,
        spread: f32,
        pixel: PixelSize,
        level: Level,
    ) -> Self {
        let mut blocks = [Vec::new(), Vec::new()];
        let [whole, ..] = tables.strided.as_slice() else { unreachable!("all texels come first") };
        if level == Level::Scalar {
            let rows = (0..whole.height).map(|y| whole.row(y));
            let small = extremes(rows, whole.width, BLOCKS[0], |&texel| [texel, texel]);
            let columns = whole.width.div_ceil(1 << BLOCKS[0]);
            let rows = small.chunks_exact(columns);
            let large = extremes(rows, columns, BLOCKS[1] - BLOCKS[0], |&block| block);
            blocks = [small, large];
        }
        let widening = spread * space.depth_step / space.texel;
        Self {
            space,
            size: space.size,
            tables,
            widening,
            pixel,
            blocks,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Area of level ground at that height where the map may hide light: ends of x and z. None if
    /// it is unbounded.
    pub(crate) fn footprint(&self, height: f32) -> Option<[[f32; 2]; 2]> {
        self.space.footprint(height, WIDEST + 2.0)
    }
}

/// Minimum and maximum entry of each square of `2^bits` entries per side, row by row; rows have
/// `width` entries, at least one.
fn extremes<'a, T: 'a>(
    rows: impl Iterator<Item = &'a [T]>,
    width: usize,
    bits: u32,
    range: impl Fn(&T) -> [u16; 2],
) -> Vec<[u16; 2]> {
    let side = 1 << bits;
    let columns = width.div_ceil(side);
    let mut blocks: Vec<[u16; 2]> = Vec::new();
    for (y, row) in rows.enumerate() {
        let start = (y >> bits) * columns;
        blocks.resize(start + columns, [u16::MAX, 0]);
        for (block, entries) in blocks[start..].iter_mut().zip(row.chunks(side)) {
            let [mut least, mut most] = *block;
            for [low, high] in entries.iter().map(&range) {
                (least, most) = (least.min(low), most.max(high));
            }
            *block = [least, most];
        }
    }
    blocks
}
