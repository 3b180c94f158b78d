//! Tone: the light of a scene as a picture shows it.
//!
//! # Source
//! Khronos PBR Neutral Tone Mapper, revision 1.0: colours below 0.8 less the reflectance of a dielectric are kept, brighter ones are
//! compressed and lose saturation.

use tintype_model::Tone;
use tintype_model::math::number::{Number, Triple};

/// Brightness from which colours are compressed.
const START: f32 = 0.8 - FRESNEL;
/// Reflectance of a dielectric at its normal, which is taken away.
const FRESNEL: f32 = 0.04;
/// Speed at which compressed colours lose saturation.
const DESATURATION: f32 = 0.15;

/// The light that is shown for a linear colour, not yet clamped.
#[inline(always)]
pub(crate) fn toned<N: Number>(tone: Tone, light: Triple<N>) -> Triple<N> {
    let light = match tone.exposure {
        1.0 => light,
        exposure => light.map(|value| value * exposure),
    };
    if tone.is_neutral { neutral(light) } else { light }
}

#[inline(always)]
fn neutral<N: Number>(light: Triple<N>) -> Triple<N> {
    let like = light.x;
    let one = like.constant(1.0);
    let least = light.least();
    let toe = least - least * least * 6.25;
    let offset = N::select(like.constant(0.08).is_above(least), toe, like.constant(FRESNEL));
    let light = light.raised(-offset);
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
    let compressed = scaled.scaled(kept).raised(white);
    Triple::select(is_bright, compressed, light)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::Vec3;

    const NEUTRAL: Tone = Tone { exposure: 1.0, is_neutral: true };

    #[test]
    fn tone_keeps_dull_colours_and_compresses_bright_ones() {
        let of = |color: Vec3| Vec3::from(toned(NEUTRAL, color.into()));
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
        let exposed = toned(Tone { exposure: 2.0, is_neutral: false }, Vec3::ONE.into());
        assert_eq!(Vec3::from(exposed), Vec3::splat(2.0));
    }
}
