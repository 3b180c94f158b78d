//! Lights, in world space.

use super::LinearRgb;
use crate::math::{Vec3, func, max};

/// One light. `color` includes the intensity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Light {
    /// Parallel rays.
    Directional {
        /// Unit vector from the surface to the light.
        to_light: Vec3,
        /// Linear colour times intensity.
        color: LinearRgb,
    },
    /// Rays from a point; the strength falls with the square of the distance.
    Point {
        /// Its position.
        position: Vec3,
        /// Linear colour times intensity at `reach`.
        color: LinearRgb,
        /// The distance at which the light has the strength `color`.
        reach: f32,
        /// The distance at which its strength has fallen to zero. None if it follows the inverse
        /// square law alone.
        range: Option<f32>,
        /// The cone that limits it. None if it shines in all directions.
        cone: Option<Cone>,
    },
    /// A sky above and a ground below, blended by the upward tilt of the surface. It causes no
    /// highlight.
    Hemisphere {
        /// Light from straight above (+Y).
        sky: LinearRgb,
        /// Light from straight below.
        ground: LinearRgb,
    },
}

/// Cone of a spot light: full strength around the axis, falling smoothly to zero at the rim.
///
/// # Source
/// KHR_lights_punctual, "Inner and Outer Cone Angles".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Unit vector against the direction of the light.
    pub against: Vec3,
    /// Factor of the cosine to the axis.
    pub scale: f32,
    /// Summand after it.
    pub offset: f32,
}

impl Cone {
    /// A cone of two angles from its axis, in radians: full strength up to `inner`, none from
    /// `outer` on. `against` is a unit vector opposite to the direction of the light.
    #[must_use]
    pub fn new(against: Vec3, inner: f32, outer: f32) -> Self {
        let (inside, rim) = (func::cos(inner), func::cos(outer));
        let scale = 1.0 / max(inside - rim, 0.001);
        Self { against, scale, offset: -rim * scale }
    }
}

impl Light {
    /// Colour of a directional light from a colour and an illuminance in lux. A white diffuse
    /// surface that faces a light of colour 1, or of white at π lux, has the colour 1.
    #[must_use]
    pub fn of_lux(color: LinearRgb, lux: f32) -> LinearRgb {
        color.scaled(lux * core::f32::consts::FRAC_1_PI)
    }

    /// Colour of a point light of `reach` 1 for a colour times an intensity in candela, with
    /// distances in metres.
    #[must_use]
    pub fn of_candela(color: LinearRgb, candela: f32) -> LinearRgb {
        Self::of_lux(color, candela)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cone_is_whole_inside_and_ends_at_its_rim() {
        let cone = Cone::new(Vec3::Y, 0.3, 0.6);
        let at = |angle: f32| func::cos(angle) * cone.scale + cone.offset;
        assert!((at(0.3) - 1.0).abs() < 1e-5 && at(0.6).abs() < 1e-5);
        assert!(at(0.1) > 1.0 && at(0.9) < 0.0);
        // A cone without a soft rim has a steep one.
        assert!(Cone::new(Vec3::Y, 0.5, 0.5).scale <= 1000.0);
    }
}
