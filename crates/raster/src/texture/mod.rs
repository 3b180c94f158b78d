//! Texture filtering, in linear premultiplied light.
//!
//! Input: a texture and the footprint of a pixel on it. Output: the filtered texel. `trilinear`
//! mixes two mip levels; `anisotropic` averages a row of trilinear probes where a surface is seen
//! at a grazing angle.

pub mod anisotropic;
pub mod footprint;
pub(crate) mod motion;
pub mod trilinear;

use crate::texture::anisotropic::scalar::Row;
use crate::texture::footprint::Footprint;
use crate::texture::trilinear::scalar::sample_trilinear;
use tintype_model::Texture;
use tintype_model::math::Vec4;

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
