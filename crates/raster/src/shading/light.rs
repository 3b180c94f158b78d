//! The light model: Blinn-Phong, in linear light and world space.
//!
//! Input: a surface point, the ambient light and the lights. Output: the light from the point
//! toward the eye.
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
//! Materials of the fixed-function pipeline are modulated: the emitted light is added to the light
//! on the surface, the sum is clamped to 1, and the texture multiplies both.
//!
//! ```text
//! colour = texel · min(1, base · (ambient + Σ C d + Σ hemisphere) + modulated emissive) + specular · Σ C s + emissive
//! ```
//!
//! # Source
//! Blinn, "Models of Light Reflection for Computer Synthesized Pictures", SIGGRAPH 1977. Modulated:
//! DirectX 9 SDK, "Mathematics of Lighting", and the texture stage `D3DTOP_MODULATE` with
//! `D3DRS_SPECULARENABLE`.

use crate::environment::lamps::facing as facing_of;
use crate::environment::lookup::Lookup;
use crate::shading::context::{LightContext, reflected_share, rgb, roughness_of};
use crate::shading::punctual::{Arriving, arriving};
use tintype_model::Material;
use tintype_model::math::func::UnitPower;
use tintype_model::math::number::{Triple, unit_power};

/// A surface point to be lit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lit<N> {
    /// Position in world space, if lights depend on it.
    pub position: Triple<N>,
    /// Unit normal, turned to the viewer, world space.
    pub normal: Triple<N>,
    /// Unit vector to the eye, world space, if the surface is shiny.
    pub to_eye: Triple<N>,
    /// Linear colour of the surface; without the texture if that modulates.
    pub base: Triple<N>,
    /// Texture that multiplies the light of the surface.
    pub modulated: Option<Modulated<N>>,
    /// Linear colour of its highlight.
    pub specular: Triple<N>,
    /// Emitted light.
    pub emissive: Triple<N>,
    /// Fraction of ambient light that reaches it.
    pub open: N,
}

/// Factors of a surface with a texture that also multiplies emitted light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modulated<N> {
    /// Linear colour of the texture.
    pub texel: Triple<N>,
    /// Emitted light that it multiplies.
    pub emissive: Triple<N>,
}

/// The highlight of a material.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpecularTerm<'a> {
    /// Half the exponent, applied to the square of the cosine.
    half_shininess: &'a UnitPower,
    /// Roughness for reflecting an environment.
    roughness: f32,
}

impl<'a> SpecularTerm<'a> {
    /// The highlight of a material with half its exponent. None for a dull one.
    pub(crate) fn of(material: &Material, half_shininess: &'a UnitPower) -> Option<Self> {
        let roughness = roughness_of(material.shininess);
        (material.specular_strength != 0.0).then_some(Self { half_shininess, roughness })
    }
}

