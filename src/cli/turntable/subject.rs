//! The model of a turntable in its scene: which clip plays, which way it stands, how many frames.

use super::args::Turntable;
use super::console::Console;
use super::{Failure, load};
use crate::asset::{self, Assets, LoadedModel};
use crate::framing::{Timeline, TurntableSpec, up_axis};
use crate::inspect::summary::ModelFacts;
use crate::output::write_atomic;
use crate::scene::builder::{Background, Clip, ModelBuilder};
use crate::scene::{ClipChoice, Scene, SceneBuilder, nearest_word};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model in its scene.
pub(super) struct Subject {
    pub scene: Arc<Scene>,
    pub assets: Arc<Assets>,
    pub timeline: Timeline,
    axes: Axes,
    spec: TurntableSpec,
}

/// Axes of a model that point up and along its front, as a scene writes them.
#[derive(Clone, Default)]
struct Axes {
    up: Option<String>,
    front: Option<String>,
}

/// A model's file, and from where its scene names it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    /// As it was named.
    Named(&'a Path),
    /// By a name below a base, wherever that is: so a picture does not tell where it was made.
    Below { base: &'a Path, name: &'a str },
}

impl Place<'_> {
    /// The file from here.
    pub fn path(self) -> PathBuf {
        match self {
            Self::Named(path) => path.to_owned(),
            Self::Below { base, name } => base.join(name),
        }
    }

    /// The folder from which the scene names files.
    fn folder(self) -> PathBuf {
        match self {
            Self::Named(_) => PathBuf::new(),
            Self::Below { base, .. } => base.to_owned(),
        }
    }

    /// How the scene names a file, this one or a clip.
    fn written(self, file: &Path) -> PathBuf {
        match self {
            Self::Named(_) => file.to_owned(),
            Self::Below { base, name } if file == base.join(name) => PathBuf::from(name),
            Self::Below { base, .. } => match base.canonicalize() {
                Ok(base) => relative(file, &base),
                Err(_) => file.to_owned(),
            },
        }
    }
}

impl Subject {
    pub fn load(options: &Turntable, place: Place, console: &mut Console) -> Result<Self, Failure> {
        let (file, folder) = (place.path(), place.folder());
        let model = model_entry(options, &file, console, &|file| place.written(file));
        let mut axes = Axes { up: options.up.clone(), front: options.front.clone() };
        let name = file.display().to_string();
        let scene_with = |axes: &Axes| SceneBuilder::new().model(axes.add_to(model.clone()));
        let bare = load::build(&scene_with(&axes), &name)?;
        let mut assets = load::assets_of_options(&bare, &folder, console)?;

        // A figure that would lie on its back is stood up.
        let loaded = &assets.models[0];
        if options.up.is_none()
            && options.front.is_none()
            && let Some(stance) = up_axis::stance(&ModelFacts::of(&loaded.model), loaded)
        {
            let (up, front) = (stance.up.word(), stance.front.word());
            console.info(&format!(
                "the model stands along z of its file: --up {up} --front {front} are taken; say others if that is wrong"
            ));
            axes = Axes { up: Some(up.to_owned()), front: Some(front.to_owned()) };
            let upright = load::build(&scene_with(&axes), &name)?;
            // Its warnings have been given.
            assets = asset::load(&upright, &folder, console.load_options())
                .map_err(|error| Failure::bad_input_chain(&error))?;
        }

        let loaded = &assets.models[0];
        let clip = choose_clip(options, loaded)?;
        let period_s = clip.map(|index| loaded.clips[index].clip.period_s);
        if options.fps.is_some_and(|fps| !(fps > 0.0 && fps <= 1000.0)) {
            return Err(Failure::bad_input("--fps: above 0, at most 1000"));
        }
        let timeline = Timeline::new(period_s, options.frames, options.fps);
        let spec = TurntableSpec {
            aovs: options.views().to_vec(),
            size: options.size,
            samples: options.sampling.samples,
            anisotropy: options.sampling.anisotropy,
            timeline,
            background: options.background.as_deref().map(Background::from_words),
            ground: options.ground,
            shadow: options.shadow,
            azimuth_deg: options.azimuth,
            turn_deg: options.turn,
            elevation_deg: options.elevation,
            fov_deg: options.fov,
            clip: clip.map_or(Clip::Bind, |index| clip_word(&bare, loaded, index)),
            model: bare.models[0].name.clone(),
        };
        let scene = load::build(&spec.add_to(scene_with(&axes)), &name)?;
        // Which clip is wanted is known to the assets of the whole scene alone.
        let wanted =
            scene.wanted_clips.iter().map(|_| clip.map_or(ClipChoice::Bind, ClipChoice::Clip));
        assets.wanted_clips = wanted.collect();
        Ok(Self { scene: scene.into(), assets: assets.into(), timeline, axes, spec })
    }
}

