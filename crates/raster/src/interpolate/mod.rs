//! Interpolation: barycentric coordinates of a point, and vertex attributes there.
//!
//! Input: a set-up triangle and a position in 1/256 pixel. Output: perspective-correct barycentric
//! coordinates, texture footprints and attributes. Used by alpha tests and by shading.

pub(crate) mod lanes;
pub(crate) mod packet;
pub(crate) mod scalar;
