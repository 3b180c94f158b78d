//! Texture filtering, anisotropic: one point at a time and over lanes.

pub(crate) mod lanes;
pub mod scalar;
