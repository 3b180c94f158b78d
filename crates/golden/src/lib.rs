//! Golden images: scenes x golden folder -> passed, missing, dangling, different; and the command
//! that accepts new pictures.
//!
//! The expected goldens follow from the scenes alone: each lists its golden frames and their size.
//! Goldens mirror the scenes: `scenes/raster/edge.toml`, frame 3, is `golden/raster/edge/0003.png`,
//! with the golden folder beside the folder named `scenes`; a scene outside such a folder has its
//! goldens in `golden/<scene>/` beside itself. If more than one picture is right, the others are in
//! a folder named after the frame: `golden/raster/edge/0003/*.png`.
//!
//! Views listed in `output.aov` have goldens beside those of the pictures:
//! `golden/raster/edge/0003.depth.png`.
//!
//! Data shared by the records of several frames, such as the content of a model, is stored in
//! parts: files in `golden/content`, named by their digests.
//!
//! A golden means "same as before", exactly: every channel of every pixel, unless the scene selects
//! another rule for goldens that come from elsewhere. A check never writes.
//!
//! [`library`] does the same for models without scenes.
//!
//! [`GoldenScene::check`] compares, [`bless`] accepts, [`folder`] assigns files to scenes, [`run`]
//! tests many scenes and decides the result, and [`test_report`] builds the report of a run.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

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

mod beside_record;
mod between;
pub mod bless;
mod changed;
mod check;
mod checked;
pub mod discover;
mod error;
pub mod exports;
pub mod folder;
pub mod gallery_run;
mod fit;
mod golden_renderer;
mod known;
pub mod library;
mod moves;
mod newer;
mod paths;
pub mod picture_diff;
mod read_record;
pub mod record;
mod record_file;
mod refusal;
mod renamed;
pub mod report;
pub mod run;
mod scene;
pub mod selection;
mod telling;
pub mod test_report;
mod verdict;

pub use between::{cause_between, record_differences};
pub use bless::{Accepted, BlessOptions, Blessed, PlannedFile, Refit};
pub use changed::ChangedFiles;
pub use checked::{Basis, Checked, CheckedScene};
pub use discover::Discovery;
pub use error::GoldenError;
pub use folder::{Clash, StrayFiles, clash, dangling, unused_parts};
pub use known::{KnownChange, KnownReason};
pub use moves::{Move, find_moves};
pub use paths::{counterpart, files_of, is_part, record_of};
pub use record_file::record_words;
pub use refusal::{Refusal, Refused};
pub use run::{TestRun, TestedScene};
pub use scene::GoldenScene;
pub use telling::telling_frames;
pub use verdict::Verdict;
