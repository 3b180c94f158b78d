//! Jobs: sequences, turntables and thumbnails drawn into files, with resume, retries, a stop token and a journal.
//!
//! Input: a scene with its assets, or models, and the files to write. Output: those files, each complete or absent, and a report
//! of counts. Progress goes to an observer as events. This layer prints nothing, reads no environment variable, handles no
//! signal and knows no exit code; the command line does, and so can any other caller.
//!
//! | module | subject |
//! |---|---|
//! | [`discover`] | model files named by paths, folders, patterns and lists |
//! | [`resume`] | which frames are up to date on the disk |
//! | [`retry`] | repeated attempts after temporary failures |
//! | [`stop`] | a request to end early |
//! | [`journal`] | the lines that one attempt writes beside its pictures |
//! | [`thumbnail`] | pictures of many models |
//! | [`memory`] | peak memory of this process |

pub mod discover;
pub mod journal;
pub mod memory;
pub mod resume;
pub mod retry;
pub mod stop;
pub mod thumbnail;

pub use retry::Retry;
pub use stop::StopToken;

use std::path::PathBuf;

/// A model file of a job, with its name among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Path that opens the file, as the caller wrote it.
    pub path: PathBuf,
    /// Path below the base folder of the job, with `/` between its parts. Pictures are named after it.
    pub name: String,
    /// Whether the caller named the file, rather than a folder or pattern that contains it.
    pub is_named: bool,
}
