//! Alpha tests of masked surfaces.

pub(crate) mod lanes;
