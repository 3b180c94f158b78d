//! Scenes that are loaded with their files, and their frames.

use super::builder::{FrameList, FrameNumber, SceneBuilder};
use super::{Error, ErrorKind, Frame, LoadOptions};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use tintype_framing::TurntableScene;
use tintype_model::Background;
use tintype_model::deadline::Deadline;
use tintype_model::diagnostic::Diagnostic;
use tintype_model::disk::ShowPath;
use tintype_output::{FileFormat, Rate, encode_animation};
use tintype_raster::RasterOptions;
use tintype_render::asset::regular::read_regular_text;
use tintype_render::asset::{self, Assets};
use tintype_scene::{Scene, parse_scene};

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
    warnings: Vec<Diagnostic>,
    pub(crate) turntable: Option<TurntableScene>,
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
            warnings,
            turntable: None,
        })
    }

    fn load(scene: Scene, name: &str, folder: &Path, options: &LoadOptions) -> Result<Self, Error> {
        let assets =
            asset::load(&scene, folder, options).map_err(|error| Error::of_asset(&error))?;
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::new(stem, Arc::new(scene), Arc::new(assets), &options.deadline)
    }

    /// Opens a scene file and loads what it names: models, clips, materials, textures. The camera is fitted to all frames.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] with all mistakes of the scene, [`ErrorKind::File`] if a file is refused, [`ErrorKind::Draw`] if a clip
    /// does not fit its model.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = read_regular_text(path).map_err(|error| Error::of_io(path, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, &path.shown().to_string(), folder, &LoadOptions::default())
    }

    /// Reads a scene from text; `name` stands for it in messages, and paths in it are relative to `folder`.
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

    /// Loads a scene that a program made; paths in it are relative to `folder`.
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
        Self::load(built, "scene", folder.as_ref(), options)
    }

    /// Name of the scene: that of its file without folder and extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
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

    /// Frames a second.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.scene.output.fps
    }

    /// Files that are missing, joints that are unknown and the like: frames are drawn, and may not be those that were meant.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Digest of everything that the pixels depend on.
    #[must_use]
    pub fn digest(&self) -> String {
        self.inner.digest()
    }

    /// Pattern of the picture files that the scene names, such as `walk.####.png`.
    #[must_use]
    pub fn file(&self) -> Option<String> {
        self.scene.output.file.as_ref().map(tintype_scene::FramePattern::text)
    }

    /// Draws one frame on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if the scene has no such frame.
    pub fn draw(&self, frame: impl Into<FrameNumber>) -> Result<Frame, Error> {
        let drawn = self.inner.draw(frame.into(), RasterOptions::default());
        Ok(Frame(drawn.map_err(|error| Error::of(ErrorKind::Name, &error))?.frame))
    }

    /// All frames as the bytes of one file: `gif`, `webp` or `apng`, without the record of what was drawn that
    /// [`save`](Renderer::save) writes into its files.
    ///
    /// # Errors
    /// As [`Renderer::draw`], and [`ErrorKind::Write`] for another format.
    pub fn to_bytes(&self, format: &str) -> Result<Vec<u8>, Error> {
        let is_known = |format: FileFormat| format.holds_all() && !format.is_video();
        let format = super::extension::format_of(format, is_known)?;
        let frames = self.draw_all()?.into_iter().map(|frame| frame.0).collect::<Vec<_>>();
        let keep_alpha = self.scene.output.background == Background::Transparent;
        encode_animation(&frames, format, Rate::new(self.fps()), keep_alpha)
            .map_err(|error| Error::of(ErrorKind::Write, &error))
    }

    /// Draws all frames, as many at a time as the current rayon pool has threads.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn draw_all(&self) -> Result<Vec<Frame>, Error> {
        let numbers: Vec<FrameNumber> = self.frames().iter().collect();
        numbers.par_iter().map(|&number| self.draw(number)).collect()
    }
}
