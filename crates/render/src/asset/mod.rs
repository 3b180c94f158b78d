//! Files named by a scene: each is read once, decoded, and referred to by index.
//!
//! Input: a checked [`Scene`] and its folder. Output: [`Assets`] with a model for each `[[model]]`,
//! its clips, materials and textures, and their warnings. The disk is read through
//! `tintype_base::disk`. Nothing is posed or drawn here; whether a clip fits a model is decided
//! where poses are made.
//!
//! # Determinism
//! Files are decoded on all threads and kept in the order of the scene. Folders are searched in
//! sorted order, ignoring case, so that a scene finds the same textures on every file system.

pub mod archive;
mod axes;
mod clips;
mod content;
mod cutout;
mod environment;
mod error;
mod file;
mod file_error;
mod folder;
mod gltf;
mod guess;
mod helper_surface;
mod instance;
mod loader;
mod lookup;
mod material;
mod material_library;
mod model_file;
mod morph;
pub mod input;
mod inputs;
mod shared_files;
mod skin_file;
mod loaded_model_file;
mod overlay;
mod texture;

pub use axes::{FileAxes, decide_front, decide_up, turn_to_y};
pub use clips::LoadedClip;
pub use error::AssetError;
pub use file::FileRecord;
pub use file_error::{FileError, nearest_file};
pub use folder::{ClipPlace, clip_places};
pub use gltf::{LoadedGltf, load_gltf};
pub use inputs::{Input, Inputs};
pub use instance::{LoadedInstance, LoadedLight};
pub use lookup::project_folder;
pub use material::{MaterialOrigin, MaterialReport, MtrReport};
pub use model_file::{ModelFile, ModelFileError, clip_names, is_model_file, read_model_file};
pub use morph::{MAX_WEIGHT, MorphChoice, MorphError, MorphName, choose_morphs, set_morphs};
pub use shared_files::{HeldFiles, SharedFiles};
use tintype_base::diagnostic::{Diagnostic, Kind};

use clips::{ClipFile, clip_beside, clips_of, loaded_beside, wanted_clip};
use content::{Content, FileKind, Reading};
use file::Source;
use loader::{Loader, ReadFiles};
use overlay::hide_overlays;
use std::path::Path;
use std::sync::Arc;
use tintype_formats::x::TickRate;
use tintype_formats::{FileScene, LoadOptions};
use tintype_model::math::{Mat3, Vec3};
use tintype_model::{CameraClip, Material, Model, Panorama, Texture};
use tintype_scene::{CameraRig, ClipChoice, ClipSource, Scene, SetChoice, Shade};

/// Everything that a scene is drawn from.
#[derive(Clone, Debug)]
pub struct Assets {
    /// One for each model of the scene, in its order.
    pub models: Vec<LoadedModel>,
    /// One for each instance of the scene, in its order.
    pub instances: Vec<LoadedInstance>,
    /// For each of [`Scene::wanted_clips`], the corresponding clip of its model.
    pub wanted_clips: Vec<ClipChoice>,
    /// The recording of [`CameraRig::Md5`].
    pub camera: Option<CameraClip>,
    /// The panorama of the scene's environment, if it names a file.
    pub panorama: Option<Panorama>,
    /// The instance of [`CameraRig::Model`] and the index of its camera in the model's file.
    pub model_camera: Option<[usize; 2]>,
    /// Lights in files of models.
    pub model_lights: Vec<LoadedLight>,
    /// The scene's materials in order, then the looked-up ones.
    pub materials: Vec<Material>,
    /// Report of each of the materials.
    pub material_reports: Vec<MaterialReport>,
    /// The textures that the materials point into.
    pub textures: Vec<Texture>,
    /// Warnings: of models, clips and camera in the order of the scene, then of materials.
    pub warnings: Vec<Diagnostic>,
    /// The read files, in the order of the scene, each once.
    pub files: Vec<FileRecord>,
    /// The pictures within these files that textures are made from.
    pub pictures: Vec<FileRecord>,
}

/// A model of the scene with its clips.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The model, one for all `[[model]]` entries of the same file.
    pub model: Arc<Model>,
    /// Its clips, in the order of the scene, or by default of its file.
    pub clips: Vec<LoadedClip>,
    /// The time of its file, if that counts in ticks.
    pub ticks: Option<TickRate>,
    /// For each of its meshes, the index of its material.
    pub mesh_materials: Vec<usize>,
    /// Turns the model so that its up is +Y; applied before the transform of its instance. The
    /// identity unless the scene sets `model.up`.
    pub upright: Mat3,
    /// Its front after that rotation; level.
    pub front: Vec3,
    /// Rotates the model back to the axes of its file, which are aligned with those of the joint
    /// that it is attached to.
    pub joint_from_model: Mat3,
    /// The axes of its file.
    pub axes: FileAxes,
    /// True if the scene names its up or its front.
    pub has_axes: bool,
}

