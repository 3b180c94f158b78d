//! Anisotropic filtering: a row of trilinear probes along the longer axis of a footprint, if a view
//! requests more than one probe.

pub(crate) mod lanes;
pub mod scalar;
