//! Comparison of two character exports, files or folders: changes in each model and each of its
//! clips.
//!
//! Input: two model files, or two folders of them. Output: an [`ExportDiff`] with an entry for each
//! model of either side, divided into a part for the model and one for each clip, each with its
//! differences by stage; and a report of the same form as for goldens. Every key of every clip is
//! compared; pictures are drawn only where something differs, at the time of the largest
//! difference.

mod compare;
mod diff;
mod json;
mod report;

pub use compare::compare_exports;
pub use diff::{ExportDiff, ExportError};
pub use json::encode_json;
pub use report::ExportReport;

#[cfg(test)]
mod tests;
