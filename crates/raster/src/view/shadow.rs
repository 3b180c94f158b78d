//! Shadow of one light, with a map resolution that holds for all frames of a sequence.

use tintype_model::math::Vec3;
use tintype_model::math::max;

/// Units of depth from the farthest caster to the nearest; less than 2^15, with a margin at both ends.
const DEPTHS: f32 = 32_500.0;

/// The most units of depth in the side of a texel.
const DEPTHS_OF_TEXEL: f32 = 256.0;

/// Texels that a map keeps free along an axis, both sides together.
const BORDER: f32 = 4.0;

/// Shadow of one light and the resolution of its map, which is the same in all frames of a sequence so that shadows do not crawl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Index in [`View::lights`](crate::View::lights); has no effect unless that light is directional.
    pub light: usize,
    /// Tangent of half the angle that the light subtends.
    pub spread: f32,
    /// Fixed position near the models.
    pub origin: Vec3,
    /// Side of a texel in world units, above 0.
    pub texel: f32,
    /// Unit of depth in world units, above 0.
    pub depth_step: f32,
}

impl Shadow {
    /// The shadow of a light whose map has `size` texels a side, for casters that over all frames need at most `extent` along the
    /// axes of the light ([`Extent::size`](crate::shadow::Extent::size)).
    #[must_use]
    pub fn new(light: usize, size: u32, spread: f32, origin: Vec3, extent: Vec3) -> Self {
        let [texel, depth_step] = grain(size, extent);
        Self { light, spread, origin, texel, depth_step }
    }
}

/// Sides of a texel and of a unit of depth, so that an extent fits into a map.
#[expect(clippy::cast_precision_loss, reason = "a side has at most 13 bits")]
pub(crate) fn grain(size: u32, extent: Vec3) -> [f32; 2] {
    let wide = max(extent.x, extent.y);
    // A line along the light still needs texels, and so does a leaf across it.
    let least = max(max(wide, extent.z) * 1e-4, f32::MIN_POSITIVE * 1e12);
    let texel = max(wide, least) / (size as f32 - BORDER);
    [texel, max(extent.z / DEPTHS, texel / DEPTHS_OF_TEXEL)]
}