impl Assets {
    /// A choice of the scene with the names found in its files.
    pub(crate) fn meant(&self, choice: ClipChoice) -> Option<ClipChoice> {
        match choice {
            ClipChoice::Wanted(index) => self.wanted_clips.get(index).copied(),
            other => Some(other),
        }
    }

    /// The clip of a model that a choice of the scene refers to. None for the bind pose.
    #[must_use]
    pub fn clip_of(&self, model: usize, choice: ClipChoice) -> Option<usize> {
        let clips = self.models.get(model).map_or(0, |model| model.clips.len());
        match self.meant(choice)? {
            ClipChoice::Clip(index) => Some(index),
            ClipChoice::First if clips > 0 => Some(0),
            ClipChoice::Bind | ClipChoice::Rest | ClipChoice::First | ClipChoice::Wanted(_) => None,
        }
    }

    /// The names and digests of all files, one per line: with [`Scene::digest_text`], all inputs of
    /// the pixels except the program.
    ///
    /// Names are those of the scene and of shaders, so the text does not depend on the location of
    /// the scene.
    #[must_use]
    pub fn digest_text(&self) -> String {
        Inputs(self.files.iter().map(Input::of).collect()).digest_text()
    }
}

/// A scene whose models, clips and material files are read and whose pictures are found, but not
/// yet decoded.
pub struct Opened<'s> {
    /// One for each model of the scene, in its order.
    pub models: Vec<LoadedModel>,
    /// Their files, for callers that hold them.
    pub held: HeldFiles,
    /// Warnings of the models, clips and camera.
    pub warnings: Vec<Diagnostic>,
    instances: Vec<LoadedInstance>,
    wanted_clips: Vec<ClipChoice>,
    camera: Option<CameraClip>,
    panorama: Option<Panorama>,
    model_camera: Option<[usize; 2]>,
    model_lights: Vec<LoadedLight>,
    files: Vec<FileRecord>,
    resolver: material::MaterialResolver<'s>,
}

/// The files of a scene, and the size of its pictures, from their bytes and headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureSummary {
    /// All files of the scene, unreadable pictures included.
    pub inputs: Inputs,
    /// Bytes of memory of all decoded textures, and of one of them during decoding.
    pub decoded_bytes: u64,
}

impl Opened<'_> {
    /// Reads the bytes of all pictures, which [`Self::finish`] then decodes, and reports the facts
    /// available without decoding.
    pub fn read_pictures(&mut self) -> PictureSummary {
        let (pictures, decoded_bytes) = self.resolver.read_pictures();
        let files = self.files.iter().chain(self.resolver.used_files()).map(Input::of);
        let unused = self.resolver.unused_files().map(Input::unused);
        let inputs = Inputs(files.chain(pictures).chain(unused).collect());
        PictureSummary { inputs, decoded_bytes }
    }

    /// Decodes the pictures.
    ///
    /// # Errors
    /// As [`load`], for materials.
    pub fn finish(self) -> Result<Assets, AssetError> {
        let Self { models, mut instances, wanted_clips, camera, panorama, model_camera, .. } = self;
        let model_lights = self.model_lights;
        let (mut files, mut warnings, resolver) = (self.files, self.warnings, self.resolver);
        let mut textures = Vec::new();
        let meshes = models.iter().flat_map(|model| &model.model.meshes);
        let shaders: Vec<&str> = meshes.map(|mesh| mesh.material_name.as_str()).collect();
        let (scene, folder) = (resolver.scene, resolver.scene_folder);
        let (materials, material_reports) =
            resolver.finish(&shaders, &mut textures, &mut files, &mut warnings)?;
        let given = (scene, folder);
        // Of clay no texture is missing.
        if scene.output.shade != Shade::Clay {
            let models: Vec<&Model> = models.iter().map(|loaded| &*loaded.model).collect();
            hide_overlays(given, &models, &material_reports, &mut instances, &mut warnings);
        }
        let (pictures, files) = files.into_iter().partition(|file| file.is_embedded);
        Ok(Assets {
            models,
            instances,
            wanted_clips,
            camera,
            panorama,
            model_camera,
            model_lights,
            materials,
            material_reports,
            textures,
            warnings,
            files,
            pictures,
        })
    }
}

/// Loads all files of a scene in `scene_folder`.
///
/// # Errors
/// The first [`AssetError`], in the order of models, clips, camera and materials.
pub fn load(
    scene: &Scene,
    scene_folder: &Path,
    options: &LoadOptions,
) -> Result<Assets, AssetError> {
    read(scene, scene_folder, options, None, Pictures::MadeEarly)?.finish()
}

