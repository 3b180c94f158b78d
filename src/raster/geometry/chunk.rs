//! Chunks of set-up triangles, and the identifiers that name a triangle of a frame.

use crate::raster::geometry::bin::Bins;
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::stats::Culled;
/// Source triangles in a chunk. A clipped triangle makes at most six pieces, so a chunk holds under 2^15.
pub(crate) const TRIANGLES_PER_CHUNK: usize = 4096;
/// Chunks that a [`TriangleId`] can name.
pub(crate) const MAX_CHUNKS: usize = 1 << (u32::BITS - LOCAL_BITS);
/// Bits of the index in the chunk within a [`TriangleId`].
const LOCAL_BITS: u32 = 15;

/// Identifies one set-up triangle of a picture by its chunk and its index there. Order is submission order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TriangleId(u32);

impl TriangleId {
    pub(crate) fn new(chunk: usize, local: u16) -> Self {
        let chunk = u32::try_from(chunk).expect("fewer than 2^17 chunks of triangles");
        Self(chunk << LOCAL_BITS | u32::from(local))
    }

    pub(crate) fn of(self, chunks: &[Chunk]) -> (&Chunk, &SetupTriangle) {
        let chunk = &chunks[(self.0 >> LOCAL_BITS) as usize];
        (chunk, &chunk.triangles[(self.0 & ((1 << LOCAL_BITS) - 1)) as usize])
    }
}

/// Set-up triangles of one range of source triangles, and the tiles that they touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    pub triangles: Vec<SetupTriangle>,
    /// Per triangle its tile, where that is known already, or [`MANY_TILES`](crate::raster::geometry::grid::MANY_TILES); may be
    /// shorter.
    pub tiles: Vec<u32>,
    /// For pieces of clipped triangles: barycentric coordinates of the corners in the source triangle.
    pub barycentrics: Vec<[[f32; 3]; 3]>,
    /// Filled by [`crate::raster::geometry::bin`].
    pub bins: Bins,
    /// Counts of dropped triangles, by reason.
    pub culled: Culled,
    /// Source triangles that were clipped.
    pub clipped: u64,
}
