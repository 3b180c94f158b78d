//! Shadow filter: the visibility of a light at a point, by percentage-closer soft shadows.

mod blocks;
pub(crate) mod lanes;
pub(crate) mod scalar;
mod taps;
mod windows;
