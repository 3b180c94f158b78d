//! The files of a scene with their digests, and the changed ones.

use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_compare::surface::texel_digest;
use tintype_render::asset::Assets;
use tintype_scene::{ClipSource, Scene};

/// A file, or a picture within one, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetRecord {
    /// The name as the scene or the model writes it.
    pub name: String,
    /// Digest of its bytes.
    pub digest: String,
    /// True for a texture; otherwise it is a model, a clip or a recorded camera.
    pub is_texture: bool,
    /// Digest of its texels, which is independent of the encoding of the picture. None for other
    /// files, or if it was not computed.
    pub texels: Option<String>,
    /// A texture's file, and its name if it is embedded in a model: two models may use one name for
    /// different files. None in a record that was read, and for other files.
    pub place: Option<String>,
}

impl AssetRecord {
    /// The file of a texture, otherwise the name.
    #[must_use]
    pub fn shown(&self) -> String {
        self.place.as_ref().unwrap_or(&self.name).clone()
    }
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
    if let tintype_scene::CameraRig::Md5(recorded) = &scene.camera {
        geometry.push(&recorded.file);
    }
    let record = |file: &tintype_render::asset::FileRecord| AssetRecord {
        name: file.name.clone(),
        digest: file.digest.to_hex()[..16].to_owned(),
        is_texture: file.is_embedded || !geometry.contains(&file.name.as_str()),
        texels: None,
        place: None,
    };
    let mut found: Vec<AssetRecord> = Vec::new();
    for file in all(assets) {
        let mut record = record(file);
        // Two models may use the same name for different files.
        let name = record.name.clone();
        let mut count = 1;
        while found.iter().any(|known| known.name == record.name) {
            count += 1;
            record.name = format!("{name} ({count})");
        }
        // The path of an embedded picture ends in its number.
        let model = file.path.parent().unwrap_or(Path::new("")).shown();
        record.place = record.is_texture.then(|| {
            if file.is_embedded { format!("{model}: {}", record.name) } else { file.path.shown() }
        });
        found.push(record);
    }
    found
}

/// The files, each followed by its embedded pictures.
fn all(assets: &Assets) -> impl Iterator<Item = &tintype_render::asset::FileRecord> {
    assets.files.iter().chain(&assets.pictures)
}

/// The records, in the order of [`asset_records`], with digests of texels.
pub(super) fn with_texels(mut records: Vec<AssetRecord>, assets: &Assets) -> Vec<AssetRecord> {
    for (record, file) in records.iter_mut().zip(all(assets)) {
        record.texels = texel_digest(assets, file);
    }
    records
}

/// The records that only one list has, compared by their bytes: renaming a file is not a change.
#[must_use]
pub fn changed<'a>(older: &'a [AssetRecord], newer: &'a [AssetRecord]) -> Vec<&'a AssetRecord> {
    let is_known = |record: &AssetRecord| {
        let same = |known: &AssetRecord| known.name == record.name && known.digest == record.digest;
        older.iter().any(same) || is_renamed(record, newer, older)
    };
    let mut found: Vec<&AssetRecord> = newer.iter().filter(|record| !is_known(record)).collect();
    let is_named = |name: &str| newer.iter().any(|record| record.name == name);
    let is_gone =
        |record: &&AssetRecord| !is_named(&record.name) && !is_renamed(record, older, newer);
    found.extend(older.iter().filter(is_gone));
    found
}

/// True if the other list has a file of these bytes under a name that this list does not have, and
/// does not have its name.
fn is_renamed(record: &AssetRecord, own: &[AssetRecord], others: &[AssetRecord]) -> bool {
    let has = |list: &[AssetRecord], name: &str| list.iter().any(|one| one.name == name);
    let is_it = |other: &AssetRecord| other.digest == record.digest && !has(own, &other.name);
    !has(others, &record.name) && others.iter().any(is_it)
}
