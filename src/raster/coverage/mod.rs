//! Coverage: which samples of a tile a triangle covers, and its depth there.

pub(crate) mod depth;
pub(crate) mod lanes;
pub(crate) mod samples;
pub(crate) mod scalar;
pub(crate) mod span;
pub(crate) mod triangle_lanes;
