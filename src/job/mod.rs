//! Jobs: sequences, turntables and thumbnails drawn into files, with resume, retries, a stop token and a journal.
//!
//! Input: a scene with its assets, or models, and the files to write. Output: those files, each complete or absent, and a report
//! of counts. Progress goes to an observer as events. This layer prints nothing, reads no environment variable, handles no
//! signal and knows no exit code; the command line does, and so can any other caller.
//!
//! ```text
//! discover    model files named by paths, folders, patterns and lists
//! sequence    frames of a scene, their outputs and settings
//! runner      draws the frames that are not up to date side by side, and feeds the sinks
//! resume      which frames are up to date on the disk
//! sinks       a PNG file for each frame, files that hold all frames, streams
//! report      counts and failures of a job over frames
//! event       progress, for the caller
//! stop        a request to end early
//! retry       repeated attempts after temporary failures
//! journal     lines that one attempt writes beside its pictures
//! stats       times and amounts of frames
//! thumbnail   pictures of many models
//! memory      peak memory of this process
//! ```

pub mod discover;
mod error;
mod event;
pub mod journal;
pub mod memory;
mod report;
pub mod resume;
mod retry;
mod runner;
mod sequence;
pub mod sinks;
pub mod stats;
mod stop;
pub mod thumbnail;

pub use error::{JobError, JobErrorKind};
pub use event::{DrawnFrame, Event, Observer};
pub use report::JobReport;
pub use retry::Retry;
pub use sequence::{JobSettings, OutdatedFrame, PreparedJob, SequenceJob, VerifyReport};
pub use sinks::{AnimationFiles, AnimationFormat, FrameOutput, Outputs, Stream, StreamFormat};
pub use stop::StopToken;

#[cfg(test)]
mod tests;

use crate::raster::Clock;
use crate::scene::FramePattern;
use std::path::{Path, PathBuf};

/// Threads, clock and stop token of a job.
#[derive(Clone)]
#[non_exhaustive]
pub struct JobContext<'a> {
    /// Threads that draw: as many frames are in flight.
    pub pool: &'a rayon::ThreadPool,
    /// Seconds since any moment; without it all times are 0.
    pub clock: Option<Clock<'a>>,
    /// Ends the job between two frames.
    pub stop: StopToken,
}

impl<'a> JobContext<'a> {
    /// A context without a clock, with a new stop token.
    #[must_use]
    pub fn new(pool: &'a rayon::ThreadPool) -> Self {
        Self { pool, clock: None, stop: StopToken::new() }
    }

    fn seconds(&self) -> f64 {
        self.clock.map_or(0.0, |clock| clock())
    }
}

impl core::fmt::Debug for JobContext<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("JobContext").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// The folder of a sequence; `.` if its pattern names none.
#[must_use]
pub fn folder_of(pattern: &FramePattern) -> PathBuf {
    let path = pattern.path(0);
    match Path::new(&path).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

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
