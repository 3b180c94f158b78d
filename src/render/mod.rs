//! Draws the frames of a scene: poses, skins and rasterizes the models of one frame after the other.
//!
//! Input: a checked [`Scene`](crate::scene::Scene) and its loaded [`Assets`](crate::asset::Assets). [`BoundScene`] pairs the joints of each clip with the joints of its model;
//! [`BoundScene::fit`] fits the camera, the ground and the shadow maps to all frames and gives a [`Renderer`]; [`Renderer::draw`]
//! calls the stages in turn. This module computes no pixel itself, reads no file and writes none.

mod bind;
mod buffer_pool;
mod clip_end;
mod default_lights;
mod digest;
mod environment;
mod error;
mod fit;
mod measured;
mod mirrored;
mod model_light;
mod moments;
mod instance_joints;
mod motion;
mod nothing_seen;
mod renderer;
mod shadow;
mod staging;
mod survey;

pub use bind::BoundScene;
pub use error::RenderError;
pub use nothing_seen::why_nothing_is_seen;
pub use renderer::{Drawn, Renderer};
pub use staging::{Staged, StagedInstance};
