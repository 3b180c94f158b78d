//! The model files of a scene: each is read once, all in parallel, and recognized by its bytes.

use super::content::{Content, FileKey, FileKind, Reading, SharedClip, file_key};
use super::error::AssetError;
use super::file::{FileRecord, Source};
use super::model_file::{ModelFile, ModelFileError, read_model_file};
use super::shared_files::{HeldFiles, SharedFiles, held_path};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tintype_base::diagnostic::{Diagnostic, Kind};
use tintype_base::extension::is_model;
use tintype_formats::md5::{Md5Error, looks_like_md5, parse_anim, parse_camera, parse_mesh};
use tintype_formats::{LoadOptions, Loaded, describe_foreign};
use tintype_model::{FileRepair, Model, NamedClip, Warning};

/// Files to read, each once for each kind, time and scene of the file.
#[derive(Default)]
pub(super) struct Loader {
    list: Vec<(Source, FileKind, Reading)>,
    by_path: BTreeMap<FileKey, usize>,
}

/// Files that were read.
pub(super) struct ReadFiles {
    pub(super) contents: Vec<Content>,
    pub(super) records: Vec<FileRecord>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) held: HeldFiles,
}

impl Loader {
    /// The index of a file's job.
    pub(super) fn add(&mut self, source: Source, kind: FileKind, reading: Reading) -> usize {
        let key = file_key(source.path.clone(), kind, &reading);
        let index = *self.by_path.entry(key).or_insert(self.list.len());
        if index == self.list.len() {
            self.list.push((source, kind, reading));
        }
        index
    }