/// The light from a point toward the eye, linear, not yet clamped to 0..=1; `visible` returns the
/// fraction of a light that reaches the point, for its index and the active lanes.
#[inline(always)]
pub(crate) fn light_point<N: Lookup>(
    lit: &Lit<N>,
    shine: Option<&SpecularTerm>,
    light: &LightContext,
    visible: impl Fn(usize, N::Mask) -> N,
) -> Triple<N> {
    let like = lit.open;
    let (zero, one) = (like.constant(0.0), like.constant(1.0));
    let mut diffuse = Triple::constant(like, rgb(light.ambient)).scaled(lit.open);
    let mut highlight = Triple::new(zero, zero, zero);
    let toward_eye = if shine.is_some() { lit.normal.dot(lit.to_eye) } else { zero };
    for (number, source, half_width) in light.sources() {
        let (to_light, color) = match arriving(&source, lit.position) {
            Arriving::From(to_light, color) => (to_light, color),
            Arriving::Around { sky, ground } => {
                let low = Triple::constant(like, rgb(ground));
                let more = Triple::constant(like, rgb(sky) - rgb(ground));
                let part = lit.normal.y * 0.5 + 0.5;
                diffuse = diffuse.plus(low.plus(more.scaled(part)).scaled(lit.open));
                continue;
            }
        };
        let facing = facing_of(lit.normal.dot(to_light), half_width);
        let is_lit = facing.is_above(zero);
        if N::any(is_lit) {
            let share = if light.is_lamp(number) { lit.open } else { visible(number, is_lit) };
            let color = color.scaled(share);
            // Lanes that face away get no light.
            let facing = facing.at_least(zero);
            diffuse = diffuse.plus(color.scaled(facing));
            if let Some(SpecularTerm { half_shininess, .. }) = shine {
                let both = (facing + toward_eye).at_least(zero);
                // The squared length of the half vector, which vanishes for light from straight
                // behind.
                let half = to_light.dot(lit.to_eye) * 2.0 + 2.0;
                let square = both * both / half.at_least(like.constant(1e-6));
                // Rounding can lift the cosine of two unit vectors above 1.
                let power = unit_power(half_shininess, square.at_most(one));
                highlight = highlight.plus(color.scaled(N::select(is_lit, power, zero)));
            }
        }
    }
    if let Some(environment) = &light.environment {
        diffuse = diffuse.plus(environment.around(lit.normal).scaled(lit.open));
        if let Some(&SpecularTerm { roughness, .. }) = shine {
            let mirrored = lit.normal.scaled(toward_eye * 2.0).minus(lit.to_eye);
            let cosine = toward_eye.at_least(zero).at_most(one);
            let share = reflected_share(roughness);
            let roughness = like.constant(roughness);
            let [scale, _] = N::albedo(cosine, roughness);
            let reflected = environment.reflected(mirrored, roughness);
            highlight = highlight.plus(reflected.scaled(scale * share * lit.open));
        }
    }
    let surface = match lit.modulated {
        None => lit.base.times(diffuse),
        Some(Modulated { texel, emissive }) => {
            let sum = lit.base.times(diffuse).plus(emissive);
            texel.times(Triple::new(sum.x.at_most(one), sum.y.at_most(one), sum.z.at_most(one)))
        }
    };
    match shine {
        None => surface.plus(lit.emissive),
        Some(_) => surface.plus(lit.specular.times(highlight)).plus(lit.emissive),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::geometry::rays::Rays;
    use tintype_model::math::Vec3;
    use tintype_model::{Camera, FovAxis, Light, LinearRgb, Tone};

    /// The light from a point where all lights are visible.
    fn light_of(lit: &Lit<f32>, ambient: LinearRgb, lights: &[Light]) -> Vec3 {
        let power = UnitPower::new(5.0);
        let shine = SpecularTerm { half_shininess: &power, roughness: 0.5 };
        let shine = (Vec3::from(lit.specular) != Vec3::ZERO).then_some(&shine);
        with_context(ambient, lights, |light| light_point(lit, shine, light, |_, _| 1.0)).into()
    }

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
            view_axes: [Vec3::X, Vec3::Y, Vec3::Z],
            powers: &[],
            occlusion: None,
            needs_positions: true,
            environment: None,
            lamps: &[],
            environment_up: Vec3::ZERO,
            tone: Tone::NONE,
            brightest: 1.0,
            behind: None,
        })
    }

    fn white(normal: Vec3) -> Lit<f32> {
        Lit {
            position: Vec3::ZERO.into(),
            normal: normal.into(),
            to_eye: Vec3::Z.into(),
            base: Vec3::ONE.into(),
            modulated: None,
            specular: Vec3::ZERO.into(),
            emissive: Vec3::ZERO.into(),
            open: 1.0,
        }
    }

    #[test]
    fn light_from_behind_adds_nothing() {
        let sun = Light::Directional { to_light: -Vec3::Z, color: LinearRgb::WHITE };
        let shiny = Lit { specular: Vec3::ONE.into(), ..white(Vec3::Z) };
        assert_eq!(light_of(&shiny, LinearRgb::BLACK, &[sun]), Vec3::ZERO);
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
            light_of(&white(Vec3::Z), LinearRgb::BLACK, &[lamp]).x
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
        let from = |normal| light_of(&white(normal), LinearRgb::BLACK, &[dome]);
        assert_eq!(from(Vec3::Y), Vec3::X);
        assert_eq!(from(-Vec3::Y), Vec3::Y);
        assert_eq!(from(Vec3::X), Vec3::new(0.5, 0.5, 0.0));
    }

    #[test]
    fn light_mirrored_to_the_eye_is_the_full_highlight() {
        let sun = Light::Directional { to_light: Vec3::Z, color: LinearRgb::WHITE };
        let shiny =
            Lit { base: Vec3::ZERO.into(), specular: Vec3::splat(0.5).into(), ..white(Vec3::Z) };
        assert!((light_of(&shiny, LinearRgb::BLACK, &[sun]).x - 0.5).abs() < 1e-6);
    }

    #[test]
    fn light_of_a_modulated_surface_is_held_to_its_texture() {
        let sun = Light::Directional { to_light: Vec3::Z, color: LinearRgb::WHITE };
        let modulated = |emissive| {
            let texel = Vec3::new(0.25, 0.5, 1.0).into();
            Some(Modulated { texel, emissive: Vec3::splat(emissive).into() })
        };
        let from = |base, emissive, ambient: f32| {
            let lit = Lit {
                base: Vec3::splat(base).into(),
                modulated: modulated(emissive),
                ..white(Vec3::Z)
            };
            let ambient = LinearRgb::new(ambient, ambient, ambient);
            light_of(&lit, ambient, &[sun])
        };
        assert_eq!(from(0.5, 0.25, 0.0), Vec3::new(0.1875, 0.375, 0.75));
        assert_eq!(from(0.0, 0.5, 1.0), Vec3::new(0.125, 0.25, 0.5), "own light alone");
        assert_eq!(from(1.0, 1.0, 1.0), Vec3::new(0.25, 0.5, 1.0), "no more than the texture");
    }
}
