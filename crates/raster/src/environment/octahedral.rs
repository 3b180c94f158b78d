//! Directions on a square: an octahedron, unfolded.
//!
//! # Source
//! Praun and Hoppe, "Spherical Parametrization and Remeshing", SIGGRAPH 2003; Engelhardt and
//! Dachsbacher, "Octahedron Environment Maps", VMV 2008.

use tintype_model::math::Vec3;
use tintype_model::math::number::{Number, Triple};

/// The position of a direction of any length above 0 in the square, each coordinate 0..=1: x to the
/// right and z down, +Y in the middle.
#[inline(always)]
pub(crate) fn square_from_direction<N: Number>(direction: Triple<N>) -> [N; 2] {
    let Triple { x, y, z } = direction;
    let (one, zero) = (x.constant(1.0), x.constant(0.0));
    let length = |value: N| value.at_least(-value);
    let scale = one / (length(x) + length(y) + length(z));
    let (u, v) = (x * scale, z * scale);
    // The lower half is folded out over the four edges.
    let sign = |value: N| N::select(zero.is_above(value), -one, one);
    let (outer_u, outer_v) = ((one - length(v)) * sign(u), (one - length(u)) * sign(v));
    let is_below = zero.is_above(y);
    let (u, v) = (N::select(is_below, outer_u, u), N::select(is_below, outer_v, v));
    [u * 0.5 + 0.5, v * 0.5 + 0.5]
}

/// The direction at a position in the square, on the octahedron: the sum of its components' lengths
/// is 1.
pub(crate) fn on_octahedron([u, v]: [f32; 2]) -> Vec3 {
    let (x, z) = (u * 2.0 - 1.0, v * 2.0 - 1.0);
    let y = 1.0 - x.abs() - z.abs();
    if y >= 0.0 {
        return Vec3::new(x, y, z);
    }
    let sign = |value: f32| if value < 0.0 { -1.0 } else { 1.0 };
    Vec3::new((1.0 - z.abs()) * sign(x), y, (1.0 - x.abs()) * sign(z))
}

/// The position on the octahedron of the centre of a texel of a map with this many texels per side.
#[expect(clippy::cast_precision_loss, reason = "a side has few bits")]
pub(crate) fn middle(x: u32, y: u32, side: u32) -> Vec3 {
    on_octahedron([(x as f32 + 0.5) / side as f32, (y as f32 + 0.5) / side as f32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_holds_every_direction_once() {
        for y in 0..32 {
            for x in 0..32 {
                let direction = middle(x, y, 32);
                let [u, v] = square_from_direction(Triple::from(direction * 3.0));
                let expected = [(x as f32 + 0.5) / 32.0, (y as f32 + 0.5) / 32.0];
                assert!((u - expected[0]).abs() < 1e-6 && (v - expected[1]).abs() < 1e-6);
            }
        }
        assert_eq!(square_from_direction(Triple::from(Vec3::Y)), [0.5, 0.5]);
    }
}
