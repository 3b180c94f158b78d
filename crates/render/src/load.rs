//! Scene files and the files that they name -> renderers.

use crate::asset::regular::read_regular_text;
use crate::asset::{self, AssetError};
use crate::{RenderError, Renderer};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use tintype_formats::LoadOptions;
use tintype_model::disk::ShowPath;
use tintype_scene::{Scene, SceneErrors, parse_scene};

/// A scene cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
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
    /// A clip does not fit its model.
    #[error(transparent)]
    Render(#[from] RenderError),
}

impl Renderer {
    /// Opens a scene file and loads what it names: models, clips, materials, textures. The camera is fitted to all frames.
    ///
    /// # Errors
    /// [`OpenError`] if the scene has mistakes, or a file that it names cannot be loaded.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let text = read_regular_text(path)
            .map_err(|source| OpenError::File { path: path.to_owned(), source })?;
        let scene = parse_scene(&text, &path.shown().to_string())?;
        Self::load(scene, path.parent().unwrap_or(Path::new("")), &LoadOptions::default())
    }

    /// Loads the files of a scene, whose paths are relative to `folder`. The camera is fitted to all frames.
    ///
    /// # Errors
    /// [`OpenError`] if a file cannot be loaded, or a clip does not fit its model.
    pub fn load(
        scene: Scene,
        folder: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Self, OpenError> {
        let assets = asset::load(&scene, folder.as_ref(), options)?;
        Ok(Self::new(scene, assets, &options.deadline)?)
    }
}
