//! Spherical interpolation of rotations.

use super::func;
use glam::Quat;

/// Spherical interpolation along the shorter arc; nearly equal rotations are mixed linearly.
///
/// Source: Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985.
#[must_use]
pub fn slerp_short(from: Quat, to: Quat, fraction: f32) -> Quat {
    const NEARLY_EQUAL: f32 = 0.9999;
    let cosine = from.dot(to);
    let (cosine, to) = if cosine < 0.0 { (-cosine, -to) } else { (cosine, to) };
    let (share_from, share_to) = if cosine > NEARLY_EQUAL {
        (1.0 - fraction, fraction)
    } else {
        let angle_rad = func::acos(cosine);
        (func::sin(angle_rad * (1.0 - fraction)), func::sin(angle_rad * fraction))
    };
    (from * share_from + to * share_to).normalize()
}
