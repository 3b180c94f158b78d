//! Shading: the light that leaves a surface point toward the eye.

pub(crate) mod context;
pub(crate) mod lanes;
pub(crate) mod light;
pub(crate) mod scalar;
