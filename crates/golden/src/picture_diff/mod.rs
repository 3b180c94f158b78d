//! Differences between picture files: two files, two folders, or two sequences of frames.
//!
//! Input: two paths. Output: pairs of corresponding pictures, the difference of each pair from
//! [`tintype_compare`], pictures of the difference, and a JSON report. For folders, `files`
//! compares models, clips and other files too. `pairs` finds the pairs, `compared` compares one of
//! them, `json` writes the report.

mod compared;
mod error;
mod files;
mod json;
mod limits;
mod pairs;

pub use compared::{Compared, Origin, State};
pub use error::PictureDiffError;
pub use files::{ComparedFile, FileState, compare_files};
pub use json::{Results, Sides, encode_json};
pub use limits::PictureLimits;
pub use pairs::{Pair, Pairs, is_pattern};
