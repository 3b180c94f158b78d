//! The light model: Blinn-Phong, in linear light and world space.
//!
//! Input: a surface point, the ambient light and the lights. Output: the light that leaves the point toward the eye.
//!
//! ```text
//! colour = base · (ambient + Σ C d + Σ hemisphere) + specular · Σ C s + emissive
//! d = max(N·L, 0)        s = max(N·H, 0)^shininess where d > 0        H = normalize(L + V)
//!                        (N·H)² = (N·L + N·V)² / (2 + 2 L·V), as L and V have length 1
//! point light:  C = colour · (reach / distance)² · window of its range · its cone
//! hemisphere:   mix(ground, sky, (1 + N.y) / 2), no highlight
//! environment:  its mean around N, and in the highlight its blurred reflection, times the share that such a highlight gives back
//! lamp of it:   as a light of some width, where its cosine d sets little by little
//! occlusion:    times ambient light, hemispheres and environment with its lamps
//! in shadow:    C = colour · the visible part of the light
//! ```
//!
//! Materials of the fixed-function pipeline are modulated: the emitted light is added to the light on the surface, the sum is held
//! to 1, and the texture multiplies both.
//!
//! ```text
//! colour = texel · min(1, base · (ambient + Σ C d + Σ hemisphere) + modulated emissive) + specular · Σ C s + emissive
//! ```
//!
//! # Source
//! Blinn, "Models of Light Reflection for Computer Synthesized Pictures", SIGGRAPH 1977. Modulated: DirectX 9 SDK, "Mathematics of
//! Lighting", and the texture stage `D3DTOP_MODULATE` with `D3DRS_SPECULARENABLE`.

use crate::environment::lamps::facing as facing_of;
use crate::environment::lookup::Lookup;
use crate::shading::context::{LightContext, reflected_share};
use crate::shading::punctual::limited;
use tintype_model::math::func::UnitPower;
use tintype_model::math::{Vec3, clamp, lanes, max, min, unit_or};
use tintype_model::simd::Simd;
use tintype_model::{Light, LinearRgb};

/// A surface point to be lit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lit {
    /// Position in world space.
    pub position: Vec3,
    /// Unit normal, turned to the viewer, world space.
    pub normal: Vec3,
    /// Unit vector to the eye, world space.
    pub to_eye: Vec3,
    /// Linear colour of the surface; without the texture if that modulates.
    pub base: Vec3,
    /// Texture that multiplies the light of the surface.
    pub modulated: Option<Modulated>,
    /// Linear colour of its highlight.
    pub specular: Vec3,
    /// Half the exponent of the highlight: the square of the cosine is raised to it.
    pub half_shininess: UnitPower,
    /// Roughness at which it mirrors an environment.
    pub roughness: f32,
    /// Emitted light.
    pub emissive: Vec3,
    /// Share of the light from all around that reaches it.
    pub open: f32,
}

/// Factors of a surface whose texture multiplies emitted light too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modulated {
    /// Linear colour of the texture.
    pub texel: Vec3,
    /// Emitted light that it multiplies.
    pub emissive: Vec3,
}

/// The light that leaves a point toward the eye, linear, not yet clamped to 0..=1.
#[must_use]
#[cfg(test)]
pub(crate) fn light_point(lit: &Lit, ambient: LinearRgb, lights: &[Light]) -> Vec3 {
    tests::with_context(ambient, lights, |light| light_point_in_shadow(lit, light, |_| 1.0))
}

/// As `light_point`, where only a part of some lights is visible: `visible` gives the part for the index of a light, and 1 changes
/// no bit.
#[inline(always)]
#[must_use]
pub(crate) fn light_point_in_shadow(
    lit: &Lit,
    light: &LightContext,
    visible: impl Fn(usize) -> f32,
) -> Vec3 {
    let mut diffuse = rgb(light.ambient) * lit.open;
    let mut highlight = Vec3::ZERO;
    let is_shiny = lit.specular != Vec3::ZERO;
    let toward_eye = lit.normal.dot(lit.to_eye);
    for (number, one, half_width) in light.sources() {
        let (to_light, color) = match one {
            Light::Directional { to_light, color } => (to_light, rgb(color)),
            Light::Point { position, color, reach, range, cone } => {
                let offset = position - lit.position;
                let squared = max(offset.dot(offset), f32::MIN_POSITIVE);
                let to_light = unit_or(offset, lit.normal);
                let falloff = reach * reach / squared;
                let falloff = limited(falloff, squared, to_light.into(), range, cone);
                (to_light, rgb(color) * falloff)
            }
            Light::Hemisphere { sky, ground } => {
                let (sky, ground) = (rgb(sky), rgb(ground));
                let part = 0.5 + 0.5 * lit.normal.y;
                diffuse += (ground + (sky - ground) * part) * lit.open;
                continue;
            }
        };
        let facing = facing_of(lit.normal.dot(to_light), half_width);
        if facing > 0.0 {
            let color = color * if light.is_lamp(number) { lit.open } else { visible(number) };
            diffuse += color * facing;
            if is_shiny {
                let both = max(facing + toward_eye, 0.0);
                let square = both * both / half_length_squared(to_light.dot(lit.to_eye));
                // Rounding can lift the cosine of two unit vectors above 1.
                highlight += color * lit.half_shininess.of(min(square, 1.0));
            }
        }
    }
    if let Some(environment) = &light.environment {
        diffuse += Vec3::from(environment.around(lit.normal.into())) * lit.open;
        if is_shiny {
            let mirrored = lit.normal * (2.0 * toward_eye) - lit.to_eye;
            let cosine = clamp(toward_eye, 0.0, 1.0);
            let [scale, _] = f32::albedo(cosine, lit.roughness);
            let reflected = environment.reflected(mirrored.into(), lit.roughness);
            let scale = scale * reflected_share(lit.roughness);
            highlight += Vec3::from(reflected.scaled(scale * lit.open));
        }
    }
    let surface = match lit.modulated {
        None => lit.base * diffuse,
        Some(Modulated { texel, emissive }) => {
            let sum = lit.base * diffuse + emissive;
            texel * Vec3::new(min(sum.x, 1.0), min(sum.y, 1.0), min(sum.z, 1.0))
        }
    };
    surface + lit.specular * highlight + lit.emissive
}

