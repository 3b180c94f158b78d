//! Vectors, 3x4 matrices, quaternions, boxes, and the only functions that may compute a
//! transcendental value.
//!
//! The vector types come from `glam`, built with its scalar backend and `libm`, which have the same
//! bits on every CPU. Nothing here knows models, scenes or pictures.

pub mod area;
pub mod bayer;
pub mod bounds;
pub mod func;
pub mod lanes;
mod magma;
pub mod number;
pub mod slerp;
pub mod srgb;

pub use bounds::Aabb;
pub use glam::{Affine3, DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec2, Vec3, Vec4};
pub use magma::MAGMA;

/// The smaller of two numbers, `b` if they are equal or either is NaN: the same bits on every CPU.
#[inline(always)]
#[must_use]
pub fn min(a: f32, b: f32) -> f32 {
    // On AArch64 a comparison with a constant 0 would become FMINNM, which returns -0 for -0 and 0,
    // and FMAXNM below, which returns 0.
    #[cfg(target_arch = "aarch64")]
    let b = core::hint::black_box(b);
    if a < b { a } else { b }
}

/// The larger of two numbers, `b` if they are equal or either is NaN: the same bits on every CPU.
#[inline(always)]
#[must_use]
pub fn max(a: f32, b: f32) -> f32 {
    #[cfg(target_arch = "aarch64")]
    let b = core::hint::black_box(b);
    if a > b { a } else { b }
}

/// `value` clamped to `low..=high`; a NaN becomes `low`.
#[inline(always)]
#[must_use]
pub fn clamp(value: f32, low: f32, high: f32) -> f32 {
    min(max(value, low), high)
}

/// The smaller of two numbers of double precision; `b` if either is NaN.
#[inline(always)]
#[must_use]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two numbers of double precision; `b` if either is NaN.
#[inline(always)]
#[must_use]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The matrix that transforms normals where `linear` transforms positions: its inverse transpose,
/// up to a positive factor.
///
/// A normal is perpendicular to its surface, so stretching a surface tilts it the other way. The
/// cofactors are used instead of the inverse, which keeps a flattened joint (determinant 0) finite;
/// under mirroring the sign is flipped so that an outward normal stays outward.
#[must_use]
pub fn normal_matrix(linear: Mat3) -> Mat3 {
    let cofactors = Mat3::from_cols(
        linear.y_axis.cross(linear.z_axis),
        linear.z_axis.cross(linear.x_axis),
        linear.x_axis.cross(linear.y_axis),
    );
    let determinant = linear.x_axis.dot(cofactors.x_axis);
    if determinant < 0.0 { cofactors * -1.0 } else { cofactors }
}

/// `vector` at length 1, or `fallback` if it is too short to have a direction.
#[inline]
#[must_use]
pub fn unit_or(vector: Vec3, fallback: Vec3) -> Vec3 {
    let length_squared = vector.dot(vector);
    if length_squared > 1e-30 && length_squared < f32::INFINITY {
        vector * (1.0 / length_squared.sqrt())
    } else {
        fallback
    }
}

/// A unit vector perpendicular to the unit vector `normal`.
///
/// Source: Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017.
#[must_use]
pub fn any_perpendicular(normal: Vec3) -> Vec3 {
    let sign = if normal.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + normal.z);
    let b = normal.x * normal.y * a;
    Vec3::new(1.0 + sign * normal.x * normal.x * a, sign * b, -sign * normal.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_matrix_keeps_normals_square_to_a_stretched_surface() {
        let linear = Mat3::from_diagonal(Vec3::new(3.0, 0.5, -2.0)) * Mat3::from_rotation_y(0.7);
        let (along_a, along_b) = (Vec3::new(1.0, 2.0, -0.5), Vec3::new(0.3, -1.0, 2.0));
        let normal = along_a.cross(along_b);
        let carried = normal_matrix(linear) * normal;
        for along in [along_a, along_b] {
            let cosine = carried.normalize().dot((linear * along).normalize());
            assert!(cosine.abs() < 1e-5, "{cosine}");
        }
        // Outward stays outward under mirroring: a point ahead of the plane is still ahead of it.
        assert!(carried.dot(linear * normal) > 0.0);
    }

    #[test]
    fn any_perpendicular_is_square_and_unit() {
        for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::new(0.6, -0.48, 0.64)] {
            let side = any_perpendicular(normal);
            assert!(side.dot(normal).abs() < 1e-6 && (side.length() - 1.0).abs() < 1e-6);
        }
    }
}
