//! The report of a test run: data built from checked goldens, and its folder with a page and
//! pictures.

mod accept_command;
mod carried;
mod commands;
mod golden_report;
mod error;
mod folder;
mod names;
mod options;
mod shards;
mod source;
mod turning;
mod turning_gallery;

pub use accept_command::{AcceptCommand, Accepts};
pub use carried::{address_from, check_package};
pub(crate) use commands::Acceptable;
pub use error::ReportError;
pub use folder::{INDEX, is_of_report, refuse_foreign_page, write_joined, write_report};
pub use golden_report::{GoldenReport, cause_id, headline, names_of, short_name};
pub use names::scene_name;
pub use options::{Interactive, ReportOptions};
pub use shards::{Joined, RESULTS, ShardError, ShardResults};
pub use source::PictureSource;
pub use turning::MAX_BYTES;
pub use turning_gallery::{GalleryTurning, remove_turning};
