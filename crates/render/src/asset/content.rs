//! Contents of a model file after reading, before a scene combines them.

use super::axes::FileAxes;
use std::path::PathBuf;
use std::sync::Arc;
use tintype_formats::FileScene;
use tintype_formats::x::TickRate;
use tintype_model::{CameraClip, Clip, ClipOptions, Model};

/// Kind of file that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileKind {
    Model,
    Clip,
    Camera,
}

/// Choices of the scene that affect the contents of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Ticks per second, overriding the file's.
    pub(super) ticks: Option<f64>,
    /// Scene of the file.
    pub(super) scene: Option<FileScene>,
    /// True if vertices at one position keep separate normals.
    pub(super) keeps_splits: bool,
    /// File of the colours of skins.
    pub(super) palette: Option<PathBuf>,
}

/// Key of a file's content: its path and kind, the bits of its ticks, its scene, whether splits are
/// kept, and its palette.
pub(super) type FileKey =
    (PathBuf, FileKind, Option<u64>, Option<FileScene>, bool, Option<PathBuf>);

pub(super) fn file_key(path: PathBuf, kind: FileKind, reading: &Reading) -> FileKey {
    let Reading { ticks, scene, keeps_splits, palette } = reading;
    (path, kind, ticks.map(f64::to_bits), scene.clone(), *keeps_splits, palette.clone())
}

/// One of the clips of a file.
#[derive(Clone, Debug)]
pub(super) struct SharedClip {
    pub(super) name: String,
    pub(super) clip: Arc<Clip>,
    pub(super) options: ClipOptions,
}

/// Contents of a file.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Model(Arc<Model>),
    Clip(Arc<Clip>),
    Camera(CameraClip),
    /// A file that may be both a model and clips.
    ModelAndClips {
        model: Arc<Model>,
        clips: Vec<SharedClip>,
        /// The time of a file that counts in ticks.
        ticks: Option<TickRate>,
        axes: FileAxes,
    },
}

impl Content {
    /// Axes of its file.
    pub(super) fn axes(&self) -> FileAxes {
        match self {
            Self::ModelAndClips { axes, .. } => *axes,
            _ => FileAxes::Md5,
        }
    }

    pub(super) fn model(&self) -> Option<&Arc<Model>> {
        match self {
            Self::Model(model) | Self::ModelAndClips { model, .. } => Some(model),
            _ => None,
        }
    }
}
