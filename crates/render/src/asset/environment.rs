//! The panorama of an environment.

use super::error::AssetError;
use super::file::Source;
use super::loader::ReadFiles;
use std::path::Path;
use tintype_base::diagnostic::Kind;
use tintype_formats::LoadOptions;
use tintype_formats::image::decode_hdr;
use tintype_model::Panorama;
use tintype_scene::{EnvironmentSource, Scene};

/// Texels per row beyond which a panorama is reduced: reflections do not show more.
const MAX_WIDTH: u32 = 1024;

/// Reads the panorama named by the environment of a scene. None if it names none.
///
/// # Errors
/// [`AssetError`] if the file is missing, or is not an environment picture.
pub(super) fn load(
    scene: &Scene,
    scene_folder: &Path,
    options: &LoadOptions,
    read: &mut ReadFiles,
) -> Result<Option<Panorama>, AssetError> {
    let Some(environment) = &scene.environment else { return Ok(None) };
    let EnvironmentSource::File(file) = &environment.source else { return Ok(None) };
    let source = Source::new(scene_folder, file, "environment.file".to_owned());
    let (bytes, record) = source.read(options)?;
    let panorama = decode_hdr(&bytes, options).map_err(|error| {
        let (path, key) = (source.path.clone(), source.key.clone());
        AssetError::Image { path, key, source: Box::new(error) }
    })?;
    if !read.records.iter().any(|known| known.path == record.path) {
        read.records.push(record);
    }
    if panorama.is_dark() {
        let message = "every texel is black, so the environment gives no light";
        read.warnings.push(source.warning(Kind::Value, message));
    }
    Ok(Some(panorama.reduced(MAX_WIDTH)))
}
