//! Turntables: a loop of frames around a model while its clip plays.

use super::builder::Aov;
use super::{Error, ErrorKind, Frame, LoadOptions, Model, Renderer};
use std::path::PathBuf;
use std::sync::Arc;
use tintype_base::path::ShowPath;
use tintype_framing::{ModelPath, TurntableNote, TurntableOptions, TurntableScene};
use tintype_scene::{SettingType, SettingValue, Settings};

/// Options of a turntable: a camera circles a model while a clip plays, and the last frame leads
/// back to the first.
///
/// ```
/// use tintype::Model;
///
/// let model = Model::open("scenes/assets/ranger.x")?;
/// let turntable = model.turntable().size([96, 96]).frames(4);
/// let frames = turntable.draw()?;
/// assert_eq!(frames.len(), 4);
/// turntable.save("out/ranger.gif")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Turntable {
    pub(crate) path: PathBuf,
    pub(crate) load_options: LoadOptions,
    pub(crate) options: TurntableOptions,
}

impl Turntable {
    /// One full circle around the model with its whole clip, 512x512, in the `studio` look.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut turntable = Self::of_file(model.path(), model.load_options());
        turntable.options.held = model.held().clone();
        turntable.clips(model.clip_paths().iter().cloned())
    }

    /// As [`Turntable::new`], for a file that is read when frames are drawn.
    #[must_use]
    pub fn of_file(path: impl Into<PathBuf>, load_options: &LoadOptions) -> Self {
        let options = TurntableOptions::default();
        Self { path: path.into(), load_options: load_options.clone(), options }
    }

    /// Sets clip files, which replace the clips of the model.
    #[must_use]
    pub fn clips(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.options.clips = files.into_iter().collect();
        self
    }

    /// Sets the number of frames; by default as many as the clip needs to close its loop.
    #[must_use]
    pub fn frames(mut self, count: usize) -> Self {
        self.options.frames = Some(count);
        self
    }

    /// Sets the frames per second, above 0 and at most 1000.
    #[must_use]
    pub fn fps(self, fps: f64) -> Self {
        self.say("fps", fps)
    }

    /// Sets width and height in pixels.
    #[must_use]
    pub fn size(self, size: [u32; 2]) -> Self {
        self.say("size", size)
    }

    /// Applies settings of picture, camera, model, clip and turn.
    #[must_use]
    pub fn settings(mut self, settings: &Settings) -> Self {
        self.options.settings = settings.or(&self.options.settings);
        self
    }

    fn say(mut self, key: &'static str, value: impl Into<SettingValue>) -> Self {
        self.options.settings.say(key, value);
        self
    }

    /// Sets the picture of a shader by hand. `shader` is its name or the end of its path.
    #[must_use]
    pub fn texture(mut self, shader: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        self.options.texture_files.push((shader.into(), file.into()));
        self
    }

    /// Adds a folder to search for textures before all others.
    #[must_use]
    pub fn textures(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.textures.push(folder.into());
        self
    }

    /// Sets the views to save beside each picture.
    #[must_use]
    pub fn aovs(self, views: &[Aov]) -> Self {
        self.say("aov", views.to_vec())
    }

    /// Reads the model with its textures, and fits the camera to all frames.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if an option is out of range, [`ErrorKind::Name`] if the clip does not
    /// exist, [`ErrorKind::File`] if a file is invalid, [`ErrorKind::Draw`] if the model has no
    /// triangles.
    pub fn renderer(&self) -> Result<Renderer, Error> {
        let path = self.path.as_path();
        let mut ignore = |_: TurntableNote| {};
        let scene = TurntableScene::load(
            &self.options,
            ModelPath::alone(path),
            &self.load_options,
            &mut ignore,
        );
        let scene = scene.map_err(|error| Error::of_turntable(&error))?;
        if !scene.has_mesh() {
            let message = format!("{}: the model has no mesh", path.shown());
            return Err(Error::new(ErrorKind::Draw, message));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let deadline = &self.load_options.deadline;
        let (own, assets) = (Arc::clone(&scene.scene), Arc::clone(&scene.assets));
        let mut renderer = Renderer::new(name, own, assets, deadline)?;
        renderer.builder = Some(scene.builder.clone());
        renderer.turntable = Some(scene);
        Ok(renderer)
    }

    /// Draws all frames.
    ///
    /// # Errors
    /// As [`Turntable::renderer`] and [`Renderer::draw`].
    pub fn draw(&self) -> Result<Vec<Frame>, Error> {
        self.renderer()?.draw_all()
    }

    /// Draws the first frame.
    ///
    /// # Errors
    /// As [`Turntable::draw`].
    pub fn draw_first(&self) -> Result<Frame, Error> {
        self.clone().still().renderer()?.draw(0)
    }

    /// Keeps only the first frame.
    #[must_use]
    pub fn still(mut self) -> Self {
        self.options.frames = Some(1);
        self.say("turn_deg", 0.0)
    }

    /// Draws all frames into files; see [`Renderer::save`].
    ///
    /// # Errors
    /// As [`Turntable::renderer`] and [`Renderer::save`].
    #[cfg(feature = "host")]
    pub fn save(&self, output: &str) -> Result<super::Report, Error> {
        self.renderer()?.save(output)
    }
}

/// Defines one method for each setting without a special form above.
macro_rules! setters {
    (
        Turn { $($of_turn:tt)* }
        Sequence { $($of_sequence:tt)* }
        $($others:tt)*
    ) => {
        setters!(of Turn { $($of_turn)* } $($others)*);
    };
    (of
        $($group:ident { $(#[doc = $doc:literal] $key:ident: $type:ty, $presence:ident, $shape:expr, $doors:expr, $usual:expr;)* })*
    ) => {
        impl Turntable {
            $($(
                #[doc = $doc]
                #[must_use]
                pub fn $key(self, value: impl Into<<$type as SettingType>::Given>) -> Self {
                    let value: <$type as SettingType>::Given = value.into();
                    self.say(stringify!($key), value)
                }
            )*)*
        }
    };
}
tintype_scene::settings!(setters);

impl Model {
    /// Makes a turntable: a loop of frames around the model while its clip plays.
    #[must_use]
    pub fn turntable(&self) -> Turntable {
        Turntable::new(self)
    }
}