impl Subject {
    /// Whether there is a triangle to be drawn.
    pub fn has_mesh(&self) -> bool {
        let models = &self.assets.models;
        models.iter().flat_map(|loaded| &loaded.model.meshes).any(|mesh| !mesh.triangles.is_empty())
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

/// The model of the scene; `written` gives the paths in the scene.
fn model_entry(
    options: &Turntable,
    model: &Path,
    console: &Console,
    written: &dyn Fn(&Path) -> PathBuf,
) -> ModelBuilder {
    let Turntable { clips, ticks_per_second, .. } = options;
    load::model_entry(model, clips, *ticks_per_second, console.load_options(), written)
}

/// The clip that plays: its place among those of the model.
fn choose_clip(options: &Turntable, loaded: &LoadedModel) -> Result<Option<usize>, Failure> {
    let Some(asked) = options.clip.as_deref() else {
        return Ok((!loaded.clips.is_empty()).then_some(0));
    };
    if let Some(place) = loaded.clips.iter().position(|clip| clip.name == asked) {
        return Ok(Some(place));
    }
    if let Some(place) = asked.parse().ok().filter(|&place: &usize| place < loaded.clips.len()) {
        return Ok(Some(place));
    }
    if asked == "bind" {
        return Ok(None);
    }
    if loaded.clips.is_empty() {
        return Err(Failure::bad_input(format!(
            "--clip: no clip {asked:?}, as the model has none; -a names a file of clips"
        )));
    }
    let names: Vec<&str> =
        loaded.clips.iter().map(|clip| clip.name.as_str()).chain(["bind"]).collect();
    let nearest = nearest_word(asked, names.iter().copied());
    let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
    Err(Failure::bad_input(format!(
        "--clip: no clip {asked:?}{hint}; there are {}",
        names.join(", ")
    )))
}

/// How a scene names a clip: by its name where no other has it, else by its place.
fn clip_word(scene: &Scene, loaded: &LoadedModel, place: usize) -> Clip {
    let name = &loaded.clips[place].name;
    let is_unique = loaded.clips.iter().filter(|clip| clip.name == *name).count() == 1;
    match is_unique && (!scene.models[0].has_own_clips || !name.is_empty()) {
        true => Clip::Name(name.clone()),
        false => Clip::Index(u32::try_from(place).unwrap_or(u32::MAX)),
    }
}

/// Writes the scene with paths that are right beside it.
pub(super) fn save_scene(
    path: &Path,
    options: &Turntable,
    model: &Path,
    subject: &Subject,
    console: &Console,
) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |error: &std::io::Error| load::unreadable(folder, error);
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let folder = folder.canonicalize().map_err(|error| failed(&error))?;
    let model = model_entry(options, model, console, &|file| relative(file, &folder));
    let scene = SceneBuilder::new().model(subject.axes.add_to(model));
    let text = subject.spec.add_to(scene).to_toml();
    write_atomic(path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
    console.info(&format!("{} is the scene of it: tintype render {0}", path.display()));
    Ok(())
}

/// The way to a file from a folder, which has no links in its own path; the file's whole path where it has none.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let Ok(real) = file.canonicalize() else {
        return std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    };
    let shared = real.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut way: PathBuf = folder.components().skip(shared).map(|_| "..").collect();
    way.extend(real.components().skip(shared));
    way
}
