//! The footprint of a pixel on a texture.

use crate::math::{Vec2, func, max};

/// Where a pixel falls on a texture, and how far its neighbours are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// The coordinates at the pixel.
    pub at: Vec2,
    /// Their change over one pixel to the right.
    pub across: Vec2,
    /// Their change over one pixel down.
    pub down: Vec2,
}

/// The level of detail of a footprint on a texture whose first level has that size; 0 or below is magnified.
#[inline]
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub fn level_of_detail(footprint: &Footprint, width: u32, height: u32) -> f32 {
    let size = Vec2::new(width as f32, height as f32);
    let (across, down) = (footprint.across * size, footprint.down * size);
    0.5 * func::log2_coarse(max(across.dot(across), down.dot(down)))
}
