//! Alpha test: whether a masked surface is solid at a sample.
//!
//! Input: a triangle and a position. Output: the opacity there, from the diffuse texture, the
//! vertex colours and the material. Used during coverage: by the frame for masked materials, and by
//! the depth pass of shadows for masked and blended ones.

pub(crate) mod lanes;
pub(crate) mod scalar;
