//! A file for each picture, each of its views and all its channels, written in one step and retried
//! after temporary failures.

use crate::job::error::JobError;
use crate::job::retry::Retry;
use crate::job::sequence::many_channels;
use crate::job::stop::StopToken;
use crate::{OutputError, write_atomic};
use tintype_base::path::path_of_text;
use tintype_model::frame::Frame;
use tintype_output::grey::{encode_grey, in_thousandths};
use tintype_output::npz::{Array, Values, encode_npz};
use tintype_output::{FileFormat, PngEffort, Provenance, encode_still};
use tintype_render::Renderer;
use tintype_render::aov::{Plane, Shown, legend};
use tintype_scene::{Channel, ChannelFormat, FrameNumber, FramePattern, Output};

/// Encoder and writer of the files of a frame, used by all workers.
#[derive(Clone, Copy)]
pub(in crate::job) struct FrameFiles<'a> {
    /// File names; `None` to encode for a stream.
    pub pattern: Option<&'a FramePattern>,
    pub format: FileFormat,
    pub effort: PngEffort,
    pub keep_alpha: bool,
    pub retry: Retry,
    pub stop: &'a StopToken,
}

impl FrameFiles<'_> {
    /// A view as a file with its frame, its name and the legend of its colours.
    pub(crate) fn encode_view(&self, shown: &Shown, of: &Provenance) -> Vec<u8> {
        let text = of.to_text_of_view(&shown.aov.word(), &shown.legend);
        encode_still(&shown.frame, self.format, false, self.effort, &text)
    }

    /// A picture as a file with its provenance.
    pub(crate) fn encode_picture(&self, frame: &Frame, of: &Provenance) -> Vec<u8> {
        encode_still(frame, self.format, self.keep_alpha, self.effort, &of.to_text())
    }

    /// Writes a view; returns the number of retries.
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

    /// Channels as the bytes of their files, in the order of [`Beside::channel_files`], with their
    /// names and legends.
    pub(crate) fn encode_channels(
        &self,
        renderer: &Renderer,
        planes: &[Plane],
        of: &Provenance,
        words: &[String],
    ) -> Result<Vec<Vec<u8>>, JobError> {
        let Output { size, channels, channels_as, .. } = &renderer.scene().output;
        let text = |word: &str, legend: &str| of.to_text_of_view(word, legend);
        if *channels_as == ChannelFormat::Png {
            let file = |((plane, channel), word): ((&Plane, &Channel), &String)| {
                let distances = match plane {
                    Plane::Numbers(distances) if channel.is_distance() => distances,
                    _ => return Err(JobError::NotDistances { channels: vec![*channel] }),
                };
                let values = in_thousandths(distances).map_err(|found| JobError::FarChannel {
                    channel: *channel,
                    frame: of.frame.into(),
                    found,
                })?;
                Ok(encode_grey(*size, &values, &text(word, "thousandths of a unit of the scene")))
            };
            return planes.iter().zip(channels).zip(words).map(file).collect();
        }
        let legends: Vec<_> = channels.iter().map(|&own| named(legend(renderer, own))).collect();
        let mut arrays = Vec::new();
        for ((channel, plane), names) in channels.iter().zip(planes).zip(&legends) {
            let (values, numbers) = match plane {
                Plane::Numbers(all) => (Values::Numbers(all), channel.width()),
                Plane::Indices(all) => (Values::Indices(all), 1),
            };
            let mut shape = [size[1], size[0]].map(|side| side as usize).to_vec();
            shape.extend((numbers > 1).then_some(numbers));
            arrays.push(Array { name: channel.word().to_owned(), shape, values });
            if names.len() > 1 {
                let (name, shape) = (format!("{}_names", channel.word()), vec![names.len()]);
                arrays.push(Array { name, shape, values: Values::Names(names) });
            }
        }
        let word = words.first().map_or("", String::as_str);
        let file = match channels_as {
            ChannelFormat::Exr => exr_of(&arrays, &text(word, "32-bit channels"))?,
            _ => encode_npz(&arrays, &text(word, "numpy.load reads it"))
                .ok_or_else(|| many_channels(*size, channels))?,
        };
        Ok(vec![file])
    }

    /// Writes a picture; returns the number of retries.
    pub(crate) fn write_picture(&self, number: FrameNumber, bytes: &[u8]) -> Result<u32, JobError> {
        match self.pattern {
            Some(pattern) => self.write(pattern, number, bytes),
            None => Ok(0),
        }
    }

    /// Writes a file of a frame; returns the number of retries.
    pub(crate) fn write(
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

/// Names by their numbers: 0 is nothing, and names count from 1.
fn named(names: Vec<String>) -> Vec<String> {
    core::iter::once(String::new()).chain(names).collect()
}

#[cfg(feature = "exr")]
fn exr_of(arrays: &[Array<'_>], text: &[(String, String)]) -> Result<Vec<u8>, JobError> {
    tintype_output::openexr::encode_exr(arrays, text).map_err(|why| JobError::OpenExr { why })
}

#[cfg(not(feature = "exr"))]
fn exr_of(_: &[Array<'_>], _: &[(String, String)]) -> Result<Vec<u8>, JobError> {
    let why = "this build lacks the exr feature; choose npz".to_owned();
    Err(JobError::OpenExr { why })
}
