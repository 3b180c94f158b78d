//! Fragments: the parts of pixels to shade, one for each pixel and each triangle that it shows.
//!
//! Input: the depth buffer of a tile. Output: lists of fragments. `scalar` lists opaque and blended fragments pixel by pixel;
//! `lanes` queues opaque ones by shader, for tiles without blended triangles.

pub(crate) mod centroid;
pub(crate) mod fragment;
pub(crate) mod lanes;
pub(crate) mod scalar;
