//! Errors of jobs, each with a kind that shows whether a retry can help.

use super::sinks::AnimationFormat;
use crate::OutputError;
use std::path::PathBuf;
use thiserror::Error;
use tintype_base::amount::{bytes_text, counted};
use tintype_base::path::ShowPath;
use tintype_model::frame::Frame;
use tintype_render::RenderError;
use tintype_render::aov::AovError;
use tintype_scene::{Channel, FrameList, FrameNumber};

/// Reason why a job did not do all its work.
#[derive(Debug, Error)]
pub enum JobError {
    /// A clip does not fit its model, or the scene lacks the frame.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A view cannot be drawn of this scene.
    #[error(transparent)]
    View(#[from] AovError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The stream does not take a frame.
    #[error("cannot write to {name}")]
    Stream {
        /// Its name.
        name: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The reader of the stream closed it before the last frame.
    #[error("{name} was closed by its reader")]
    ReaderGone {
        /// Name of the stream.
        name: String,
    },
    /// A YUV stream has no alpha, and the picture is transparent.
    #[error("a y4m stream has no alpha; use RGBA, or an opaque picture")]
    StreamAlpha,
    /// A file of all frames was requested, but only some are to be drawn.
    #[error("a file for all frames needs all frames of the scene")]
    PartOfAnimation,
    /// Another process draws other frames into files of the same names.
    #[error(
        "{files}: another process is writing these pictures from another scene, options or files; wait for it, or choose other names"
    )]
    InUse {
        /// The file names.
        files: String,
    },
    /// A frame takes more memory than there is.
    #[error(
        "a frame of {}x{} needs about {}, but only {} is available; use a smaller size or fewer views",
        size[0], size[1], bytes_text(*needed), bytes_text(*allowed)
    )]
    Memory {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Estimated bytes of one frame.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// Channels are requested without files of single frames.
    #[error(
        "channels need one picture file per frame; use a pattern such as walk.####.png, or leave the channels out"
    )]
    ChannelsWithoutFiles,
    /// The channels of a frame exceed what a file can hold.
    #[error(
        "the channels of a frame of {}x{} take {}, but a file is limited to 3.7 GiB; use fewer channels or a smaller size",
        size[0], size[1], bytes_text(*needed)
    )]
    ManyChannels {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Bytes of the values.
        needed: u64,
    },
    /// Pictures were requested for channels that are not distances.
    #[error(
        "channels_as \"png\" supports only depth and distance, but {} {} selected; choose npz or exr",
        Channel::listed(channels), if channels.len() == 1 { "is" } else { "are" }
    )]
    NotDistances {
        /// The other channels.
        channels: Vec<Channel>,
    },
    /// A distance is beyond 16 bits.
    #[error(
        "frame {frame}: {} reaches {found}, but 16-bit PNG is limited to 65.535; choose npz or exr for channels_as",
        channel.word()
    )]
    FarChannel {
        /// The channel.
        channel: Channel,
        /// The frame.
        frame: FrameNumber,
        /// A distance in units of the scene.
        found: f32,
    },
    /// An OpenEXR file cannot be made.
    #[error("channels as OpenEXR: {why}")]
    OpenExr {
        /// The reason.
        why: String,
    },
    /// The frames do not fit on a sprite sheet.
    #[error(
        "{} of {}x{} need a picture larger than {} pixels per side; use fewer or smaller frames",
        counted(*frames, "frame"), size[0], size[1], Frame::MAX_SIDE
    )]
    SheetSize {
        /// Number of frames.
        frames: usize,
        /// Width and height of each in pixels.
        size: [u32; 2],
    },
    /// A file name has an extension of another format.
    #[error(
        "{}: the name must end in {}, the format that is written",
        path.shown(), allowed.replace(", ", " or ")
    )]
    Extension {
        /// The format of the file.
        format: AnimationFormat,
        /// Its name.
        path: PathBuf,
        /// The allowed extensions.
        allowed: String,
    },
    /// Two files of the same format were requested.
    #[error("{} and {} have the same format; name one file", path.shown(), other.shown())]
    TwoFiles {
        /// A file.
        path: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// A video was requested, but the encoder is not installed.
    #[error(
        "{}: ffmpeg is needed for video but was not found; install it, or write a .gif, .webp or .apng",
        path.shown()
    )]
    NoFfmpeg {
        /// The file.
        path: PathBuf,
    },
    /// The program that encodes a video has failed.
    #[error("{}: ffmpeg could not encode the video: {why}", path.shown())]
    Video {
        /// The file.
        path: PathBuf,
        /// Messages of the program.
        why: String,
    },
    /// Two files have the same name.
    #[error("{}: {other} has that name", path.shown())]
    SameFile {
        /// The format of the file.
        format: AnimationFormat,
        /// The name.
        path: PathBuf,
        /// The format of the other file.
        other: AnimationFormat,
    },
    /// A frame failed, and the job ended.
    #[error("{} ({} of {wanted} written)", first.message(), counted(*done, "frame"))]
    Aborted {
        /// The first failure.
        first: Box<JobError>,
        /// Frames that are up to date on the disk.
        done: usize,
        /// Frames of the job.
        wanted: usize,
    },
    /// Some frames failed, the others were drawn.
    #[error("{} of {wanted} could not be written: {failed}", counted(failed.len(), "frame"))]
    Failed {
        /// The frames that failed.
        failed: FrameList,
        /// Frames of the job.
        wanted: usize,
        /// True if another attempt can help with any of them.
        is_temporary: bool,
    },
    /// A stop token ended the job between two frames.
    #[error("{written} of {} done; {missing} missing", counted(*wanted, "frame"))]
    Stopped {
        /// Frames that were written.
        written: usize,
        /// Frames of the job.
        wanted: usize,
        /// The frames that are not up to date.
        missing: FrameList,
    },
    /// Files of frames have vanished: something removes them during the job.
    #[error(
        "{} disappeared: {frames}; another program removed files during the run: run the command again",
        counted(frames.len(), "frame")
    )]
    Vanished {
        /// The frames.
        frames: FrameList,
    },
    /// A file of all frames has disappeared.
    #[error("{}: another program removed it during the run: run the command again", path.shown())]
    VanishedFile {
        /// The file.
        path: PathBuf,
    },
    /// No pixel is covered in any frame, which is almost always a mistake in the camera.
    #[error("the pictures are empty: no instance covers a pixel in any frame{}", because(why.as_deref()))]
    Empty {
        /// The reason in one of the frames, if one was drawn.
        why: Option<String>,
    },
}

