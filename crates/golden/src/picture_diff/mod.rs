//! Differences of picture files: two files, two folders, or two sequences of frames.
//!
//! Input: two paths. Output: pairs of pictures that belong together, the difference of each pair by [`tintype_compare`], the
//! pictures that show it, and a JSON report. Of two folders, models, clips and other files are compared too, by `files`. `pairs` finds the pairs, `compared` compares one of them, `json` is the report.

mod compared;
mod error;
mod files;
mod json;
mod limits;
mod pairs;

pub use compared::{Compared, Origin, State};
pub use error::PictureDiffError;
pub use files::{ComparedFile, FileState, compare_files};
pub use json::{Sides, encode_json};
pub use limits::PictureLimits;
pub use pairs::{Pair, Pairs};
