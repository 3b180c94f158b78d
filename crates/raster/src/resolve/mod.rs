//! Resolve: shaded fragments -> the pixels of a tile.
//!
//! Input: fragments with their light, and the background. Output: 8-bit sRGB pixels. Samples are
//! averaged in premultiplied linear light, then encoded. `blend` composites blended fragments per
//! sample, `layers` those of a pixel over lanes, `dither` prevents banding in gradients, `encode`
//! is the sRGB encoder, `pixels` the pixel buffer of a tile. `background` fills it before anything
//! else, from `background_codes`.

pub(crate) mod background;
pub(crate) mod background_codes;
pub(crate) mod blend;
pub(crate) mod dither;
pub(crate) mod encode;
pub(crate) mod lanes;
pub(crate) mod layers;
pub(crate) mod pixels;
pub(crate) mod scalar;
