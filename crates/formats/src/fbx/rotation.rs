//! Rotations of three angles in degrees, in the orders of the format.

use tintype_model::math::func::{atan2_f64, sin_cos_f64};
use tintype_model::math::{DMat3, DQuat, DVec3};

/// Order of rotations: about x, then y, then z.
pub(super) const XYZ: i64 = 0;

/// The axes of an order, the first one applied first. None for the spherical one, which rotates
/// nothing.
fn axes_of(order: i64) -> Option<[usize; 3]> {
    Some(match order {
        1 => [0, 2, 1],
        2 => [1, 2, 0],
        3 => [1, 0, 2],
        4 => [2, 0, 1],
        5 => [2, 1, 0],
        6 => return None,
        _ => [0, 1, 2],
    })
}

/// The rotation of three angles. It varies smoothly with them, even through whole turns.
pub(super) fn quat_of(degrees: DVec3, order: i64) -> DQuat {
    let Some(axes) = axes_of(order) else { return DQuat::IDENTITY };
    let about = |axis: usize| {
        let half = degrees[axis] * (core::f64::consts::PI / 360.0);
        let (sine, cosine) = sin_cos_f64(half);
        let mut parts = [0.0, 0.0, 0.0, cosine];
        if let Some(part) = parts.get_mut(axis) {
            *part = sine;
        }
        DQuat::from_array(parts)
    };
    let [first, second, third] = axes.map(about);
    third * second * first
}

/// Three angles of a rotation.
pub(super) fn euler_of(rotation: DQuat, order: i64) -> DVec3 {
    let Some([i, j, k]) = axes_of(order) else { return DVec3::ZERO };
    let matrix = DMat3::from_quat(rotation);
    let at = |row: usize, column: usize| matrix.col(column)[row];
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let level = (at(i, i) * at(i, i) + at(j, i) * at(j, i)).sqrt();
    let mut angles = DVec3::ZERO;
    angles[j] = atan2_f64(-sign * at(k, i), level);
    if level > 1.0e-9 {
        angles[i] = atan2_f64(sign * at(k, j), at(k, k));
        angles[k] = atan2_f64(sign * at(j, i), at(i, i));
    } else {
        angles[i] = atan2_f64(-sign * at(j, k), at(j, j));
    }
    angles * (180.0 / core::f64::consts::PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_come_back_from_their_angles_in_every_order() {
        let given = DVec3::new(20.0, -50.0, 130.0);
        for order in 0..6 {
            let turn = quat_of(given, order);
            // Three other angles may be the same rotation.
            let again = quat_of(euler_of(turn, order), order);
            assert!(again.dot(turn).abs() > 1.0 - 1e-12, "{order}: {again} is not {turn}");
        }
        // x first, then z: the x axis is turned by z alone.
        let turned = quat_of(DVec3::new(40.0, 0.0, 90.0), XYZ) * DVec3::X;
        assert!((turned - DVec3::Y).length() < 1e-12, "{turned}");
    }
}
