//! Visibility: the nearest triangle of every sample of a tile.
//!
//! Input: the triangles binned to the tile. Output: the depth buffer, and the list of blended
//! triangles. Depth and triangle indices live in the scratch memory of a worker, which stays in its
//! cache; no per-sample data is kept for the whole picture.

pub(crate) mod lanes;
pub(crate) mod scalar;
