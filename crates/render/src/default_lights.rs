//! Lights of a scene without lights: key, fill, rim and a hemisphere.
//!
//! They turn with the camera about the vertical, so that a turntable has the same lighting from
//! every side.

use tintype_model::math::{Vec3, unit_or};
use tintype_model::{Camera, Light, LinearRgb};

/// The horizontal direction toward the viewer. A camera that looks straight up or down has none and
/// uses its up axis.
pub(super) fn level_toward(camera: &Camera) -> Vec3 {
    let back = camera.world_from_view.z_axis;
    unit_or(Vec3::new(back.x, 0.0, back.z), -camera.world_from_view.y_axis)
}

/// The key light of the studio look for one camera; the environment adds the rest.
pub(super) fn key_for(camera: &Camera) -> Vec<Light> {
    let (right, toward) = (camera.world_from_view.x_axis, level_toward(camera));
    let to_light = unit_or(right * -0.45 + Vec3::Y * 0.8 + toward, Vec3::Y);
    vec![Light::Directional { to_light, color: LinearRgb::new(0.373, 0.363, 0.348) }]
}

/// Default lights for one camera. Directions point to the light, in the level frame of the camera:
/// right, up, toward the viewer.
pub(super) fn lights_for(camera: &Camera) -> Vec<Light> {
    let right = camera.world_from_view.x_axis;
    let toward = level_toward(camera);
    let directional = |x: f32, y: f32, z: f32, color: LinearRgb| Light::Directional {
        to_light: unit_or(right * x + Vec3::Y * y + toward * z, Vec3::Y),
        color,
    };
    vec![
        directional(-0.65, 0.85, 0.75, LinearRgb::new(0.96, 0.91, 0.83)),
        directional(0.95, 0.25, 0.45, LinearRgb::new(0.25, 0.29, 0.36)),
        directional(0.35, 0.60, -0.95, LinearRgb::new(0.62, 0.68, 0.79)),
        Light::Hemisphere {
            sky: LinearRgb::new(0.23, 0.25, 0.28),
            ground: LinearRgb::new(0.10, 0.09, 0.08),
        },
    ]
}
