//! Reasons why a model has no picture.

use crate::ModelFile;
use tintype_formats::LimitName;

/// Reason why a model has no picture, in increasing order of severity for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// The model, its clip or a required texture is refused.
    Input,
    /// It has no clip of the requested name.
    Clip,
    /// The file is too long.
    Size,
    /// It would take too much memory.
    Memory,
    /// It took longer than allowed.
    Timeout,
    /// Nothing of it is visible.
    Empty,
    /// It contains nothing to draw.
    NoMesh,
    /// It contains only clips.
    ClipsAlone,
    /// Pictures are only checked, and this one is absent or stale.
    Missing,
    /// It was drawn and could not be written.
    Output,
    /// This program has a fault.
    FileRepair,
    /// The system refused a file for a temporary reason.
    Temporary,
}

impl SkipReason {
    /// The reason as one word, for JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Clip => "clip",
            Self::Size => "size",
            Self::Memory => "memory",
            Self::Timeout => "timeout",
            Self::Empty => "empty",
            Self::NoMesh => "no-mesh",
            Self::ClipsAlone => "clips-alone",
            Self::Missing => "missing",
            Self::Output => "output",
            Self::FileRepair => "fault",
            Self::Temporary => "temporary",
        }
    }
}

/// A model that has no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Reason.
    pub reason: SkipReason,
    /// The reason in words.
    pub message: String,
    /// The error of the system if a file could not be read.
    pub io_kind: Option<std::io::ErrorKind>,
    /// The setting of the caller that decides it.
    pub cause: Option<SkipCause>,
}

/// The setting that a model without a picture exceeds or breaks. A caller may add the name by which
/// its users know the setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipCause {
    /// [`ModelLimits::file`](super::ModelLimits::file).
    Size,
    /// [`ModelLimits::memory`](super::ModelLimits::memory).
    Memory,
    /// [`ModelLimits::time`](super::ModelLimits::time).
    Time,
    /// A limit of a file reader, which a low limit of memory lowers. None for a fixed one.
    Reader(Option<LimitName>),
    /// A limit of textures or pictures.
    Limit(LimitName),
    /// Up and front of the model on one line.
    Axes,
    /// The chosen clip.
    Clip,
    /// [`ThumbnailOptions::strict_assets`](super::ThumbnailOptions::strict_assets).
    StandIn,
}

impl Skip {
    /// A skip with its message.
    #[must_use]
    pub fn new(reason: SkipReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), io_kind: None, cause: None }
    }

    /// Sets the setting that decides it.
    #[must_use]
    pub fn by(self, cause: SkipCause) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// True if the file was found in a folder and contains no model, such as a file of clips.
    #[must_use]
    pub fn is_no_model(&self, model: &ModelFile) -> bool {
        !model.is_named && matches!(self.reason, SkipReason::NoMesh | SkipReason::ClipsAlone)
    }
}
