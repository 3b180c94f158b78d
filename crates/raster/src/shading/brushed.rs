//! Brushed surfaces: facets that are rougher along one direction than across it.
//!
//! # Source
//! KHR_materials_anisotropy. Reflection of the surroundings: Filament, "Physically Based Rendering
//! in Filament", 4.10.

use tintype_model::math::number::{Number, Triple};

/// A direction of a point, and the roughness along it and across it.
#[derive(Clone, Copy)]
pub(crate) struct Brushed<N> {
    /// Unit vectors in the plane of the surface.
    pub along: Triple<N>,
    pub across: Triple<N>,
    /// The square of `alpha` along, and across.
    pub squared: [N; 2],
    pub strength: N,
}

/// The squared `alpha` along the direction, from the surface's `alpha`, the square of roughness.
#[inline(always)]
pub(crate) fn squared_along<N: Number>(alpha: N, strength: N) -> N {
    let along = alpha + (alpha.constant(1.0) - alpha) * (strength * strength);
    along * along
}

impl<N: Number> Brushed<N> {
    /// π times the product of the distribution of facets and their visibility for light of one
    /// direction; `half` is the squared length of the sum of the directions to light and eye,
    /// `both_squared` the squared cosine between it and the normal, and `spread` the contribution
    /// of the light's width.
    #[inline(always)]
    pub(crate) fn facets(
        &self,
        [to_light, to_eye]: [Triple<N>; 2],
        [facing, facing_eye]: [N; 2],
        [half, both_squared]: [N; 2],
        spread: f32,
    ) -> N {
        let (along, across) = (self.squared[0] + spread, self.squared[1] + spread);
        let of = |direction: Triple<N>| [self.along.dot(direction), self.across.dot(direction)];
        let (light, eye) = (of(to_light), of(to_eye));
        let (sum_along, sum_across) = (light[0] + eye[0], light[1] + eye[1]);
        let squared_half = [sum_along * sum_along / half, sum_across * sum_across / half];
        // 1. Distribution.
        let product = along * across;
        let length = across * squared_half[0] + along * squared_half[1] + product * both_squared;
        let distribution = product.root() * product / (length * length);

        // 2. Visibility.
        let masked = |[t, b]: [N; 2], n: N| (along * t * t + across * b * b + n * n).root();
        let sum = facing * masked(eye, facing_eye) + facing_eye * masked(light, facing);
        distribution * 0.5 / sum
    }

    /// The normal for reflections of the surroundings on such a surface.
    #[inline(always)]
    pub(crate) fn bent(&self, normal: Triple<N>, to_eye: Triple<N>, roughness: N) -> Triple<N> {
        let one = roughness.constant(1.0);
        let bent = unit(self.across.cross(to_eye).cross(self.across));
        let straight = one - self.strength * (one - roughness);
        let squared = straight * straight;
        unit(bent.plus(normal.minus(bent).scaled(squared * squared)))
    }
}

/// A vector at the length 1.
#[inline(always)]
fn unit<N: Number>(of: Triple<N>) -> Triple<N> {
    let squared = of.dot(of).at_least(of.x.constant(1e-12));
    of.scaled(of.x.constant(1.0) / squared.root())
}
