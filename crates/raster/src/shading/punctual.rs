//! Light of one direction at a point: its falloff, its range and its cone.
//!
//! ```text
//! point light:          C = colour · (reach / distance)²
//! window of the range:  max(1 - (distance / range)^4, 0)
//! cone:                 clamp(scale · cosine to the axis + offset, 0, 1)²
//! ```
//!
//! # Source
//! KHR_lights_punctual, "Range Property" and "Inner and Outer Cone Angles".

use crate::shading::context::rgb;
use tintype_model::math::number::{Number, Triple};
use tintype_model::{Cone, Light, LinearRgb};

/// Light as it arrives at a point.
pub(crate) enum Arriving<N> {
    /// From one direction, a unit vector, with a linear colour.
    From(Triple<N>, Triple<N>),
    /// From all directions, with the colours of above and below.
    Around { sky: LinearRgb, ground: LinearRgb },
}

/// Light of a source at a position in world space.
#[inline(always)]
pub(crate) fn arriving<N: Number>(light: &Light, position: Triple<N>) -> Arriving<N> {
    let like = position.x;
    match *light {
        Light::Directional { to_light, color } => {
            Arriving::From(Triple::constant(like, to_light), Triple::constant(like, rgb(color)))
        }
        Light::Point { position: of_light, color, reach, range, cone } => {
            let offset = Triple::constant(like, of_light).minus(position);
            let squared = offset.dot(offset).at_least(like.constant(f32::MIN_POSITIVE));
            let to_light = offset.scaled(like.constant(1.0) / squared.root());
            let falloff = like.constant(reach * reach) / squared;
            let falloff = limited(falloff, squared, to_light, range, cone);
            Arriving::From(to_light, Triple::constant(like, rgb(color)).scaled(falloff))
        }
        Light::Hemisphere { sky, ground } => Arriving::Around { sky, ground },
    }
}

/// The strength of a light at a point that sees it in the unit direction `to_light`, at a distance
/// with the square `squared`. A light without limits keeps its bits.
#[inline(always)]
pub(crate) fn limited<N: Number>(
    strength: N,
    squared: N,
    to_light: Triple<N>,
    range: Option<f32>,
    cone: Option<Cone>,
) -> N {
    let mut strength = strength;
    if let Some(range) = range {
        let share = squared * (1.0 / range) * (1.0 / range);
        let zero = strength.constant(0.0);
        strength = strength * (strength.constant(1.0) - share * share).at_least(zero);
    }
    if let Some(Cone { against, scale, offset }) = cone {
        let cosine = to_light.dot(Triple::constant(strength, against));
        let (zero, one) = (strength.constant(0.0), strength.constant(1.0));
        let part = (cosine * scale + offset).at_least(zero).at_most(one);
        strength = strength * (part * part);
    }
    strength
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::Vec3;

    #[test]
    fn strength_ends_at_the_range_and_at_the_rim() {
        let to_light = Triple::from(Vec3::Y);
        let at = |distance: f32, range| limited(1.0, distance * distance, to_light, range, None);
        assert_eq!(at(3.0, None), 1.0);
        assert_eq!(at(2.0, Some(2.0)), 0.0);
        assert_eq!(at(5.0, Some(2.0)), 0.0);
        assert!((at(1.0, Some(2.0)) - (1.0 - 1.0 / 16.0)).abs() < 1e-6);
        let cone =
            |against: Vec3| limited(1.0, 1.0, to_light, None, Some(Cone::new(against, 0.3, 0.6)));
        assert_eq!(cone(Vec3::Y), 1.0);
        assert_eq!(cone(Vec3::X), 0.0);
        let half =
            0.5 * (tintype_model::math::func::cos(0.3) + tintype_model::math::func::cos(0.6));
        let tilted = Vec3::new((1.0 - half * half).sqrt(), half, 0.0);
        assert!((cone(tilted) - 0.25).abs() < 1e-4, "{}", cone(tilted));
    }
}
