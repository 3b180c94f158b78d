//! Thumbnails: one picture of each of many models.
//!
//! Input: models, [`ThumbnailOptions`] and a [`Target`]. Output: picture files, and for each model
//! a [`Thumbnail`] with its facts or a [`Skip`] with the reason, passed to an observer in the order
//! of completion. Models are drawn in parallel, each with a separate deadline and memory limit; one
//! that fails does not stop the others. A picture whose digest is up to date is kept.
//!
//! [`Thumbnail`]: tintype_framing::thumbnail::Thumbnail
//! [`ThumbnailOptions`]: tintype_framing::thumbnail::ThumbnailOptions
//! [`Skip`]: tintype_framing::thumbnail::Skip

mod pools;
mod run;
mod target;

pub use run::{Finished, Sampler, ThumbnailError, ThumbnailJob};
pub use target::Target;
