//! Shading of the fragments of a tile.

pub(crate) mod lanes;
pub(crate) mod scalar;
