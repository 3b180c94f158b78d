//! Fragments: the parts of pixels to shade, one for each pixel and each triangle visible in it.
//!
//! Input: the depth buffer of a tile. Output: lists of fragments. `scalar` lists opaque and blended
//! fragments pixel by pixel; over lanes, `lanes` queues opaque ones by shader, and `layers` finds
//! blended ones.

pub(crate) mod centroid;
pub(crate) mod fragment;
pub(crate) mod lanes;
pub(crate) mod layers;
pub(crate) mod scalar;
