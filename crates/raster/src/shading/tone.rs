//! Tone: converts the light of a scene to the light of a picture.
//!
//! # Source
//! Khronos PBR Neutral Tone Mapper, revision 1.0: colours below 0.8 minus the reflectance of a
//! dielectric are kept, brighter ones are compressed and lose saturation.
//!
//! The removed amount, the toe of the curve, is the light that a glossy surface adds to its colour.
//! A surface that adds nothing keeps all: the toe would turn its dark colours black and make its
//! pale ones glaring.

use crate::shading::context::{LightContext, reflected_share, roughness_of};
use tintype_model::math::number::{Number, Triple};
use tintype_model::{Material, Tone};

/// Brightness at which compression starts.
const START: f32 = 0.8 - DIELECTRIC;
/// Reflectance of a dielectric at normal incidence, which is removed.
pub(crate) const DIELECTRIC: f32 = 0.04;
/// Rate at which compressed colours lose saturation.
const DESATURATION: f32 = 0.15;

/// The displayed light of a surface, linear, before clamping: unlit surfaces keep their colour.
/// `specular` is the colour of its highlight, if it has one.
#[inline(always)]
pub(crate) fn toned_surface<N: Number>(
    light: &LightContext,
    material: &Material,
    specular: Triple<N>,
    color: Triple<N>,
) -> Triple<N> {
    if material.is_unlit() {
        return color;
    }
    toned(light.tone, color, added(light, material, specular))
}

/// Light that a surface adds to its colour under uniform light, at most the amount removed by the
/// curve. None if it adds nothing.
#[inline(always)]
fn added<N: Number>(light: &LightContext, material: &Material, specular: Triple<N>) -> Option<N> {
    let most = specular.x.constant(DIELECTRIC);
    match &material.response {
        Some(response) if response.toon.is_some() => None,
        Some(_) => Some(most),
        None if material.specular_strength == 0.0 || light.environment.is_none() => None,
        None => {
            let share = reflected_share(roughness_of(material.shininess));
            Some((specular.least() * share).at_most(most))
        }
    }
}

/// The tone-mapped light of a linear colour, not yet clamped; `added` is the part added by
/// reflection, at most [`DIELECTRIC`].
#[inline(always)]
pub(crate) fn toned<N: Number>(tone: Tone, light: Triple<N>, added: Option<N>) -> Triple<N> {
    let light = match tone.exposure {
        1.0 => light,
        exposure => light.map(|value| value * exposure),
    };
    if !tone.is_neutral {
        return light;
    }
    match added {
        Some(added) => compressed(without_toe(light, added)),
        None => compressed(light),
    }
}

#[inline(always)]
fn without_toe<N: Number>(light: Triple<N>, added: N) -> Triple<N> {
    let least = light.least();
    let toe = least - least * least * (added.constant(0.25) / added);
    light.raised(-N::select((added + added).is_above(least), toe, added))
}

