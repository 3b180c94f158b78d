//! Depth and owner of every sample of a tile.

use crate::raster::geometry::edge::{SamplePattern, UNIT};
use crate::raster::geometry::grid::Rect;
use crate::raster::geometry::morton::Morton;
/// The most samples a pixel can have.
pub(crate) const MAX_SAMPLES: usize = 16;

/// No triangle of a tile.
pub(crate) const NO_TRIANGLE: u32 = u32::MAX;

/// The nearest opaque surface of every sample of a tile.
#[derive(Default)]
pub(crate) struct Samples {
    /// 1/w.
    pub depth: Vec<f32>,
    /// Whose it is: a place among the triangles of the tile, or [`NO_TRIANGLE`].
    pub owner: Vec<u32>,
    /// Samples a pixel.
    pub count: usize,
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::raster::fault::Fault>,
}

impl Samples {
    /// Nothing anywhere, at that depth.
    pub fn clear(&mut self, rect: &Rect, count: usize, depth: f32) {
        self.count = count;
        let total = Morton::end(rect) * count;
        self.depth.clear();
        self.depth.resize(total, depth);
        self.owner.clear();
        self.owner.resize(total, NO_TRIANGLE);
    }

    #[inline(always)]
    pub fn slot(&self, column: u32, row: u32, sample: usize) -> usize {
        usize::from(Morton::new(column, row).0) * self.count + sample
    }

    /// Samples a pixel.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// 1/w of a sample.
    #[inline]
    pub fn depth_at(&self, column: u32, row: u32, sample: usize) -> f32 {
        self.depth[self.slot(column, row, sample)]
    }

    /// 1/w of all samples, morton by morton.
    pub fn depths(&self) -> &[f32] {
        &self.depth
    }

    /// The owners of all samples, morton by morton; what lies beyond the tile is written and means nothing.
    #[inline]
    pub fn owners(&self) -> &[u32] {
        &self.owner
    }

    /// Shows a triangle in a sample if it is nearer than what is there, or as near as a later one.
    #[inline(always)]
    pub fn offer_tied(&mut self, slot: usize, depth: f32, place: u32) {
        let (old, owner) = (&mut self.depth[slot], &mut self.owner[slot]);
        if depth > *old || (depth == *old && place < *owner && *owner != NO_TRIANGLE) {
            *old = depth;
            *owner = place;
        }
    }

    /// Shows a triangle in a sample if it is nearer than what is there and `solid`.
    #[inline]
    pub fn offer(
        &mut self,
        [column, row]: [u32; 2],
        sample: usize,
        depth: f32,
        place: u32,
        solid: impl FnOnce() -> bool,
    ) {
        let slot = self.slot(column, row, sample);
        if depth > self.depth[slot] && solid() {
            self.depth[slot] = depth;
            self.owner[slot] = place;
        }
    }
}

/// Absolute place of a sample of a pixel of the tile.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
pub(crate) fn sample_position(
    pattern: SamplePattern,
    rect: &Rect,
    column: u32,
    row: u32,
    sample: usize,
) -> (i32, i32) {
    let [x, y] = pattern[sample];
    ((rect.x + column) as i32 * UNIT + x, (rect.y + row) as i32 * UNIT + y)
}
