//! Strided maps: the texels of a depth map that lie a power of two apart, as contiguous rows, so
//! that one load brings several taps of a window.
//!
//! A row has an empty margin on both sides, so windows that reach beyond the map need no test. This
//! module filters nothing.

/// Empty texels on either side of a row: more than in a row of taps.
pub(crate) const BESIDE: usize = 32;

/// Number of strided maps needed by the widest window of the filter.
pub(crate) const STRIDES: u32 = 5;

/// Every texel of a map whose column and row are multiples of a power of two.
#[derive(Clone, Debug)]
pub(crate) struct StridedMap {
    /// Texels of a row, and rows, within the map; others are empty.
    pub width: usize,
    pub height: usize,
    /// Texels from a row to the next.
    pub stride: usize,
    /// Rows, each with at least [`BESIDE`] texels on either side.
    pub texels: Vec<u16>,
}

impl StridedMap {
    /// An empty map, with room for rows of `width` texels.
    pub(crate) fn with_room(width: usize, height: usize) -> Self {
        let stride = width + 2 * BESIDE;
        Self { width: 0, height: 0, stride, texels: vec![0; stride * height] }
    }

    pub(crate) fn row(&self, y: usize) -> &[u16] {
        &self.texels[y * self.stride + BESIDE..][..self.width]
    }
}