/// `: all 12 triangles face away`; empty for none.
fn because(why: Option<&str>) -> String {
    why.map_or_else(String::new, |why| format!(": {why}"))
}

/// Classes of [`JobError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobErrorKind {
    /// The same job fails again until its input or its settings change.
    BadInput,
    /// Another attempt can help, such as after a full disk.
    Temporary,
    /// Part of the work is done; the rest failed permanently.
    Incomplete,
    /// The caller ended the job; another run resumes from there.
    Stopped,
}

impl JobError {
    /// Class of this error.
    #[must_use]
    pub fn kind(&self) -> JobErrorKind {
        match self {
            Self::Output(error) if error.is_temporary() => JobErrorKind::Temporary,
            Self::Stream { .. } | Self::Vanished { .. } | Self::VanishedFile { .. } => {
                JobErrorKind::Temporary
            }
            Self::Aborted { first, .. } => first.kind(),
            Self::Failed { is_temporary: true, .. } => JobErrorKind::Temporary,
            Self::Failed { .. }
            | Self::Empty { .. }
            | Self::ReaderGone { .. }
            | Self::Video { .. } => JobErrorKind::Incomplete,
            Self::Stopped { .. } => JobErrorKind::Stopped,
            _ => JobErrorKind::BadInput,
        }
    }

    /// The message with its causes, outermost first.
    #[must_use]
    pub fn message(&self) -> String {
        tintype_base::diagnostic::chain(self)
    }
}
