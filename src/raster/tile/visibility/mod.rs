//! Which triangle each sample of a tile sees.
//!
//! Depth and triangle ids live in a thread's scratch memory that stays in its cache; nothing per sample is kept for the
//! whole picture.

pub(crate) mod lanes;
pub(crate) mod scalar;
