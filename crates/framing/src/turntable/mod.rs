//! Turntables: a scene whose camera goes once around a model, made without TOML.
//!
//! Input: a model file and [`TurntableOptions`]. Output: [`TurntableScene`]; any renderer draws its
//! frames.

mod spec;

pub use spec::TurntableSpec;

use crate::clip_folders::ClipsBeside;
use crate::model_entry::{model_entry, relative_path, with_palette, with_textures};
use crate::{ModelAxes, Timeline, clip_choice, viewpoint};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use tintype_base::diagnostic::{Diagnostic, Place};
use tintype_base::extension::is_md5_model;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::suggest::{hint, nearest_words_text};
use tintype_formats::LoadOptions;
use tintype_model::math::Vec3;
use tintype_model::{ClipRange, Wrap};
use tintype_render::asset::archive::canonical;
use tintype_render::asset::{
    self, AssetError, Assets, FileError, HeldFiles, Inputs, LoadedModel, SharedFiles,
};
use tintype_scene::builder::{Clip, ModelBuilder};
use tintype_scene::{
    ClipChoice, ClipWord, ClipWordError, FramePattern, Scene, SceneBuilder, SceneErrors,
    SettingError, Settings, decide_clip, read_clip_word,
};

/// A model file, and its path in the scene.
#[derive(Clone, Copy, Debug)]
pub enum ModelPath<'a> {
    /// The path as the caller wrote it.
    Plain(&'a Path),
    /// A name below a base folder: the digest does not depend on the location of that folder.
    Below {
        /// The folder.
        base: &'a Path,
        /// The path of the file in it.
        name: &'a str,
    },
}

impl<'a> ModelPath<'a> {
    /// The path of the only model of a scene: its file name, so that the digest is independent of
    /// the notation of its folder.
    #[must_use]
    pub fn alone(model: &'a Path) -> Self {
        match (model.parent(), model.file_name().and_then(std::ffi::OsStr::to_str)) {
            (Some(base), Some(name)) => Self::Below { base, name },
            _ => Self::Plain(model),
        }
    }
}

impl ModelPath<'_> {
    /// The path that opens the file.
    #[must_use]
    pub fn file(self) -> PathBuf {
        match self {
            Self::Plain(path) => path.to_owned(),
            Self::Below { base, name } => base.join(path_of_text(name)),
        }
    }

    /// The folder that paths of the scene are relative to.
    fn folder(self) -> PathBuf {
        match self {
            Self::Plain(_) => PathBuf::new(),
            Self::Below { base, .. } => base.to_owned(),
        }
    }

    /// The path of a file in the scene: of this one, or of a clip.
    fn written(self, file: &Path) -> PathBuf {
        match self {
            Self::Plain(_) => file.to_owned(),
            Self::Below { base, name } if file == base.join(path_of_text(name)) => {
                PathBuf::from(name)
            }
            Self::Below { base, .. } => match canonical(here(base)) {
                Ok(base) => relative_path(file, &base),
                Err(_) => file.to_owned(),
            },
        }
    }
}

/// A folder; the working folder for an empty path.
fn here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Options of a turntable.
#[derive(Clone, Debug, Default)]
pub struct TurntableOptions {
    /// Files of clips; without any, the clips of the model's file, or those beside an MD5 model
    /// that fit it.
    pub clips: Vec<PathBuf>,
    /// Plays the default clip of a model that lacks the named clip; otherwise that is an error.
    pub draws_without_clip: bool,
    /// Number of frames, per direction if there are several; by default as many as the clip needs
    /// to close its loop.
    pub frames: Option<usize>,
    /// Folders that are searched for textures first.
    pub textures: Vec<PathBuf>,
    /// Pictures for shaders by their names, which replace those of the model.
    pub texture_files: Vec<(String, PathBuf)>,
    /// Settings of picture, camera, model, clip and turn.
    pub settings: Settings,
    /// Keys of the scene, and the names used for them in error messages, such as the options of a
    /// command.
    pub key_names: &'static [(&'static str, &'static str)],
    /// Files that are open.
    pub held: HeldFiles,
}

