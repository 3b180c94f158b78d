//! Shadow filter: the visible part of a light at a point.

pub(crate) mod lanes;
pub(crate) mod scalar;
