//! Reflection lobe of rough metal, approximated by spots in the maps of a panorama.
//!
//! Each texel of a reflection map is the mean around its direction, for a surface seen from straight
//! above. At grazing angles the lobe is elongated and leans from the mirrored direction toward the
//! normal, because facets hide each other. With roughness, a growing part of it is as wide as the
//! hemisphere; the map of diffuse light supplies that part. A dielectric reflects mostly at grazing
//! angles, from facets that lean away from the eye, so its lobe stays around the mirrored direction.
//!
//! # Method
//! Polynomials in the cosine to the eye and in the roughness. They are fitted to the GGX lobe alone,
//! by the fraction of its light on one side of each of about a hundred planes; no panorama was used.
//!
//! # Source
//! Visibility of GGX with heights correlated: Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 3(2),
//! 2014.

use super::map::{LEVELS, OF_LAMPS};
use tintype_model::math::number::{Number, Triple};

/// Number of the panorama map for a roughness: each map is blurred twice as wide as the one before.
/// Smoother than the first map, which is for mirrors, the number is negative.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "few levels")]
pub(crate) fn level_of_panorama<N: Number>(roughness: N) -> N {
    const LAST: f32 = (LEVELS - 1) as f32;
    roughness.at_least(roughness.constant(1e-4)).binary_log() * 2.0 + LAST
}

/// Fraction of the reflection of lamps that is added as lights when a map is looked up: 0 in maps that
/// show lamps, and 1 from the next map on.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "few levels")]
pub(crate) fn lamp_share<N: Number>(level: N) -> N {
    let (zero, one) = (level.constant(0.0), level.constant(1.0));
    (level - (OF_LAMPS - 1) as f32).at_least(zero).at_most(one)
}

/// A lobe as two spots in one map, plus a fraction of the diffuse light.
#[derive(Clone, Copy)]
pub(crate) struct Lobe<N> {
    mirrored: Triple<N>,
    /// From the mirrored direction to the normal.
    back: Triple<N>,
    /// Fraction of `back` up to the midpoint of the spots, and from there to each spot.
    pub lean: N,
    pub apart: N,
    /// Number of the map whose blur has the width of the spots.
    pub level: N,
    /// Fraction of the diffuse light.
    pub diffuse: N,
}

/// Coefficients of 1, r, r², r³, u, ur, ur², u², u²r and u³, where u = 1 - cosine to the eye and r is
/// the roughness.
type Polynomial = [f32; 10];

/// [`Lobe::lean`] divided by r².
const LEAN: Polynomial =
    [0.5027, -4.2013, 7.0939, -3.1639, -1.1441, 10.6689, -8.9157, -1.1914, -2.3692, 2.0628];
/// [`Lobe::level`] minus the level of the roughness.
const WIDER: Polynomial =
    [0.1821, -1.5945, 3.9924, -1.9857, -0.1882, -4.9885, 2.1810, -1.6420, 4.0406, -0.1589];
/// [`Lobe::diffuse`] divided by r.
const DIFFUSE: Polynomial =
    [0.0132, -0.0762, 1.4697, -0.5146, -0.8972, 3.0652, -1.7253, 0.7200, -1.5243, 0.3780];
/// [`Lobe::apart`] divided by r and by ([`APART_BELOW`] - r).
const APART: Polynomial =
    [0.1707, -0.5218, 15.9086, 16.6353, -0.1297, 1.1308, -9.7532, 0.2980, -0.5512, -0.1940];
/// Roughness from which both spots coincide.
const APART_BELOW: f32 = 0.5;

impl<N: Number> Lobe<N> {
    /// Lobe of a surface with a unit normal and a unit vector to the eye. The fraction `share` of its
    /// reflection behaves as white metal, the rest as a dielectric.
    #[inline(always)]
    pub(crate) fn new(normal: Triple<N>, to_eye: Triple<N>, roughness: N, share: N) -> Self {
        let (zero, one) = (roughness.constant(0.0), roughness.constant(1.0));
        let cosine = normal.dot(to_eye);
        let mirrored = normal.scaled(cosine * 2.0).minus(to_eye);
        let (r, u) = (roughness, (one - cosine).at_least(zero).at_most(one));
        let (rr, uu, ur) = (r * r, u * u, u * r);
        let powers = [r, rr, rr * r, u, ur, ur * r, uu, uu * r, uu * u];
        let smooth = (roughness.constant(APART_BELOW) - r).at_least(zero) * r * share;
        Self {
            mirrored,
            back: normal.minus(mirrored),
            lean: (rr + (sum(&LEAN, &powers) - rr) * share) * rr,
            apart: sum(&APART, &powers).at_least(zero) * smooth,
            level: level_of_panorama(roughness) + sum(&WIDER, &powers) * share,
            diffuse: (sum(&DIFFUSE, &powers) * r * share).at_least(zero).at_most(one),
        }
    }

    /// Direction at a fraction of the way from the mirrored direction to the normal.
    #[inline(always)]
    pub(crate) fn toward(&self, way: N) -> Triple<N> {
        self.mirrored.plus(self.back.scaled(way))
    }
}

