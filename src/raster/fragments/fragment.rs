//! Fragments: parts of pixels that show one triangle each.

use crate::raster::geometry::morton::Morton;
/// Part of a pixel that shows one triangle, to be shaded once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    /// Index among the triangles of the tile.
    pub triangle: u32,
    /// The pixel.
    pub morton: Morton,
    /// The samples that show the triangle, one bit each.
    pub samples: u16,
}

/// BlendedFragment of a blended triangle in front of the opaque surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlendedFragment {
    pub fragment: Fragment,
    /// Submission order among the blended triangles of the tile.
    pub order: u32,
}

/// A pixel that several opaque fragments share, that one covers in part, or that has blended layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MixedPixel {
    pub morton: Morton,
    /// Range of its fragments among the mixed fragments of the tile.
    pub first: u32,
    pub end: u32,
}

/// Pixels of a tile with several fragments, and these fragments, whose light is averaged in the resolve.
#[derive(Default)]
pub(crate) struct MixedFragments {
    pub pixels: Vec<MixedPixel>,
    /// Per opaque fragment the samples that show it, one bit each.
    pub samples: Vec<u16>,
    /// Light of each opaque fragment, then of each blended one, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
}

/// A count or index of fragments of a tile in 32 bits.
#[inline]
pub(crate) fn number_of(count: usize) -> u32 {
    u32::try_from(count).expect("at most 2^16 points in a tile")
}
