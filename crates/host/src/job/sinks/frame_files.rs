//! A PNG file for each picture and each of its views, written in one step and retried after temporary failures.

use crate::job::error::JobError;
use crate::job::retry::Retry;
use crate::job::stop::StopToken;
use crate::{OutputError, write_atomic};
use tintype_model::disk::path_of_text;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, Provenance, encode_png};
use tintype_render::aov::Shown;
use tintype_scene::{FrameNumber, FramePattern};

/// Encoder and writer of the files of a frame; workers share it.
#[derive(Clone, Copy)]
pub(in crate::job) struct FrameFiles<'a> {
    /// File names; `None` encodes for a stream.
    pub pattern: Option<&'a FramePattern>,
    pub effort: PngEffort,
    pub keep_alpha: bool,
    pub retry: Retry,
    pub stop: &'a StopToken,
}

impl FrameFiles<'_> {
    /// A view as a PNG that says which view of which frame it is and what its colours mean.
    pub(crate) fn encode_view(&self, shown: &Shown, of: &Provenance) -> Vec<u8> {
        let text = of.to_text_of_view(&shown.aov.word(), &shown.legend);
        encode_png(&shown.frame, false, self.effort, &text)
    }

    /// A picture as a PNG with its provenance.
    pub(crate) fn encode_picture(&self, frame: &Frame, of: &Provenance) -> Vec<u8> {
        encode_png(frame, self.keep_alpha, self.effort, &of.to_text())
    }

    /// Writes a view; returns the retries that it took.
    pub(crate) fn write_view(
        &self,
        number: FrameNumber,
        shown: &Shown,
        png: &[u8],
    ) -> Result<u32, JobError> {
        match self.pattern {
            Some(pattern) => self.write(&pattern.beside(&shown.aov.file_word()), number, png),
            None => Ok(0),
        }
    }

    /// Writes a picture; returns the retries that it took.
    pub(crate) fn write_picture(&self, number: FrameNumber, png: &[u8]) -> Result<u32, JobError> {
        match self.pattern {
            Some(pattern) => self.write(pattern, number, png),
            None => Ok(0),
        }
    }

    fn write(
        &self,
        pattern: &FramePattern,
        number: FrameNumber,
        png: &[u8],
    ) -> Result<u32, JobError> {
        let path = path_of_text(&pattern.path(number));
        let write = || write_atomic(&path, png);
        Ok(self.retry.run(self.stop, OutputError::is_temporary, write)?)
    }
}
