//! Reasons for which a model has no picture.

use super::limits::{ModelDeadline, bytes};
use crate::asset::AssetError;
use crate::diagnostic::chain;
use crate::formats::md5::Md5Error;
use crate::formats::x::XError;
use crate::job::ModelFile;

/// Reason for which a model has no picture, in rising order of weight for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// The model, its clip or a texture that must be there is refused.
    Input,
    /// The file is too long.
    Size,
    /// It would take too much memory.
    Memory,
    /// It took longer than allowed.
    Timeout,
    /// Nothing of it can be seen.
    Empty,
    /// It holds nothing that could be drawn.
    NoMesh,
    /// It holds clips and nothing else.
    ClipsAlone,
    /// Pictures are only checked, and this one is absent or stale.
    Missing,
    /// It was drawn and could not be written.
    Output,
    /// This program has a fault.
    Fault,
    /// The system refused a file for a temporary reason.
    Temporary,
}

impl SkipReason {
    /// The reason as one word, for JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Size => "size",
            Self::Memory => "memory",
            Self::Timeout => "timeout",
            Self::Empty => "empty",
            Self::NoMesh => "no-mesh",
            Self::ClipsAlone => "clips-alone",
            Self::Missing => "missing",
            Self::Output => "output",
            Self::Fault => "fault",
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
}

impl Skip {
    /// A skip with its message.
    #[must_use]
    pub fn new(reason: SkipReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    /// Whether the file was found in a folder and holds no model: a file of clips, for example.
    #[must_use]
    pub fn is_no_model(&self, model: &ModelFile) -> bool {
        !model.is_named && matches!(self.reason, SkipReason::NoMesh | SkipReason::ClipsAlone)
    }

    /// The skip that an error in a file of the model causes.
    pub(super) fn of(error: &AssetError, model_deadline: &ModelDeadline) -> Self {
        if let Some(late) = error.timed_out() {
            return model_deadline.skip(late);
        }
        let is_limit = match error {
            AssetError::Md5 { source, .. } => matches!(**source, Md5Error::Limit { .. }),
            AssetError::X { source, .. } => matches!(**source, XError::Limit { .. }),
            _ => false,
        };
        let reason = match error {
            error if error.is_temporary() => SkipReason::Temporary,
            _ if is_limit => SkipReason::Memory,
            AssetError::TooLarge { .. } => SkipReason::Size,
            _ => SkipReason::Input,
        };
        // The user has written no scene: its keys say nothing, and the path of the model stands before the message.
        let of_model = |key: &str| key.ends_with("].file") && !key.contains("clips");
        let message = match error {
            AssetError::Md5 { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::X { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::UnsupportedModel { found, .. } => {
                format!("{found}; models are .md5mesh and .x files")
            }
            AssetError::Axes { key, found, taken, .. } => {
                let option = key.rsplit('.').next().unwrap_or_default();
                format!(
                    "--{option} is {found}, but that is {taken} of this kind of file; say both --up and --front"
                )
            }
            AssetError::TooLarge { path, found, allowed, .. } => format!(
                "{}: {} are too many, at most {} are read; --max-size raises that",
                path.file_name().unwrap_or_default().display(),
                bytes(*found),
                bytes(*allowed)
            ),
            other => chain(other),
        };
        let within = if is_limit { ", within what --max-memory leaves" } else { "" };
        Self::new(reason, message + within)
    }
}
