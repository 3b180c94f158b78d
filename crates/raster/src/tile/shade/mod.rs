//! Shades the fragments of a tile: one at a time, or over lanes by shader.

pub(crate) mod lanes;
pub(crate) mod scalar;