/// The reason why there is no turntable scene.
#[derive(Debug, Error)]
pub enum TurntableError {
    /// An option has a value that no scene can have.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A setting has a value that it cannot have.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A file cannot be read.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// A folder cannot be found.
    #[error(transparent)]
    Folder(#[from] FileError),
    /// The model has no clip of that name, but others.
    #[error(
        "no clip {name:?}{}; {allowed}",
        hint(nearest.as_deref())
    )]
    UnknownClip {
        /// The name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
        /// The available names, or the nearest ones if there are many.
        allowed: String,
    },
    /// The model has no clips at all.
    #[error("no clip {name:?}: the model has no clips")]
    NoClips {
        /// The name.
        name: String,
    },
    /// The clip exists, but not the requested part of it.
    #[error(transparent)]
    Part(ClipWordError),
    /// The number of frames is 0.
    #[error("frames: 0; expected a whole number above 0")]
    NoFrame,
}

/// A remark about a model during the making of its turntable.
#[derive(Clone, Debug)]
pub enum TurntableNote {
    /// A warning about its files.
    Warning(String),
    /// Axes stated by the file that override those of the format.
    Axes {
        /// Axis that points up.
        up: &'static str,
        /// Axis along which the model faces.
        front: &'static str,
        /// The evidence for them.
        reasons: String,
    },
}

/// The scene of a turntable, with its assets.
#[derive(Clone, Debug)]
pub struct TurntableScene {
    /// The scene.
    pub scene: Arc<Scene>,
    /// The model, its clips and its textures.
    pub assets: Arc<Assets>,
    /// Number and times of the frames.
    pub timeline: Timeline,
    /// The scene made by a program, with paths from the folder of the model.
    pub builder: SceneBuilder,
    /// The model lacks the named clip and plays its default clip.
    pub lacks_clip: bool,
    axes: Axes,
    part: Option<ClipPart>,
    spec: TurntableSpec,
    placed: Placed,
}

/// A model in its scene before it is turned.
#[derive(Clone, Debug)]
struct Placed {
    builder: SceneBuilder,
    /// The file of the model, for messages.
    name: String,
    /// The played clip, and the model, by their names in the scene.
    clip: Clip,
    model: String,
    /// Seconds after which the clip returns to its first pose.
    period_s: Option<f64>,
    /// The only visible side of the model, and its front.
    side: Option<(Vec3, Vec3)>,
}

/// The scene of a turn.
struct Turned {
    timeline: Timeline,
    spec: TurntableSpec,
    builder: SceneBuilder,
    scene: Scene,
}

impl Placed {
    fn turned(&self, options: &TurntableOptions) -> Result<Turned, TurntableError> {
        if options.frames == Some(0) {
            return Err(TurntableError::NoFrame);
        }
        let said = &options.settings;
        let timeline = match said.directions() {
            None => Timeline::new(self.period_s, options.frames, said.fps()),
            Some(_) => Timeline::of_direction(self.period_s, options.frames, said.fps()),
        };
        let mut spec = TurntableSpec {
            settings: said.clone(),
            timeline,
            clip: self.clip.clone(),
            model: self.model.clone(),
        };
        if let Some((side, front)) = self.side {
            spec.see(side, front);
        }
        let builder = spec.add_to(self.builder.clone());
        let scene = options.build(builder.clone(), &self.name)?;
        Ok(Turned { timeline, spec, builder, scene })
    }
}

/// The chosen clip of a model.
struct ChosenClip {
    /// Its index. None for the bind pose.
    index: Option<usize>,
    /// The part of it.
    range: Option<ClipRange>,
    /// True if it is not the requested one.
    is_another: bool,
}

/// A part of a clip, as named in the scene.
#[derive(Clone, Debug)]
struct ClipPart {
    name: String,
    of: Clip,
    range: ClipRange,
}

/// Axes of a model that point up and along its front, in scene notation.
#[derive(Clone, Debug, Default)]
struct Axes {
    up: Option<String>,
    front: Option<String>,
}

impl TurntableScene {
    /// The input files of the frames of a turntable; pictures are read and not decoded.
    ///
    /// # Errors
    /// [`TurntableError`].
    pub fn inputs(
        options: &TurntableOptions,
        model: ModelPath<'_>,
        load_options: &LoadOptions,
    ) -> Result<Inputs, TurntableError> {
        let (file, folder) = (model.file(), model.folder());
        let entry = options.entry(&file, load_options, &|file| model.written(file));
        let bare = options.base(&|file| model.written(file)).model(entry);
        let bare = options.build(bare, &file.shown())?;
        Ok(asset::inputs(&bare, &folder, load_options).map_err(AssetError::without_key)?)
    }

