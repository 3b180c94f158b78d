//! Scenes x golden folder -> passed, missing, dangling, different; and the act that accepts new pictures.
//!
//! Which goldens there must be is computed from the scenes alone: each lists its golden frames and their size. Goldens mirror the
//! scenes: `scenes/raster/edge.toml`, frame 3, is `golden/raster/edge/0003.png`, with the golden folder beside the folder named
//! `scenes`; a scene outside such a folder keeps its goldens in `golden/<scene>/` beside itself. Where more than one picture is
//! right, the others stand in a folder with the name of the frame: `golden/raster/edge/0003/*.png`.
//!
//! A view that the scene asks for in `output.aov` has goldens beside those of the pictures: `golden/raster/edge/0003.depth.png`.
//!
//! A golden says "same as before", exactly: every channel of every pixel; unless the scene says by which other rule, for goldens
//! that come from elsewhere. Checking never writes.
//!
//! [`check`] compares, [`bless`] accepts, [`folder`] tells which files belong to which scene.

pub mod bless;
pub mod check;
pub mod discover;
pub mod folder;
pub mod report;

pub use bless::Accepted;
pub use check::{Checked, Verdict};
pub use folder::{Clash, clash, dangling};

use crate::aov::ViewError;
use crate::asset::{self, AssetError, Assets, FileError};
use crate::disk::is_temporary;
use crate::formats::LoadOptions;
use crate::model::Rule;
use crate::output::OutputError;
use crate::render::RenderError;
use crate::scene::{Aov, FrameNumber, FramePattern, Scene, SceneErrors, parse_scene};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Why the goldens of a scene cannot be checked at all.
#[derive(Debug, Error)]
pub enum GoldenError {
    /// A file or folder cannot be read.
    #[error("{}", path.display())]
    Read {
        /// The scene, or the golden folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A path that a caller named cannot be opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// The scene's text has mistakes.
    #[error("mistakes in {}\n{source}", path.display())]
    Scene {
        /// The scene.
        path: PathBuf,
        /// All of them.
        source: SceneErrors,
    },
    /// The scene lists no golden frame, so that nothing could fail.
    #[error("{}: the scene has no [golden] table", path.display())]
    NoGolden {
        /// The scene.
        path: PathBuf,
    },
    /// A file that the scene names cannot be loaded.
    #[error(transparent)]
    Asset(#[from] AssetError),
    /// The scene cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A view that the scene asks for cannot be drawn.
    #[error(transparent)]
    View(#[from] ViewError),
    /// A golden cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl GoldenError {
    /// Whether the same call may succeed later without anybody changing a file.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Read { source, .. } => is_temporary(source),
            Self::File(error) => error.is_temporary(),
            Self::Asset(error) => error.is_temporary(),
            Self::Output(error) => error.is_temporary(),
            Self::Scene { .. } | Self::NoGolden { .. } | Self::Render(_) | Self::View(_) => false,
        }
    }
}

/// A scene with goldens: its pictures, or one of its views.
#[derive(Debug)]
pub struct GoldenScene {
    /// Its path.
    pub path: PathBuf,
    /// The folder of its goldens.
    pub folder: PathBuf,
    /// Limits and deadline of its files.
    pub load_options: LoadOptions,
    scene: Scene,
    /// Which view of the scene it is; none for the pictures.
    view: Option<Aov>,
}

impl GoldenScene {
    /// Reads a scene; `root` is the golden folder if the caller knows better than the rule of this module.
    ///
    /// # Errors
    /// [`GoldenError`] if it is no scene, or lists no golden frame.
    pub fn read(path: &Path, root: Option<&Path>) -> Result<Self, GoldenError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| GoldenError::Read { path: path.into(), source })?;
        let mut scene = parse_scene(&text, &path.display().to_string())
            .map_err(|source| GoldenError::Scene { path: path.into(), source })?;
        let Some(golden) = &scene.golden else {
            return Err(GoldenError::NoGolden { path: path.into() });
        };
        scene.output.size = golden.size;
        let folder = folder::folder_of(path, root);
        Ok(Self {
            path: path.into(),
            folder,
            scene,
            load_options: LoadOptions::default(),
            view: None,
        })
    }

    /// The goldens of the scene's pictures, then those of each view that it asks for.
    #[must_use]
    pub fn with_views(self) -> Vec<Self> {
        let of_view = |view: &Aov| {
            let (path, folder, scene) =
                (self.path.clone(), self.folder.clone(), self.scene.clone());
            Self {
                path,
                folder,
                scene,
                load_options: self.load_options.clone(),
                view: Some(view.clone()),
            }
        };
        let views: Vec<Self> = self.scene.output.aov.iter().map(of_view).collect();
        core::iter::once(self).chain(views).collect()
    }

    /// Which view of the scene it is; none for the pictures.
    #[must_use]
    pub fn view(&self) -> Option<&Aov> {
        self.view.as_ref()
    }

    /// The golden frames of the scene.
    #[must_use]
    pub fn frames(&self) -> Vec<FrameNumber> {
        let golden = self.scene.golden.iter().flat_map(|golden| golden.frames.iter());
        golden.filter(|&frame| self.scene.output.frames.contains(frame)).collect()
    }

    /// How near a frame has to be to its golden.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.scene.golden.as_ref().map_or(Rule::Exact, |golden| golden.rule)
    }

    /// Frames a second, for who shows them as a sequence.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.scene.output.fps
    }

    /// The file of a frame's golden.
    #[must_use]
    pub fn file(&self, frame: FrameNumber) -> PathBuf {
        let pattern = FramePattern::parse("####.png").map(|pattern| match &self.view {
            Some(view) => pattern.beside(&view.file_word()),
            None => pattern,
        });
        self.folder.join(pattern.map_or_else(|_| frame.to_string(), |name| name.file_name(frame)))
    }

    /// What the scene is drawn from.
    fn load(&self) -> Result<Arc<Assets>, GoldenError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        Ok(Arc::new(asset::load(&self.scene, folder, &self.load_options)?))
    }
}
