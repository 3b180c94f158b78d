//! Lights in the files of models (`KHR_lights_punctual`) as lights of a scene.

use tintype_model::math::{Affine3, Vec3, clamp, max, unit_or};
use tintype_model::{Cone, FileLight, FileLightKind, Light, LinearRgb};

/// A light in world space: `world` is the transform of its joint, `scale` the length of a unit of
/// its file, `intensity` a factor.
///
/// It shines along the joint's -Z. A directional light has lux, the others candela with distances
/// in units of the file.
pub(super) fn placed(own: &FileLight, world: &Affine3, scale: f32, intensity: f32) -> Light {
    let [r, g, b] = own.color.map(|part| max(part, 0.0));
    let (color, strength) = (LinearRgb::new(r, g, b), max(own.intensity * intensity, 0.0));
    let against = unit_or(world.matrix3.z_axis, Vec3::Z);
    let cone = match own.kind {
        FileLightKind::Directional => {
            let color = Light::of_lux(color, strength);
            return Light::Directional { to_light: against, color };
        }
        FileLightKind::Point => None,
        FileLightKind::Spot { inner_rad, outer_rad } => {
            let outer = clamp(outer_rad, 0.0, core::f32::consts::FRAC_PI_2);
            Some(Cone::new(against, clamp(inner_rad, 0.0, outer), outer))
        }
    };
    Light::Point {
        position: world.translation,
        color: Light::of_candela(color, strength),
        reach: scale,
        range: own.range.filter(|&range| range > 0.0).map(|range| range * scale),
        cone,
    }
}
