//! Errors of reading and checking goldens.

use super::newer::UPDATE;
use std::path::PathBuf;
use thiserror::Error;
use tintype_base::disk::is_temporary;
use tintype_base::path::ShowPath;
use tintype_formats::LimitName;
use tintype_framing::CharacterError;
use tintype_host::OutputError;
use tintype_render::RenderError;
use tintype_render::aov::AovError;
use tintype_render::asset::{AssetError, FileError};
use tintype_scene::SceneErrors;

/// Error that prevents the check of all goldens of a scene.
#[derive(Debug, Error)]
pub enum GoldenError {
    /// A file or folder cannot be read.
    #[error("{}", path.shown())]
    Read {
        /// The scene, or the golden folder.
        path: PathBuf,
        /// Reason of the system.
        source: std::io::Error,
    },
    /// A path that a caller named cannot be opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// The scene's text has mistakes.
    #[error("mistakes in {}\n{source}", path.shown())]
    Scene {
        /// The scene.
        path: PathBuf,
        /// All mistakes.
        source: SceneErrors,
    },
    /// The scene lists no golden frame, so nothing could fail.
    #[error("{}: the scene has no [golden] table", path.shown())]
    NoGolden {
        /// The scene.
        path: PathBuf,
    },
    /// The file is the record of a golden.
    #[error("{}: expected a scene, found a golden's record", path.shown())]
    Record {
        /// The file.
        path: PathBuf,
    },
    /// A file that the scene names cannot be loaded.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// A file named by the scene is missing, and another has its content.
    #[error("{}; {}", tintype_base::diagnostic::chain(error), found.join("; "))]
    Renamed {
        /// The error of the missing file.
        error: Box<GoldenError>,
        /// A sentence about each renamed file.
        found: Vec<String>,
    },
    /// The scene cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A view requested by the scene cannot be drawn.
    #[error(transparent)]
    View(#[from] AovError),
    /// A model of a library cannot be loaded.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A newer program wrote the record of a model.
    #[error("{}: written by a newer version ({found}): {UPDATE}", path.shown())]
    Newer {
        /// The record.
        path: PathBuf,
        /// Its version in words.
        found: String,
    },
    /// A golden cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl GoldenError {
    /// The limit that a user may raise, if one was exceeded.
    #[must_use]
    pub fn limit(&self) -> Option<LimitName> {
        match self {
            Self::Asset(error) => error.limit(),
            Self::Character(error) => error.limit,
            _ => None,
        }
    }

    /// True if another attempt can succeed without a change of files.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Read { source, .. } => is_temporary(source),
            Self::File(error) => error.is_temporary(),
            Self::Asset(error) => error.is_temporary(),
            Self::Renamed { error, .. } => error.is_temporary(),
            Self::Character(error) => error.is_temporary,
            Self::Output(error) => error.is_temporary(),
            Self::Scene { .. }
            | Self::NoGolden { .. }
            | Self::Record { .. }
            | Self::Newer { .. }
            | Self::Render(_)
            | Self::View(_) => false,
        }
    }
}
