//! Two exports of characters, files or folders: what changed in each model and in each of its clips.
//!
//! Input: two model files, or two folders of them. Output: an [`ExportDiff`] with an entry for each model of either side, and in it
//! a part for the model and one for each clip, with its differences by stage; and a report of the same form as that of goldens.
//! Every key of every clip is compared; a picture is drawn only of what differs, at the moment at which it differs most.

mod compare;
mod diff;
mod report;

pub use compare::compare_exports;
pub use diff::{ExportDiff, ExportError};
pub use report::ExportReport;

#[cfg(test)]
mod tests;
