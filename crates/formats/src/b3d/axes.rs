//! Points, directions and rotations of the file in our axes.

use tintype_model::LocalTransform;
use tintype_model::math::{Quat, Vec3};

/// The identity transform.
pub(super) const STILL: LocalTransform =
    LocalTransform { scale: Vec3::ONE, rotation: Quat::IDENTITY, translation: Vec3::ZERO };

/// A point or direction of the file in our axes.
pub(super) fn our_point([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// Converts a rotation of the file to our axes. None for length 0 or invalid numbers.
pub(super) fn our_rotation([w, x, y, z]: [f32; 4]) -> Option<Quat> {
    let rotation = Quat::from_xyzw(x, y, -z, w);
    let length = rotation.length();
    (length > 1.0e-12 && length.is_finite()).then(|| rotation / length)
}
