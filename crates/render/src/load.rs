//! A scene and its files -> a renderer.

use crate::asset::{self, AssetError};
use crate::{RenderError, Renderer};
use std::path::Path;
use thiserror::Error;
use tintype_formats::LoadOptions;
use tintype_scene::Scene;

/// A scene cannot be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A model, clip, material or texture cannot be loaded.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// A clip does not fit its model.
    #[error(transparent)]
    Render(#[from] RenderError),
}

impl Renderer {
    /// Loads the files of a scene; its paths are relative to `folder`. The camera is fitted to all
    /// frames.
    ///
    /// # Errors
    /// [`LoadError`] if a file cannot be loaded, or a clip does not fit its model.
    pub fn load(
        scene: Scene,
        folder: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        let assets = asset::load(&scene, folder.as_ref(), options)?;
        Ok(Self::new(scene, assets, &options.deadline)?)
    }
}
