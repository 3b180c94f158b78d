//! Values of keys, interpolated linearly or along a spline.

use crate::math::slerp::slerp_short;
use crate::math::{Quat, Vec3};

/// A value that keys may have.
pub(super) trait Keyed: Copy {
    /// The value between two keys.
    fn mix(from: Self, to: Self, fraction: f32) -> Self;

    /// The value of a cubic Hermite spline through two keys, from the outgoing tangent of the first
    /// and the incoming tangent of the second, both per second.
    ///
    /// Source: glTF 2.0, appendix C.
    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self;
}

/// The factors of the two keys and the two tangents.
fn hermite(fraction: f32, span_s: f32) -> ([f32; 2], [f32; 2]) {
    let (square, cube) = (fraction * fraction, fraction * fraction * fraction);
    let to = 3.0 * square - 2.0 * cube;
    ([1.0 - to, to], [(cube - 2.0 * square + fraction) * span_s, (cube - square) * span_s])
}

impl Keyed for f32 {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        from + (to - from) * fraction
    }

    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self {
        let (key, tangent) = hermite(fraction, span_s);
        keys[0] * key[0] + tangents[0] * tangent[0] + keys[1] * key[1] + tangents[1] * tangent[1]
    }
}

impl Keyed for Vec3 {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        from.lerp(to, fraction)
    }

    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self {
        let (key, tangent) = hermite(fraction, span_s);
        keys[0] * key[0] + tangents[0] * tangent[0] + keys[1] * key[1] + tangents[1] * tangent[1]
    }
}

impl Keyed for Quat {
    fn mix(from: Self, to: Self, fraction: f32) -> Self {
        slerp_short(from, to, fraction)
    }

    fn spline(keys: [Self; 2], tangents: [Self; 2], fraction: f32, span_s: f32) -> Self {
        let (key, tangent) = hermite(fraction, span_s);
        let sum = keys[0] * key[0]
            + tangents[0] * tangent[0]
            + keys[1] * key[1]
            + tangents[1] * tangent[1];
        let length = sum.length();
        if length > 0.0 { sum * (1.0 / length) } else { keys[0] }
    }
}
