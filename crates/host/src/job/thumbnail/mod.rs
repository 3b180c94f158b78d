//! Thumbnails: one picture of each of many models.
//!
//! Input: models, [`ThumbnailOptions`] and a [`Target`]. Output: picture files, and for each model a [`Thumbnail`] with its facts or
//! a [`Skip`] with the reason, given to an observer in the order in which they end. Models are drawn side by side, each with its
//! own deadline and memory limit; one that fails does not stop the others. A picture that is present and would be drawn the same
//! is kept, as its digest says.
//!
//! | module | subject |
//! |---|---|
//! | `model` | one model: choices, resume by digest, drawing |
//! | `picture` | the camera of a picture, moved until the margin is right |
//! | `clip_folders` | clips beside MD5 models |
//! | `model_root` | the folder that texture names count from |
//! | [`limits`] | time, memory and bytes of one model |
//! | `pools` | thread pools of the models in work |
//! | `skip_reason`, `target` | reasons without a picture; files of the pictures |

mod clip_folders;
mod facts;
mod file_error;
pub mod limits;
mod model;
mod model_root;
mod options;
mod picture;
mod pools;
mod run;
mod skip_reason;
mod target;

pub(in crate::job) use clip_folders::ClipFolders;
pub use facts::{ThumbFacts, ThumbView};
pub use limits::ModelLimits;
pub(in crate::job) use model_root::ModelRoot;
pub use options::{Thumbnail, ThumbnailOptions};
pub use run::{Finished, Sampler, ThumbnailError, ThumbnailJob};
pub use skip_reason::{Skip, SkipReason};
pub use target::Target;