    /// Loads a model and makes its scene; `note` receives remarks as they arise.
    ///
    /// # Errors
    /// [`TurntableError`].
    pub fn load(
        options: &TurntableOptions,
        model: ModelPath<'_>,
        load_options: &LoadOptions,
        note: &mut dyn FnMut(TurntableNote),
    ) -> Result<Self, TurntableError> {
        options.settings.check()?;
        let (file, folder) = (model.file(), model.folder());
        let are_clips_named = !options.clips.is_empty();
        let beside = options.with_clips_beside(&file, load_options)?;
        let options = beside.as_ref().unwrap_or(options);
        let entry = options.entry(&file, load_options, &|file| model.written(file));
        let said = &options.settings;
        let mut axes = Axes { up: said.up(), front: said.front() };
        let name = file.shown();
        let base = options.base(&|file| model.written(file));
        let scene_with = |axes: &Axes, part: Option<&ClipPart>| {
            base.clone().model(with_part(axes.add_to(entry.clone()), part))
        };
        let bare = options.build(scene_with(&axes, None), &name)?;
        // The scenes below name the same files.
        let shared = SharedFiles::over(&options.held);
        let load = |scene: &Scene| {
            let assets = asset::load_shared(scene, &folder, load_options, &shared);
            assets.map_err(AssetError::without_key)
        };
        let mut assets = load(&bare)?;
        for warning in &assets.warnings {
            note(TurntableNote::Warning(options.by_option(warning).to_string()));
        }

        // A figure that would lie on its back is stood up, and the first frame shows it from the
        // front.
        let loaded = &assets.models[0];
        let ChosenClip { index: clip, .. } = options.choose_clip(loaded, are_clips_named)?;
        if let Some(found) = ModelAxes::of(loaded, clip).filter(|found| !found.is_convention) {
            let (up, front) = (found.up.word(), found.front.word());
            note(TurntableNote::Axes { up, front, reasons: found.reasons() });
            axes = Axes { up: Some(up.to_owned()), front: Some(front.to_owned()) };
            let upright = options.build(scene_with(&axes, None), &name)?;
            // Its warnings are the same.
            assets = load(&upright)?;
        }

        let ChosenClip { index: mut clip, range, is_another: lacks_clip } =
            options.choose_clip(&assets.models[0], are_clips_named)?;
        let part = clip.zip(range).map(|(index, range)| ClipPart {
            name: said.clip().unwrap_or_default(),
            of: clip_name(&bare, &assets.models[0], index),
            range,
        });
        if part.is_some() {
            let cut = options.build(scene_with(&axes, part.as_ref()), &name)?;
            // Its warnings are the same.
            assets = load(&cut)?;
            clip = assets.models[0].clips.len().checked_sub(1);
        }
        let loaded = &assets.models[0];
        let period_s = clip.map(|index| {
            let clip = &loaded.clips[index].clip;
            // It returns to its first pose after going forth and back.
            match said.wrap().unwrap_or(clip.wrap) {
                Wrap::PingPong => 2.0 * clip.length_s(),
                Wrap::Loop | Wrap::Clamp => clip.period_s,
            }
        });
        let clip_name = match (clip, &part) {
            (None, _) => Clip::Bind,
            (Some(_), Some(part)) => Clip::Name(part.name.clone()),
            (Some(index), None) => clip_name(&bare, loaded, index),
        };
        let side = viewpoint::only_side(loaded, &assets.materials).zip(Some(loaded.front));
        let placed = Placed {
            builder: scene_with(&axes, part.as_ref()),
            name,
            clip: clip_name,
            model: bare.models[0].name.clone(),
            period_s,
            side,
        };
        let Turned { timeline, spec, builder, scene } = placed.turned(options)?;
        // The assets were loaded for a scene without a clip.
        let is_asked = options.settings.clip().as_deref() == Some("bind");
        let without = if is_asked { ClipChoice::Bind } else { ClipChoice::Rest };
        let wanted = scene.wanted_clips.iter().map(|_| clip.map_or(without, ClipChoice::Clip));
        assets.wanted_clips = wanted.collect();
        let (scene, assets) = (scene.into(), assets.into());
        Ok(Self { scene, assets, timeline, builder, lacks_clip, axes, part, spec, placed })
    }

    /// The same model, with the frames and the turn of other options.
    ///
    /// # Errors
    /// [`TurntableError`] if they make no scene.
    pub fn turned(self, options: &TurntableOptions) -> Result<Self, TurntableError> {
        let Turned { timeline, spec, builder, scene } = self.placed.turned(options)?;
        Ok(Self { timeline, spec, builder, scene: scene.into(), ..self })
    }

