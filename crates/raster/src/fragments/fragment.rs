//! Fragments: parts of pixels, each showing one triangle.

use crate::geometry::morton::Morton;

/// Part of a pixel with one visible triangle, shaded once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    /// Index among the triangles of the tile.
    pub triangle: u32,
    /// The pixel.
    pub morton: Morton,
    /// The samples showing the triangle, one bit each.
    pub samples: u16,
}

/// Fragment of a blended triangle in front of the opaque surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlendedFragment {
    pub fragment: Fragment,
    /// Submission order among the blended triangles of the tile.
    pub order: u32,
}

/// A pixel with blended layers, and its opaque fragments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayeredPixel {
    pub morton: Morton,
    /// Range of its fragments among the mixed fragments of the tile.
    pub first: u32,
    pub end: u32,
}

/// Mixed pixels of a tile: those that contain several fragments, are partly covered, or have
/// blended layers. The light of their fragments is averaged in the resolve; the background of a
/// pixel counts as one of them.
#[derive(Default)]
pub(crate) struct MixedFragments {
    /// Morton codes of the pixels without layers.
    pub plain: Vec<u32>,
    /// Per sample of these pixels, one pixel after the other: index of the visible fragment.
    pub shown: Vec<u32>,
    pub layered: Vec<LayeredPixel>,
    /// Samples of each opaque fragment, one bit each.
    pub samples: Vec<u16>,
    /// Index of each background fragment, and its pixel.
    pub backgrounds: Vec<(u32, Morton)>,
    /// Light of each opaque fragment, then of each blended one, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
}

impl MixedFragments {
    pub(crate) fn clear(&mut self) {
        self.plain.clear();
        self.shown.clear();
        self.layered.clear();
        self.samples.clear();
        self.backgrounds.clear();
        self.colors.clear();
    }
}

/// A count or index of fragments of a tile in 32 bits.
#[inline]
pub(crate) fn number_of(count: usize) -> u32 {
    u32::try_from(count).expect("at most 2^16 points in a tile")
}
