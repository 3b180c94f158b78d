//! Shading of the fragments of a tile: one at a time, and over lanes by shader.

pub(crate) mod lanes;
pub(crate) mod scalar;
