//! Thumbnails: one picture of each of many models.
//!
//! Input: models, [`ThumbnailOptions`] and a [`Target`]. Output: picture files, and for each model a [`Thumbnail`] with its facts or
//! a [`Skip`] with the reason, given to an observer in the order in which they end. Models are drawn side by side, each with its
//! own deadline and memory limit; one that fails does not stop the others. A picture that is present and would be drawn the same
//! is kept, as its digest says.
//!
//! [`Thumbnail`]: tintype_framing::thumbnail::Thumbnail
//! [`ThumbnailOptions`]: tintype_framing::thumbnail::ThumbnailOptions
//! [`Skip`]: tintype_framing::thumbnail::Skip

mod pools;
mod run;
mod target;

pub use run::{Finished, Sampler, ThumbnailError, ThumbnailJob};
pub use target::Target;