/// As [`load`], for one of several scenes that may name the same files.
///
/// # Errors
/// As [`load`].
pub fn load_shared(
    scene: &Scene,
    scene_folder: &Path,
    options: &LoadOptions,
    shared: &SharedFiles,
) -> Result<Assets, AssetError> {
    read(scene, scene_folder, options, Some(shared), Pictures::MadeEarly)?.finish()
}

/// The first part of [`load`]: everything but the pictures. Files in `shared` are not decoded
/// again.
///
/// # Errors
/// As [`load`].
pub fn open<'s>(
    scene: &'s Scene,
    scene_folder: &'s Path,
    options: &'s LoadOptions,
    shared: Option<&'s SharedFiles>,
) -> Result<Opened<'s>, AssetError> {
    read(scene, scene_folder, options, shared, Pictures::FoundAlone)
}

/// The input files of a scene in `scene_folder`; pictures are read and not decoded.
///
/// # Errors
/// As [`load`], except for pictures.
pub fn inputs(
    scene: &Scene,
    scene_folder: &Path,
    options: &LoadOptions,
) -> Result<Inputs, AssetError> {
    Ok(open(scene, scene_folder, options, None)?.read_pictures().inputs)
}

/// Amount of work on the pictures named by a scene itself while its models are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pictures {
    /// They are only found: a caller may not need them decoded.
    FoundAlone,
    /// Their textures are made.
    MadeEarly,
}

fn read<'s>(
    scene: &'s Scene,
    scene_folder: &'s Path,
    options: &'s LoadOptions,
    shared: Option<&'s SharedFiles>,
    pictures: Pictures,
) -> Result<Opened<'s>, AssetError> {
    // 1. All files, each once.
    let mut loader = Loader::default();
    let model_files = model_files(scene, scene_folder, &mut loader);
    let camera_file = match &scene.camera {
        CameraRig::Md5(recorded) => {
            let source = Source::new(scene_folder, &recorded.file, "camera.file".to_owned());
            Some(loader.add(source, FileKind::Camera, Reading::default()))
        }
        _ => None,
    };

    // 2. All of them in parallel, and the scene's materials; the first failure in the order of
    //    the scene wins.
    let own_materials = || {
        let mut resolver = material::MaterialResolver::new(scene, scene_folder, options, shared)?;
        if pictures == Pictures::MadeEarly {
            resolver.load_early();
        }
        Ok(resolver)
    };
    let (models, own_materials) = rayon::join(|| loader.run(options, shared), own_materials);
    let mut read = models?;
    let panorama = environment::load(scene, scene_folder, options, &mut read)?;

    // 3. Models with their clips and materials.
    let mut resolver = own_materials?;
    let mut models = load_models(scene, model_files, &mut read, &mut resolver)?;
    let wanted_clips = find_clips(scene, scene_folder, (options, shared), &mut models, &mut read)?;
    let ReadFiles { contents, records: files, mut warnings, held } = read;
    let camera = camera_file.and_then(|job| match contents.get(job) {
        Some(Content::Camera(clip)) => Some(clip.clone()),
        _ => None,
    });

    let parts: Vec<_> =
        models.iter().map(|one| (&*one.model, one.mesh_materials.as_slice())).collect();
    let instances = instance::load(scene, scene_folder, &parts, &mut resolver, &mut warnings)?;
    let model_camera = instance::camera_of(scene, scene_folder, &parts)?;
    let model_lights = instance::lights_of(scene, scene_folder, &parts, &mut warnings)?;
    Ok(Opened {
        models,
        held,
        instances,
        wanted_clips,
        camera,
        panorama,
        model_camera,
        model_lights,
        files,
        warnings,
        resolver,
    })
}

