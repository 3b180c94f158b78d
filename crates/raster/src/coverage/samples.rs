//! Depth buffer of a tile: nearest opaque triangle of every sample.

use crate::geometry::edge::{SamplePattern, UNIT};
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
/// Most samples of a pixel.
pub(crate) const MAX_SAMPLES: usize = 16;

/// Owner of a sample without an opaque triangle.
pub(crate) const NO_TRIANGLE: u32 = u32::MAX;

/// Depth and owner of every sample of a tile, pixel by pixel in Morton order.
#[derive(Default)]
pub(crate) struct Samples {
    /// 1/w.
    pub depth: Vec<f32>,
    /// Index among the triangles of the tile, or [`NO_TRIANGLE`].
    pub owner: Vec<u32>,
    /// Samples per pixel.
    pub count: usize,
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::fault::PlantedFault>,
}

impl Samples {
    /// Empties all samples and sets their depth.
    pub(crate) fn clear(&mut self, rect: &Rect, count: usize, depth: f32) {
        self.count = count;
        let total = Morton::end(rect) * count;
        self.depth.clear();
        self.depth.resize(total, depth);
        self.owner.clear();
        self.owner.resize(total, NO_TRIANGLE);
    }

    #[inline(always)]
    pub(crate) fn slot(&self, column: u32, row: u32, sample: usize) -> usize {
        usize::from(Morton::new(column, row).0) * self.count + sample
    }

    /// Samples per pixel.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// 1/w of a sample.
    #[inline]
    pub(crate) fn depth_at(&self, column: u32, row: u32, sample: usize) -> f32 {
        self.depth[self.slot(column, row, sample)]
    }

    /// 1/w of all samples in Morton order.
    pub(crate) fn depths(&self) -> &[f32] {
        &self.depth
    }

    /// Owners of all samples in Morton order; those of pixels beyond the tile are written and have
    /// no meaning.
    #[inline]
    pub(crate) fn owners(&self) -> &[u32] {
        &self.owner
    }

    /// Writes a triangle to a sample where it is nearer, or as near as a triangle submitted later.
    #[inline(always)]
    pub(crate) fn offer_tied(&mut self, slot: usize, depth: f32, index: u32) {
        let (old, owner) = (&mut self.depth[slot], &mut self.owner[slot]);
        if depth > *old || (depth == *old && index < *owner && *owner != NO_TRIANGLE) {
            *old = depth;
            *owner = index;
        }
    }

    /// Writes a depth to a sample where it is nearer; the sample keeps its owner.
    #[inline(always)]
    pub(crate) fn offer_depth(&mut self, slot: usize, depth: f32) {
        let old = &mut self.depth[slot];
        *old = if depth > *old { depth } else { *old };
    }

    /// Writes a triangle to a sample where it is nearer and `solid`.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        [column, row]: [u32; 2],
        sample: usize,
        depth: f32,
        index: u32,
        solid: impl FnOnce() -> bool,
    ) {
        let slot = self.slot(column, row, sample);
        if depth > self.depth[slot] && solid() {
            self.depth[slot] = depth;
            self.owner[slot] = index;
        }
    }
}

/// Absolute position of a sample of a pixel of the tile, in 1/256 pixel.
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
