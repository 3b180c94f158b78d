//! Report writers: results of goldens -> JSON, JUnit XML, GitHub annotations, a Markdown summary,
//! and one static page.
//!
//! Input: a [`Report`], plain data filled in by the caller; [`picture_names`] returns the names of
//! picture files. Output: text. [`json`] and [`junit`] are for machines, [`annotation`] for the
//! page of a pull request, [`page`] for people. [`gallery`] does the same for thumbnails.
//!
//! This module compares nothing, reads and writes no file, and knows neither clock nor host: equal
//! data lead to equal bytes.

pub mod annotation;
mod cause_id;
mod data;
pub mod gallery;
mod groups;
pub mod json;
pub mod junit;
mod markup;
pub mod page;
mod summary;

pub use annotation::encode_annotations;
pub use cause_id::CauseId;
pub use data::{
    Act, Cause, Change, Entry, Group, Metric, Pictures, REPORT_VERSION, Report, SceneReport,
    Status, Turn, picture_names, totals, turn_name,
};
pub use gallery::{encode_gallery_json, encode_gallery_page, encode_gallery_pages, page_name};
pub use groups::group_failures;
pub use json::encode_json;
pub use junit::encode_junit;
pub use page::{encode_page, encode_pixels};
pub use summary::encode_summary;
