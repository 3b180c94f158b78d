//! Options of thumbnails, and the result of one.

use super::facts::{ThumbFacts, ThumbView};
use super::limits::ModelLimits;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::diagnostic::Diagnostic;
use tintype_formats::{FileScene, Files};
use tintype_model::frame::Frame;
use tintype_output::{FileFormat, PngEffort};
use tintype_render::asset::{HeldFiles, Inputs};
use tintype_scene::{Look, Settings};

/// Options of all thumbnails of a job.
#[derive(Clone, Debug)]
pub struct ThumbnailOptions {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Settings of picture, camera, model and clip.
    pub settings: Settings,
    /// Format of the picture files: PNG, JPEG or WebP. None for pictures without a file.
    pub format: Option<FileFormat>,
    /// Compression of PNG pictures.
    pub effort: PngEffort,
    /// A file of clips for all models, as an absolute path.
    pub anim: Option<PathBuf>,
    /// Draws a model that lacks the named clip with its default clip; otherwise the model is
    /// skipped.
    pub draws_without_clip: bool,
    /// Scene of glTF files with several; by default the one named by the file.
    pub file_scene: Option<FileScene>,
    /// More folders with textures, as absolute paths.
    pub textures: Vec<PathBuf>,
    /// Pictures for shaders by their names, as absolute paths, which replace those of the model.
    pub texture_files: Vec<(String, PathBuf)>,
    /// True to write a turntable beside each picture, [an animated WebP](spin_file) of half its
    /// size.
    pub spin: bool,
    /// Keys of the scene, and the names used for them in error messages, such as the options of a
    /// command.
    pub key_names: &'static [(&'static str, &'static str)],
    /// Source of the files.
    pub files: Files,
    /// Model files that are open, and not read again.
    pub held: HeldFiles,
    /// Limits of each model.
    pub limits: ModelLimits,
    /// True to redraw pictures that are up to date.
    pub overwrite: bool,
    /// True to draw surfaces with missing textures grey instead of as a checkerboard, for file
    /// managers, which show no warnings.
    pub grey_for_missing_textures: bool,
    /// True to only check pictures: one that is missing or outdated is skipped as
    /// [`SkipReason::Missing`](super::SkipReason::Missing).
    pub verify: bool,
    /// True to skip models with substitutes for missing files, such as a checkerboard for a
    /// texture.
    pub strict_assets: bool,
    /// Check of the files of each model.
    pub input_check: Option<InputCheck>,
}

impl ThumbnailOptions {
    /// The settings for a model without surroundings: in a file manager, and in the classic look.
    pub(super) fn said(&self) -> Settings {
        if self.grey_for_missing_textures || self.look() == Look::Classic {
            self.settings.or(&Settings::clear())
        } else {
            self.settings.clone()
        }
    }

    /// The look of the picture.
    pub(super) fn look(&self) -> Look {
        self.settings.look().unwrap_or_default()
    }
}

/// Receives the files of each model, by the model's name, before pictures are decoded; an error
/// skips the model.
#[derive(Clone)]
pub struct InputCheck(pub Arc<CheckInputs>);

/// Called with the name of a model and its files.
pub type CheckInputs = dyn Fn(&str, &Inputs) -> Result<(), String> + Send + Sync;

impl fmt::Debug for InputCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InputCheck")
    }
}

/// A model's picture and its facts.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// Facts of the model.
    pub facts: ThumbFacts,
    /// Chosen view.
    pub view: ThumbView,
    /// Digest of all inputs of the picture.
    pub digest: String,
    /// Warnings about the model and its files.
    pub warnings: Vec<Diagnostic>,
    /// The model lacks the named clip and shows its default clip.
    pub lacks_clip: bool,
    /// The picture, if no file of it is made.
    pub frame: Option<Frame>,
    /// The file of the picture. None if the existing one was kept.
    pub png: Option<Vec<u8>>,
    /// The turntable as an animated WebP, if it was requested and drawn.
    pub spin: Option<Vec<u8>>,
}

/// The file of the turntable beside a picture: its name with another extension.
#[must_use]
pub fn spin_file(picture: &Path) -> PathBuf {
    picture.with_extension("webp")
}
