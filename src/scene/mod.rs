//! Scenes: TOML text to a checked [`Scene`].
//!
//! Input: the text of a scene and a name for messages. Output: the [`Scene`] with every default filled in, every reference
//! an index, every colour linear; or [`SceneErrors`] with all mistakes of the text at once. `asset` loads the files that a
//! scene names. This module never touches the disk, so it cannot know whether a file exists.
//!
//! # Layout
//! `reader` walks the TOML tree and notes mistakes, `syntax` finds where there is none; `output`, `aov`, `golden`, `camera`, `light`, `ground`, `material`, `model` and `instance` each read
//! one table; `frame_list` and `pattern` read the two small languages in it; `digest` writes a checked scene as text.

mod aov;
pub mod camera;
pub mod builder;
mod digest;
mod document;
pub mod error;
pub mod frame_list;
mod frame_number;
mod golden;
mod ground;
mod instance;
mod light;
mod material;
mod model;
mod output;
mod overrides;
pub mod pattern;
mod reader;
mod settings;
pub mod shard;
mod syntax;
mod value;

pub use aov::{Aov, AovError};
pub use builder::SceneBuilder;
pub use camera::{Around, CameraRig, Fit, Moment, OrbitTarget};
pub use digest::Parameter;
pub use error::{Problem, SceneError, SceneErrors, nearest_word};
pub use frame_list::{FrameList, FrameListError};
pub use frame_number::FrameNumber;
pub use golden::Golden;
pub use instance::{ClipChoice, Fade, Instance, WantedClip};
pub use light::Lights;
pub use material::MaterialEntry;
pub use model::{ClipEntry, FileAxis, ModelEntry, SetChoice};
pub use output::Output;
pub use overrides::OutputOverrides;
pub use pattern::{FramePattern, PatternError};
pub use settings::{Settings, parse_settings};
pub use shard::{Shard, ShardError, ShardText};
pub use value::Ramp;

use crate::model::{CastShadow, Ground, LinearRgb};
use document::Document;
use reader::{Item, Problems, Table};
use value::Brightness;

/// The JSON schema of scenes, for editors; the reader checks more.
pub const SCHEMA: &str = include_str!("scene.schema.json");

/// A checked scene: every default is filled in and every reference holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Size, frames and files of the pictures.
    pub output: Output,
    /// Light from everywhere, on top of the lights.
    pub ambient: LinearRgb,
    /// The camera and its way.
    pub camera: CameraRig,
    /// The lights.
    pub lights: Lights,
    /// Which of them cast shadows, in their order.
    pub shadows: Vec<CastShadow>,
    /// What catches shadows below the models.
    pub ground: Option<Ground>,
    /// What shader names mean, in the order of the text; names are unique.
    pub materials: Vec<MaterialEntry>,
    /// The models, in the order of the text, at least one; names are unique.
    pub models: Vec<ModelEntry>,
    /// Who stands in the scene: the instances of the text, then one for each model that has none.
    pub instances: Vec<Instance>,
    /// The clips that instances name and that only the file of their model knows.
    pub wanted_clips: Vec<WantedClip>,
    /// Folders that are searched for textures, relative to the scene.
    pub texture_search: Vec<String>,
    /// Doom 3 material files: files, folders of them, or patterns with `*` in the file name; relative to the scene.
    pub texture_mtr: Vec<String>,
    /// The frames that are kept as golden images.
    pub golden: Option<Golden>,
}

impl Scene {
    /// A text that is the same exactly for scenes that draw the same pictures from the same files.
    ///
    /// Comments, blanks, the order of keys and defaults that are written out do not change it, and neither do the names of
    /// output files or the golden frames.
    #[must_use]
    pub fn digest_text(&self) -> String {
        digest::text(self)
    }

    /// What that text says, thing by thing with its subject and key, to tell how two scenes differ.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        digest::parameters(self)
    }
}

const KEYS: [&str; 10] = [
    "output", "camera", "ambient", "light", "ground", "material", "model", "instance", "golden",
    "textures",
];

/// Reads a scene; `name` stands for it in messages, as a path does.
///
/// # Errors
/// [`SceneErrors`] with every mistake of the text, in its order. Where the text is no TOML, mistakes that may follow from that
/// are left out.
pub fn parse_scene(text: &str, name: &str) -> Result<Scene, SceneErrors> {
    let (document, syntax_errors) = Document::parse(text);
    let problems = Problems::new(text);
    let root = Item::root(&document, &problems);
    let scene = read_scene(&root);
    if let Some(errors) = syntax_errors {
        problems.add_syntax_errors(errors);
    }
    let found = problems.into_found();
    match scene {
        Some(scene) if found.is_empty() => Ok(scene),
        _ => Err(SceneErrors::new(name, text, found)),
    }
}

/// The scene as far as it can be read; none if there is no model at all.
fn read_scene(root: &Table<'_>) -> Option<Scene> {
    root.check_keys(&KEYS);
    let output = output::read(root);
    let models = model::read(root);
    let mut wanted_clips = Vec::new();
    let [texture_search, texture_mtr] = read_textures(root);
    let instances = instance::read(root, &models, &mut wanted_clips);
    let (lights, shadows) = light::read(root);
    let scene = Scene {
        golden: golden::read(root, &output),
        output,
        ambient: root
            .item("ambient")
            .and_then(|item| value::color(&item, Brightness::Light))
            .unwrap_or(LinearRgb::BLACK),
        camera: camera::read(root),
        lights,
        shadows,
        ground: ground::read(root),
        materials: material::read(root),
        models,
        instances,
        wanted_clips,
        texture_search,
        texture_mtr,
    };
    (!scene.models.is_empty()).then_some(scene)
}

/// The folders that are searched for textures, and the material files.
fn read_textures(root: &Table<'_>) -> [Vec<String>; 2] {
    let Some(table) =
        root.item("textures").and_then(|item| item.table("a table", &["search", "mtr"]))
    else {
        return [const { Vec::new() }; 2];
    };
    let texts = |key: &'static str, array: &str, each: &str| -> Vec<String> {
        let items = table.item(key).and_then(|item| item.array(array)).unwrap_or_default();
        items.iter().filter_map(|item| item.filled_text(each)).map(str::to_owned).collect()
    };
    [
        texts("search", "an array of folders", "a folder"),
        texts("mtr", "an array of .mtr files", "a .mtr file, a folder of them or a pattern"),
    ]
}
