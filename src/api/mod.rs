//! Public types that join several layers: models opened from a path, renderers loaded with their files, one error.
//!
//! The crate re-exports them at its root beside the types of single layers, such as [`tintype_scene::SceneBuilder`]. This module
//! decides nothing: each function here calls the layers in the order of the pipeline.

mod error;
mod model;
mod renderer;

pub use error::Error;
pub use model::{Clip, Model, PosedModel};
pub use renderer::{load_assets, save_png};
pub use tintype_render::asset::{MorphError, MorphName};
