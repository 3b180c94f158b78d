//! Levels of a mip chain: their sizes, and the positions of their texels.

/// One level of a mip chain: the range of its texels in the whole chain, which stores the first
/// level last.
///
/// A level has a border one texel wide on each side, so that the four texels around any wrapped
/// point are two rows of two. The border repeats the texels of the opposite side for a repeating
/// texture, otherwise those of the same side: both clamped and mirrored textures continue with
/// their edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MipLevel {
    /// Texels per row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// Position of the upper left corner of the border.
    pub first: usize,
}

impl MipLevel {
    /// Texels of the border in a row or a column.
    pub const BORDERS: usize = 2;

    /// From a texel to the one below it.
    #[inline]
    #[must_use]
    pub fn stride(&self) -> usize {
        self.width as usize + Self::BORDERS
    }

    /// Texels with the border.
    #[must_use]
    pub fn padded_len(&self) -> usize {
        self.stride() * (self.height as usize + Self::BORDERS)
    }

    /// Position of a texel.
    #[inline]
    pub(super) fn place(&self, x: usize, y: usize) -> usize {
        self.first + (y + 1) * self.stride() + x + 1
    }
}

/// The levels of a picture of that size.
pub(super) fn chain(width: u32, height: u32) -> Vec<MipLevel> {
    let mut levels = vec![MipLevel { width, height, first: 0 }];
    let mut end = 0;
    while let Some(above) = levels.last()
        && (above.width > 1 || above.height > 1)
    {
        let (width, height) = ((above.width / 2).max(1), (above.height / 2).max(1));
        let level = MipLevel { width, height, first: end };
        end += level.padded_len();
        levels.push(level);
    }
    levels[0].first = end;
    levels
}
