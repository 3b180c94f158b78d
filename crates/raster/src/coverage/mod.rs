//! Coverage: finds the samples of a tile covered by a triangle, and its depth there.
//!
//! Input: set-up triangles of one tile in submission order. Output: for every sample the nearest
//! opaque triangle and its depth, in [`samples::Samples`], which stays in the cache of one worker.
//!
//! ```text
//! span             bounding box of a triangle in pixels of the tile
//! depth            plane of 1/w
//! scalar           one sample at a time: the definition
//! lanes            one sample a lane
//! triangle_lanes   one triangle a lane: setup of the walks, and whole walks of small triangles
//! ```
//!
//! # Source
//! Pineda, "A Parallel Algorithm for Polygon Rasterization", SIGGRAPH 1988.

pub(crate) mod depth;
pub(crate) mod lanes;
pub(crate) mod samples;
pub(crate) mod scalar;
pub(crate) mod span;
pub(crate) mod triangle_lanes;
