//! Reasons why a data set is incomplete.

use crate::OutputError;
use crate::job::discover::DiscoverError;
use crate::job::error::{JobError, JobErrorKind};
use thiserror::Error;
use tintype_base::amount::counted;
use tintype_framing::TurntableError;
use tintype_render::asset::AssetError;
use tintype_scene::{FrameList, SceneErrors};

/// Reason why a data set is incomplete.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The drawn values make no scene.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// No model is found.
    #[error("dataset.models: {0}")]
    Models(#[from] DiscoverError),
    /// A model cannot be opened.
    #[error(transparent)]
    Model(#[from] TurntableError),
    /// A file of the scene cannot be read.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// A model has none of the clips.
    #[error("{model}: none of its clips is in dataset.clips: {}; {has}", asked.join(", "))]
    NoClip {
        /// The model.
        model: String,
        /// The names.
        asked: Vec<String>,
        /// Clips of the model.
        has: String,
    },
    /// No model has a clip of that name.
    #[error("dataset.clips: no model has a clip {name:?}; {has}")]
    UnknownClip {
        /// The name.
        name: String,
        /// Clips of the models.
        has: String,
    },
    /// The figure is not visible in any picture of a sample.
    #[error(
        "sample {number}: {model} is not visible in any of {attempts} random draws; point the camera at it with target = \"fit\""
    )]
    Empty {
        /// The sample.
        number: u32,
        /// The model.
        model: String,
        /// The pictures that were tried.
        attempts: u32,
    },
    /// A missing file would be shown as a substitute.
    #[error("stand-ins are refused: {warning}")]
    StandIn {
        /// The warning about it.
        warning: String,
    },
    /// A picture or its files cannot be made.
    #[error("sample {number}: {error}")]
    Sample {
        /// The sample.
        number: u32,
        /// The reason.
        error: Box<JobError>,
    },
    /// Two samples were drawn from different files.
    #[error(
        "samples {first} and {second} were drawn from different versions of {file:?}; draw them again with the same files"
    )]
    Mixed {
        /// The file.
        file: String,
        /// A sample.
        first: u32,
        /// Another.
        second: u32,
    },
    /// Drawn samples have disappeared.
    #[error("{} of {count} are missing: {missing}; run the command again", counted(missing.len(), "sample"))]
    Incomplete {
        /// The samples.
        missing: FrameList,
        /// Samples of the set.
        count: u32,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl DatasetError {
    /// True if another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Output(error) => error.is_temporary(),
            Self::Models(error) => error.is_temporary(),
            Self::Incomplete { .. } => true,
            Self::Sample { error, .. } => error.kind() == JobErrorKind::Temporary,
            _ => false,
        }
    }
}
