//! Lights, in world space.

use super::LinearRgb;
use crate::math::Vec3;

/// One light. `color` already holds the intensity.
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
        /// The distance at which `color` holds.
        reach: f32,
    },
    /// A sky above and a ground below, blended by how far the surface faces up. It makes no highlight.
    Hemisphere {
        /// Light from straight above (+Y).
        sky: LinearRgb,
        /// Light from straight below.
        ground: LinearRgb,
    },
}
