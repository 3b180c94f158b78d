//! Dual quaternion skinning: vertices follow a rigid motion between those of their joints, so that a twisted limb keeps its width.
//!
//! The way of a vertex by each joint is parted into scale, rotation and translation. Rotation and translation make a unit dual quaternion;
//! the weighted sum of these, brought to length 1, is the motion of the vertex, and the weighted sum of the scales comes before it. A shear is
//! left out. This runs behind linear skinning, which it replaces by the share of each vertex, on one thread: few meshes have such a skin.
//!
//! # Source
//! Kavan et al., "Skinning with Dual Quaternions", I3D 2007.

use super::Shape;
use crate::PosedMesh;
use crate::math::{Affine3, Mat3, Quat, Vec3, normal_matrix, unit_or};

/// A motion: a scale, then a unit dual quaternion.
#[derive(Clone, Copy)]
struct Motion {
    rotation: Quat,
    /// Half the translation times the rotation.
    dual: Quat,
    scale: Vec3,
}

impl Motion {
    /// The parts of a matrix. A mirror goes into the scale along x; an axis without length takes its direction from none.
    fn of(matrix: &Affine3) -> Self {
        let Mat3 { x_axis, y_axis, z_axis } = matrix.matrix3;
        let mirror = if matrix.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
        let turn = Mat3::from_cols(
            unit_or(x_axis, Vec3::X) * mirror,
            unit_or(y_axis, Vec3::Y),
            unit_or(z_axis, Vec3::Z),
        );
        let rotation = unit(Quat::from_mat3(&turn)).unwrap_or(Quat::IDENTITY);
        let half = matrix.translation * 0.5;
        let scale = Vec3::new(x_axis.length() * mirror, y_axis.length(), z_axis.length());
        Self { rotation, dual: Quat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation, scale }
    }

    /// The matrix of the weighted sum of motions, in their order; none if they cancel.
    fn blended<'m>(motions: impl Iterator<Item = (&'m Self, f32)> + Clone) -> Option<Affine3> {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let (mut rotation, mut dual, mut scale) = (zero, zero, Vec3::ZERO);
        let first = motions.clone().next()?;
        let (main, _) = motions.clone().fold(first, |a, b| if b.1 > a.1 { b } else { a });
        for (motion, weight) in motions {
            // A quaternion and its opposite are one rotation: that counts which is nearer to the rotation of the largest weight.
            let signed = if main.rotation.dot(motion.rotation) < 0.0 { -weight } else { weight };
            rotation = rotation + motion.rotation * signed;
            dual = dual + motion.dual * signed;
            scale += motion.scale * weight;
        }
        let length = rotation.dot(rotation).sqrt();
        let turn = unit(rotation)?;
        let moved = dual * (2.0 / length) * turn.conjugate();
        Some(Affine3 {
            matrix3: Mat3::from_quat(turn) * Mat3::from_diagonal(scale),
            translation: Vec3::new(moved.x, moved.y, moved.z),
        })
    }
}

/// A quaternion of length 1; none of one that has no length.
fn unit(quaternion: Quat) -> Option<Quat> {
    let square = quaternion.dot(quaternion);
    let is_sound = square > 1.0e-20 && square < f32::INFINITY;
    is_sound.then(|| quaternion * (1.0 / square.sqrt()))
}

/// Brings vertices of a dual quaternion skin to their places, by their shares, in a mesh that was skinned linearly.
pub(super) fn settle(shape: &Shape, posed: &mut PosedMesh) {
    let Some(dual) = shape.mesh.dual.as_deref() else { return };
    let way = |(joint, way): &(crate::JointIndex, Affine3)| {
        Motion::of(&(shape.matrices.position[joint.index()] * *way))
    };
    let motions: Vec<Motion> = dual.ways.iter().map(way).collect();
    for (vertex, &share) in dual.shares.iter().enumerate() {
        if share <= 0.0 {
            continue;
        }
        let influences = shape.mesh.influences_of(vertex);
        let pulls = influences.map(|place| {
            (&motions[dual.way_of[place] as usize], shape.mesh.influences[place].bias())
        });
        let Some(matrix) = Motion::blended(pulls) else { continue };
        let [mut position, mut normal, mut tangent] = dual.vertices[vertex];
        if let Some(morph) = &shape.morph {
            let offsets = morph.offsets_of(vertex);
            position += offsets[0];
            normal += offsets[1];
            tangent += offsets[2];
        }
        let linear = 1.0 - share;
        let mix = |streams: &mut [Vec<f32>; 3], own: Vec3, fallback: Option<Vec3>| {
            let [x, y, z] = streams.each_ref().map(|axis| axis.get(vertex).copied());
            let (Some(x), Some(y), Some(z)) = (x, y, z) else { return };
            let mixed = Vec3::new(x, y, z) * linear + own * share;
            let mixed = fallback.map_or(mixed, |fallback| unit_or(mixed, fallback));
            for (axis, number) in streams.iter_mut().zip(mixed.to_array()) {
                axis[vertex] = number;
            }
        };
        mix(&mut posed.position, matrix.transform_point3(position), None);
        let normal = unit_or(normal_matrix(matrix.matrix3) * normal, Vec3::Y);
        mix(&mut posed.normal, normal, Some(Vec3::Y));
        let tangent = unit_or(matrix.matrix3 * tangent, Vec3::X);
        mix(&mut posed.tangent, tangent, Some(Vec3::X));
    }
}
