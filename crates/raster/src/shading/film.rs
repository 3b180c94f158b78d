//! Iridescence: the reflectance of a surface below a thin film, where light interferes.
//!
//! Input: the cosine to the eye, the film and the reflectance below it. Output: the reflectance of
//! both, by colour.
//!
//! # Source
//! KHR_materials_iridescence; Belcour and Barla, "A Practical Extension to Microfacet Theory for
//! the Modeling of Varying Iridescence", 2017.

use crate::environment::lookup::Lookup;
use tintype_model::math::number::{Number, Triple};

/// Curves of sensitivity of the eye: strength, position in 1/nm, and spread in 1/nm² as a power of
/// two: `val √(2π var) / 1.0685e-7`, `pos · 1e-9` and `(2π · 1e-9)² var log2(e)` of the constants
/// of the source.
const CURVES: [[f32; 3]; 4] = [
    [0.846_59, 1.681_0e-3, 2.464_912_2e-7],
    [1.000_221_9, 1.795_3e-3, 5.299_465e-7],
    [1.001_122_5, 2.208_4e-3, 3.765_942_5e-7],
    [0.153_868_3, 2.239_9e-3, 2.579_050_7e-7],
];
/// Linear sRGB of X, Y and Z.
const RGB: [[f32; 3]; 3] = [
    [3.240_454_2, -1.537_138_5, -0.498_531_4],
    [-0.969_266, 1.876_010_8, 0.041_556],
    [0.055_643_4, -0.204_025_9, 1.057_225_2],
];
/// Thickness from which a film has its index of refraction, in nanometres.
const THIN_NM: f32 = 0.03;

/// The cosine of an angle in turns, from 0 up.
#[inline(always)]
fn cosine_of_turns<N: Lookup>(turns: N) -> N {
    let rest = turns - (turns + 0.5).whole();
    // The sine of the complement of the angle.
    let x = (-rest.at_least(-rest) + 0.25) * core::f32::consts::TAU;
    let squared = x * x;
    let series = squared * 2.755_732e-6 - 1.984_127e-4;
    let series = squared * series + 8.333_334e-3;
    let series = squared * series - 0.166_666_67;
    x * (squared * series + 1.0)
}

/// Colour seen by the eye for light with this path difference in nanometres, with a phase shift in
/// turns for each channel.
#[inline(always)]
fn sensitivity<N: Lookup>(way_nm: N, shift: Triple<N>) -> Triple<N> {
    let x = curve(CURVES[0], way_nm, shift.x) + curve(CURVES[3], way_nm, shift.x);
    let (y, z) = (curve(CURVES[1], way_nm, shift.y), curve(CURVES[2], way_nm, shift.z));
    let [red, green, blue] = RGB;
    Triple::new(mixed(red, x, y, z), mixed(green, x, y, z), mixed(blue, x, y, z))
}

#[inline(always)]
fn curve<N: Lookup>([strength, place, spread]: [f32; 3], way_nm: N, shift: N) -> N {
    let wave = cosine_of_turns(way_nm * place + shift);
    wave * (way_nm * way_nm * -spread).binary_power() * strength
}

#[inline(always)]
fn mixed<N: Lookup>([of_x, of_y, of_z]: [f32; 3], x: N, y: N, z: N) -> N {
    x * of_x + y * of_y + z * of_z
}

/// The fifth power of one minus a cosine: the weight of grazing light by Schlick.
#[inline(always)]
pub(super) fn grazing<N: Number>(cosine: N) -> N {
    let left = (cosine.constant(1.0) - cosine).at_least(cosine.constant(0.0));
    let squared = left * left;
    squared * squared * left
}

/// The reflectance at a cosine, from that at the normal.
#[inline(always)]
fn schlick<N: Number>(normal: N, cosine: N) -> N {
    normal + (cosine.constant(1.0) - normal) * grazing(cosine)
}

