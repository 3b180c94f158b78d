//! The directions from which a rough surface reflects what is around, as two spots of the maps of a panorama.
//!
//! A map of reflections holds the mean around each direction as it is seen from straight above. Seen from the side, a rough surface
//! reflects from an oblong that leans from the mirrored direction toward the normal, as facets hide each other: two spots are nearer to
//! that than one.
//!
//! # Method
//! Polynomials in the cosine to the eye and in the roughness, fitted to the lobe of GGX by shares of its light on one side of a plane, for
//! some hundred planes through it; panoramas have no part in it.
//!
//! # Source
//! Visibility of GGX with heights correlated: Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 3(2),
//! 2014.

use super::lookup::{lamp_share, level_of_panorama};
use tintype_model::math::number::{Number, Triple};

/// Two spots.
#[derive(Clone, Copy)]
pub(crate) struct Lobe<N> {
    /// Directions to their middles, of any length.
    pub toward: [Triple<N>; 2],
    /// Maps in which they are as wide.
    pub level: [N; 2],
    /// Share of the first in the light.
    pub share: N,
}

/// Factors of 1, r, r², r³, u, ur, ur², u², u²r and u³, where u is 1 less the cosine to the eye and r the roughness.
type Polynomial = [f32; 10];

/// Way of each from the mirrored direction to the normal, over r².
const LEAN: [Polynomial; 2] = [
    [1.2907, -0.4879, 3.0183, -2.2417, -0.7008, 3.0855, -2.3328, -1.3549, 0.1636, 2.8438],
    [-1.6195, 1.1833, 1.5830, -1.0184, -0.1900, 5.3128, -3.6043, 0.4841, -2.2983, 0.8016],
];
/// Map of each, less that of the roughness.
const WIDER: [Polynomial; 2] = [
    [-0.0038, 0.3158, 5.6142, -5.8183, -1.5309, -3.0236, 3.4348, 0.9000, 3.2620, -1.3359],
    [0.3389, -3.6619, 6.7193, -2.5029, 0.6932, -8.1439, 3.7381, -2.4342, 6.2636, -0.0322],
];
/// Share of the first.
const SHARE: Polynomial =
    [0.5502, -0.2858, 0.2761, 0.0630, 0.0246, 1.0241, -0.9754, -0.5614, -0.0656, 0.3063];

impl<N: Number> Lobe<N> {
    /// Of a surface with a unit normal, seen along a unit vector.
    #[inline(always)]
    pub(crate) fn new(normal: Triple<N>, to_eye: Triple<N>, roughness: N) -> Self {
        let (zero, one) = (roughness.constant(0.0), roughness.constant(1.0));
        let cosine = normal.dot(to_eye);
        let mirrored = normal.scaled(cosine * 2.0).minus(to_eye);
        let (r, u) = (roughness, (one - cosine).at_least(zero).at_most(one));
        let (rr, uu, ur) = (r * r, u * u, u * r);
        let powers = [r, rr, rr * r, u, ur, ur * r, uu, uu * r, uu * u];
        let [first, second] = [sum(&LEAN[0], &powers) * rr, sum(&LEAN[1], &powers) * rr];
        let back = normal.minus(mirrored);
        let level = level_of_panorama(roughness);
        Self {
            toward: [mirrored.plus(back.scaled(first)), mirrored.plus(back.scaled(second))],
            level: [level + sum(&WIDER[0], &powers), level + sum(&WIDER[1], &powers)],
            share: sum(&SHARE, &powers).at_least(zero).at_most(one),
        }
    }

    /// Share of the reflection of lamps that they give as lights.
    #[inline(always)]
    pub(crate) fn lamp_share(&self) -> N {
        let [first, second] = [lamp_share(self.level[0]), lamp_share(self.level[1])];
        second + (first - second) * self.share
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
