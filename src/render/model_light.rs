//! Lights in the files of models (`KHR_lights_punctual`) as lights of a scene.

use crate::math::{Affine3, Vec3, unit_or};
use crate::model::{FileLight, FileLightKind, Light, LinearRgb};

/// A light in world space: `world` is the transform of its joint, `scale` the length of a unit of its file, `intensity` a factor.
///
/// It shines along the joint's -Z. Colour 1 gives a white diffuse surface that faces the light the colour 1, and so do π lux.
pub(super) fn placed(own: &FileLight, world: &Affine3, scale: f32, intensity: f32) -> Light {
    let [r, g, b] = own.color.map(|part| crate::math::max(part, 0.0));
    let strength = crate::math::max(own.intensity * intensity, 0.0);
    let color = LinearRgb::new(r, g, b).scaled(strength * core::f32::consts::FRAC_1_PI);
    let against = unit_or(world.matrix3.z_axis, Vec3::Z);
    match own.kind {
        FileLightKind::Directional => Light::Directional { to_light: against, color },
        FileLightKind::Point | FileLightKind::Spot { .. } => {
            Light::Point { position: world.translation, color, reach: scale }
        }
    }
}
