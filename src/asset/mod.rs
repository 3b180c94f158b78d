//! The files that a scene names: read once each, decoded, and tied together by index.
//!
//! Input: a checked [`Scene`] and the folder that it lies in. Output: [`Assets`] with a model for each `[[model]]`, its clips,
//! materials and textures, and everything worth a warning. This is the first room that reads the disk. It poses nothing and
//! draws nothing; whether a clip fits a model is decided where poses are made.
//!
//! # Determinism
//! Files are decoded on all threads and kept in the order of the scene. Folders are searched in sorted order and without
//! regard to case, so that the same scene finds the same textures on every file system.

mod axes;
mod error;
mod file;
mod folder;
mod lookup;
mod material;
mod texture;

pub use error::{AssetError, AssetWarning};
pub use file::FileRecord;
pub use material::{MaterialOrigin, MaterialReport};

use crate::formats::md5::{Md5Error, looks_like_md5, parse_anim, parse_camera, parse_mesh};
use crate::formats::{Limits, Loaded};
use crate::math::{Mat3, Vec3};
use crate::model::{CameraClip, Clip, Material, Model, Texture};
use crate::scene::{CameraRig, Scene};
use file::Source;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that a scene is drawn from.
#[derive(Clone, Debug)]
pub struct Assets {
    /// One for each model of the scene, in its order.
    pub models: Vec<LoadedModel>,
    /// The recording of [`CameraRig::Md5`].
    pub camera: Option<CameraClip>,
    /// The scene's own materials in their order, then those that were looked up.
    pub materials: Vec<Material>,
    /// How each of the materials came about.
    pub material_reports: Vec<MaterialReport>,
    /// The textures that the materials point into.
    pub textures: Vec<Texture>,
    /// What the author should know: of models, clips and camera in the order of the scene, then of materials.
    pub warnings: Vec<AssetWarning>,
    /// The files that were read, in the order of the scene, each once.
    pub files: Vec<FileRecord>,
}

/// A model of the scene with its clips.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The model; shared where several `[[model]]` name one file.
    pub model: Arc<Model>,
    /// Its clips, in the order of the scene.
    pub clips: Vec<LoadedClip>,
    /// For each of its meshes, the index of its material.
    pub mesh_materials: Vec<usize>,
    /// Turns the model so that its up is +Y; applied before its instance's place. The identity unless the scene says
    /// `model.up`.
    pub upright: Mat3,
    /// The level direction in which it looks after that turn.
    pub front: Vec3,
}

/// A clip of a model.
#[derive(Clone, Debug)]
pub struct LoadedClip {
    /// Its name in the scene.
    pub name: String,
    /// The clip; shared where several name one file.
    pub clip: Arc<Clip>,
}

impl Assets {
    /// The names and digests of all files, a line each: with [`Scene::digest_text`], all that pixels depend on but the
    /// program.
    ///
    /// Names are those of the scene and of shaders, so the text does not depend on where the scene lies.
    #[must_use]
    pub fn digest_text(&self) -> String {
        let line = |file: &FileRecord| format!("file {:?} {}\n", file.name, file.digest.to_hex());
        self.files.iter().map(line).collect()
    }
}

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileKind {
    Model,
    Clip,
    Camera,
}

/// What a file holds.
enum Content {
    Model(Arc<Model>),
    Clip(Arc<Clip>),
    Camera(CameraClip),
}

