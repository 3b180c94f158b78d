//! Result of a job over frames: counts, failures, and remaining frames.

use super::error::{JobError, JobErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_scene::{FrameList, FrameNumber};

/// Result of a job over frames.
#[derive(Debug)]
pub struct JobReport {
    /// Frames of the job.
    pub frames: Vec<FrameNumber>,
    /// Digest of all inputs of their pixels.
    pub digest: String,
    /// Frames that were drawn and written.
    pub written: usize,
    /// Frames that were up to date.
    pub present: usize,
    /// Frames, written or present, without a covered pixel.
    pub empty: Vec<FrameNumber>,
    /// The reason why one of the drawn frames is empty.
    pub why_empty: Option<String>,
    /// Frames that failed, in the order of their failures.
    pub failed: Vec<(FrameNumber, JobError)>,
    /// Outdated frames left because the job ended early.
    pub missing: Option<FrameList>,
    /// Frames whose files existed but have disappeared by the end of the job.
    pub vanished: Option<FrameList>,
    /// Files that hold all frames and are now up to date.
    pub files: Vec<PathBuf>,
    /// Maximum number of frames in flight.
    pub in_flight: usize,
    /// Seconds from the start of drawing to its end; 0 without a clock, or if nothing was drawn.
    pub seconds: f64,
    /// True if the job continued after failures.
    pub(super) kept_going: bool,
    pub(super) allow_empty: bool,
}

impl JobReport {
    /// Returns the report itself if every frame is up to date, and some frame is not empty.
    ///
    /// # Errors
    /// [`JobError::Aborted`], [`JobError::Failed`], [`JobError::Stopped`] or [`JobError::Empty`],
    /// the first of these that applies.
    pub fn into_result(mut self) -> Result<Self, JobError> {
        let wanted = self.frames.len();
        if !self.failed.is_empty() {
            return Err(if self.kept_going {
                self.failed_frames()
            } else {
                let (_, first) = self.failed.swap_remove(0);
                let done = self.written + self.present;
                JobError::Aborted { first: Box::new(first), done, wanted }
            });
        }
        if let Some(missing) = self.missing {
            return Err(JobError::Stopped { written: self.written, wanted, missing });
        }
        if let Some(frames) = self.vanished {
            return Err(JobError::Vanished { frames });
        }
        if let Some(path) = self.files.iter().find(|path| is_gone(path)) {
            return Err(JobError::VanishedFile { path: path.clone() });
        }
        if self.is_refused_as_empty() {
            return Err(JobError::Empty { why: self.why_empty });
        }
        Ok(self)
    }

    fn failed_frames(&self) -> JobError {
        let numbers: BTreeSet<FrameNumber> =
            self.failed.iter().map(|(number, _)| *number).collect();
        let is_temporary =
            self.failed.iter().any(|(_, error)| error.kind() == JobErrorKind::Temporary);
        match FrameList::from_rising(numbers) {
            Some(failed) => JobError::Failed { failed, wanted: self.frames.len(), is_temporary },
            None => JobError::Empty { why: None },
        }
    }

    /// True if no pixel is covered in any frame, and that is an error.
    pub(super) fn is_refused_as_empty(&self) -> bool {
        let known = self.written + self.present;
        known > 0 && self.empty.len() == known && !self.allow_empty
    }
}

/// True if a written file does not exist. If that cannot be determined, it counts as existing.
pub(super) fn is_gone(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
}

/// Counts of a job while it runs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub written: usize,
    pub present: usize,
    done: BTreeSet<FrameNumber>,
    empty: Vec<FrameNumber>,
    why_empty: Option<String>,
    pub failed: Vec<(FrameNumber, JobError)>,
}

impl Tally {
    pub(super) fn add_written(&mut self, number: FrameNumber, nothing_seen: Option<&str>) {
        self.written += 1;
        self.done.insert(number);
        if let Some(why) = nothing_seen {
            self.empty.push(number);
            self.why_empty.get_or_insert_with(|| why.to_owned());
        }
    }

    pub(super) fn add_present(&mut self, number: FrameNumber, is_empty: bool) {
        self.present += 1;
        self.done.insert(number);
        if is_empty {
            self.empty.push(number);
        }
    }

    /// Ends the counting; `frames` are all frames of the job.
    pub(super) fn report(self, frames: Vec<FrameNumber>, digest: String) -> JobReport {
        let Self { written, present, done, mut empty, why_empty, failed } = self;
        empty.sort_unstable();
        let is_open = |number: &FrameNumber| {
            !done.contains(number) && failed.iter().all(|(one, _)| one != number)
        };
        let missing = FrameList::from_rising(frames.iter().copied().filter(is_open));
        JobReport {
            frames,
            digest,
            written,
            present,
            empty,
            why_empty,
            failed,
            missing,
            vanished: None,
            files: Vec::new(),
            in_flight: 0,
            seconds: 0.0,
            kept_going: false,
            allow_empty: false,
        }
    }
}
