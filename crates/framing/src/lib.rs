//! Framing: one model -> a scene that shows it, its thumbnail, its turntable.
//!
//! Input: a model file with its clips, and the options of the user. Output: output settings, camera
//! and instance of a scene, added to a [`SceneBuilder`] by [`TurntableSpec`] and [`ThumbnailSpec`],
//! and the picture of a thumbnail ([`thumbnail`]). [`Timeline`] computes the number of frames that
//! closes a loop. Choices that the user does not make are made here: up and front
//! ([`orientation`]), the clip ([`clip_choice`]), its key time ([`key_time`]) and the viewpoint
//! ([`viewpoint`]), for which the surface ([`solid`]) is drawn at a tiny size ([`silhouette`]).
//! Files are read through [`LoadOptions::files`]; none is written.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.
//!
//! [`SceneBuilder`]: tintype_scene::SceneBuilder
//! [`LoadOptions::files`]: tintype_formats::LoadOptions::files

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

pub mod character;
pub mod clip_choice;
mod camera_words;
mod clip_folders;
mod clip_wish;
pub mod contact_sheet;
pub mod key_time;
mod model_entry;
pub mod orientation;
pub mod silhouette;
pub mod solid;
pub mod thumbnail;
pub mod timeline;
pub mod turntable;
pub mod viewpoint;

pub use character::{Character, CharacterClip, CharacterError, Characters};
pub use clip_folders::{ClipFolders, ClipsBeside};
pub use clip_wish::ClipWish;
pub use contact_sheet::{ContactSheet, ContactSheetError};
pub use model_entry::{model_entry, with_load_options};
pub use orientation::ModelAxes;
pub use solid::Solid;
pub use thumbnail::ThumbnailSpec;
pub use timeline::Timeline;
pub use turntable::{
    ModelPath, TurntableError, TurntableNote, TurntableOptions, TurntableScene, TurntableSpec,
};
pub use viewpoint::{Shape, Viewpoint};

use std::path::PathBuf;

/// A model file of a job, with its name among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Path of the file, as written by the caller.
    pub path: PathBuf,
    /// Path below the base folder of the job, with `/` between its parts. Pictures are named after
    /// it.
    pub name: String,
    /// True for a file named by the caller, false for one found in a folder or by a pattern.
    pub is_named: bool,
}
