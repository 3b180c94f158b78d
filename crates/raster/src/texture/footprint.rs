//! Footprint of a pixel on a texture, and its level of detail.

use crate::texture::motion::moved;
use tintype_model::math::{Vec2, func, max};
use tintype_model::{TexcoordMotion, TextureCoordinates};

/// Texture coordinates of a pixel and their change to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Coordinates at the pixel.
    pub at: Vec2,
    /// Change over one pixel to the right.
    pub across: Vec2,
    /// Change over one pixel down.
    pub down: Vec2,
}

impl Footprint {
    /// Converts the footprint from its coordinate set to a texture's transformed coordinates.
    #[inline]
    #[must_use]
    pub fn on(&self, coordinates: &TextureCoordinates) -> Self {
        Self {
            at: coordinates.point(self.at),
            across: coordinates.direction(self.across),
            down: coordinates.direction(self.down),
        }
    }

    /// The footprint after a fraction of a motion.
    #[must_use]
    pub(crate) fn moved(&self, motion: &TexcoordMotion, share: f32) -> Self {
        let own = [self.at, self.across, self.down].map(|step| step.to_array());
        let [at, across, down] = moved(motion, share, own).map(Vec2::from_array);
        Self { at, across, down }
    }
}

/// Level of detail of a footprint on a texture with a first level of this size; 0 or below is
/// magnified.
#[inline]
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub fn level_of_detail(footprint: &Footprint, width: u32, height: u32) -> f32 {
    let size = Vec2::new(width as f32, height as f32);
    let (across, down) = (footprint.across * size, footprint.down * size);
    0.5 * func::log2_coarse(max(across.dot(across), down.dot(down)))
}
