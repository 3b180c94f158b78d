//! Events of a job, for a caller that shows progress or keeps a journal.

use super::error::JobError;
use super::stats::FrameStats;
use tintype_raster::Counts;
use tintype_scene::{FrameList, FrameNumber};

/// Receives the events of a job, on the thread that runs it.
pub type Observer<'a> = dyn FnMut(&Event<'_>) + 'a;

/// An event of a job.
#[derive(Debug)]
pub enum Event<'a> {
    /// The file exists and is outdated: it is drawn again.
    Outdated {
        /// The file.
        path: &'a str,
        /// The reason.
        reason: &'a str,
    },
    /// Number of frames that are drawn again for one reason; after all [`Event::Outdated`].
    Replaced {
        /// The reason.
        reason: &'a str,
        /// Number of frames.
        count: usize,
    },
    /// Frames that are up to date on the disk.
    Present(&'a FrameList),
    /// Drawing begins; not sent if everything is up to date.
    Started {
        /// Frames to draw.
        frames: usize,
        /// Bytes of shadow maps for each frame in flight.
        shadow_bytes: usize,
    },
    /// A frame is drawn and written.
    Drawn(&'a DrawnFrame),
    /// Another process has written a frame since the job began.
    FoundLate(FrameNumber),
    /// A frame could not be drawn or written.
    Failed {
        /// Its number.
        number: FrameNumber,
        /// The reason.
        error: &'a JobError,
        /// True if the job continues with the next frame.
        goes_on: bool,
    },
}

/// A frame that was drawn and written.
#[derive(Clone, Debug)]
pub struct DrawnFrame {
    /// Its number in the scene.
    pub number: FrameNumber,
    /// Counts of the rasterizer.
    pub counts: Counts,
    /// Times and amounts, bytes of PNG included; times of stages are 0 unless the job measures
    /// them.
    pub stats: FrameStats,
    /// Each view with the meaning of its colours: `depth: near 1.2 to far 4.0`.
    pub legends: Vec<String>,
    /// Retries that its files took.
    pub retries: u32,
    /// The reason why it is empty. None if it is not.
    pub nothing_seen: Option<String>,
}