#[inline(always)]
fn compressed<N: Number>(light: Triple<N>) -> Triple<N> {
    let like = light.x;
    let one = like.constant(1.0);
    let peak = light.greatest();
    let is_bright = peak.is_above(like.constant(START));
    if !N::any(is_bright) {
        return light;
    }
    let room = 1.0 - START;
    // If the colour is kept, any positive numbers work.
    let held = peak.at_least(like.constant(START));
    let shown = one - like.constant(room * room) / (held + (room - START));
    let scaled = light.scaled(shown / held);
    let kept = one / ((held - shown) * DESATURATION + 1.0);
    let white = shown * (one - kept);
    Triple::select(is_bright, scaled.scaled(kept).raised(white), light)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::{Environment, neutral};
    use crate::shading::light::tests::with_context;
    use tintype_model::math::Vec3;
    use tintype_model::{LinearRgb, MetallicRoughness, ShadingModel};

    const NEUTRAL: Tone = Tone { exposure: 1.0, is_neutral: true };

    #[test]
    fn tone_keeps_dull_colours_and_compresses_bright_ones() {
        let of = |color: Vec3| Vec3::from(toned(NEUTRAL, color.into(), Some(DIELECTRIC)));
        assert_eq!(of(Vec3::ZERO), Vec3::ZERO);
        let dull = of(Vec3::new(0.5, 0.3, 0.2));
        assert!((dull - Vec3::new(0.46, 0.26, 0.16)).length() < 1e-6, "{dull}");
        // The values of the published code for (2, 1, 0.5): peak 1.96, new peak 0.96, saturation
        // kept 1 / 1.15.
        let bright = of(Vec3::new(2.0, 1.0, 0.5));
        let kept = 1.0 / (0.15 * (1.96 - 0.96) + 1.0);
        let expected = |value: f32| 0.96 * (1.0 - kept) + value * 0.96 / 1.96 * kept;
        let expected = Vec3::new(expected(1.96), expected(0.96), expected(0.46));
        assert!((bright - expected).length() < 1e-5, "{bright} for {expected}");
        // It rises up to white.
        let mut last = -1.0;
        for step in 0..4000_u16 {
            let value = of(Vec3::splat(f32::from(step) * 0.01)).x;
            assert!(value > last && value < 1.0, "{step}: {value} after {last}");
            last = value;
        }
        let exposed = toned(Tone { exposure: 2.0, is_neutral: false }, Vec3::ONE.into(), None);
        assert_eq!(Vec3::from(exposed), Vec3::splat(2.0));
    }

    #[test]
    fn tone_keeps_all_of_a_colour_that_reflects_nothing() {
        let of = |color: Vec3| Vec3::from(toned(NEUTRAL, color.into(), None));
        for dull in [Vec3::ZERO, Vec3::new(0.03, 0.01, 0.02), Vec3::new(0.76, 0.3, 0.02)] {
            assert_eq!(of(dull), dull);
        }
        // For bright colours they equal the whole curve at 0.04 more.
        for bright in [Vec3::ONE, Vec3::new(2.0, 1.0, 0.5)] {
            let whole = toned(NEUTRAL, (bright + Vec3::splat(DIELECTRIC)).into(), Some(DIELECTRIC));
            assert!((of(bright) - Vec3::from(whole)).length() < 1e-5, "{bright}");
        }
    }

    #[test]
    fn tone_and_exposure_leave_an_unlit_surface_alone() {
        let tone = Tone { exposure: 3.0, is_neutral: true };
        let color = Vec3::new(1.0, 0.5, 0.01);
        let of = |material: &Material| {
            with_context(LinearRgb::WHITE, &[], |light| {
                let light = LightContext { tone, ..*light };
                Vec3::from(toned_surface(&light, material, Vec3::ZERO.into(), color.into()))
            })
        };
        let unlit = MetallicRoughness { is_unlit: true, ..MetallicRoughness::default() };
        let unlit = Material { response: Some(Box::new(unlit)), ..Material::new("unlit") };
        let glow = Material { color: LinearRgb::BLACK, ..Material::new("glow") };
        let emissive = LinearRgb::WHITE;
        let shading = ShadingModel::FixedFunction;
        let full = Material { emissive, shading, ..Material::new("full") };
        for material in [unlit, glow, full] {
            assert_eq!(of(&material), color);
        }
        assert_ne!(of(&Material::new("lit")), color);
    }

    #[test]
    fn tone_takes_away_what_a_highlight_adds_in_an_environment() {
        let map = neutral();
        let room = Environment { map: &map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false };
        let of = |strength: f32, environment| {
            let material = Material { specular_strength: strength, ..Material::new("classic") };
            with_context(LinearRgb::BLACK, &[], |light| {
                let light = LightContext { environment, ..*light };
                added(&light, &material, Triple::from(Vec3::splat(strength)))
            })
        };
        let share = reflected_share(roughness_of(Material::DEFAULT_SHININESS));
        assert_eq!(of(0.1, Some(room)), Some(tintype_model::math::min(0.1 * share, DIELECTRIC)));
        assert_eq!(of(1.0, Some(room)), Some(tintype_model::math::min(share, DIELECTRIC)));
        assert_eq!((of(0.0, Some(room)), of(1.0, None)), (None, None));
        // As with a whole toe, the reflection of a black surface nearly vanishes.
        let seen: f32 = toned(NEUTRAL, Vec3::splat(0.01).into(), Some(0.01)).x;
        assert!((seen - 0.0025).abs() < 1e-6, "{seen}");
    }
}
