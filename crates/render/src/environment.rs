//! The environment of a scene, prepared once for all its frames.

use super::default_lights::level_toward;
use std::sync::{Arc, Mutex, PoisonError};
use tintype_model::math::func;
use tintype_model::{Camera, Panorama};
use tintype_raster::environment::{Environment, EnvironmentMap, neutral, studio};
use tintype_scene::{EnvironmentEntry, EnvironmentSource, Scene};

/// A prepared environment, common to clones of a renderer.
#[derive(Clone, Debug)]
pub(super) struct FittedEnvironment {
    map: Arc<EnvironmentMap>,
    turn: [f32; 2],
    intensity: f32,
    is_shown: bool,
    turns_with_camera: bool,
}

/// The prepared studio, the same for all scenes.
static STUDIO: Kept<()> = Mutex::new(None);

/// The prepared light from everywhere.
static NEUTRAL: Kept<()> = Mutex::new(None);

/// The last prepared panorama: scenes of one library often use the same.
static PANORAMA: Kept<Panorama> = Mutex::new(None);

/// A prepared environment, and its source.
type Kept<T> = Mutex<Option<(T, Arc<EnvironmentMap>)>>;

/// The environment of a source, prepared by its first scene. The lock is not held meanwhile,
/// because preparing uses the thread pool, whose threads may work on another scene. Two scenes that
/// come first at once prepare the same map.
fn shared<T: PartialEq + Clone>(
    kept: &Kept<T>,
    source: &T,
    prepare: impl FnOnce() -> EnvironmentMap,
) -> Arc<EnvironmentMap> {
    let held = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    let present = held().as_ref().filter(|(own, _)| own == source).map(|(_, map)| Arc::clone(map));
    present.unwrap_or_else(|| {
        let map = Arc::new(prepare());
        *held() = Some((source.clone(), Arc::clone(&map)));
        map
    })
}

/// The environment of a source without a file.
fn without_file(source: &EnvironmentSource) -> Option<Arc<EnvironmentMap>> {
    match source {
        EnvironmentSource::Studio => Some(shared(&STUDIO, &(), studio)),
        EnvironmentSource::Neutral => Some(shared(&NEUTRAL, &(), neutral)),
        EnvironmentSource::File(_) => None,
    }
}

impl FittedEnvironment {
    /// Prepares the environment of a scene. None if it has none.
    pub(super) fn of_scene(scene: &Scene, panorama: Option<&Panorama>) -> Option<Self> {
        let EnvironmentEntry { source, rotation_deg, intensity, is_shown, turns_with_camera } =
            scene.environment.as_ref()?;
        let map = match panorama {
            Some(panorama) if matches!(source, EnvironmentSource::File(_)) => {
                shared(&PANORAMA, panorama, || EnvironmentMap::of_panorama(panorama))
            }
            _ => without_file(source).unwrap_or_else(|| shared(&STUDIO, &(), studio)),
        };
        let angle = func::radians(*rotation_deg);
        let turn = [func::cos(angle), func::sin(angle)];
        Some(Self {
            map,
            turn,
            intensity: *intensity,
            is_shown: *is_shown,
            turns_with_camera: *turns_with_camera,
        })
    }

    /// The environment before a camera.
    pub(super) fn view(&self, camera: &Camera) -> Environment<'_> {
        let [cosine, sine] = self.turn;
        let turn = if self.turns_with_camera {
            // The +Z of the map is behind the viewer.
            let toward = level_toward(camera);
            [cosine * toward.z - sine * toward.x, sine * toward.z + cosine * toward.x]
        } else {
            self.turn
        };
        Environment { map: &self.map, turn, intensity: self.intensity, is_shown: self.is_shown }
    }
}
