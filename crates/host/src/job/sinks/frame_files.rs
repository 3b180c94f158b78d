//! A file for each picture, each of its views and all of its channels, written in one step and retried after temporary failures.

use crate::job::error::JobError;
use crate::job::resume::Beside;
use crate::job::retry::Retry;
use crate::job::stop::StopToken;
use crate::{OutputError, write_atomic};
use tintype_base::path::path_of_text;
use tintype_model::frame::Frame;
use tintype_output::npz::{self, Array, Values, encode_npz};
use tintype_output::{FileFormat, PngEffort, Provenance, encode_still};
use tintype_render::Renderer;
use tintype_render::aov::{Plane, Shown, legend};
use tintype_scene::{FrameNumber, FramePattern, Output};

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

    /// Channels as a file with their names and those of what they count.
    pub(crate) fn encode_channels(
        &self,
        renderer: &Renderer,
        planes: &[Plane],
        of: &Provenance,
    ) -> Option<Vec<u8>> {
        let Output { size: [width, height], channels, .. } = &renderer.scene().output;
        let legends: Vec<_> = channels.iter().map(|&own| named(legend(renderer, own))).collect();
        let mut arrays = Vec::new();
        for ((channel, plane), names) in channels.iter().zip(planes).zip(&legends) {
            let (values, numbers) = match plane {
                Plane::Numbers(all) => (Values::Numbers(all), channel.width()),
                Plane::Indices(all) => (Values::Indices(all), 1),
            };
            let mut shape = [*height, *width].map(|side| side as usize).to_vec();
            shape.extend((numbers > 1).then_some(numbers));
            arrays.push(Array { name: channel.word().to_owned(), shape, values });
            if names.len() > 1 {
                let (name, shape) = (format!("{}_names", channel.word()), vec![names.len()]);
                arrays.push(Array { name, shape, values: Values::Names(names) });
            }
        }
        let word = Beside::word_of_channels(channels);
        encode_npz(&arrays, &of.to_text_of_view(&word, "numpy.load reads it"))
    }

    /// Writes channels; returns the retries that it took.
    pub(crate) fn write_channels(
        &self,
        number: FrameNumber,
        bytes: &[u8],
    ) -> Result<u32, JobError> {
        match self.pattern {
            Some(pattern) => self.write(&pattern.with_extension(npz::EXTENSION), number, bytes),
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

/// Names by their numbers, which count from 1: the first is that of nothing.
fn named(names: Vec<String>) -> Vec<String> {
    core::iter::once(String::new()).chain(names).collect()
}
