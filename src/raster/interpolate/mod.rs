//! Interpolation of vertex attributes at points of a triangle.

pub(crate) mod lanes;
pub(crate) mod packet;
pub(crate) mod scalar;
