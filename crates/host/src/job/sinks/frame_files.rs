//! A file for each picture and each of its views, written in one step and retried after temporary failures.

use crate::job::error::JobError;
use crate::job::retry::Retry;
use crate::job::stop::StopToken;
use crate::{OutputError, write_atomic};
use tintype_base::path::path_of_text;
use tintype_model::frame::Frame;
use tintype_output::{FileFormat, PngEffort, Provenance, encode_still};
use tintype_render::aov::Shown;
use tintype_scene::{FrameNumber, FramePattern};

/// Encoder and writer of the files of a frame; workers share it.
#[derive(Clone, Copy)]
pub(in crate::job) struct FrameFiles<'a> {
    /// File names; `None` encodes for a stream.
    pub pattern: Option<&'a FramePattern>,
    pub format: FileFormat,
    pub effort: PngEffort,
    pub keep_alpha: bool,
    pub retry: Retry,
    pub stop: &'a StopToken,
}

impl FrameFiles<'_> {
    /// A view as a file that says which view of which frame it is and what its colours mean.
    pub(crate) fn encode_view(&self, shown: &Shown, of: &Provenance) -> Vec<u8> {
        let text = of.to_text_of_view(&shown.aov.word(), &shown.legend);
        encode_still(&shown.frame, self.format, false, self.effort, &text)
    }

    /// A picture as a file with its provenance.
    pub(crate) fn encode_picture(&self, frame: &Frame, of: &Provenance) -> Vec<u8> {
        encode_still(frame, self.format, self.keep_alpha, self.effort, &of.to_text())
    }

    /// Writes a view; returns the retries that it took.
    pub(crate) fn write_view(
        &self,
        number: FrameNumber,
        shown: &Shown,
        bytes: &[u8],
    ) -> Result<u32, JobError> {
        match self.pattern {
            Some(pattern) => self.write(&pattern.beside(&shown.aov.file_word()), number, bytes),
            None => Ok(0),
        }
    }

    /// Writes a picture; returns the retries that it took.
    pub(crate) fn write_picture(&self, number: FrameNumber, bytes: &[u8]) -> Result<u32, JobError> {
        match self.pattern {
            Some(pattern) => self.write(pattern, number, bytes),
            None => Ok(0),
        }
    }

    fn write(
        &self,
        pattern: &FramePattern,
        number: FrameNumber,
        bytes: &[u8],
    ) -> Result<u32, JobError> {
        let path = path_of_text(&pattern.path(number));
        let write = || write_atomic(&path, bytes);
        Ok(self.retry.run(self.stop, OutputError::is_temporary, write)?)
    }
}
