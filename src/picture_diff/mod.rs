//! Differences of picture files: two files, two folders, or two sequences of frames.
//!
//! Input: two paths. Output: pairs of pictures that belong together, the difference of each pair by [`crate::compare`], the
//! pictures that show it, and a JSON report. `pairs` finds the pairs, `compared` compares one of them, `json` is the report.

mod compared;
mod error;
mod json;
mod pairs;

pub use compared::{Compared, Origin, State};
pub use error::PictureDiffError;
pub use json::{Sides, encode_json};
pub use pairs::{Pair, Pairs};
