//! The one error of the public interface.

use std::io;
use std::path::PathBuf;
use thiserror::Error;
use tintype_host::OutputError;
use tintype_host::job::{JobError, JobErrorKind};
use tintype_model::disk::ShowPath;
use tintype_model::pose::BindError;
use tintype_render::asset::{AssetError, MorphError};
use tintype_render::{OpenError, RenderError};
use tintype_scene::{SceneErrors, nearest_word};

/// Error of opening, drawing or writing. Its text names the file, the line or the value; `source` has the cause.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A scene file cannot be read.
    #[error("{}: {source}", path.shown())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A scene has mistakes; all of them are listed.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A model, clip, material or texture cannot be loaded.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// A model has no clip of that name.
    #[error("{}: no clip {wanted:?}; {}", path.shown(), the_clips(wanted, clips))]
    NoSuchClip {
        /// The file of the model.
        path: PathBuf,
        /// The name asked for.
        wanted: String,
        /// The clips of the model.
        clips: Vec<String>,
    },
    /// A model has no such morph target, or its weight is out of range.
    #[error("{}: {source}", path.shown())]
    Morph {
        /// The file of the model.
        path: PathBuf,
        /// The cause.
        source: MorphError,
    },
    /// A clip has no joint of the model.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A frame cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A job ended early.
    #[error(transparent)]
    Job(#[from] JobError),
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::File { path, source } => Self::File { path, source },
            OpenError::Scene(error) => Self::Scene(error),
            OpenError::Asset(error) => Self::Asset(error),
            OpenError::Render(error) => Self::Render(error),
        }
    }
}

impl Error {
    /// Whether the same call may succeed later: a full disk, a folder that has gone, an input/output error.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::File { source, .. } => tintype_model::disk::is_temporary(source),
            Self::Asset(error) => error.is_temporary(),
            Self::Output(error) => error.is_temporary(),
            Self::Job(error) => error.kind() == JobErrorKind::Temporary,
            _ => false,
        }
    }
}

/// The clips that there are, and the one that is spelt most like the one asked for.
fn the_clips(wanted: &str, clips: &[String]) -> String {
    if clips.is_empty() {
        return "the model has none".to_owned();
    }
    let nearest = nearest_word(wanted, clips.iter().map(String::as_str));
    let near = nearest.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    format!("the clips are: {}{near}", clips.join(", "))
}
