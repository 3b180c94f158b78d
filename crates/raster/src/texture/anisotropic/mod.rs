//! Anisotropic filtering: a row of trilinear probes along the longer axis of a footprint, if a view
//! asks for more than one probe.

pub(crate) mod lanes;
pub mod scalar;
