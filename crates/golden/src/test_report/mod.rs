//! The report of a test run: data built from checked goldens, and its folder with a page and pictures.

mod build;
mod error;
mod folder;
mod names;
mod options;
mod source;

pub use build::{GoldenReport, TestRun, TestedScene, headline};
pub use error::ReportError;
pub use folder::{INDEX, refuse_foreign_page, write_report};
pub use names::{accept_commands, path_text, prune_commands, scene_name};
pub use options::ReportOptions;
pub use source::PictureSource;
