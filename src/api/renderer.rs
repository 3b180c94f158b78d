//! Renderers loaded with the files of their scenes, and frames saved as PNG.

use super::Error;
use crate::asset::{self, Assets};
use crate::disk::ShowPath;
use crate::formats::LoadOptions;
use crate::frame::Frame;
use crate::output::{PngEffort, encode_png, write_atomic};
use crate::render::Renderer;
use crate::scene::{Scene, parse_scene};
use std::path::Path;

impl Renderer {
    /// Opens a scene file and loads what it names: models, clips, materials, textures. The camera is fitted to all frames.
    ///
    /// # Errors
    /// [`Error`] if the scene has mistakes, or a file that it names cannot be loaded.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = crate::output::read_regular_text(path)
            .map_err(|source| Error::File { path: path.to_owned(), source })?;
        let scene = parse_scene(&text, &path.shown().to_string())?;
        Self::load(scene, path.parent().unwrap_or(Path::new("")), &LoadOptions::default())
    }

    /// Loads the files of a scene, whose paths are relative to `folder`. The camera is fitted to all frames.
    ///
    /// # Errors
    /// [`Error`] if a file cannot be loaded, or a clip does not fit its model.
    pub fn load(
        scene: Scene,
        folder: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let assets = load_assets(&scene, folder, options)?;
        Ok(Self::new(scene, assets, &options.deadline)?)
    }
}

impl Frame {
    /// Writes the frame as a PNG file, complete or not at all. Alpha is kept where a pixel is not opaque.
    ///
    /// # Errors
    /// [`Error::Output`] if the file cannot be written.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let keep_alpha = self.rgba.iter().any(|pixel| pixel[3] != u8::MAX);
        let bytes = encode_png(self, keep_alpha, PngEffort::Fast, &[]);
        Ok(write_atomic(path.as_ref(), &bytes)?)
    }
}

/// Loads the files of a scene, whose paths are relative to `folder`.
///
/// # Errors
/// [`Error::Asset`] for the first file that cannot be loaded.
pub fn load_assets(
    scene: &Scene,
    folder: impl AsRef<Path>,
    options: &LoadOptions,
) -> Result<Assets, Error> {
    Ok(asset::load(scene, folder.as_ref(), options)?)
}
