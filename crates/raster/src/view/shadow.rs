//! Shadow of one light, with one map resolution for all frames of a sequence.

use tintype_model::math::Vec3;
use tintype_model::math::max;

/// Units of depth in the largest extent of casters at the usual resolution; less than 2^15, with a
/// margin at both ends.
const DEPTHS: f32 = 32_500.0;

/// Maximum units of depth in the side of a texel.
const DEPTHS_OF_TEXEL: f32 = 256.0;

/// Free texels of a map along an axis, both sides together.
const BORDER: f32 = 4.0;

/// Minimum and maximum extent of a frame's casters at the usual resolution, in scales. Movement of
/// small parts of models crosses neither.
const USUAL: [f32; 2] = [0.25, Shadow::WIDEST];

/// Shadow of one light and the resolution of its map, which is the same in all frames of a sequence
/// so that shadows do not crawl. A frame whose casters are far from the usual size has a map that
/// is coarser or finer by a power of 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Index in [`View::lights`](crate::View::lights); has no effect unless that light is
    /// directional.
    pub light: usize,
    /// Tangent of half the angle subtended by the light.
    pub spread: f32,
    /// Fixed position near the models.
    pub origin: Vec3,
    /// Usual extent of the casters in world units, above 0.
    scale: f32,
    /// Side of a texel at the usual resolution in world units, above 0.
    pub texel: f32,
    /// Unit of depth there in world units, above 0.
    depth_step: f32,
}

impl Shadow {
    /// The largest extent of casters at the usual resolution, in scales: the side of their map is
    /// this multiple of the usual side.
    pub const WIDEST: f32 = 2.0;

    /// The shadow of a light whose map has `size` texels for `scale` world units, approximately the
    /// extent of the casters across the light.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 13 bits")]
    pub fn new(light: usize, size: u32, spread: f32, origin: Vec3, scale: f32) -> Self {
        let scale = max(scale, f32::MIN_POSITIVE * 1e12);
        let texel = scale / (size as f32 - BORDER);
        let depth_step = max(scale * Self::WIDEST / DEPTHS, texel / DEPTHS_OF_TEXEL);
        Self { light, spread, origin, scale, texel, depth_step }
    }

    /// Sides of a texel and of a unit of depth for the casters of one frame, by their extent along
    /// the axes of the light.
    pub(crate) fn grain(&self, extent: Vec3) -> [f32; 2] {
        let widest = max(max(extent.x, extent.y), extent.z);
        let factor = octaves(widest, USUAL.map(|end| end * self.scale));
        [self.texel * factor, self.depth_step * factor]
    }
}

/// The power of 2 closest to 1 that scales the usual range to contain a length; within 2^±20.
#[must_use]
pub fn octaves(length: f32, [least, most]: [f32; 2]) -> f32 {
    const MOST: f32 = 1_048_576.0;
    let mut factor = 1.0;
    while length > most * factor && factor < MOST {
        factor *= 2.0;
    }
    while length < least * factor && length > 0.0 && factor > 1.0 / MOST {
        factor *= 0.5;
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_change_only_where_casters_leave_their_usual_size_and_then_hold_them() {
        for scale in [1e-3, 1.0, 700.0] {
            let shadow = Shadow::new(0, 1024, 0.0, Vec3::ZERO, scale);
            for (wide, factor) in
                [(0.0, 1.0), (0.26, 1.0), (1.99, 1.0), (2.01, 2.0), (9.0, 8.0), (0.2, 0.5)]
            {
                let [texel, depth_step] = shadow.grain(Vec3::new(0.1, wide, 0.0) * scale);
                assert_eq!(texel, shadow.texel * if wide > 0.1 { factor } else { 0.25 });
                assert!(wide * scale / texel <= Shadow::WIDEST * 1024.0);
                assert!(wide * scale / depth_step <= DEPTHS * 1.001);
            }
        }
    }
}
