//! Thumbnails: the picture of one model, with automatic clip, time and viewpoint.
//!
//! Input: a model file and [`ThumbnailOptions`]. Output: a [`Thumbnail`] with its PNG file and
//! facts, or a [`Skip`] with the reason.
//!
//! | module | subject |
//! |---|---|
//! | `spec` | the scene of a thumbnail |
//! | `model` | one model: choices, resume by digest, drawing |
//! | `picture` | the camera of a picture, moved until the margin is right |
//! | `clip_folders` | clips beside MD5 models |
//! | `model_root` | the folder that texture names count from |
//! | [`limits`] | time, memory and bytes of one model |
//! | `skip_reason` | reasons without a picture |

mod chosen;
mod clip_file;
mod facts;
mod file_error;
pub mod limits;
mod job;
mod model;
mod offers;
mod view_choice;
mod model_root;
mod options;
mod picture;
mod skip_reason;
mod spec;

pub use facts::{ThumbFacts, ThumbView};
pub use limits::{ModelDeadline, ModelLimits};
pub use model::draw_model;
pub(crate) use model_root::ModelRoot;
pub use options::{CheckInputs, InputCheck, Thumbnail, ThumbnailOptions, spin_file};
pub use skip_reason::{Skip, SkipCause, SkipReason};
pub use spec::{THUMBNAIL_REVISION, ThumbnailSpec};
