//! Input of shading: lights, shadow maps and the rays of the camera.

use crate::environment::Environment;
use crate::environment::lamps::Lamp;
use crate::geometry::rays::Rays;
use crate::occlusion::OcclusionMap;
use crate::shading::glass::Behind;
use crate::shadow::map::ShadowMap;
use tintype_model::math::func::UnitPower;
use tintype_model::math::{Vec3, min};
use tintype_model::{Light, LinearRgb, Material, Tone};

/// Light of one frame, common to all its tiles.
#[derive(Clone, Copy)]
pub(crate) struct LightContext<'a> {
    pub ambient: LinearRgb,
    pub lights: &'a [Light],
    /// Per light; empty if lights cast no shadows.
    pub shadows: &'a [Option<ShadowMap>],
    pub rays: &'a Rays,
    /// The camera's axes in world space: right, up and back.
    pub view_axes: [Vec3; 3],
    /// Per material: half the exponent of its highlight.
    pub powers: &'a [UnitPower],
    /// Fraction of ambient light that reaches a point.
    pub occlusion: Option<&'a OcclusionMap>,
    /// True if a position is needed, by [`needs_positions`] of these lights and shadows, or for
    /// occlusion.
    pub needs_positions: bool,
    /// Light from all directions, beside the ambient light and the hemispheres.
    pub environment: Option<Environment<'a>>,
    /// Its lamps in the world.
    pub lamps: &'a [Lamp],
    /// Its light on a level surface.
    pub environment_up: Vec3,
    pub tone: Tone,
    /// The maximum brightness of light: 1, but more in the picture behind glass.
    pub brightest: f32,
    /// Picture seen through transmissive surfaces.
    pub behind: Option<&'a Behind>,
}

/// Half the exponent of the highlight of each material: [`LightContext::powers`].
pub(crate) fn powers_of(materials: &[Material]) -> Vec<UnitPower> {
    materials.iter().map(|material| UnitPower::new(0.5 * material.shininess)).collect()
}

impl<'a> LightContext<'a> {
    /// The lights, followed by the lamps of the environment, each with its number and half its
    /// width; light of a lamp is dimmed by occlusion, as it is part of the light from all around.
    #[inline(always)]
    pub(crate) fn sources(&self) -> impl Iterator<Item = (usize, Light, f32)> {
        let lights = self.lights.iter().map(|light| (*light, 0.0));
        let lamps = self.lamps.iter().map(|lamp| (lamp.light(), lamp.half_width));
        lights.chain(lamps).enumerate().map(|(number, (light, half))| (number, light, half))
    }

    /// True if a source is a lamp of the environment.
    #[inline(always)]
    pub(crate) fn is_lamp(&self, number: usize) -> bool {
        number >= self.lights.len()
    }

    /// The shadow map of a light.
    #[inline(always)]
    pub(crate) fn shadow_of(&self, light: usize) -> Option<&'a ShadowMap> {
        self.shadows.get(light).and_then(Option::as_ref)
    }
}

/// A linear colour as a vector.
#[inline]
#[must_use]
pub(crate) fn rgb(color: LinearRgb) -> Vec3 {
    Vec3::new(color.r, color.g, color.b)
}

/// Roughness whose blur is as wide as a highlight of this exponent.
///
/// # Source
/// Karis, "Specular BRDF Reference", 2013: `alpha = sqrt(2 / (n + 2))`.
#[inline]
pub fn roughness_of(shininess: f32) -> f32 {
    (2.0 / (shininess + 2.0)).sqrt().sqrt()
}

/// Fraction of ambient light that a highlight of that roughness reflects: a highlight of exponent
/// `n` with a peak of 1 integrates to `8 / (n + 2)` of it, limited to all.
#[inline]
pub(crate) fn reflected_share(roughness: f32) -> f32 {
    let squared = roughness * roughness;
    min(4.0 * (squared * squared), 1.0)
}

/// True if light depends on the position of a point, not only on its ray.
pub(crate) fn needs_positions(lights: &[Light], shadows: &[Option<ShadowMap>]) -> bool {
    !shadows.is_empty() || lights.iter().any(|light| matches!(light, Light::Point { .. }))
}
