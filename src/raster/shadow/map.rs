//! Shadow maps, ready to be filtered.

use crate::raster::shadow::depth_pass::DepthMap;
use crate::raster::shadow::space::Space;
use crate::raster::shadow::strided::{StridedMap, add_coarser};
use crate::simd::Level;

/// The narrowest window, in texels from its middle: what hides the grain of the map.
pub(crate) const NARROWEST: f32 = 1.75;

/// The widest window.
pub(crate) const WIDEST: f32 = 64.0;

/// Taps from the middle of a window; wider windows take every second texel, or every fourth.
pub(crate) const REACH: f32 = 8.0;

/// The same where the width of the band is asked for.
pub(crate) const SEARCH_REACH: f32 = 5.0;

/// Binary logarithms of the texels a side of blocks whose extremes are known: small ones, and large ones for wide windows.
pub(crate) const BLOCKS: [u32; 2] = [3, 5];

/// The map of one light, ready to be read.
#[derive(Clone, Debug)]
pub struct ShadowMap {
    pub(crate) space: Space,
    /// Texels a row and rows.
    pub(crate) size: [u32; 2],
    /// All texels, and every second, fourth and so on for lanes.
    pub(crate) strided: Vec<StridedMap>,
    /// Growth of the band in texels for one unit of depth.
    pub(crate) widening: f32,
    /// The least and the most of each block of texels, row by row, small blocks and large ones.
    pub(crate) blocks: [Vec<[u16; 2]>; 2],
    /// The most of all.
    pub(crate) highest: u16,
    /// A value that a test spoils.
    #[cfg(test)]
    pub(crate) fault: Option<crate::raster::fault::Fault>,
}

impl ShadowMap {
    /// For a level.
    pub(crate) fn new(space: Space, map: &DepthMap, spread: f32, level: Level) -> Self {
        let small = extremes(&map.texels, map.width, BLOCKS[0], |&texel| [texel, texel]);
        let small_columns = map.width.div_ceil(1 << BLOCKS[0]);
        let large = extremes(&small, small_columns, BLOCKS[1] - BLOCKS[0], |&block| block);
        let highest = large.iter().map(|block| block[1]).max().unwrap_or(0);
        let widening = spread * space.depth_step / space.texel;
        let mut strided = vec![StridedMap::whole(map)];
        if level != Level::Scalar {
            let widest = if widening > 0.0 { WIDEST } else { NARROWEST };
            add_coarser(&mut strided, coarser_maps(widest));
        }
        let (size, blocks) = ([map.width, map.height], [small, large]);
        Self {
            space,
            size,
            strided,
            widening,
            blocks,
            highest,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Where on a level ground of that height the map may hide any light: ends of x and z; none if that is not known.
    pub(crate) fn footprint(&self, height: f32) -> Option<[[f32; 2]; 2]> {
        self.space.footprint(height, WIDEST + 2.0)
    }

    /// The bytes that the map takes.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(Vec::len).sum();
        let strided: usize = self.strided.iter().map(StridedMap::byte_size).sum();
        strided + blocks * size_of::<[u16; 2]>()
    }
}

/// The least and the most of each square of `2^bits` entries a side, row by row.
fn extremes<T>(
    entries: &[T],
    width: u32,
    bits: u32,
    range: impl Fn(&T) -> [u16; 2],
) -> Vec<[u16; 2]> {
    let (width, side) = (width.max(1) as usize, 1 << bits);
    let columns = width.div_ceil(side);
    let mut blocks = vec![[u16::MAX, 0]; columns * (entries.len() / width).div_ceil(side)];
    for (y, row) in entries.chunks_exact(width).enumerate() {
        let start = (y >> bits) * columns;
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

/// The coarser strided that windows up to a radius need.
pub(crate) fn coarser_maps(widest: f32) -> u32 {
    bits_of_step(widest, SEARCH_REACH)
}

/// The binary logarithm of the texels from a tap to the next: without a loop whose end nobody foretells.
#[inline(always)]
pub(crate) fn bits_of_step(radius: f32, reach: f32) -> u32 {
    u32::from(radius > reach)
        + u32::from(radius > reach * 2.0)
        + u32::from(radius > reach * 4.0)
        + u32::from(radius > reach * 8.0)
}
