//! Coverage: which samples of a tile a triangle covers, and its depth there.

pub(crate) mod lanes;
pub(crate) mod triangle_lanes;
