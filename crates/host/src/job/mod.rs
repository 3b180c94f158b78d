//! Jobs: sequences, turntables and thumbnails drawn into files, with resume, retries, a stop token
//! and a journal.
//!
//! Input: a scene with its assets, or models, and the files to write. Output: those files, each
//! complete or absent, and a report of counts. Progress is sent to an observer as events. This
//! layer prints nothing, reads no environment variable, handles no signal and knows no exit code;
//! that is up to the command line or any other caller.
//!
//! ```text
//! discover    model files named by paths, folders, patterns and lists
//! thumbnail   one picture of each of many models
//! dataset     samples by seed, with labels
//! sequence    frames of a scene, their outputs and settings
//! runner      draws the frames that are not up to date side by side, and feeds the sinks
//! resume      which frames are up to date on the disk
//! verify      every file of a sequence against what a run would write
//! sinks       a file for each frame, files that hold all frames, streams
//! report      counts and failures of a job over frames
//! event       progress, for the caller
//! stop        a request to end early
//! retry       repeated attempts after temporary failures
//! lock        frames of other digests are not drawn into the same files at the same time
//! cached_fit  what is fitted to all frames of a large job, kept beside its pictures
//! journal     lines that one attempt writes beside its pictures
//! stats       times and amounts of frames
//! memory      peak memory of this process, and what it may use
//! in_work     models of a batch in work
//! ```

pub mod dataset;
pub mod discover;
mod context;
mod error;
mod event;
mod in_work;
pub mod journal;
mod cached_fit;
pub mod leftovers;
mod lock;
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
mod verify;

pub use context::JobContext;
pub use dataset::{Dataset, DatasetError, DatasetReport};
pub use error::{JobError, JobErrorKind};
pub use event::{DrawnFrame, Event, Observer};
pub use in_work::{Entered, InWork};
pub use report::JobReport;
pub use retry::Retry;
pub use sequence::{JobSettings, OutdatedFrame, PreparedJob, SequenceJob, VerifyReport};
pub use sinks::{
    AnimationFiles, AnimationFormat, FrameOutput, OutputNameError, Outputs, Stream, StreamFormat,
    folder_of, folders_of, foreign_extension, is_folder_name, refuse_foreign,
};
pub use stop::StopToken;
pub use verify::{CheckedFile, SequenceCheck};

#[cfg(test)]
mod tests;
