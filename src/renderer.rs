//! Scenes loaded with their files, and their frames.

use super::builder::{Aov, FrameList, FrameNumber, SceneBuilder};
use super::{Camera, Channel, Channels, Error, ErrorKind, Frame, Given, LoadOptions, View};
use rayon::prelude::*;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tintype_base::deadline::Deadline;
use tintype_base::diagnostic::Diagnostic;
use tintype_base::disk::read_regular_text;
use tintype_base::path::ShowPath;
use tintype_formats::Files;
use tintype_framing::TurntableScene;
use tintype_output::{FileFormat, Provenance, Rate, encode_animation};
use tintype_raster::RasterOptions;
use tintype_render::Staged;
use tintype_render::aov::{Viewer, channels, legend};
use tintype_render::asset::input::read_head;
use tintype_render::asset::{self, Assets};
use tintype_scene::{Fit, Scene, parse_scene};

/// A scene with its models, clips and textures, ready to draw.
///
/// ```
/// use tintype::Renderer;
/// use tintype::builder::{ModelBuilder, SceneBuilder};
///
/// let ranger = ModelBuilder::new("ranger.md5mesh").clip("ranger_walk.md5anim");
/// let scene = SceneBuilder::new().size([320, 240]).model(ranger);
/// let renderer = Renderer::build(&scene, "scenes/assets")?;
/// assert!(renderer.warnings().is_empty());
/// renderer.draw(0)?.save("out/ranger.png")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Debug)]
pub struct Renderer {
    name: String,
    pub(crate) scene: Arc<Scene>,
    #[cfg(feature = "host")]
    pub(crate) assets: Arc<Assets>,
    inner: tintype_render::Renderer,
    /// Digest of the scene, computed on first use.
    digest: OnceLock<String>,
    warnings: Vec<Diagnostic>,
    pub(crate) turntable: Option<TurntableScene>,
    /// The scene as made by a program.
    pub(crate) builder: Option<SceneBuilder>,
}

impl Renderer {
    pub(crate) fn new(
        name: String,
        scene: Arc<Scene>,
        assets: Arc<Assets>,
        deadline: &Deadline,
    ) -> Result<Self, Error> {
        let (own, of_assets) = (Arc::clone(&scene), Arc::clone(&assets));
        let inner = tintype_render::Renderer::new(own, of_assets, deadline)
            .map_err(|error| Error::of_render(&error))?;
        let warnings = assets.warnings.iter().chain(inner.warnings()).cloned().collect();
        Ok(Self {
            name,
            scene,
            #[cfg(feature = "host")]
            assets,
            inner,
            digest: OnceLock::new(),
            warnings,
            turntable: None,
            builder: None,
        })
    }

    fn load(scene: Scene, name: &str, folder: &Path, options: &LoadOptions) -> Result<Self, Error> {
        let assets =
            asset::load(&scene, folder, options).map_err(|error| Error::of_asset(&error))?;
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::new(stem, Arc::new(scene), Arc::new(assets), &options.deadline)
    }

    /// Opens a scene file and loads the files that it names: models, clips, materials, textures.
    /// The camera is fitted to all frames.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] with all mistakes of the scene, [`ErrorKind::File`] if a file is
    /// invalid, [`ErrorKind::Draw`] if a clip does not fit its model.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let head = read_head(&Files::Disk, path, 4096).unwrap_or_default();
        if asset::is_model_file(&head, path) {
            let message = format!("{}: expected a scene, found a model", path.shown());
            return Err(Error::new(ErrorKind::File, message));
        }
        let text = read_regular_text(path).map_err(|error| Error::of_io(path, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, &path.shown(), folder, &LoadOptions::default())
    }

    /// Reads a scene from text. `name` is used in messages; paths in the scene are relative to
    /// `folder`.
    ///
    /// # Errors
    /// As [`Renderer::open`].
    pub fn parse(
        text: &str,
        name: &str,
        folder: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let scene = parse_scene(text, name).map_err(|errors| Error::of_scene(&errors))?;
        Self::load(scene, name, folder.as_ref(), options)
    }

    /// Loads a scene made by a program; its paths are relative to `folder`.
    ///
    /// # Errors
    /// As [`Renderer::open`].
    pub fn build(scene: &SceneBuilder, folder: impl AsRef<Path>) -> Result<Self, Error> {
        Self::build_with(scene, folder, &LoadOptions::default())
    }

