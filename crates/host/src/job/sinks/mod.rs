//! Destinations of frames: one file for each frame, files that contain all frames, or a stream.

mod animation_files;
mod animation_format;
mod animation_writer;
mod frame_files;
mod output_name;
mod stream;
mod video_writer;

pub use animation_files::AnimationFiles;
pub use animation_format::AnimationFormat;
pub(super) use animation_writer::{AnimationFrame, AnimationSet};
pub(super) use frame_files::FrameFiles;
pub(super) use output_name::format_of_files;
pub use output_name::{OutputNameError, foreign_extension, is_folder_name, refuse_foreign};
pub(super) use stream::raw_bytes;
pub use stream::{Stream, StreamFormat};
pub(super) use video_writer::check_ffmpeg;

use std::path::PathBuf;
use tintype_base::path::path_of_text;
use tintype_scene::FramePattern;

/// Destination of single frames.
#[derive(Clone, Debug, Default)]
pub enum FrameOutput<'a> {
    /// No frame files: only files of all frames are written.
    #[default]
    None,
    /// A file for each picture and each of its views: JPEG or WebP by its extension, otherwise PNG.
    Files(FramePattern),
    /// A stream, in the order of the frames.
    Stream(Stream<'a>),
}

/// All destinations of a job.
#[derive(Clone, Debug, Default)]
pub struct Outputs<'a> {
    /// Destination of single frames.
    pub frames: FrameOutput<'a>,
    /// Files that hold all frames.
    pub animations: AnimationFiles,
}

impl Outputs<'_> {
    /// A file for each frame: `out/####.png` or `out/%04d.png`.
    #[must_use]
    pub fn files(pattern: FramePattern) -> Self {
        Self { frames: FrameOutput::Files(pattern), animations: AnimationFiles::default() }
    }

    /// File names of single frames, if they go to files.
    #[must_use]
    pub fn pattern(&self) -> Option<&FramePattern> {
        match &self.frames {
            FrameOutput::Files(pattern) => Some(pattern),
            FrameOutput::None | FrameOutput::Stream(_) => None,
        }
    }
}

/// The folder of a sequence; `.` if its pattern names none.
#[must_use]
pub fn folder_of(pattern: &FramePattern) -> PathBuf {
    named_folder(pattern.folder())
}

/// All folders of the files of a sequence: several for a turntable with directions.
#[must_use]
pub fn folders_of(pattern: &FramePattern) -> Vec<PathBuf> {
    pattern.folders().iter().map(|folder| named_folder(folder)).collect()
}

/// A folder by its text with a separator at its end; `.` if that is empty.
fn named_folder(text: &str) -> PathBuf {
    match text.trim_end_matches('/') {
        "" if text.is_empty() => PathBuf::from("."),
        "" => PathBuf::from("/"),
        folder => path_of_text(folder),
    }
}
