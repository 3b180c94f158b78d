//! Lights and ground as defined by the text of a scene, completed by `output.look`.

use super::environment::EnvironmentEntry;
use super::light::Lights;
use tintype_model::{CastShadow, Ground};

/// Light and ground as a scene names them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedLight {
    pub lights: Lights,
    pub shadows: Vec<CastShadow>,
    pub environment: Option<EnvironmentEntry>,
    pub ground: Option<Ground>,
    /// True if the text names lights or an environment.
    pub is_lit: bool,
}
