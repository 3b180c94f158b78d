//! Shading: the light that leaves a fragment toward the eye.
//!
//! Input: a triangle, a position on it, and the light of the frame. Output: premultiplied linear RGBA, clamped to 0..=1. `light` is
//! the classic light model, `physical` the metallic-roughness one, `toon` that of two tones, `tone` the last step of all; `scalar` adds attributes and textures and is the definition; `lanes` shades a vector of fragments at a time.

pub mod context;
#[cfg(test)]
mod integral;
pub(crate) mod lanes;
pub(crate) mod light;
pub(crate) mod physical;
pub(crate) mod physical_lanes;
pub(crate) mod punctual;
pub(crate) mod scalar;
pub(crate) mod tone;
pub(crate) mod toon;
