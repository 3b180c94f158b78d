//! Draws the frames of a scene: poses, skins and rasterizes the models of each frame.
//!
//! Input: a checked [`Scene`](tintype_scene::Scene) and its loaded
//! [`Assets`](crate::asset::Assets). [`BoundScene`] pairs the joints of each clip with the joints
//! of its model; [`BoundScene::fit`] fits the camera to all frames and returns a [`Renderer`];
//! [`Renderer::draw`] runs the stages in turn. This module computes no pixel itself, and reads and
//! writes no file.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

pub mod aov;
pub mod asset;
mod bind;
mod buffer_pool;
mod clip_end;
mod default_lights;
mod digest;
mod environment;
mod error;
mod fit;
pub mod font;
mod given;
mod label;
mod measured;
mod mirrored;
mod model_light;
mod moments;
mod instance_joints;
mod load;
mod motion;
mod nothing_seen;
mod renderer;
mod rest;
mod shadow;
mod staged_instance;
mod staging;
mod survey;
mod frame_surfaces;

pub use bind::BoundScene;
pub use error::RenderError;
pub use given::Given;
pub use load::LoadError;
pub use nothing_seen::why_nothing_is_seen;
pub use renderer::{Drawn, Renderer};
pub use staged_instance::StagedInstance;
pub use staging::Staged;
