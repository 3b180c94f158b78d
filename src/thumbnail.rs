//! The picture of a model, with clip, moment and viewpoint chosen.

use super::builder::{Background, Look};
use super::{Error, ErrorKind, Frame, LoadOptions, Model};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tintype_framing::ClipFolders;
use tintype_framing::ModelFile;
use tintype_framing::thumbnail::{ModelLimits, SkipReason, ThumbnailOptions, draw_model};
use tintype_model::deadline::Deadline;
use tintype_model::diagnostic::Diagnostic;
use tintype_model::disk::ShowPath;
use tintype_output::{FileFormat, PngEffort, decode_png};
use tintype_scene::{Output, RootMotion, Shade};

/// Estimated bytes of memory that a thumbnail may take.
const MOST_MEMORY: u64 = 1 << 30;
/// Most bytes of the file of a model.
const LARGEST_FILE: u64 = 1 << 30;
/// Time that nothing reaches: the deadline is that of the options by which the model was opened.
const NO_END: Duration = Duration::from_secs(u64::MAX);

/// Options of a thumbnail.
///
/// ```
/// use tintype::{Model, Thumbnail};
///
/// let model = Model::open("scenes/assets/ranger.glb")?;
/// let drawn = Thumbnail::new(128).clip("walk").draw(&model)?;
/// assert!(drawn.warnings.is_empty());
/// drawn.frame.save("out/ranger.png")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Thumbnail {
    size: u32,
    samples: u32,
    clip: Option<String>,
    background: Option<Background>,
    look: Look,
    textures: Vec<PathBuf>,
    up: Option<String>,
    front: Option<String>,
}

/// A picture, and what its author should know.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Drawn {
    /// The picture.
    pub frame: Frame,
    /// Missing textures and the like.
    pub warnings: Vec<Diagnostic>,
}

impl Thumbnail {
    /// A square picture of `size` pixels a side, 1 to 4096, in the look of a studio.
    #[must_use]
    pub fn new(size: u32) -> Self {
        Self {
            size,
            samples: 4,
            clip: None,
            background: None,
            look: Look::Studio,
            textures: Vec::new(),
            up: None,
            front: None,
        }
    }

    /// Samples per pixel: 1, 2, 4, 8 or 16; 4 by default.
    #[must_use]
    pub fn samples(mut self, samples: u32) -> Self {
        self.samples = samples;
        self
    }

    /// The clip, in letters of any case, or a part of it such as `walk:168-187`; `bind` for the bind pose.
    #[must_use]
    pub fn clip(mut self, name: impl Into<String>) -> Self {
        self.clip = Some(name.into());
        self
    }

    /// Background; by default light in the studio, transparent in the classic look.
    #[must_use]
    pub fn background(mut self, background: Background) -> Self {
        self.background = Some(background);
        self
    }

    /// Light, ground and background; the studio by default.
    #[must_use]
    pub fn look(mut self, look: Look) -> Self {
        self.look = look;
        self
    }

    /// Adds a folder that is searched for textures first.
    #[must_use]
    pub fn textures(mut self, folder: impl Into<PathBuf>) -> Self {
        self.textures.push(folder.into());
        self
    }

    /// Axis of the file that points up, such as `z` or `-y`; by default that of the format, or a guess for figures that would lie.
    #[must_use]
    pub fn up(mut self, axis: impl Into<String>) -> Self {
        self.up = Some(axis.into());
        self
    }

    /// Axis of the file along which the model faces.
    #[must_use]
    pub fn front(mut self, axis: impl Into<String>) -> Self {
        self.front = Some(axis.into());
        self
    }

    /// Draws a model. Its file is read again, so a texture that was changed is seen.
    ///
    /// # Errors
    /// [`ErrorKind::Scene`] if an option is out of its range, [`ErrorKind::Name`] if there is no such clip, [`ErrorKind::File`] if the model
    /// or its clip is refused, [`ErrorKind::Draw`] if nothing of it is seen.
    pub fn draw(&self, model: &Model) -> Result<Drawn, Error> {
        self.draw_with(model.path(), model.clip_paths(), model.load_options())
    }