    /// The name of the clip that plays, with the part of it. None for the bind pose.
    #[must_use]
    pub fn clip_name(&self) -> Option<&str> {
        match &self.part {
            Some(part) => Some(&part.name),
            None => {
                let choice = self.assets.wanted_clips.first().copied();
                let choice = choice.or(self.scene.instances.first().map(|one| one.clip))?;
                let index = self.assets.clip_of(0, choice)?;
                Some(&self.assets.models[0].clips[index].name)
            }
        }
    }

    /// True if the model has a triangle.
    #[must_use]
    pub fn has_mesh(&self) -> bool {
        let models = &self.assets.models;
        models.iter().flat_map(|loaded| &loaded.model.meshes).any(|mesh| !mesh.triangles.is_empty())
    }

    /// The pattern for several directions: a folder for each below the pattern's folder, named
    /// after the azimuth of the camera: `045`, `022.5`. Without directions the pattern is
    /// unchanged.
    #[must_use]
    pub fn in_directions(&self, pattern: FramePattern) -> FramePattern {
        let folder = |degrees: f64| {
            // As large a number as a name can contain with three digits after the point.
            let thousandths = (degrees.rem_euclid(360.0) * 1000.0).round() % 360_000.0;
            let text = format!("{:07.3}", thousandths / 1000.0);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let azimuths = self.scene.camera.directions_deg();
        pattern.in_parts(azimuths.into_iter().map(folder).collect(), self.timeline.frames)
    }

    /// The scene as TOML for a file in `folder`, which must exist; its paths are relative to that
    /// folder.
    ///
    /// # Errors
    /// [`TurntableError::Folder`].
    pub fn to_toml(
        &self,
        options: &TurntableOptions,
        model: &Path,
        load_options: &LoadOptions,
        folder: &Path,
    ) -> Result<String, TurntableError> {
        let folder = folder.canonicalize().map_err(|error| FileError::new(folder, &error))?;
        let written = |file: &Path| relative_path(file, &folder);
        let beside = options.with_clips_beside(model, load_options)?;
        let options = beside.as_ref().unwrap_or(options);
        let entry = options.entry(model, load_options, &written);
        let model = with_part(self.axes.add_to(entry), self.part.as_ref());
        let scene = options.base(&written).model(model);
        Ok(self.spec.add_to(scene).to_toml())
    }
}

impl TurntableOptions {
    /// Adds the fitting clips beside an MD5 model, as for thumbnails. None for other models, and if
    /// clip files are named.
    ///
    /// A folder that may not be listed has none. A temporary failure to list one is an error,
    /// because otherwise the model would be drawn without its clip.
    pub(crate) fn with_clips_beside(
        &self,
        model: &Path,
        load_options: &LoadOptions,
    ) -> Result<Option<Self>, TurntableError> {
        if !is_md5_model(model) || !self.clips.is_empty() {
            return Ok(None);
        }
        let folder = model.parent().unwrap_or(Path::new(""));
        let word = self.settings.clip();
        let beside = ClipsBeside::find(model, word.as_deref(), load_options)
            .map_err(|error| FileError::new(here(folder), &error))?
            .map_err(|source| AssetError::TimedOut {
                path: model.to_owned(),
                key: "the choice of its clips".to_owned(),
                source,
            })?;
        // The others of a large folder need not be read.
        let clips = match (beside.asked, word.as_deref()) {
            (Some(index), _) => vec![beside.files[index].clone()],
            (None, Some("bind")) => Vec::new(),
            (None, Some(_)) => beside.files,
            (None, None) => beside.suited().map(Path::to_path_buf).collect(),
        };
        Ok(Some(Self { clips, ..self.clone() }))
    }

    /// A scene without the model; `written` returns the paths of folders there.
    fn base(&self, written: &dyn Fn(&Path) -> PathBuf) -> SceneBuilder {
        // A light for the shadow would change the look of the scene.
        let scene = SceneBuilder::new().look(self.settings.look().unwrap_or_default());
        let scene = with_textures(scene, &self.texture_files, written);
        if self.textures.is_empty() {
            return scene;
        }
        let folders = self.textures.iter().map(|folder| match written(folder).shown() {
            text if text.is_empty() => ".".to_owned(),
            text => text,
        });
        scene.texture_search(folders)
    }

