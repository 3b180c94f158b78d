//! Resume: finds the frames of a sequence that are on the disk, complete and up to date, so that
//! only the others are drawn.

use crate::{CheckLevel, ExpectedFile, FrameStatus};
use tintype_base::path::path_of_text;
use tintype_output::Provenance;
use tintype_scene::{Aov, Channel, ChannelFormat, FrameNumber, FramePattern, Output};

/// Views and channels with files beside each picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Beside<'a> {
    /// Views, each written as a separate picture.
    pub views: &'a [Aov],
    /// Channels.
    pub channels: &'a [Channel],
    /// Format of their files.
    pub channels_as: ChannelFormat,
}

impl<'a> Beside<'a> {
    /// The outputs of a scene.
    #[must_use]
    pub fn of(output: &'a Output) -> Self {
        let Output { aov: views, channels, channels_as, .. } = output;
        Self { views, channels, channels_as: *channels_as }
    }

    /// Channel files, each with its word, like those of views: one for all channels, or one picture
    /// for each.
    #[must_use]
    pub fn channel_files(&self, pattern: &FramePattern) -> Vec<(String, FramePattern)> {
        match self.channels_as {
            _ if self.channels.is_empty() => Vec::new(),
            format @ ChannelFormat::Png => {
                let file = |channel: &Channel| {
                    let word = format!("{}_mm", channel.word());
                    let pattern = pattern.beside(&word).with_extension(format.word());
                    (word, pattern)
                };
                self.channels.iter().map(file).collect()
            }
            format => {
                let word = format!("channels:{}", Channel::listed(self.channels));
                vec![(word, pattern.with_extension(format.word()))]
            }
        }
    }
}

/// Files of a frame: its picture, then its views and its channels, each with its word, as texts for
/// [`path_of_text`].
pub fn files_of(
    number: impl Into<FrameNumber>,
    pattern: &FramePattern,
    beside: Beside<'_>,
) -> impl Iterator<Item = (Option<String>, String)> {
    let number = number.into();
    let view = |view: &Aov| (Some(view.word()), pattern.beside(&view.file_word()).path(number));
    let picture = (None, pattern.path(number));
    let views: Vec<_> = beside.views.iter().map(view).collect();
    let channels = beside.channel_files(pattern).into_iter();
    let channels = channels.map(move |(word, pattern)| (Some(word), pattern.path(number)));
    core::iter::once(picture).chain(views).chain(channels)
}

/// Provenance of a frame of this program.
///
/// `build` is the digest of the running program if its version does not identify its pixels: a
/// build of uncommitted sources.
#[must_use]
pub fn provenance(number: impl Into<FrameNumber>, digest: &str, build: Option<&str>) -> Provenance {
    let FrameNumber(number) = number.into();
    Provenance { build: build.map(str::to_owned), ..Provenance::of_this_build(number, digest) }
}

/// Expected contents of the files of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct ResumeCheck<'a> {
    /// File names of the pictures.
    pub pattern: &'a FramePattern,
    /// Files beside each picture.
    pub beside: Beside<'a>,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Digest of all inputs of the pixels.
    pub digest: &'a str,
    /// See [`provenance`].
    pub build: Option<&'a str>,
}

impl ResumeCheck<'_> {
    /// Status of a frame, after checking every chunk of its files: that of the first file that is
    /// not up to date, with its path.
    ///
    /// An unreadable file counts as broken; the reason is reported when it is written.
    #[must_use]
    pub fn check(&self, number: impl Into<FrameNumber>) -> (FrameStatus, String) {
        self.check_at(number, CheckLevel::Chunks)
    }

    /// As [`Self::check`], at another level.
    #[must_use]
    pub fn check_at(
        &self,
        number: impl Into<FrameNumber>,
        level: CheckLevel,
    ) -> (FrameStatus, String) {
        let number = number.into();
        let provenance = provenance(number, self.digest, self.build);
        let mut frame = (FrameStatus::Current { is_empty: false }, String::new());
        for (view, path) in files_of(number, self.pattern, self.beside) {
            let expected =
                ExpectedFile { size: self.size, provenance: &provenance, view: view.as_deref() };
            let status = expected
                .check(&path_of_text(&path), level)
                .unwrap_or_else(|error| FrameStatus::Broken(error.to_string()));
            match (&status, &view) {
                (FrameStatus::Current { .. }, Some(_)) => {}
                (FrameStatus::Current { .. }, None) => frame = (status, path),
                _ => return (status, path),
            }
        }
        frame
    }
}
