//! Tone: the light of a scene as a picture shows it.
//!
//! # Source
//! Khronos PBR Neutral Tone Mapper, revision 1.0: colours below 0.8 less the reflectance of a dielectric are kept, brighter ones are
//! compressed and lose saturation.
//!
//! What is taken away, the toe of the curve, is what a glossy surface adds to its own colour. A surface that adds nothing keeps all:
//! the toe would leave its dark colours black and make its pale ones glaring.

use tintype_model::math::number::{Number, Triple};
use tintype_model::{Material, Tone};

/// Brightness from which colours are compressed.
const START: f32 = 0.8 - FRESNEL;
/// Reflectance of a dielectric at its normal, which is taken away.
const FRESNEL: f32 = 0.04;
/// Speed at which compressed colours lose saturation.
const DESATURATION: f32 = 0.15;

/// The light of a surface as it is shown, linear, not yet clamped: what has no part in light keeps its own colour.
#[inline(always)]
pub(crate) fn toned_surface<N: Number>(
    tone: Tone,
    material: &Material,
    light: Triple<N>,
) -> Triple<N> {
    if material.is_unlit() { light } else { toned(tone, light, material.has_dielectric()) }
}

/// The light that is shown for a linear colour, not yet clamped; `has_dielectric` tells whether the reflection of a dielectric is part of
/// it.
#[inline(always)]
pub(crate) fn toned<N: Number>(tone: Tone, light: Triple<N>, has_dielectric: bool) -> Triple<N> {
    let light = match tone.exposure {
        1.0 => light,
        exposure => light.map(|value| value * exposure),
    };
    if !tone.is_neutral {
        return light;
    }
    compressed(if has_dielectric { without_toe(light) } else { light })
}

#[inline(always)]
fn without_toe<N: Number>(light: Triple<N>) -> Triple<N> {
    let least = light.least();
    let toe = least - least * least * 6.25;
    let (dark, most) = (least.constant(0.08), least.constant(FRESNEL));
    light.raised(-N::select(dark.is_above(least), toe, most))
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
    // Where the colour is kept, any positive numbers do.
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
    use tintype_model::math::Vec3;
    use tintype_model::{LinearRgb, MetallicRoughness, ShadingModel};

    const NEUTRAL: Tone = Tone { exposure: 1.0, is_neutral: true };

    #[test]
    fn tone_keeps_dull_colours_and_compresses_bright_ones() {
        let of = |color: Vec3| Vec3::from(toned(NEUTRAL, color.into(), true));
        assert_eq!(of(Vec3::ZERO), Vec3::ZERO);
        let dull = of(Vec3::new(0.5, 0.3, 0.2));
        assert!((dull - Vec3::new(0.46, 0.26, 0.16)).length() < 1e-6, "{dull}");
        // The values of the published code for (2, 1, 0.5): peak 1.96, new peak 0.96, saturation kept 1 / 1.15.
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
        let exposed = toned(Tone { exposure: 2.0, is_neutral: false }, Vec3::ONE.into(), true);
        assert_eq!(Vec3::from(exposed), Vec3::splat(2.0));
    }

    #[test]
    fn tone_keeps_all_of_a_colour_that_reflects_nothing() {
        let of = |color: Vec3| Vec3::from(toned(NEUTRAL, color.into(), false));
        for dull in [Vec3::ZERO, Vec3::new(0.03, 0.01, 0.02), Vec3::new(0.76, 0.3, 0.02)] {
            assert_eq!(of(dull), dull);
        }
        // Bright ones are those of the whole curve for 0.04 more.
        for bright in [Vec3::ONE, Vec3::new(2.0, 1.0, 0.5)] {
            let whole = toned(NEUTRAL, (bright + Vec3::splat(FRESNEL)).into(), true);
            assert!((of(bright) - Vec3::from(whole)).length() < 1e-5, "{bright}");
        }
    }

    #[test]
    fn tone_and_exposure_leave_an_unlit_surface_alone() {
        let bright = Tone { exposure: 3.0, is_neutral: true };
        let of = |material: &Material| {
            Vec3::from(toned_surface(bright, material, Vec3::new(1.0, 0.5, 0.01).into()))
        };
        let unlit = MetallicRoughness { is_unlit: true, ..MetallicRoughness::default() };
        let unlit = Material { response: Some(Box::new(unlit)), ..Material::new("unlit") };
        let glow = Material { color: LinearRgb::BLACK, ..Material::new("glow") };
        let emissive = LinearRgb::WHITE;
        let shading = ShadingModel::FixedFunction;
        let full = Material { emissive, shading, ..Material::new("full") };
        for material in [unlit, glow, full] {
            assert_eq!(of(&material), Vec3::new(1.0, 0.5, 0.01));
        }
        assert_ne!(of(&Material::new("lit")), Vec3::new(1.0, 0.5, 0.01));
    }
}
