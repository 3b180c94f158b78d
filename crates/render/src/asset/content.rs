//! Contents of a model file after reading, before a scene ties them together.

use super::axes::FileAxes;
use std::sync::Arc;
use tintype_formats::x::TickRate;
use tintype_model::{CameraClip, Clip, ClipOptions, Model};

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
