//! Light, ground and background as the text of a scene names them, which `output.look` completes.

use super::environment::EnvironmentEntry;
use super::light::Lights;
use tintype_model::{Background, CastShadow, Ground};

/// Light, ground and background as a scene names them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedLight {
    pub lights: Lights,
    pub shadows: Vec<CastShadow>,
    pub environment: Option<EnvironmentEntry>,
    pub ground: Option<Ground>,
    pub background: Option<Background>,
    /// Whether the tone is neutral.
    pub tone: Option<bool>,
    /// Strength of ambient occlusion.
    pub occlusion: Option<f32>,
}