    /// As [`Renderer::build`], with limits, a deadline, or files in memory.
    ///
    /// # Errors
    /// As [`Renderer::open`].
    pub fn build_with(
        scene: &SceneBuilder,
        folder: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Self, Error> {
        let built = scene.build("scene").map_err(|errors| Error::of_scene(&errors))?;
        let mut renderer = Self::load(built, "scene", folder.as_ref(), options)?;
        renderer.builder = Some(scene.clone());
        Ok(renderer)
    }

    /// The same scene with another camera, size or time. It costs as much as drawing a frame,
    /// because no file is read again.
    ///
    /// ```
    /// use tintype::builder::CameraBuilder;
    /// use tintype::{Model, View};
    ///
    /// let turntable = Model::open("scenes/assets/ranger.glb")?.turntable().size([64, 64]).renderer()?;
    /// let view = View::new().camera(CameraBuilder::look_at([2.0, 1.5, 3.0], [0.0, 0.9, 0.0])).moment_ms(250);
    /// let seen = turntable.with_view(&view)?;
    /// let frame = seen.draw(250)?;
    /// assert!(seen.to_toml().is_some_and(|scene| scene.contains("look-at")));
    /// # assert_eq!(frame.width(), 64);
    /// # Ok::<(), tintype::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if a value is out of range.
    pub fn with_view(&self, view: &View) -> Result<Self, Error> {
        let scene = view.of_scene(&self.scene)?;
        let inner = self.inner.with_view(scene.clone());
        Ok(Self {
            name: self.name.clone(),
            scene: Arc::new(scene),
            #[cfg(feature = "host")]
            assets: Arc::clone(&self.assets),
            inner,
            digest: OnceLock::new(),
            warnings: self.warnings.clone(),
            turntable: None,
            builder: self.builder.clone().map(|builder| view.add_to(builder)),
        })
    }

    /// The same scene with the camera fit kept in a golden's record: the centre of the models, the
    /// distance of the eye, and the height of an orthographic picture. Views of the result keep it.
    /// Nothing changes if the camera is not fitted.
    #[must_use]
    pub fn with_fit(mut self, fit: [f32; 5]) -> Self {
        self.inner = self.inner.with_fit(Fit::from_array(fit));
        self.digest = OnceLock::new();
        self
    }

    /// The scene as TOML that [`Renderer::parse`] reads, with paths relative to the folder of the
    /// scene or of the model. None for a scene that was read from text.
    #[must_use]
    pub fn to_toml(&self) -> Option<String> {
        self.builder.as_ref().map(SceneBuilder::to_toml)
    }

    /// Minimum and maximum corners of the bounding box of the models over all frames, in world
    /// space. None if nothing is drawn. All frames are posed to compute it, unless the camera was
    /// fitted to them.
    #[must_use]
    pub fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let bounds = self.inner.bounds();
        (!bounds.is_empty()).then(|| [bounds.min.to_array(), bounds.max.to_array()])
    }

    /// Name of the scene: its file name without folder and extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The clip that a turntable plays: its name, and its period in seconds. None in the bind pose,
    /// and for other scenes.
    #[must_use]
    pub fn turntable_clip(&self) -> Option<(&str, f64)> {
        let TurntableScene { scene, assets, .. } = self.turntable.as_ref()?;
        let instance = scene.instances.first()?;
        let index = assets.clip_of(instance.model, instance.clip)?;
        let played = assets.models.get(instance.model)?.clips.get(index)?;
        Some((&played.name, played.clip.period_s))
    }

    /// Numbers of the frames.
    #[must_use]
    pub fn frames(&self) -> &FrameList {
        &self.scene.output.frames
    }

