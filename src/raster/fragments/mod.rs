//! Fragments: what each pixel of a tile shows.

pub(crate) mod centroid;
pub(crate) mod fragment;
pub(crate) mod lanes;
pub(crate) mod scalar;
