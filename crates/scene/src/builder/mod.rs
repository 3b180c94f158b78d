//! Scene builder: a scene made by a program, without TOML text.
//!
//! Input: values of types. Output: a checked [`Scene`], or [`SceneErrors`] with every mistake at once. The builder makes the same
//! document that [`super::parse_scene`] makes from text, and the same readers check it, so every rule is written once.
//! [`SceneBuilder::to_toml`] writes the document for people to go on from.

mod environment;
mod parts;
#[cfg(test)]
mod tests;

pub use environment::EnvironmentBuilder;
pub use parts::{
    Background, CameraBuilder, Clip, Color, InstanceBuilder, LightBuilder, MaterialBuilder,
    ModelBuilder, Number,
};

use super::aov::Aov;
use super::checked::Scene;
use super::document::{Document, Fields, Value};
use super::error::SceneErrors;
use super::frame_list::FrameList;
use super::output::{Look, Shade};
use super::parse::read_scene;
use super::reader::{Item, Problems};

/// Makes a [`Scene`]. Values that are not set have the defaults of a scene text; at least one model is needed.
///
/// ```
/// use tintype_scene::builder::{CameraBuilder, ModelBuilder};
/// use tintype_scene::{FrameList, SceneBuilder};
///
/// let scene = SceneBuilder::new()
///     .model(ModelBuilder::new("imp.md5mesh").clip("imp_walk.md5anim"))
///     .size([320, 240])
///     .frames(&FrameList::parse("0-47")?)
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

    /// Width and height of the pictures in pixels.
    #[must_use]
    pub fn size(self, [width, height]: [u32; 2]) -> Self {
        self.output("size", Value::array([width, height]))
    }

    /// Samples per pixel: 1, 2, 4, 8 or 16.
    #[must_use]
    pub fn samples(self, samples: u32) -> Self {
        self.output("samples", samples)
    }

    /// Text in the lower left corner of each picture, with `{frame}`, `{time}`, `{clip}` and `{file}`.
    #[must_use]
    pub fn label(self, text: &str) -> Self {
        self.output("label", text)
    }

    /// Most texture probes per point: 1 for trilinear filtering, 2, 4, 8 or 16.
    #[must_use]
    pub fn anisotropy(self, probes: u32) -> Self {
        self.output("anisotropy", probes)
    }

    /// Surfaces of the models.
    #[must_use]
    pub fn shade(self, shade: Shade) -> Self {
        self.output("shade", shade.word())
    }

    /// Look where the scene names no lights.
    #[must_use]
    pub fn look(self, look: Look) -> Self {
        self.output("look", look.word())
    }

    /// Strength of ambient occlusion, 0 to 1.
    #[must_use]
    pub fn occlusion(self, strength: impl Into<Number>) -> Self {
        self.output("occlusion", strength.into())
    }

    /// The frames of the scene.
    #[must_use]
    pub fn frames(self, frames: &FrameList) -> Self {
        self.output("frames", frames.to_string())
    }

    /// Frames 0 to `count - 1`.
    #[must_use]
    pub fn frame_count(self, count: usize) -> Self {
        match count {
            0 | 1 => self.output("frames", "0"),
            count => self.output("frames", format!("0-{}", count - 1)),
        }
    }

    /// Frames per second.
    #[must_use]
    pub fn fps(self, fps: impl Into<Number>) -> Self {
        self.output("fps", fps.into())
    }

    /// Pattern of the picture files, such as `walk.####.png`.
    #[must_use]
    pub fn file(self, pattern: &str) -> Self {
        self.output("file", pattern)
    }

    /// The background behind the models.
    #[must_use]
    pub fn background(self, background: Background) -> Self {
        self.output("background", background)
    }

    /// Arbitrary output variables that are drawn beside each picture.
    #[must_use]
    pub fn aovs(self, aovs: &[Aov]) -> Self {
        self.output("aov", Value::array(aovs.iter().map(Aov::word)))
    }

    /// Light from all directions.
    #[must_use]
    pub fn ambient(mut self, color: Color) -> Self {
        self.document.root.set("ambient", color);
        self
    }

    /// Curve from light to the picture: `neutral` or `none`.
    #[must_use]
    pub fn tone(self, word: &str) -> Self {
        self.output("tone", word)
    }

    /// Factor of all light of the models, above 0 and at most 1000.
    #[must_use]
    pub fn exposure(self, factor: f64) -> Self {
        self.output("exposure", factor)
    }

    /// Light from all directions, as a picture of them gives it.
    #[must_use]
    pub fn environment(mut self, environment: EnvironmentBuilder) -> Self {
        self.document.root.set("environment", environment.0);
        self
    }

    /// The camera.
    #[must_use]
    pub fn camera(mut self, camera: CameraBuilder) -> Self {
        self.document.root.set("camera", camera.0);
        self
    }

    /// Adds a light. A scene without any, and without an environment, has the look of a studio.
    #[must_use]
    pub fn light(mut self, light: LightBuilder) -> Self {
        self.document.root.push("light", light.0);
        self
    }

    /// Puts a ground below the models that catches shadows.
    #[must_use]
    pub fn ground(mut self) -> Self {
        self.document.root.set("ground", Fields::default());
        self
    }

    /// Adds a material override.
    #[must_use]
    pub fn material(mut self, material: MaterialBuilder) -> Self {
        self.document.root.push("material", material.0);
        self
    }

    /// Adds a model.
    #[must_use]
    pub fn model(mut self, model: ModelBuilder) -> Self {
        self.document.root.push("model", model.0);
        self
    }

    /// Adds an instance of a model. A model without any has one at the origin that plays its first clip.
    #[must_use]
    pub fn instance(mut self, instance: InstanceBuilder) -> Self {
        self.document.root.push("instance", instance.0);
        self
    }

    /// Folders that are searched for textures, relative to the scene.
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

    /// Names the command-line option that sets a key such as `camera.fov_deg`, and the keys below it: mistakes there are reported
    /// at the option.
    #[must_use]
    pub fn set_by(mut self, key: &str, option: &str) -> Self {
        self.options.push((key.to_owned(), option.to_owned()));
        self
    }

    /// Checks the scene; `name` stands for it in messages, as the path of a file does.
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

    /// The scene as TOML text that [`super::parse_scene`] reads back to the same scene. Tables come in the order in which they
    /// were first set.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.document.to_toml()
    }

    fn output(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.section("output").set(key, value);
        self
    }

    fn section(&mut self, key: &str) -> &mut Fields {
        self.document.root.table(key)
    }
}
