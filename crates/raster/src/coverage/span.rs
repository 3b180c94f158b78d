//! Bounding box of a triangle in the pixels of a tile.

use crate::geometry::edge::{SamplePattern, UNIT, UNIT_BITS};
use crate::geometry::grid::Rect;
use crate::geometry::triangle::SetupTriangle;
/// Range of pixels of a tile, both ends included.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

impl Span {
    /// The pixels of the tile with a sample in the bounding box of a triangle. None if there are
    /// none.
    #[inline(always)]
    #[expect(clippy::cast_possible_wrap, reason = "a picture has at most 2^14 pixels a side")]
    pub(crate) fn of(margin: Margin, rect: &Rect, triangle: &SetupTriangle) -> Option<Self> {
        let Margin { low, high } = margin;
        let [a, b, c] = triangle.x;
        let left = ((a.min(b).min(c) - high + UNIT - 1) >> UNIT_BITS) - rect.x as i32;
        let right = ((a.max(b).max(c) - low) >> UNIT_BITS) - rect.x as i32;
        let [a, b, c] = triangle.y;
        let top = ((a.min(b).min(c) - high + UNIT - 1) >> UNIT_BITS) - rect.y as i32;
        let bottom = ((a.max(b).max(c) - low) >> UNIT_BITS) - rect.y as i32;
        let span = Self {
            left: left.max(0),
            right: right.min(rect.width as i32 - 1),
            top: top.max(0),
            bottom: bottom.min(rect.height as i32 - 1),
        };
        (span.left <= span.right && span.top <= span.bottom).then_some(span)
    }
}

/// Lowest and highest sample position in a pixel, over both axes.
#[derive(Clone, Copy)]
pub(crate) struct Margin {
    pub low: i32,
    pub high: i32,
}

impl Margin {
    pub(crate) fn new(pattern: SamplePattern) -> Self {
        let places = pattern.iter().flatten().copied();
        let low = places.clone().min().unwrap_or(0);
        Self { low, high: places.max().unwrap_or(UNIT - 1) }
    }
}
