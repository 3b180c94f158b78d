//! Diagnostic views: one staged frame and its picture -> views that explain its appearance.
//!
//! Input: the staged and drawn frame of [`crate`]. Output: for each requested
//! [`Aov`](tintype_scene::Aov) an opaque frame of the same size, with a legend in words. All views
//! of a frame share one visibility pass, the rasterizer's. This module computes no light, reads and
//! writes no file, and chooses no file names.
//!
//! ```text
//! screen     where points and triangles fall, in f64
//! seen       what each sample sees, from the visibility pass
//! data       depth, normal, uv, mesh, material: codes are values
//! light      metallic, roughness, occlusion: codes are values; environment
//! channels   numbers of what the centre of each pixel shows
//! heat       joint and overdraw, with their scale; overdraw counts
//! needles    normals as needles over the dimmed picture
//! located    joints and meshes in pixels, as numbers
//! overlay    skeleton, wireframe and bounds over the dimmed picture; canvas draws lines and letters, label finds room
//! ```
//!
//! # Determinism
//! Every pixel is computed independently, in `f64` with `+ - * / sqrt`; neither threads nor tiles
//! can change a byte.

mod canvas;
mod channels;
mod data;
mod error;
mod heat;
mod label;
mod light;
mod located;
mod needles;
mod overdraw;
mod overlay;
mod screen;
mod seen;
mod shown;
mod viewer;

pub use canvas::{Canvas, Color};
pub use channels::{Plane, channels, following, legend};
pub use data::color_of;
pub use error::AovError;
pub use located::{LocatedJoint, LocatedMesh, locate};
pub use shown::Shown;
pub use tintype_scene::{Channel, UnknownChannel};
pub use viewer::{Viewer, check};
