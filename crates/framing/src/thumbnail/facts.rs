//! Facts of a model and of its picture.

use serde::{Deserialize, Serialize};

/// Contents of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThumbFacts {
    /// Meshes.
    pub meshes: usize,
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Vertices of the file.
    pub vertices: usize,
    /// Joints.
    pub joints: usize,
    /// The names of its clips: those of its file, and fitting ones beside it.
    pub clips: Vec<String>,
}

/// Viewpoint and clip of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThumbView {
    /// The name of the clip. None for the bind pose.
    pub clip: Option<String>,
    /// Seconds from the first key of the clip.
    pub moment_s: Option<f64>,
    /// Azimuth of the camera in degrees: 0 is in front of the model as its file defines it,
    /// positive is counter-clockwise from above.
    pub azimuth_deg: f64,
    /// Above the horizon.
    pub elevation_deg: f64,
    /// Detected kind of the model: `figure`, `flat` or `thing`.
    pub shape: String,
    /// True for a model drawn plain because none of its textures was found.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub untextured: bool,
}