    /// Draws the model of a file, which is read once.
    ///
    /// # Errors
    /// As [`Thumbnail::draw`].
    pub fn draw_file(
        &self,
        path: impl AsRef<Path>,
        load_options: &LoadOptions,
    ) -> Result<Drawn, Error> {
        self.draw_with(path.as_ref(), &[], load_options)
    }

    fn draw_with(
        &self,
        path: &Path,
        clip_paths: &[PathBuf],
        load_options: &LoadOptions,
    ) -> Result<Drawn, Error> {
        let Self { size, samples, .. } = *self;
        let refused = |message: String| Err(Error::new(ErrorKind::Scene, message));
        if !(1..=4096).contains(&size) {
            return refused(format!("size={size}: expected 1 to 4096"));
        }
        if !Output::COUNTS.contains(&samples) {
            return refused(format!("samples={samples}: expected 1, 2, 4, 8 or 16"));
        }
        let anim = match clip_paths {
            [] => None,
            [clip] => Some(clip.clone()),
            _ => return refused("a thumbnail takes one file of clips".to_owned()),
        };
        let is_clear = self.look == Look::Classic && self.background.is_none();
        let options = ThumbnailOptions {
            size: [size; 2],
            samples,
            anisotropy: 1,
            shade: Shade::Textured,
            look: self.look,
            view: None,
            azimuth_deg: None,
            elevation_deg: None,
            is_parallel: false,
            spin: false,
            background: if is_clear {
                Some(Background::Transparent)
            } else {
                self.background.clone()
            },
            format: FileFormat::Png,
            effort: PngEffort::Fast,
            anim,
            clip: self.clip.clone(),
            draws_without_clip: false,
            wrap: None,
            root: RootMotion::Keep,
            file_scene: load_options.file_scene.clone(),
            up: self.up.clone(),
            front: self.front.clone(),
            textures: self.textures.clone(),
            files: load_options.files.clone(),
            limits: ModelLimits::new(NO_END, MOST_MEMORY, LARGEST_FILE, &load_options.limits),
            overwrite: true,
            is_plain: false,
            verify: false,
            refuses_stand_ins: false,
            input_check: None,
        };
        let path = path.to_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = ModelFile { path, name, is_named: true };
        let deadline = load_options.deadline.clone();
        draw(&file, &options, deadline)
    }
}

fn draw(file: &ModelFile, options: &ThumbnailOptions, deadline: Deadline) -> Result<Drawn, Error> {
    let deadline = options.limits.with_deadline(deadline);
    let drawn = draw_model(file, None, options, &ClipFolders::default(), &deadline);
    let drawn = drawn.map_err(|skip| {
        let kind = match skip.reason {
            SkipReason::Empty | SkipReason::NoMesh | SkipReason::ClipsAlone => ErrorKind::Draw,
            SkipReason::Clip => ErrorKind::Name,
            _ => ErrorKind::File,
        };
        let message = format!("{}: {}", file.path.shown(), skip.message);
        Error::new(kind, message).temporary(skip.reason == SkipReason::Temporary)
    })?;
    let (frame, _) = decode_png(&drawn.png.unwrap_or_default())
        .map_err(|error| Error::of(ErrorKind::Draw, &error))?;
    Ok(Drawn { frame: Frame(frame), warnings: drawn.warnings })
}

impl Model {
    /// Draws a square picture of `size` pixels a side; clip, moment and viewpoint are chosen. [`Thumbnail`] has more options.
    ///
    /// # Errors
    /// As [`Thumbnail::draw`].
    pub fn thumbnail(&self, size: u32) -> Result<Frame, Error> {
        Ok(Thumbnail::new(size).draw(self)?.frame)
    }
}