/// The models of a scene with their clips and materials; warns of keys without effect.
fn load_models(
    scene: &Scene,
    model_files: Vec<ModelFiles>,
    read: &mut ReadFiles,
    resolver: &mut material::MaterialResolver<'_>,
) -> Result<Vec<LoadedModel>, AssetError> {
    let ReadFiles { contents, warnings, .. } = read;
    let mut models = Vec::new();
    for (entry, (source, model_file, clip_files)) in scene.models.iter().zip(model_files) {
        let Some(content) = contents.get(model_file) else { continue };
        let Some(model) = content.model() else { continue };
        let stance = axes::stance(entry, (model.front, &model.parts), content.axes(), &source)?;
        let clip_files: Vec<ClipFile<'_>> = clip_files
            .into_iter()
            .map(|file| file.map(|(source, job)| (source, contents.get(job))))
            .collect();
        let clips = clips_of(entry, (&source, content), &clip_files)?;
        let ticks = match content {
            Content::ModelAndClips { ticks, .. } => *ticks,
            _ => None,
        };
        let mut warn = |kind, message: String| warnings.push(source.warning(kind, message));
        if model.meshes.is_empty() {
            warn(Kind::NoMesh, "the file has no mesh, so nothing is drawn".to_owned());
        }
        if ticks.is_none() && entry.ticks_per_second.is_some() {
            let key = source.key.replace("file", "ticks_per_second");
            warn(Kind::NoEffect, format!("{key} has no effect: the file does not use ticks"));
        }
        if entry.file_scene.is_some() && content.axes() != FileAxes::Gltf {
            let key = source.key.replace("file", "scene");
            warn(Kind::NoEffect, format!("{key} has no effect: the file has no scenes"));
        }
        models.push(LoadedModel {
            model: painted(model, scene.output.shade),
            clips,
            ticks,
            mesh_materials: resolver.materials_of(model, &source)?,
            upright: stance.upright,
            front: stance.front,
            joint_from_model: content.axes().file_from_ours(),
            axes: content.axes(),
            has_axes: entry.up.is_some() || entry.front.is_some(),
        });
    }
    Ok(models)
}

/// The clips that instances name. If a model has none, one is looked for beside its file.
fn find_clips(
    scene: &Scene,
    scene_folder: &Path,
    (options, shared): (&LoadOptions, Option<&SharedFiles>),
    models: &mut [LoadedModel],
    read: &mut ReadFiles,
) -> Result<Vec<ClipChoice>, AssetError> {
    let mut wanted_clips = Vec::new();
    for wanted in &scene.wanted_clips {
        let (Some(loaded), Some(entry)) =
            (models.get_mut(wanted.model), scene.models.get(wanted.model))
        else {
            continue;
        };
        let source = Source::new(scene_folder, &entry.file, wanted.key.clone());
        if loaded.clips.is_empty()
            && let Some(file) = clip_beside(&wanted.clip, &source, options)?
        {
            let mut loader = Loader::default();
            loader.add(file.clone(), FileKind::Clip, Reading::default());
            let beside = loader.run(options, shared)?;
            loaded.clips.extend(beside.contents.first().and_then(|one| loaded_beside(&file, one)));
            read.records.extend(beside.records);
            read.warnings.extend(beside.warnings);
        }
        wanted_clips.push(wanted_clip(&mut loaded.clips, &wanted.clip, &source)?);
    }
    Ok(wanted_clips)
}

/// The file of a model and its number among all, and the same for its clips with files.
type ModelFiles = (Source, usize, Vec<Option<(Source, usize)>>);

/// Adds the files of the models of a scene and of their clips.
fn model_files(scene: &Scene, scene_folder: &Path, loader: &mut Loader) -> Vec<ModelFiles> {
    let mut model_files = Vec::new();
    for (m, entry) in scene.models.iter().enumerate() {
        let source = Source::new(scene_folder, &entry.file, format!("model[{m}].file"));
        let ticks = entry.ticks_per_second;
        let scene = entry.file_scene.as_ref().map(|choice| match choice {
            SetChoice::Name(name) => FileScene::Name(name.clone()),
            SetChoice::Index(index) => FileScene::Index(*index),
        });
        let palette = entry
            .palette
            .as_ref()
            .map(|file| Source::new(scene_folder, file, format!("model[{m}].palette")).path);
        let reading = Reading { ticks, scene, keeps_splits: entry.keeps_splits, palette };
        let model = loader.add(source.clone(), FileKind::Model, reading);
        let clips: Vec<Option<(Source, usize)>> = (entry.clips.iter().enumerate())
            .map(|(c, clip)| {
                let ClipSource::File { file, .. } = &clip.source else { return None };
                let key = format!("model[{m}].clips[{c}].file");
                let source = Source::new(scene_folder, file, key);
                let reading = Reading { ticks, ..Reading::default() };
                Some((source.clone(), loader.add(source, FileKind::Clip, reading)))
            })
            .collect();
        model_files.push((source, model, clips));
    }
    model_files
}

/// The model with its vertex colours, which clay leaves out.
fn painted(model: &Arc<Model>, shade: Shade) -> Arc<Model> {
    if shade == Shade::Textured || model.meshes.iter().all(|mesh| mesh.colors.is_empty()) {
        return Arc::clone(model);
    }
    let mut plain = Model::clone(model);
    for mesh in &mut plain.meshes {
        mesh.colors = Vec::new();
    }
    Arc::new(plain)
}

#[cfg(test)]
mod tests;
