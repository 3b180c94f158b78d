//! Shading: the light from a fragment toward the eye.
//!
//! Input: a triangle, a position on it, and the light of the frame. Output: premultiplied linear
//! RGBA, clamped to 0..=1. `light` is the classic light model, `physical` the metallic-roughness
//! model, `glass` transmission, `film` thin-film iridescence, `brushed` stretched (directional)
//! highlights, `toon` two-tone shading, `tone` the final tone mapping. Each has one source for
//! plain floats and for lanes. `scalar` adds attributes and textures and is the definition; `lanes`
//! shades a vector of fragments at a time, with `texels` of its textures.

mod brushed;
pub mod context;
mod film;
pub(crate) mod glass;
#[cfg(test)]
mod integral;
pub(crate) mod lanes;
pub(crate) mod light;
pub(crate) mod physical;
pub(crate) mod punctual;
pub(crate) mod scalar;
mod texels;
pub(crate) mod tone;
pub(crate) mod toon;
