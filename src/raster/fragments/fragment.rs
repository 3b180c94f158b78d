//! Fragments: parts of pixels that show one triangle each.

use crate::raster::geometry::morton::Morton;
/// One point to shade: the part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// A place among the triangles of the tile.
    pub triangle: u32,
    /// The pixel.
    pub morton: Morton,
    /// The samples that show the triangle, one bit each.
    pub samples: u16,
}

/// Part of a pixel that a blended triangle covers before the opaque surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub point: Point,
    /// Place in submission order within the tile.
    pub order: u32,
}

/// A pixel that shows something in some of its samples, or several things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixed {
    pub morton: Morton,
    /// Its points, as places among the mixed points of the tile.
    pub first: u32,
    pub end: u32,
}

/// The pixels of a tile that show several opaque things, and their points, which wait to be averaged.
#[derive(Default)]
pub(crate) struct MixedPoints {
    pub pixels: Vec<Mixed>,
    /// The samples that show each point, one bit each.
    pub samples: Vec<u16>,
    /// The light of each, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
}

/// The count or number of points of a tile in 32 bits.
#[inline]
pub(crate) fn number_of(count: usize) -> u32 {
    u32::try_from(count).expect("at most 2^16 points in a tile")
}
