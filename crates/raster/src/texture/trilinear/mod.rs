//! Trilinear filtering: four texels of each of two mip levels. The default, used with one probe per
//! pixel.

pub(crate) mod lanes;
pub mod scalar;
