//! Missing files of a scene, and the files that have their content now.

use super::error::GoldenError;
use super::read_record::RecordReader;
use super::scene::GoldenScene;
use crate::record::short_digest;
use std::path::{Path, PathBuf};
use tintype_base::disk::read_regular;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_render::asset::AssetError;

/// Adds the file with the same content in its folder to the error of a missing file, by the record
/// of the first golden.
pub(super) fn with_renamed(scene: &GoldenScene, error: GoldenError) -> GoldenError {
    if !matches!(error, GoldenError::Asset(AssetError::Missing { .. })) {
        return error;
    }
    let first = scene.frames().into_iter().next().map(|frame| scene.picture(frame));
    let record = first.and_then(|golden| RecordReader::default().read(&golden).ok());
    let folder = scene.path.parent().unwrap_or(Path::new(""));
    let files = record.iter().flat_map(|record| &record.assets);
    let files = files.map(|file| (folder.join(path_of_text(&file.name)), &file.digest));
    let found: Vec<String> = files
        .filter(|(path, _)| !path.exists())
        .filter_map(|(path, digest)| {
            let entries = std::fs::read_dir(path.parent()?).ok()?.flatten();
            let mut others: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            others.retain(|other| other.extension() == path.extension());
            others.sort();
            let has_content =
                |own: &&PathBuf| read_regular(own).is_ok_and(|own| short_digest(&own) == *digest);
            let other = others.iter().find(has_content)?;
            Some(format!("the file with the content of {} is {}", path.shown(), other.shown()))
        })
        .collect();
    if found.is_empty() { error } else { GoldenError::Renamed { error: Box::new(error), found } }
}
