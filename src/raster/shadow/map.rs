//! Shadow maps, ready to be filtered.

use crate::raster::shadow::bounds::BlockBounds;
use crate::raster::shadow::depth_pass::DepthMap;
use crate::raster::shadow::pixel::PixelSize;
use crate::raster::shadow::space::Space;
use crate::raster::shadow::strided::{StridedMap, add_coarser};
use crate::simd::Level;

/// Radius of the narrowest window in texels: it hides the resolution of the map.
pub(crate) const NARROWEST: f32 = 1.75;

/// Radius of the widest window.
pub(crate) const WIDEST: f32 = 64.0;

/// Most taps from the middle of a window; wider windows take every second texel, or every fourth.
pub(crate) const REACH: f32 = 8.0;

/// The same for the blocker search.
pub(crate) const SEARCH_REACH: f32 = 5.0;

/// Binary logarithms of the sides of blocks whose extremes are known: small blocks, and large ones for wide windows.
pub(crate) const BLOCKS: [u32; 2] = [3, 5];

/// Shadow map of one light, with the tables that the filter reads.
#[derive(Clone, Debug)]
pub struct ShadowMap {
    pub(crate) space: Space,
    /// Texels per row, and rows.
    pub(crate) size: [u32; 2],
    /// All texels, and every second, fourth and so on for lanes.
    pub(crate) strided: Vec<StridedMap>,
    /// Growth of the penumbra in texels per unit of depth.
    pub(crate) widening: f32,
    /// The least width of an edge.
    pub(crate) pixel: PixelSize,
    /// Least and greatest depth of each block of texels, row by row, for small blocks and large ones.
    pub(crate) blocks: [Vec<[u16; 2]>; 2],
    /// Bounds of blocks of texels, for lanes.
    pub(crate) bounds: Option<[BlockBounds; 3]>,
    /// Greatest depth of all.
    pub(crate) highest: u16,
    /// A value that a test spoils.
    #[cfg(test)]
    pub(crate) fault: Option<crate::raster::fault::Fault>,
}

impl ShadowMap {
    /// Builds the tables of a depth map; strided rows only for lanes.
    pub(crate) fn new(
        space: Space,
        map: &DepthMap,
        spread: f32,
        pixel: PixelSize,
        level: Level,
    ) -> Self {
        let small = extremes(&map.texels, map.width, BLOCKS[0], |&texel| [texel, texel]);
        let small_columns = map.width.div_ceil(1 << BLOCKS[0]);
        let large = extremes(&small, small_columns, BLOCKS[1] - BLOCKS[0], |&block| block);
        let highest = large.iter().map(|block| block[1]).max().unwrap_or(0);
        let widening = spread * space.depth_step / space.texel;
        let mut strided = vec![StridedMap::whole(map)];
        let mut bounds = None;
        if level != Level::Scalar {
            add_coarser(&mut strided, coarser_maps(WIDEST));
            bounds = Some(BlockBounds::all(map, level));
        }
        let (size, blocks) = ([map.width, map.height], [small, large]);
        Self {
            space,
            size,
            strided,
            widening,
            pixel,
            blocks,
            bounds,
            highest,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Area of a level ground of that height on which the map may hide light: ends of x and z; none if it is not bounded.
    pub(crate) fn footprint(&self, height: f32) -> Option<[[f32; 2]; 2]> {
        self.space.footprint(height, WIDEST + 2.0)
    }

    /// The bytes that the map takes.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(Vec::len).sum();
        let strided: usize = self.strided.iter().map(StridedMap::byte_size).sum();
        let bounds: usize = self.bounds.iter().flatten().map(BlockBounds::byte_size).sum();
        strided + blocks * size_of::<[u16; 2]>() + bounds
    }
}

/// Least and greatest entry of each square of `2^bits` entries a side, row by row.
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

/// Number of strided maps that windows up to a radius need.
pub(crate) fn coarser_maps(widest: f32) -> u32 {
    bits_of_step(widest, SEARCH_REACH)
}

/// Binary logarithm of the texels from tap to tap, without an unpredictable loop.
#[inline(always)]
pub(crate) fn bits_of_step(radius: f32, reach: f32) -> u32 {
    u32::from(radius > reach)
        + u32::from(radius > reach * 2.0)
        + u32::from(radius > reach * 4.0)
        + u32::from(radius > reach * 8.0)
}
