//! Alpha tests of masked surfaces.

pub(crate) mod lanes;
pub(crate) mod scalar;