    pub(super) fn run(
        self,
        options: &LoadOptions,
        shared: Option<&SharedFiles>,
    ) -> Result<ReadFiles, AssetError> {
        let read =
            |(source, kind, reading): &(Source, FileKind, Reading)| -> Result<_, AssetError> {
                let key = file_key(held_path(&source.path), *kind, reading);
                if let Some(held) = shared.and_then(|shared| shared.held.files.get(&key)) {
                    let (loaded, mut records) = held.clone();
                    // The digest of a scene uses the scene's name for the file.
                    if let Some(own) = records.first_mut() {
                        own.name.clone_from(&source.name);
                        own.path.clone_from(&source.path);
                    }
                    return Ok((key, (loaded, records)));
                }
                let (bytes, record) = source.read(options)?;
                let shared = shared
                    .map(|shared| (shared, model_key(source, &record, *kind, reading, options)));
                let known = shared.as_ref().and_then(|(shared, key)| shared.model(key, options));
                let mut records = vec![record];
                if let Some((loaded, others)) = known {
                    records.extend(others);
                    return Ok((key, (loaded, records)));
                }
                let options = options.clone().with_file_scene(reading.scene.clone());
                let options = options.with_splits(reading.keeps_splits);
                let options = options.with_palette(reading.palette.clone());
                let options = options.with_ticks_per_second(reading.ticks);
                let loaded = parse(&bytes, source, *kind, &options, &mut records)?;
                if let Some((shared, key)) = shared {
                    shared.keep_model(key, &loaded, &records[1..], records[0].length);
                }
                Ok((key, (loaded, records)))
            };
        let loaded: Vec<_> = self.list.par_iter().map(read).collect();
        let (mut contents, mut files, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        let mut held = BTreeMap::new();
        for (result, (source, ..)) in loaded.into_iter().zip(&self.list) {
            let (key, (loaded, records)) = result?;
            held.insert(key, (loaded.clone(), records.clone()));
            let Loaded { value, warnings: found } = loaded;
            contents.push(value);
            files.extend(records);
            let told = |warning: Warning| warning.in_file(Kind::Model, &source.path);
            warnings.extend(found.into_iter().map(told));
        }
        let held = HeldFiles::new(held);
        Ok(ReadFiles { contents, records: files, warnings, held })
    }
}

/// All that the contents of a file depend on.
fn model_key(
    source: &Source,
    record: &FileRecord,
    kind: FileKind,
    reading: &Reading,
    options: &LoadOptions,
) -> String {
    let Source { name, path, .. } = source;
    format!("model {} {name:?} {path:?} {kind:?} {reading:?} {:?}", record.digest, options.limits)
}

fn parse(
    bytes: &[u8],
    source: &Source,
    kind: FileKind,
    options: &LoadOptions,
    records: &mut Vec<FileRecord>,
) -> Result<Loaded<Content>, AssetError> {
    let refused = |error: Md5Error| AssetError::Md5 {
        path: source.path.clone(),
        key: source.key.clone(),
        source: Box::new(error),
    };
    fn wrapped<T>(loaded: Loaded<T>, wrap: impl FnOnce(T) -> Content) -> Loaded<Content> {
        Loaded { value: wrap(loaded.value), warnings: loaded.warnings }
    }
    fn shared(one: NamedClip) -> SharedClip {
        SharedClip { name: one.name, clip: Arc::new(one.clip), options: one.options }
    }
    if kind != FileKind::Camera {
        let Source { path, name, .. } = source;
        let found = read_model_file(bytes, path, name, options);
        let found = found.map_err(|error| refused_model(source, error))?;
        if let Some(loaded) = found {
            let Loaded { value, warnings } = loaded;
            let ModelFile { model, clips, ticks, axes, others } = value;
            records.extend(others);
            if kind == FileKind::Model {
                check_what_is_left(&model, &warnings, source)?;
            }
            let clips = clips.into_iter().map(shared).collect();
            let value = Content::ModelAndClips { model: Arc::new(model), clips, ticks, axes };
            return Ok(Loaded { value, warnings });
        }
    }
    match kind {
        FileKind::Model => {
            check_model_format(bytes, source)?;
            let loaded = parse_mesh(bytes, options).map_err(refused)?;
            check_what_is_left(&loaded.value, &loaded.warnings, source)?;
            Ok(wrapped(loaded, |model| Content::Model(Arc::new(model))))
        }
        FileKind::Clip => {
            let loaded = parse_anim(bytes, options).map_err(refused)?;
            Ok(wrapped(loaded, |clip| Content::Clip(Arc::new(clip))))
        }
        FileKind::Camera => {
            Ok(wrapped(parse_camera(bytes, options).map_err(refused)?, Content::Camera))
        }
    }
}

/// Refuses a model that lost all of its triangles to faults; a file with only clips had none to
/// lose.
fn check_what_is_left(
    model: &Model,
    warnings: &[Warning],
    source: &Source,
) -> Result<(), AssetError> {
    let has_triangles = model.meshes.iter().any(|mesh| !mesh.triangles.is_empty());
    if has_triangles || model.parts.lacks_meshes {
        return Ok(());
    }
    let of_loss = || warnings.iter().filter(|warning| warning.fault.may_cost_triangles());
    // A truncated file explains its missing parts.
    let is_cut = |warning: &&Warning| warning.fault == FileRepair::Truncated;
    let Some(first) = of_loss().find(is_cut).or_else(|| of_loss().next()) else {
        return Ok(());
    };
    let (path, key) = (source.path.clone(), source.key.clone());
    let cause = match first.line {
        0 => first.message.clone(),
        line => format!("line {line}: {}", first.message),
    };
    Err(AssetError::NothingLeft { path, key, cause })
}

/// The error of a file with a model and clips.
fn refused_model(source: &Source, error: ModelFileError) -> AssetError {
    let (path, key) = (source.path.clone(), source.key.clone());
    match error {
        ModelFileError::X(source) => AssetError::X { path, key, source },
        ModelFileError::Gltf(source) => AssetError::Gltf { path, key, source },
        ModelFileError::Format(source) => AssetError::Model { path, key, source },
    }
}

/// Names the format of a model file if it is known and not supported.
fn check_model_format(bytes: &[u8], source: &Source) -> Result<(), AssetError> {
    if looks_like_md5(bytes) {
        return Ok(());
    }
    let extension =
        source.path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let found = match extension.as_deref() {
        Some("md5mesh") | None => return Ok(()), // its reader says what is wrong
        Some("x") => "a file without a .x header".to_owned(),
        Some("gltf" | "glb") => "a file without a glTF header".to_owned(),
        Some("obj") => "a file that does not look like OBJ".to_owned(),
        Some("fbx") => "a file without an FBX header".to_owned(),
        Some("md2" | "md3" | "mdl") => "a file without a Quake model header".to_owned(),
        Some(own @ ("iqm" | "3ds" | "b3d" | "ply")) => {
            format!("a file without a {} header", own.to_uppercase())
        }
        Some(other) => format!("a .{other} file"),
    };
    let own = extension.as_deref().filter(|_| is_model(&source.path));
    let found = own.and_then(|own| describe_foreign(bytes, own)).unwrap_or(found);
    let (path, key): (PathBuf, String) = (source.path.clone(), source.key.clone());
    Err(AssetError::UnsupportedModel { path, key, found })
}
