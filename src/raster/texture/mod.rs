//! Texture filtering: trilinear, and anisotropic as a row of trilinear probes.

pub mod anisotropic;
pub mod footprint;
pub mod trilinear;

use crate::math::Vec4;
use crate::model::Texture;
use crate::raster::texture::anisotropic::scalar::Row;
use crate::raster::texture::footprint::Footprint;
use crate::raster::texture::trilinear::scalar::sample_trilinear;

/// The filtered texel under a footprint, with at most `most` probes: 1 is [`sample_trilinear`].
#[inline]
#[must_use]
pub fn sample_filtered(texture: &Texture, footprint: &Footprint, most: u32) -> Vec4 {
    if most > 1 {
        Row::new(texture, footprint, most).sample(texture)
    } else {
        sample_trilinear(texture, footprint)
    }
}
