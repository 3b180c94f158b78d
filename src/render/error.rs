//! Errors of rendering.

use crate::deadline::TimedOut;
use crate::pose::BindError;
use crate::raster::ViewError;
use crate::scene::{FrameList, FrameNumber};
use thiserror::Error;

/// Error of drawing a scene whose files were all read without error.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// A clip does not fit the model that plays it.
    #[error("{model}: clip \"{clip}\" ({file}) does not fit the model")]
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
    /// The scene has no frame of that number.
    #[error("the scene has no frame {frame}; it has {frames}")]
    NoSuchFrame {
        /// The frame asked for.
        frame: FrameNumber,
        /// The frames of the scene.
        frames: FrameList,
    },
    /// The rasterizer refuses the options, or a field of the scene that a program has set.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The deadline passed before the work was done.
    #[error(transparent)]
    TimedOut(#[from] TimedOut),
}