/// Reflectance of a film of an index of refraction and a thickness in nanometres over a surface of
/// a reflectance at its normal.
#[inline(always)]
pub(crate) fn film<N: Lookup>(cosine: N, ior: f32, thickness_nm: N, below: Triple<N>) -> Triple<N> {
    let (zero, one) = (cosine.constant(0.0), cosine.constant(1.0));
    // A film that is too thin has the index of air.
    let part = (thickness_nm * (1.0 / THIN_NM)).at_most(one);
    let ior = part * part * (part * -2.0 + 3.0) * (ior - 1.0) + 1.0;
    let below_cosine = (one - (one - cosine * cosine) / (ior * ior)).at_least(zero).root();

    // 1. From air to the film.
    let ratio = (ior - 1.0) / (ior + 1.0);
    let outer = schlick(ratio * ratio, cosine);
    let passed = one - outer;

    // 2. From the film to the surface.
    let index = below.map(
        #[inline(always)]
        |normal| {
            let root = normal.at_least(zero).at_most(cosine.constant(0.9999)).root();
            (one + root) / (one - root)
        },
    );
    let inner = index.map(
        #[inline(always)]
        |index| {
            let ratio = (index - ior) / (index + ior);
            schlick(ratio * ratio, below_cosine)
        },
    );
    let turns = index.map(
        #[inline(always)]
        |index| N::select(ior.is_above(index), one, cosine.constant(0.5)),
    );

    // 3. Light that crossed the film once, and light that crossed it more often.
    let way_nm = ior * thickness_nm * below_cosine * 2.0;
    let both = inner.map(
        #[inline(always)]
        |inner| (inner * outer).at_least(cosine.constant(1e-5)).at_most(cosine.constant(0.9999)),
    );
    let again = inner.scaled(passed * passed);
    let again =
        Triple::new(again.x / (one - both.x), again.y / (one - both.y), again.z / (one - both.z));
    let mut sum = again.raised(outer);
    let mut strength = again.raised(-passed);
    for bounces in [1.0, 2.0] {
        strength = strength.times(both.map(Number::root));
        let seen = sensitivity(way_nm * bounces, turns.map(|turns| turns * bounces));
        sum = sum.plus(strength.times(seen.map(|seen| seen + seen)));
    }
    sum.map(|part| part.at_least(zero))
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    fn held(value: f64, least: f64, most: f64) -> f64 {
        if value < least {
            least
        } else if value > most {
            most
        } else {
            value
        }
    }

    /// `evalSensitivity` of the source.
    fn expected_sensitivity(opd: f64, shift: [f64; 3]) -> [f64; 3] {
        let phase = 2.0 * PI * opd * 1e-9;
        let curve = |val: f64, pos: f64, var: f64, shift: f64| {
            let wave = libm::cos(pos * phase + shift);
            val * (2.0 * PI * var).sqrt() * wave * libm::exp(-phase * phase * var) / 1.0685e-7
        };
        let x = curve(5.4856e-13, 1.6810e6, 4.3278e9, shift[0])
            + curve(9.7470e-14, 2.2399e6, 4.5282e9, shift[0]);
        let y = curve(4.4201e-13, 1.7953e6, 9.3046e9, shift[1]);
        let z = curve(5.2481e-13, 2.2084e6, 6.6121e9, shift[2]);
        [
            3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
            -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
            0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
        ]
    }

    /// `evalIridescence` of the source in `f64`, for a film thicker than 0.03 nm.
    fn expected(cosine: f64, ior: f64, nm: f64, below: [f64; 3]) -> [f64; 3] {
        let schlick = |f0: f64, cosine: f64| f0 + (1.0 - f0) * libm::pow(1.0 - cosine, 5.0);
        let square = |value: f64| value * value;
        let inside = (1.0 - (1.0 - cosine * cosine) / (ior * ior)).sqrt();
        let r12 = schlick(square((ior - 1.0) / (ior + 1.0)), cosine);
        let t121 = 1.0 - r12;
        let base = below.map(|f0| (1.0 + f0.sqrt()) / (1.0 - f0.sqrt()));
        let r23 = base.map(|base| schlick(square((base - ior) / (base + ior)), inside));
        let phi = base.map(|base| if base < ior { 2.0 * PI } else { PI });
        let opd = 2.0 * ior * nm * inside;
        let mut light = [0.0; 3];
        for k in 0..3 {
            let r123 = held(r12 * r23[k], 1e-5, 0.9999);
            let rs = t121 * t121 * r23[k] / (1.0 - r123);
            let mut cm = rs - t121;
            light[k] = r12 + rs;
            for m in [1.0, 2.0] {
                cm *= r123.sqrt();
                let seen = expected_sensitivity(m * opd, phi.map(|phi| m * phi));
                light[k] += cm * 2.0 * seen[k];
            }
        }
        light.map(|part| if part > 0.0 { part } else { 0.0 })
    }

    #[test]
    fn film_reflects_as_the_extension_says() {
        for ior in [1.1_f32, 1.33, 2.0] {
            for nm in [50.0_f32, 280.0, 550.0, 1100.0] {
                for cosine in [0.05_f32, 0.4, 0.8, 1.0] {
                    for below in [[0.04_f32; 3], [0.9, 0.5, 0.1], [0.0, 0.2, 1.0]] {
                        let triple = Triple::new(below[0], below[1], below[2]);
                        let found = film(cosine, ior, nm, triple);
                        let wide = |value: f32| f64::from(value);
                        let below = below.map(|part| held(wide(part), 0.0, 0.9999));
                        let expected = expected(wide(cosine), wide(ior), wide(nm), below);
                        for (found, expected) in [found.x, found.y, found.z].iter().zip(expected) {
                            let off = (wide(*found) - expected).abs();
                            assert!(off < 2e-4, "{ior} {nm} {cosine}: {found} for {expected}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn film_of_no_thickness_changes_little() {
        let below = [0.04_f32, 0.5, 0.9];
        let bare = film(1.0, 1.8, 0.0, Triple::new(below[0], below[1], below[2]));
        for (found, normal) in [bare.x, bare.y, bare.z].into_iter().zip(below) {
            assert!((found - normal).abs() < 0.01, "{found} over {normal}");
        }
    }
}
