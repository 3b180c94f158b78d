//! Light and ground as the text of a scene names them, which `output.look` completes.

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