/// Loads all files of a scene that lies in `scene_folder`.
///
/// # Errors
/// The first [`AssetError`], in the order of models, clips, camera and materials.
pub fn load(scene: &Scene, scene_folder: &Path) -> Result<Assets, AssetError> {
    let limits = Limits::default();
    let most_bytes = u64::try_from(limits.max_bytes).unwrap_or(u64::MAX);

    // 1. Which files there are, each once.
    let mut jobs = Jobs::default();
    let mut model_jobs = Vec::new();
    for (m, entry) in scene.models.iter().enumerate() {
        let source = Source::new(scene_folder, &entry.file, format!("model[{m}].file"));
        let model = jobs.add(source.clone(), FileKind::Model);
        let clips: Vec<usize> = (entry.clips.iter().enumerate())
            .map(|(c, clip)| {
                let key = format!("model[{m}].clips[{c}].file");
                jobs.add(Source::new(scene_folder, &clip.file, key), FileKind::Clip)
            })
            .collect();
        model_jobs.push((source, model, clips));
    }
    let camera_job = match &scene.camera {
        CameraRig::Md5(recorded) => {
            let source = Source::new(scene_folder, &recorded.file, "camera.file".to_owned());
            Some(jobs.add(source, FileKind::Camera))
        }
        _ => None,
    };

    // 2. All of them at the same time; the first failure in the order of the scene wins.
    let (contents, mut files, mut warnings) = jobs.run(&limits, most_bytes)?;

    // 3. Models with their clips and materials.
    let mut library = material::Library::new(scene, scene_folder);
    let mut models = Vec::new();
    for (entry, (source, model_job, clip_jobs)) in scene.models.iter().zip(model_jobs) {
        let Some(Content::Model(model)) = contents.get(model_job) else { continue };
        let stance = axes::md5_stance(entry, model.front, &source)?;
        let clips = entry.clips.iter().zip(clip_jobs).filter_map(|(entry, job)| {
            let Some(Content::Clip(clip)) = contents.get(job) else { return None };
            Some(LoadedClip { name: entry.name.clone(), clip: Arc::clone(clip) })
        });
        models.push(LoadedModel {
            model: Arc::clone(model),
            clips: clips.collect(),
            mesh_materials: library.materials_of(model, &source)?,
            upright: stance.upright,
            front: stance.front,
        });
    }
    let camera = camera_job.and_then(|job| match contents.get(job) {
        Some(Content::Camera(clip)) => Some(clip.clone()),
        _ => None,
    });

    // 4. Textures.
    let mut textures = Vec::new();
    let meshes = models.iter().flat_map(|model| &model.model.meshes);
    let shaders: Vec<&str> = meshes.map(|mesh| mesh.shader.as_str()).collect();
    let (materials, material_reports) =
        library.finish(most_bytes, &shaders, &mut textures, &mut files, &mut warnings)?;
    Ok(Assets { models, camera, materials, material_reports, textures, warnings, files })
}

/// Files to read, each once for each kind.
#[derive(Default)]
struct Jobs {
    list: Vec<(Source, FileKind)>,
    by_path: BTreeMap<(PathBuf, FileKind), usize>,
}

impl Jobs {
    /// The index of a file's job.
    fn add(&mut self, source: Source, kind: FileKind) -> usize {
        let index = *self.by_path.entry((source.path.clone(), kind)).or_insert(self.list.len());
        if index == self.list.len() {
            self.list.push((source, kind));
        }
        index
    }

    #[expect(clippy::type_complexity, reason = "taken apart at once by its only caller")]
    fn run(
        self,
        limits: &Limits,
        most_bytes: u64,
    ) -> Result<(Vec<Content>, Vec<FileRecord>, Vec<AssetWarning>), AssetError> {
        let read = |(source, kind): &(Source, FileKind)| -> Result<_, AssetError> {
            let (bytes, record) = source.read(most_bytes)?;
            Ok((parse(&bytes, source, *kind, limits)?, record))
        };
        let loaded: Vec<_> = self.list.par_iter().map(read).collect();
        let (mut contents, mut files, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for (result, (source, _)) in loaded.into_iter().zip(&self.list) {
            let (Loaded { value, warnings: found }, record) = result?;
            contents.push(value);
            files.push(record);
            warnings.extend(found.into_iter().map(|warning| AssetWarning {
                place: source.path.display().to_string(),
                line: warning.line,
                message: warning.message,
            }));
        }
        Ok((contents, files, warnings))
    }
}

fn parse(
    bytes: &[u8],
    source: &Source,
    kind: FileKind,
    limits: &Limits,
) -> Result<Loaded<Content>, AssetError> {
    let refused = |error: Md5Error| AssetError::Md5 {
        path: source.path.clone(),
        key: source.key.clone(),
        source: Box::new(error),
    };
    fn wrapped<T>(loaded: Loaded<T>, wrap: impl FnOnce(T) -> Content) -> Loaded<Content> {
        Loaded { value: wrap(loaded.value), warnings: loaded.warnings }
    }
    match kind {
        FileKind::Model => {
            check_model_format(bytes, source)?;
            let loaded = parse_mesh(bytes, limits).map_err(refused)?;
            Ok(wrapped(loaded, |model| Content::Model(Arc::new(model))))
        }
        FileKind::Clip => {
            let loaded = parse_anim(bytes, limits).map_err(refused)?;
            Ok(wrapped(loaded, |clip| Content::Clip(Arc::new(clip))))
        }
        FileKind::Camera => {
            Ok(wrapped(parse_camera(bytes, limits).map_err(refused)?, Content::Camera))
        }
    }
}

/// Says what a model file is where it is of a known kind that is not read.
fn check_model_format(bytes: &[u8], source: &Source) -> Result<(), AssetError> {
    if looks_like_md5(bytes) {
        return Ok(());
    }
    let extension =
        source.path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let found = match extension.as_deref() {
        Some("md5mesh") | None => return Ok(()), // its reader says what is wrong
        Some("x") => "a DirectX .x file".to_owned(),
        Some(other) => format!("a .{other} file"),
    };
    let (path, key): (PathBuf, String) = (source.path.clone(), source.key.clone());
    Err(AssetError::UnsupportedModel { path, key, found })
}

#[cfg(test)]
mod tests;