    /// The model in the scene; `written` returns the paths of its files there.
    fn entry(
        &self,
        model: &Path,
        load_options: &LoadOptions,
        written: &dyn Fn(&Path) -> PathBuf,
    ) -> ModelBuilder {
        let entry = model_entry(model, &self.clips, load_options, written);
        let ticks = self.settings.ticks_per_second();
        let entry = ticks.into_iter().fold(entry, ModelBuilder::ticks_per_second);
        with_palette(entry, self.settings.palette(), written)
    }

    /// A warning about an element of one of the scene's own lists, with the caller's name for it.
    fn by_option(&self, warning: &Diagnostic) -> Diagnostic {
        let mut told = warning.clone();
        if let Place::Document { key, .. } = &warning.place {
            let sets = |own: &str| key.strip_prefix(own).is_some_and(|rest| rest.starts_with('['));
            let mut lists = self.key_names.iter().filter(|(own, _)| !own.contains('['));
            if let Some((_, name)) = lists.find(|(own, _)| sets(own)) {
                told.place = Place::option(*name);
            }
        }
        told
    }

    fn build(&self, scene: SceneBuilder, name: &str) -> Result<Scene, SceneErrors> {
        let named = |scene: SceneBuilder, (key, name): &(&str, &str)| scene.set_by(key, name);
        self.key_names.iter().fold(scene, named).build(name)
    }

    /// Chooses the clip to play from those of the model. If the caller set clip files, the clip
    /// comes from these.
    fn choose_clip(
        &self,
        loaded: &LoadedModel,
        are_named: bool,
    ) -> Result<ChosenClip, TurntableError> {
        let names: Vec<&str> = loaded.clips.iter().map(|clip| clip.name.as_str()).collect();
        let wish = self.settings.clip().map(|asked| read_clip_word(&asked, &names)).transpose();
        let (wish, is_another) = match wish {
            Ok(wish) => (wish, false),
            Err(ClipWordError::Unknown { .. }) if self.draws_without_clip => (None, true),
            Err(ClipWordError::Unknown { name, .. }) if names.is_empty() => {
                return Err(TurntableError::NoClips { name });
            }
            Err(ClipWordError::Unknown { name, nearest }) => {
                let names: Vec<&str> = names.into_iter().chain(["bind"]).collect();
                let allowed = nearest_words_text(&name, &names);
                return Err(TurntableError::UnknownClip { name, nearest, allowed });
            }
            Err(error @ ClipWordError::Range { .. }) => return Err(TurntableError::Part(error)),
        };
        let guess =
            || usual_clip(loaded, are_named).map(|index| ClipWord::Clip { index, part: None });
        let Ok(clip) = decide_clip(wish, None, ClipWord::Bind, || Ok::<_, Infallible>(guess()));
        let (index, range) = match clip.value {
            ClipWord::Bind => (None, None),
            ClipWord::Clip { index, part } => (Some(index), part),
        };
        Ok(ChosenClip { index, range, is_another })
    }
}

/// The default clip: the one that a thumbnail shows; if files were named, always one of them.
fn usual_clip(loaded: &LoadedModel, are_named: bool) -> Option<usize> {
    let Ok(found) = clip_choice::best_clip(loaded, || Ok::<(), Infallible>(()));
    let found = match found {
        None if are_named => clip_choice::first_clip(loaded),
        found => found,
    };
    // Clips that do not fit are refused when they are bound.
    let refused = (are_named && !loaded.clips.is_empty()).then_some(0);
    found.map(|(index, _)| index).or(refused)
}

/// The model with a part of one of its clips.
fn with_part(model: ModelBuilder, part: Option<&ClipPart>) -> ModelBuilder {
    match part {
        Some(ClipPart { name, of, range }) => {
            model.clip_part(name.as_str(), of.clone(), Some(*range))
        }
        None => model,
    }
}

impl Axes {
    fn add_to(&self, model: ModelBuilder) -> ModelBuilder {
        let model = match &self.up {
            Some(axis) => model.up_word(axis),
            None => model,
        };
        match &self.front {
            Some(axis) => model.front_word(axis),
            None => model,
        }
    }
}

/// The reference to a clip in a scene: its name if it is unique, otherwise its index.
fn clip_name(scene: &Scene, loaded: &LoadedModel, index: usize) -> Clip {
    let name = &loaded.clips[index].name;
    let is_unique = loaded.clips.iter().filter(|clip| clip.name == *name).count() == 1;
    if is_unique && (!scene.models[0].has_own_clips || !name.is_empty()) {
        Clip::Name(name.clone())
    } else {
        Clip::Index(u32::try_from(index).unwrap_or(u32::MAX))
    }
}
