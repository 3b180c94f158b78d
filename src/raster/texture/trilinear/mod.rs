//! Texture filtering, trilinear: one point at a time and over lanes.

pub(crate) mod lanes;
pub mod scalar;
