//! Errors of rendering.

use thiserror::Error;
use tintype_base::deadline::TimedOut;
use tintype_base::printable::one_line;
use tintype_base::suggest::hint;
use tintype_model::pose::BindError;
use tintype_raster::ViewError;
use tintype_scene::{FrameList, FrameNumber};

/// Error of drawing a scene after its files were read without error.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// A clip does not fit the model that plays it.
    #[error(
        "{}: clip \"{}\" ({}) does not fit the model",
        one_line(model),
        one_line(clip),
        one_line(file)
    )]
    Bind {
        /// Name of the model in the scene.
        model: String,
        /// Name of the clip in the scene.
        clip: String,
        /// File of the clip.
        file: String,
        /// Cause.
        source: Box<BindError>,
    },
    /// An instance names a joint missing from its model.
    #[error("{key}: model {model:?} has no joint {name:?} among its {joints}{}", hint(nearest.as_deref()))]
    UnknownJoint {
        /// The key of the scene, such as `instance[0].layers[1].joint`.
        key: String,
        /// The name.
        name: String,
        /// Name of the model in the scene.
        model: String,
        /// Number of joints of the model.
        joints: usize,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The scene lacks the frame.
    #[error("the scene has no frame {frame}; it has {frames}")]
    NoSuchFrame {
        /// The requested frame.
        frame: FrameNumber,
        /// The frames of the scene.
        frames: FrameList,
    },
    /// The rasterizer refuses the options, or a field of the scene set by a program.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The deadline passed before the work was done.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}
