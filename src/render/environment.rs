//! The environment of a scene, prepared once for all of its frames.

use crate::math::func;
use crate::model::Panorama;
use crate::raster::environment::{Environment, EnvironmentMap, neutral, studio};
use crate::scene::{EnvironmentEntry, EnvironmentSource, Scene};
use std::sync::Arc;

/// A prepared environment, shared by clones of a renderer.
#[derive(Clone, Debug)]
pub(super) struct FittedEnvironment {
    map: Arc<EnvironmentMap>,
    turn: [f32; 2],
    intensity: f32,
}

/// Texels a side of the map of sharp reflections, at most.
const MOST_SIDE: u32 = 512;

impl FittedEnvironment {
    /// Prepares the environment of a scene; none where it has none.
    pub(super) fn of_scene(scene: &Scene, panorama: Option<&Panorama>) -> Option<Self> {
        let EnvironmentEntry { source, rotation_deg, intensity, is_shown: _ } =
            scene.environment.as_ref()?;
        let map = match (source, panorama) {
            (EnvironmentSource::Neutral, _) => neutral(),
            (EnvironmentSource::File(_), Some(panorama)) => {
                let side = (panorama.width / 2).min(MOST_SIDE);
                EnvironmentMap::new(side, |direction| panorama.radiance(direction))
            }
            (EnvironmentSource::Studio | EnvironmentSource::File(_), _) => studio(),
        };
        let angle = func::radians(*rotation_deg);
        let turn = [func::cos(angle), func::sin(angle)];
        Some(Self { map: Arc::new(map), turn, intensity: *intensity })
    }

    /// The environment as a view has it.
    pub(super) fn view(&self) -> Environment<'_> {
        Environment { map: &self.map, turn: self.turn, intensity: self.intensity }
    }
}
