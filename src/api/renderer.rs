//! Frames saved as PNG, and the files of a scene.

use super::Error;
use std::path::Path;
use tintype_formats::LoadOptions;
use tintype_host::write_atomic;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};
use tintype_render::asset::{self, Assets};
use tintype_scene::Scene;

/// Writes a frame as a PNG file, complete or not at all. Alpha is kept where a pixel is not opaque.
///
/// # Errors
/// [`Error::Output`] if the file cannot be written.
pub fn save_png(frame: &Frame, path: impl AsRef<Path>) -> Result<(), Error> {
    let keep_alpha = frame.rgba.iter().any(|pixel| pixel[3] != u8::MAX);
    let bytes = encode_png(frame, keep_alpha, PngEffort::Fast, &[]);
    Ok(write_atomic(path.as_ref(), &bytes)?)
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
