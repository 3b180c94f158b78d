//! The files behind a scene with their digests, and which of them changed.

use crate::asset::Assets;
use crate::scene::{ClipSource, Scene};

/// A file and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetRecord {
    /// The name as the scene or the model writes it.
    pub name: String,
    /// Digest of its bytes.
    pub digest: String,
    /// Whether it is a texture; else a model, a clip or a recorded camera.
    pub is_texture: bool,
}

/// The files behind a scene.
#[must_use]
pub fn asset_records(scene: &Scene, assets: &Assets) -> Vec<AssetRecord> {
    let mut geometry: Vec<&str> = Vec::new();
    for model in &scene.models {
        geometry.push(&model.file);
        geometry.extend(model.clips.iter().filter_map(|clip| match &clip.source {
            ClipSource::File { file, .. } => Some(file.as_str()),
            ClipSource::Own(_) | ClipSource::Entry(_) => None,
        }));
    }
    if let crate::scene::CameraRig::Md5(recorded) = &scene.camera {
        geometry.push(&recorded.file);
    }
    let record = |file: &crate::asset::FileRecord| AssetRecord {
        name: file.name.clone(),
        digest: file.digest.to_hex()[..16].to_owned(),
        is_texture: !geometry.contains(&file.name.as_str()),
    };
    let mut found: Vec<AssetRecord> = Vec::new();
    for mut record in assets.files.iter().map(record) {
        // Two models may mean different files by one name.
        let name = record.name.clone();
        let mut count = 1;
        while found.iter().any(|known| known.name == record.name) {
            count += 1;
            record.name = format!("{name} ({count})");
        }
        found.push(record);
    }
    found
}

/// The records of either list that the other does not have.
#[must_use]
pub fn changed<'a>(older: &'a [AssetRecord], newer: &'a [AssetRecord]) -> Vec<&'a AssetRecord> {
    let mut found: Vec<&AssetRecord> =
        newer.iter().filter(|record| !older.contains(record)).collect();
    let is_named = |name: &str| newer.iter().any(|record| record.name == name);
    found.extend(older.iter().filter(|record| !is_named(&record.name)));
    found
}
