//! Facets and solids of both kinds of files.

use tintype_model::math::{Vec3, Vec4};

/// Bytes before the facets of a binary file: a header and a count.
pub(super) const HEAD: usize = 84;
/// Bytes of a binary facet.
pub(super) const FACET: usize = 50;
/// Facets between two checks of the deadline.
pub(super) const STEPS: u32 = 1 << 14;

/// Message about a facet with invalid numbers.
pub(super) const LOST_CORNER: &str =
    "a corner of a facet is not finite or too large; the facet is skipped";

/// A triangle.
pub(super) struct Facet {
    pub(super) corners: [Vec3; 3],
    /// As in the file, of any length.
    pub(super) normal: Vec3,
    /// Linear.
    pub(super) color: Option<Vec4>,
}

/// A run of facets with a name.
#[derive(Default)]
pub(super) struct Solid {
    pub(super) name: String,
    pub(super) facets: Vec<Facet>,
}
