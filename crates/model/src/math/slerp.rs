//! Spherical interpolation of rotations.

use super::func;
use glam::{Quat, Vec3};

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

/// The shortest rotation from one unit vector to another, about an arbitrary axis if they are
/// opposite; identity if one is 0.
#[must_use]
pub fn arc(from: Vec3, to: Vec3) -> Quat {
    const OPPOSITE: f32 = 1e-7;
    let real = from.dot(to) + 1.0;
    let Vec3 { x, y, z } = from;
    let found = if real >= OPPOSITE {
        let axis = from.cross(to);
        Quat::from_xyzw(axis.x, axis.y, axis.z, real)
    } else if x.abs() > z.abs() {
        Quat::from_xyzw(-y, x, 0.0, 0.0)
    } else {
        Quat::from_xyzw(0.0, -z, y, 0.0)
    };
    found.normalize()
}