/// Least squared length of the half vector, which vanishes for light from straight behind.
const LEAST_HALF: f32 = 1e-6;

/// Squared length of the sum of two unit vectors with that cosine.
#[inline(always)]
fn half_length_squared(cosine: f32) -> f32 {
    max(2.0 + 2.0 * cosine, LEAST_HALF)
}

/// [`half_length_squared`] in every lane.
#[inline(always)]
pub(crate) fn half_length_squared_lanes<S: Simd>(simd: S, cosine: S::f32s) -> S::f32s {
    lanes::max::<S>(cosine * 2.0 + 2.0, lanes::splat(simd, LEAST_HALF))
}

/// A linear colour as a vector.
#[inline]
#[must_use]
pub(crate) fn rgb(color: LinearRgb) -> Vec3 {
    Vec3::new(color.r, color.g, color.b)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::rays::Rays;
    use tintype_model::{Camera, FovAxis, Tone};

    /// Calls a function with the light of a frame.
    pub(in crate::shading) fn with_context<R>(
        ambient: LinearRgb,
        lights: &[Light],
        of: impl Fn(&LightContext) -> R,
    ) -> R {
        let (eye, fov) = (Vec3::Z, FovAxis::Vertical(1.0));
        let camera = Camera::looking_at(eye, Vec3::ZERO, Vec3::Y, fov, 0.1, 10.0);
        let rays = Rays::new(&camera, [8, 8]);
        of(&LightContext {
            ambient,
            lights,
            shadows: &[],
            rays: &rays,
            powers: &[],
            occlusion: None,
            needs_positions: true,
            environment: None,
            lamps: &[],
            environment_up: Vec3::ZERO,
            tone: Tone::NONE,
        })
    }

    fn white(normal: Vec3) -> Lit {
        Lit {
            position: Vec3::ZERO,
            normal,
            to_eye: Vec3::Z,
            base: Vec3::ONE,
            modulated: None,
            specular: Vec3::ZERO,
            half_shininess: UnitPower::new(5.0),
            roughness: 0.5,
            emissive: Vec3::ZERO,
            open: 1.0,
        }
    }

    #[test]
    fn light_from_behind_adds_nothing() {
        let sun = Light::Directional { to_light: -Vec3::Z, color: LinearRgb::WHITE };
        let shiny = Lit { specular: Vec3::ONE, ..white(Vec3::Z) };
        assert_eq!(light_point(&shiny, LinearRgb::BLACK, &[sun]), Vec3::ZERO);
    }

    #[test]
    fn light_of_a_point_falls_with_the_square() {
        let at = |distance: f32| {
            let lamp = Light::Point {
                position: Vec3::Z * distance,
                color: LinearRgb::WHITE,
                reach: 1.0,
                range: None,
                cone: None,
            };
            light_point(&white(Vec3::Z), LinearRgb::BLACK, &[lamp]).x
        };
        assert!((at(1.0) - 1.0).abs() < 1e-6);
        assert!((at(2.0) - 0.25).abs() < 1e-6);
    }

    #[test]
    fn light_of_a_hemisphere_goes_from_ground_to_sky() {
        let dome = Light::Hemisphere {
            sky: LinearRgb::new(1.0, 0.0, 0.0),
            ground: LinearRgb::new(0.0, 1.0, 0.0),
        };
        let from = |normal| light_point(&white(normal), LinearRgb::BLACK, &[dome]);
        assert_eq!(from(Vec3::Y), Vec3::X);
        assert_eq!(from(-Vec3::Y), Vec3::Y);
        assert_eq!(from(Vec3::X), Vec3::new(0.5, 0.5, 0.0));
    }

    #[test]
    fn light_mirrored_to_the_eye_is_the_full_highlight() {
        let sun = Light::Directional { to_light: Vec3::Z, color: LinearRgb::WHITE };
        let shiny = Lit { base: Vec3::ZERO, specular: Vec3::splat(0.5), ..white(Vec3::Z) };
        assert!((light_point(&shiny, LinearRgb::BLACK, &[sun]).x - 0.5).abs() < 1e-6);
    }

    #[test]
    fn light_of_a_modulated_surface_is_held_to_its_texture() {
        let sun = Light::Directional { to_light: Vec3::Z, color: LinearRgb::WHITE };
        let modulated = |emissive| {
            Some(Modulated { texel: Vec3::new(0.25, 0.5, 1.0), emissive: Vec3::splat(emissive) })
        };
        let from = |base, emissive, ambient: f32| {
            let lit =
                Lit { base: Vec3::splat(base), modulated: modulated(emissive), ..white(Vec3::Z) };
            let ambient = LinearRgb::new(ambient, ambient, ambient);
            light_point(&lit, ambient, &[sun])
        };
        assert_eq!(from(0.5, 0.25, 0.0), Vec3::new(0.1875, 0.375, 0.75));
        assert_eq!(from(0.0, 0.5, 1.0), Vec3::new(0.125, 0.25, 0.5), "own light alone");
        assert_eq!(from(1.0, 1.0, 1.0), Vec3::new(0.25, 0.5, 1.0), "no more than the texture");
    }
}
