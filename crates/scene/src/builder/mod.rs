//! Scene builder: scenes made by a program, without TOML.
//!
//! Input: typed values. Output: a checked [`Scene`], or [`SceneErrors`] with every mistake at once.
//! The builder makes the same document that [`super::parse_scene`] makes from text, and the same
//! readers check it, so every rule is written once. [`SceneBuilder::to_toml`] writes the document
//! as a starting point for edits by hand.

mod parts;
#[cfg(test)]
mod tests;

pub use crate::color::*;
pub use parts::{
    CameraBuilder, Clip, EnvironmentBuilder, InstanceBuilder, LightBuilder, MaterialBuilder,
    ModelBuilder, Number,
};

use super::camera::{self, CameraRig};
use super::checked::Scene;
use super::document::{Document, Fields, Value};
use super::error::SceneErrors;
use super::parse::read_scene;
use super::reader::{Item, Problems};
use super::setting_type::{SettingType, SettingValue};
use super::settings::Settings;

/// One method for each setting of `[output]`.
macro_rules! setters {
    (
        Turn { $($of_turn:tt)* }
        Sequence { $(#[doc = $doc:literal] $key:ident: $type:ty, $presence:ident, $shape:expr, $doors:expr, $usual:expr;)* }
        Picture { $(#[doc = $of_picture:literal] $own:ident: $own_type:ty, $own_presence:ident, $own_shape:expr, $own_doors:expr, $own_usual:expr;)* }
        $($others:tt)*
    ) => {
        setters!(one $($doc, $key: $type;)* $($of_picture, $own: $own_type;)*);
    };
    (one $($doc:literal, $key:ident: $type:ty;)*) => {
        impl SceneBuilder {
            $(
                #[doc = $doc]
                #[must_use]
                pub fn $key(self, value: impl Into<<$type as SettingType>::Given>) -> Self {
                    let value: <$type as SettingType>::Given = value.into();
                    let SettingValue(value) = value.into();
                    self.output(stringify!($key), value)
                }
            )*
        }
    };
}
crate::settings!(setters);

/// Defines one method for each table of the scene, which sets it, or adds one.
macro_rules! tables {
    ($($(#[$doc:meta])* $how:ident $key:ident($value:ident: $type:ty) = $table:expr;)*) => {
        impl SceneBuilder {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $key(mut self, $value: $type) -> Self {
                    self.document.root.$how(stringify!($key), $table);
                    self
                }
            )*
        }
    };
}

tables! {
    /// Light from all directions.
    set ambient(color: Color) = color;
    /// Light from all directions, from a picture of them.
    set environment(environment: EnvironmentBuilder) = environment.0;
    /// The camera.
    set camera(camera: CameraBuilder) = camera.0;
    /// Adds a light. A scene without lights and without an environment has the studio look.
    push light(light: LightBuilder) = light.0;
    /// Adds a material override.
    push material(material: MaterialBuilder) = material.0;
    /// Adds a model.
    push model(model: ModelBuilder) = model.0;
    /// Adds an instance of a model. A model without instances has one at the origin that plays its
    /// first clip.
    push instance(instance: InstanceBuilder) = instance.0;
}

/// Makes a [`Scene`]. Values that are not set have the defaults of a scene text; at least one model
/// is needed.
///
/// ```
/// use tintype_scene::builder::{CameraBuilder, ModelBuilder};
/// use tintype_scene::SceneBuilder;
///
/// let scene = SceneBuilder::new()
///     .model(ModelBuilder::new("imp.md5mesh").clip("imp_walk.md5anim"))
///     .size([320, 240])
///     .frames("0-47")
///     .camera(CameraBuilder::orbit().azimuth_range_deg(0.0, 360.0))
///     .build("imp")?;
/// assert_eq!(scene.output.frames.len(), 48);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneBuilder {
    document: Document,
    /// Keys of the document and the options that set them.
    options: Vec<(String, String)>,
}

impl SceneBuilder {
    /// An empty scene.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Frames 0 to `count - 1`.
    #[must_use]
    pub fn frame_count(self, count: usize) -> Self {
        match count {
            0 | 1 => self.output("frames", "0"),
            count => self.output("frames", format!("0-{}", count - 1)),
        }
    }

    /// Sets settings of the output.
    #[must_use]
    pub fn settings(self, settings: &Settings) -> Self {
        settings.keys_of("output").fold(self, |scene, (key, value)| scene.output(key, value))
    }

    /// Puts a ground that catches shadows below the models.
    #[must_use]
    pub fn ground(mut self) -> Self {
        self.document.root.set("ground", Fields::default());
        self
    }

    /// Folders searched for textures, relative to the scene.
    #[must_use]
    pub fn texture_search<S: Into<String>>(mut self, folders: impl IntoIterator<Item = S>) -> Self {
        let folders = Value::array(folders.into_iter().map(Into::into));
        self.section("textures").set("search", folders);
        self
    }

    /// Doom 3 material files, folders of them or patterns, relative to the scene.
    #[must_use]
    pub fn texture_mtr<S: Into<String>>(mut self, files: impl IntoIterator<Item = S>) -> Self {
        let files = Value::array(files.into_iter().map(Into::into));
        self.section("textures").set("mtr", files);
        self
    }

    /// Names the command-line option that sets a key such as `camera.fov_deg`, and the keys below
    /// it: mistakes there are reported at the option.
    #[must_use]
    pub fn set_by(mut self, key: &str, option: &str) -> Self {
        self.options.push((key.to_owned(), option.to_owned()));
        self
    }

    /// Checks the scene; `name` is used in messages, like the path of a file.
    ///
    /// # Errors
    /// [`SceneErrors`] with every mistake.
    pub fn build(&self, name: &str) -> Result<Scene, SceneErrors> {
        let problems = Problems::without_text();
        let mut document = self.document.clone();
        document.number();
        let scene = read_scene(&Item::root(&document, &problems));
        let found = problems.into_found();
        match scene {
            Some(scene) if found.is_empty() => Ok(scene),
            _ => Err(SceneErrors::of_builder(name, &self.options, found)),
        }
    }

    /// Checks only the camera, for a scene that already has its models.
    ///
    /// # Errors
    /// [`SceneErrors`] with every mistake.
    pub fn build_camera(&self, name: &str) -> Result<CameraRig, SceneErrors> {
        let problems = Problems::without_text();
        let mut document = self.document.clone();
        document.number();
        let rig = camera::read(&Item::root(&document, &problems));
        match problems.into_found() {
            found if found.is_empty() => Ok(rig),
            found => Err(SceneErrors::of_builder(name, &self.options, found)),
        }
    }

    /// The scene as TOML text that [`super::parse_scene`] reads back to the same scene. Tables are
    /// in the order in which they were first set.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.document.to_toml()
    }

    /// The models, as the document has them.
    pub(super) fn models(&self) -> Option<&Value> {
        self.document.root.get("model").map(|field| &field.node.value)
    }

    fn output(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.section("output").set(key, value);
        self
    }

    fn section(&mut self, key: &str) -> &mut Fields {
        self.document.root.table(key)
    }
}
