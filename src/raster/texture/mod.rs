//! Texture filtering.

pub mod anisotropic;
pub mod trilinear;