/// The value of a polynomial.
#[inline(always)]
fn sum<N: Number>([constant, factors @ ..]: &Polynomial, powers: &[N; 9]) -> N {
    let mut sum = powers[0].constant(*constant);
    for (factor, power) in factors.iter().zip(powers) {
        sum = sum + *power * *factor;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::TAU;
    use tintype_model::math::{Vec3, func};

    /// Mean direction, along the normal and away from the eye, of what a white surface reflects to a cosine: half vectors of GGX.
    fn mean(cosine: f64, roughness: f64) -> [f64; 2] {
        const STEPS: u32 = 200;
        let squared = roughness * roughness * roughness * roughness;
        let sine = (1.0 - cosine * cosine).sqrt();
        let masked = |z: f64| (z * z * (1.0 - squared) + squared).sqrt();
        let (mut sum, mut weights) = ([0.0; 2], 0.0);
        for at in 0..STEPS * STEPS {
            let step = |k: u32| (f64::from(k) + 0.5) / f64::from(STEPS);
            let (part, turn) = (step(at / STEPS), step(at % STEPS) * TAU);
            let height = ((1.0 - part) / (1.0 + (squared - 1.0) * part)).sqrt();
            let aside = (1.0 - height * height).sqrt() * libm::cos(turn);
            let between = cosine * height - sine * aside;
            let up = 2.0 * between * height - cosine;
            if up > 0.0 && between > 0.0 {
                let seen = up * masked(cosine) + cosine * masked(up);
                let weight = up * between / (height * seen);
                weights += weight;
                sum[0] += weight * up;
                sum[1] += weight * (2.0 * between * aside + sine);
            }
        }
        sum.map(|one| one / weights)
    }

    /// Length of the mean direction of a map of that number.
    fn length_of(level: f64) -> f64 {
        const STEPS: u32 = 20_000;
        let length = |number: f64| {
            let squared = libm::exp2(2.0 * (number - 8.0));
            let (mut sum, mut weights) = (0.0, 0.0);
            for k in 0..STEPS {
                let at = (f64::from(k) + 0.5) / f64::from(STEPS);
                let ring = at * at * at * TAU / 4.0;
                let cosine = libm::cos(ring);
                let t = 0.5 * (1.0 + cosine) * (squared - 1.0) + 1.0;
                let weight = cosine / (t * t) * libm::sin(ring) * at * at;
                weights += weight;
                sum += weight * cosine;
            }
            if number > 0.0 { sum / weights } else { 1.0 }
        };
        let level = if level > 0.0 { level } else { 0.0 };
        let level = if level < 8.0 { level } else { 8.0 };
        let below = level.floor();
        length(below) + (length(below + 1.0) - length(below)) * (level - below)
    }

    #[test]
    fn mean_of_the_spots_is_that_of_the_lobe() {
        for roughness in [0.1_f32, 0.2, 0.3, 0.5, 0.7, 0.9] {
            for cosine in [0.2_f32, 0.3, 0.5, 0.7, 0.9, 1.0] {
                let eye = Vec3::new(-(1.0 - cosine * cosine).sqrt(), cosine, 0.0);
                let lobe = Lobe::new(Triple::from(Vec3::Y), eye.into(), roughness, 1.0);
                let length = length_of(f64::from(lobe.level));
                let diffuse = f64::from(lobe.diffuse);
                let mut found = [diffuse * 2.0 / 3.0, 0.0];
                for way in [lobe.lean + lobe.apart, lobe.lean - lobe.apart] {
                    let toward = Vec3::from(lobe.toward(way)).normalize();
                    let share = 0.5 * (1.0 - diffuse) * length;
                    found[0] += share * f64::from(toward.y);
                    found[1] += share * f64::from(toward.x);
                }
                let wanted = mean(f64::from(cosine), f64::from(roughness));
                let off = [0, 1].map(|k| found[k] - wanted[k]);
                let off = (off[0] * off[0] + off[1] * off[1]).sqrt();
                assert!(off < 0.06, "{roughness}, {cosine}: {found:?} for {wanted:?}");
            }
        }
    }

    #[test]
    fn mirrors_and_dielectrics_reflect_around_the_mirrored_direction() {
        let eye = Vec3::new(-0.8, 0.6, 0.0);
        let of =
            |roughness, metallic| Lobe::new(Triple::from(Vec3::Y), eye.into(), roughness, metallic);
        let mirror = of(0.0, 1.0);
        assert_eq!([mirror.lean, mirror.apart, mirror.diffuse], [0.0; 3]);
        assert!(mirror.level < 0.0);
        let dielectric = of(0.5, 0.0);
        assert_eq!([dielectric.lean, dielectric.apart, dielectric.diffuse], [0.0625, 0.0, 0.0]);
        assert!((dielectric.level - 6.0).abs() < 1e-5);
        assert!(func::acos(Vec3::from(mirror.toward(0.0)).dot(Vec3::new(0.8, 0.6, 0.0))) < 1e-3);
    }
}
