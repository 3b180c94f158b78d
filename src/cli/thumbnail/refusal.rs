//! Why a model has no picture, in words for who asked for one.

use super::limit::{ModelDeadline, bytes};
use crate::asset::AssetError;
use crate::cli::{chain, exit};
use crate::formats::md5::Md5Error;
use crate::formats::x::XError;

/// Why there is no picture; of several the last counts for the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The model, its clip or a texture that must be there is refused.
    Input,
    /// The file is too long.
    Size,
    /// It would take too much memory.
    Memory,
    /// It took too long.
    Timeout,
    /// Nothing of it can be seen.
    Empty,
    /// It holds nothing that could be drawn.
    NoMesh,
    /// It holds clips and nothing else.
    ClipsAlone,
    /// It was to be looked at only, and is not there, or not current.
    Missing,
    /// It was drawn and could not be written.
    Output,
    /// This program is at fault.
    Fault,
    /// The system did not give a file for now.
    Temporary,
}

impl Reason {
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

    /// What the command ends with where this is all that was asked for.
    pub fn code(self) -> u8 {
        match self {
            Self::Missing => exit::DIFFERENT,
            Self::Input | Self::NoMesh | Self::ClipsAlone | Self::Output => exit::BAD_INPUT,
            Self::Size | Self::Memory | Self::Timeout | Self::Empty | Self::Fault => {
                exit::INCOMPLETE
            }
            Self::Temporary => exit::TRY_AGAIN,
        }
    }
}

/// A model without a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub reason: Reason,
    pub message: String,
}

impl Refusal {
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    /// Of a file of the model.
    pub fn of(error: &AssetError, model_deadline: &ModelDeadline) -> Self {
        if let Some(late) = error.timed_out() {
            return model_deadline.refusal(late);
        }
        let is_limit = match error {
            AssetError::Md5 { source, .. } => matches!(**source, Md5Error::Limit { .. }),
            AssetError::X { source, .. } => matches!(**source, XError::Limit { .. }),
            _ => false,
        };
        let reason = match error {
            error if error.is_temporary() => Reason::Temporary,
            _ if is_limit => Reason::Memory,
            AssetError::TooLarge { .. } => Reason::Size,
            _ => Reason::Input,
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