    /// Width and height of the frames in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.scene.output.size
    }

    /// Frames per second.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.scene.output.fps
    }

    /// Warnings, such as missing files and unknown joints. Frames are drawn, but may not look as
    /// intended.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Digest of everything that the pixels depend on.
    #[must_use]
    pub fn digest(&self) -> String {
        self.digest.get_or_init(|| self.inner.digest()).clone()
    }

    /// Pattern of the picture files in the scene, such as `walk.####.png`.
    #[must_use]
    pub fn file(&self) -> Option<String> {
        self.scene.output.file.as_ref().map(tintype_scene::FramePattern::text)
    }

    /// Draws one frame on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if the scene has no such frame.
    pub fn draw(&self, frame: impl Into<FrameNumber>) -> Result<Frame, Error> {
        let number = frame.into();
        let drawn = self.inner.draw(number, RasterOptions::default());
        let picture = drawn.map_err(|error| Error::of(ErrorKind::Name, &error))?.frame;
        let provenance = Provenance::of_this_build(number.0, self.digest());
        Ok(Frame::drawn(picture, provenance.to_text()))
    }

    /// Draws one frame with channels: depth, position, normals, mesh ids and others. The frame is
    /// the same as from [`Renderer::draw`].
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn draw_channels(
        &self,
        frame: impl Into<FrameNumber>,
        channels: &[Channel],
    ) -> Result<(Frame, Channels), Error> {
        self.draw_given(frame, &Given::new(), channels)
    }

    /// As [`Renderer::draw_channels`], with transforms, joints or vertices given by a program. The
    /// camera fit, the ground height and the shadow resolution stay those of the scene.
    ///
    /// ```
    /// use tintype::builder::{ModelBuilder, SceneBuilder};
    /// use tintype::{Channel, Given, LoadOptions, MemoryFiles, MeshArrays, Renderer};
    ///
    /// let mut positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let arrays = MeshArrays::new(positions.clone(), vec![[0, 1, 2]]);
    /// let files = MemoryFiles::new().with("body.glb", arrays.to_glb()?).over_disk();
    /// let scene = SceneBuilder::new().model(ModelBuilder::new("body.glb"));
    /// let options = LoadOptions::default().with_files(files);
    /// let renderer = Renderer::build_with(&scene, "", &options)?;
    /// for step in 0..3 {
    ///     positions[2][1] += 0.1;
    ///     let given = Given::new().vertices(0, &positions);
    ///     let (frame, channels) = renderer.draw_given(0, &given, &[Channel::Depth])?;
    /// }
    /// # Ok::<(), tintype::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Renderer::draw`], and [`ErrorKind::Draw`] if the given parts do not match the scene.
    pub fn draw_given(
        &self,
        frame: impl Into<FrameNumber>,
        given: &Given,
        channels: &[Channel],
    ) -> Result<(Frame, Channels), Error> {
        let number = frame.into();
        let staged = self.staged(number, given)?;
        let (picture, found) = rayon::join(
            || self.inner.draw_staged(&staged, RasterOptions::default()),
            || self.channels_of(&staged, given, channels),
        );
        let picture = picture.map_err(|error| Error::of(ErrorKind::Draw, &error))?.frame;
        // Given parts are not covered by any digest.
        let provenance = if given.is_empty() {
            Provenance::of_this_build(number.0, self.digest()).to_text()
        } else {
            Vec::new()
        };
        Ok((Frame::drawn(picture, provenance), found?))
    }

    /// Computes channels of one frame without its picture.
    ///
    /// # Errors
    /// As [`Renderer::draw_given`].
    pub fn channels(
        &self,
        frame: impl Into<FrameNumber>,
        given: &Given,
        channels: &[Channel],
    ) -> Result<Channels, Error> {
        self.channels_of(&self.staged(frame.into(), given)?, given, channels)
    }

    /// Names of the instances, in order; several may have the same name.
    #[must_use]
    pub fn instance_names(&self) -> Vec<String> {
        legend(&self.inner, Channel::Instance)
    }

    fn staged(&self, frame: FrameNumber, given: &Given) -> Result<Staged, Error> {
        let given = given.checked(&self.scene, self.inner.assets())?;
        let staged = self.inner.stage_given(frame, given, RasterOptions::default().level);
        staged.map_err(|error| Error::of(ErrorKind::Name, &error))
    }

    /// End of the motion of points, if motion is requested.
    fn next_of(
        &self,
        frame: FrameNumber,
        given: &Given,
        wanted: &[Channel],
    ) -> Result<Option<Staged>, Error> {
        if !wanted.contains(&Channel::Motion) {
            return Ok(None);
        }
        let frames = self.frames();
        let following = frames.position(frame).and_then(|place| frames.nth(place + 1));
        match (given.at_next(), following) {
            (Some(next), following) => self.staged(following.unwrap_or(frame), next).map(Some),
            (None, _) if !given.is_empty() => {
                let message = "motion: the next state is missing";
                Err(Error::new(ErrorKind::Draw, message.to_owned()))
            }
            (None, Some(following)) => self.staged(following, &Given::new()).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn channels_of(
        &self,
        staged: &Staged,
        given: &Given,
        wanted: &[Channel],
    ) -> Result<Channels, Error> {
        let next = self.next_of(staged.frame, given, wanted)?;
        let cut = RasterOptions::default();
        let planes = channels(&self.inner, staged, next.as_ref(), wanted, cut);
        let planes = planes.map_err(|error| Error::of(ErrorKind::Draw, &error))?;
        let named = |(&channel, plane)| (channel, plane, legend(&self.inner, channel));
        Ok(Channels { planes: wanted.iter().zip(planes).map(named).collect() })
    }

    /// Draws a view of one frame, such as depth, normals or the influence of a joint, and returns
    /// it with a legend of its colours.
    ///
    /// # Errors
    /// As [`Renderer::draw`], and [`ErrorKind::Name`] if no model has the joint or the morph
    /// target.
    pub fn draw_view(
        &self,
        frame: impl Into<FrameNumber>,
        view: &Aov,
    ) -> Result<(Frame, String), Error> {
        let (views, options) = (core::slice::from_ref(view), RasterOptions::default());
        let no_such = |error: &(dyn std::error::Error + 'static)| Error::of(ErrorKind::Name, error);
        let viewer = Viewer::new(&self.inner, views).map_err(|error| no_such(&error))?;
        let number = frame.into();
        let staged = viewer.stage(&self.inner, number, options);
        let staged = staged.map_err(|error| no_such(&error))?;
        let failed = |error: &(dyn std::error::Error + 'static)| Error::of(ErrorKind::Draw, error);
        let picture = self.inner.draw_staged(&staged, options).map_err(|error| failed(&error))?;
        let drawn = viewer.draw(&self.inner, &staged, &picture.frame, options);
        let shown = drawn.map_err(|error| failed(&error))?.swap_remove(0);
        let provenance = Provenance::of_this_build(number.0, self.digest());
        let text = provenance.to_text_of_view(&view.word(), &shown.legend);
        Ok((Frame::drawn(shown.frame, text), shown.legend))
    }

    /// The camera of one frame.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if the scene has no such frame.
    pub fn camera(&self, frame: impl Into<FrameNumber>) -> Result<Camera, Error> {
        let camera = self.inner.camera(frame.into());
        let camera = camera.map_err(|error| Error::of(ErrorKind::Name, &error))?;
        Ok(Camera::new(&camera, self.size()))
    }

    /// Draws all frames and encodes them as one file: `gif`, `webp` or `apng`. Unlike
    /// [`save`](Renderer::save), it does not embed provenance.
    ///
    /// # Errors
    /// As [`Renderer::draw`], and [`ErrorKind::Write`] for another format.
    pub fn to_bytes(&self, format: &str) -> Result<Vec<u8>, Error> {
        let format = animated(format)?;
        let keep_alpha = self.scene.output.is_transparent();
        encoded(self.draw_all()?, format, self.fps(), keep_alpha)
    }

    /// Draws all frames, in parallel on the threads of the current rayon pool.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn draw_all(&self) -> Result<Vec<Frame>, Error> {
        let numbers: Vec<FrameNumber> = self.frames().iter().collect();
        numbers.par_iter().map(|&number| self.draw(number)).collect()
    }
}

/// Encodes frames of one size as one file: `gif`, `webp` or `apng`.
///
/// # Errors
/// [`ErrorKind::Write`] for another format, no frames, frames of different sizes, or a rate that is
/// not above 0.
pub fn animation(frames: Vec<Frame>, fps: f64, format: &str) -> Result<Vec<u8>, Error> {
    let format = animated(format)?;
    let refused = |message: &str| Err(Error::new(ErrorKind::Write, message.to_owned()));
    let Some(first) = frames.first() else { return refused("there is no frame") };
    let size = [first.width(), first.height()];
    if size.contains(&0) || frames.iter().any(|frame| [frame.width(), frame.height()] != size) {
        return refused("the frames have different sizes");
    }
    if !(fps > 0.0 && fps <= 1000.0) {
        return refused("frames per second must be above 0 and at most 1000");
    }
    let keep_alpha = frames.iter().any(Frame::has_alpha);
    encoded(frames, format, fps, keep_alpha)
}

/// Parses the format, which must support animation without an external program.
fn animated(format: &str) -> Result<FileFormat, Error> {
    super::extension::format_of(format, |format| format.holds_all() && !format.is_video())
}

fn encoded(
    frames: Vec<Frame>,
    format: FileFormat,
    fps: f64,
    keep_alpha: bool,
) -> Result<Vec<u8>, Error> {
    let frames: Vec<_> = frames.into_iter().map(|frame| frame.picture).collect();
    encode_animation(&frames, format, Rate::new(fps), keep_alpha)
        .map_err(|error| Error::of(ErrorKind::Write, &error))
}
