//! A loop of frames around a model while its clip plays.

use super::builder::{Aov, Background, Look, RootMotion, Shade, Wrap};
use super::{Error, ErrorKind, Frame, LoadOptions, Model, Renderer};
use std::path::PathBuf;
use std::sync::Arc;
use tintype_framing::{ModelPath, TurntableNote, TurntableOptions, TurntableScene};
use tintype_model::disk::ShowPath;

/// Options of a turntable: a camera that goes around a model while a clip plays, so that the last frame leads to the first.
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
    path: PathBuf,
    load_options: LoadOptions,
    options: TurntableOptions,
}

impl Turntable {
    /// The whole clip of a model, once around, 512x512, in the look of a studio.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let turntable = Self::of_file(model.path(), model.load_options());
        turntable.clips(model.clip_paths().iter().cloned())
    }

    /// As [`Turntable::new`], of a file that is read when frames are drawn.
    #[must_use]
    pub fn of_file(path: impl Into<PathBuf>, load_options: &LoadOptions) -> Self {
        let options = TurntableOptions::default();
        Self { path: path.into(), load_options: load_options.clone(), options }
    }

    /// Files of clips, which replace those of the model.
    #[must_use]
    pub fn clips(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.options.clips = files.into_iter().collect();
        self
    }

    /// The clip that plays: its name, its position from 0, a part of it such as `walk:168-187`, or `bind` for none. By default the
    /// first.
    #[must_use]
    pub fn clip(mut self, name: impl Into<String>) -> Self {
        self.options.clip = Some(name.into());
        self
    }

    /// Behaviour beyond the ends of the clip; by default that of its file.
    #[must_use]
    pub fn wrap(mut self, wrap: Wrap) -> Self {
        self.options.wrap = Some(wrap);
        self
    }

    /// Motion with which the clip carries the model.
    #[must_use]
    pub fn root(mut self, root: RootMotion) -> Self {
        self.options.root = root;
        self
    }

    /// Time of the clip in the first frame, in seconds from its start.
    #[must_use]
    pub fn start_s(mut self, seconds: f64) -> Self {
        self.options.start_s = seconds;
        self
    }

    /// Number of frames; by default as many as the clip needs to end where it began.
    #[must_use]
    pub fn frames(mut self, count: usize) -> Self {
        self.options.frames = Some(count);
        self
    }

    /// Frames a second, above 0 and at most 1000.
    #[must_use]
    pub fn fps(mut self, fps: f64) -> Self {
        self.options.fps = Some(fps);
        self
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(mut self, size: [u32; 2]) -> Self {
        self.options.size = size;
        self
    }

    /// Samples a pixel: 1, 2, 4, 8 or 16.
    #[must_use]
    pub fn samples(mut self, samples: u32) -> Self {
        self.options.samples = samples;
        self
    }

    /// Most probes of a texture for each point: 1, 2, 4, 8 or 16.
    #[must_use]
    pub fn anisotropy(mut self, probes: u32) -> Self {
        self.options.anisotropy = probes;
        self
    }

    /// Surfaces of the model.
    #[must_use]
    pub fn shade(mut self, shade: Shade) -> Self {
        self.options.shade = shade;
        self
    }

    /// Light, ground and background.
    #[must_use]
    pub fn look(mut self, look: Look) -> Self {
        self.options.look = look;
        self
    }

    /// Adds a folder that is searched for textures first.
    #[must_use]
    pub fn textures(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.textures.push(folder.into());
        self
    }

    /// Views beside each picture that is saved.
    #[must_use]
    pub fn aovs(mut self, views: &[Aov]) -> Self {
        self.options.aovs = views.to_vec();
        self
    }

    /// Background; by default that of the look.
    #[must_use]
    pub fn background(mut self, background: Background) -> Self {
        self.options.background = Some(background);
        self
    }

    /// Text burnt into the lower left corner of each picture; `{frame}`, `{time}`, `{clip}` and `{file}` stand for those of the frame.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.options.label = Some(text.into());
        self
    }

    /// A ground below the model that catches its shadow.
    #[must_use]
    pub fn ground(mut self, is_there: bool) -> Self {
        self.options.ground = is_there;
        self
    }

    /// Whether the key light casts a shadow.
    #[must_use]
    pub fn shadow(mut self, is_cast: bool) -> Self {
        self.options.shadow = is_cast;
        self
    }

    /// Azimuth of the camera in the first frame, in degrees: 0 is in front of the model, positive counter-clockwise from above.
    #[must_use]
    pub fn azimuth_deg(mut self, angle: f64) -> Self {
        self.options.azimuth_deg = angle;
        self
    }

    /// Angle through which the camera turns over all frames, in degrees; a negative angle turns clockwise.
    #[must_use]
    pub fn turn_deg(mut self, angle: f64) -> Self {
        self.options.turn_deg = angle;
        self
    }

    /// Elevation of the camera above the horizon, in degrees.
    #[must_use]
    pub fn elevation_deg(mut self, angle: f64) -> Self {
        self.options.elevation_deg = angle;
        self
    }

    /// Vertical field of view, in degrees.
    #[must_use]
    pub fn fov_deg(mut self, angle: f64) -> Self {
        self.options.fov_deg = angle;
        self
    }

    /// Usual direction of the camera: `dimetric`, `isometric`, `front`, `back`, `side` or `top`.
    #[must_use]
    pub fn view(mut self, word: impl Into<String>) -> Self {
        self.options.view = Some(word.into());
        self
    }

    /// `perspective` or `orthographic`; by default that of the view.
    #[must_use]
    pub fn projection(mut self, word: impl Into<String>) -> Self {
        self.options.projection = Some(word.into());
        self
    }

    /// Axis of the file that points up, such as `z` or `-y`; by default that of the format, or a guess for figures that would lie.
    #[must_use]
    pub fn up(mut self, axis: impl Into<String>) -> Self {
        self.options.up = Some(axis.into());
        self
    }

    /// Axis of the file along which the model faces.
    #[must_use]
    pub fn front(mut self, axis: impl Into<String>) -> Self {
        self.options.front = Some(axis.into());
        self
    }

    /// Reads the model with its textures, and fits the camera to all frames.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if an option is out of its range, [`ErrorKind::Name`] if there is no such clip, [`ErrorKind::File`] if a file is
    /// refused, [`ErrorKind::Draw`] if the model holds no triangle.
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

    /// The first frame alone.
    #[must_use]
    pub fn still(mut self) -> Self {
        self.options.frames = Some(1);
        self.options.turn_deg = 0.0;
        self
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

impl Model {
    /// A loop of frames around the model while its clip plays.
    #[must_use]
    pub fn turntable(&self) -> Turntable {
        Turntable::new(self)
    }
}
