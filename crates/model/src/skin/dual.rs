//! Dual-quaternion skinning: vertices follow a rigid motion interpolated between their joints, so
//! that a twisted limb keeps its width.
//!
//! The transform of a vertex by each joint is decomposed into scale, rotation and translation.
//! Rotation and translation form a unit dual quaternion; the normalized weighted sum of these moves
//! the vertex, after the weighted sum of the scales. Shear is ignored. This runs after linear
//! skinning and replaces its result by the weight of each vertex, on one thread, because few meshes
//! have such a skin.
//!
//! # Source
//! Kavan et al., "Skinning with Dual Quaternions", I3D 2007.

use super::matrices::SkinMatrices;
use super::morph::Morph;
use crate::math::{Affine3, Mat3, Quat, Vec3, normal_matrix, unit_or};
use crate::{JointIndex, Mesh, PosedMesh};

/// A motion: a scale, then a unit dual quaternion.
#[derive(Clone, Copy)]
struct Motion {
    rotation: Quat,
    /// Half the translation times the rotation.
    dual: Quat,
    scale: Vec3,
}

impl Motion {
    /// Decomposes a matrix. Mirroring becomes part of the scale along x; the direction of an axis
    /// of length 0 is undefined.
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

    /// The matrix of the weighted sum of motions, in order. None if they cancel out.
    fn blended<'m>(motions: impl Iterator<Item = (&'m Self, f32)> + Clone) -> Option<Affine3> {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let (mut rotation, mut dual, mut scale) = (zero, zero, Vec3::ZERO);
        let first = motions.clone().next()?;
        let (main, _) = motions.clone().fold(first, |a, b| if b.1 > a.1 { b } else { a });
        for (motion, weight) in motions {
            // A quaternion and its opposite are the same rotation: the one nearer to the rotation
            // of the largest weight is used.
            let signed = if main.rotation.dot(motion.rotation) < 0.0 { -weight } else { weight };
            rotation += motion.rotation * signed;
            dual += motion.dual * signed;
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

/// Normalizes a quaternion. None for length 0.
fn unit(quaternion: Quat) -> Option<Quat> {
    let square = quaternion.dot(quaternion);
    let is_sound = square > 1.0e-20 && square < f32::INFINITY;
    is_sound.then(|| quaternion * (1.0 / square.sqrt()))
}

/// Moves vertices of a dual quaternion skin to their positions, by their fractions, in a linearly
/// skinned mesh.
pub(super) fn settle(
    mesh: &Mesh,
    matrices: &SkinMatrices,
    morph: Option<&Morph>,
    posed: &mut PosedMesh,
) {
    let Some(dual) = mesh.dual.as_deref() else { return };
    let way = |(joint, way): &(JointIndex, Affine3)| {
        Motion::of(&(matrices.position[joint.index()] * *way))
    };
    let motions: Vec<Motion> = dual.ways.iter().map(way).collect();
    for (vertex, &share) in dual.shares.iter().enumerate() {
        if share <= 0.0 {
            continue;
        }
        let pulls = mesh
            .influences_of(vertex)
            .map(|place| (&motions[dual.way_of[place] as usize], mesh.influences[place].weight()));
        let Some(matrix) = Motion::blended(pulls) else { continue };
        let [mut position, mut normal, mut tangent] = dual.vertices[vertex];
        if let Some(morph) = morph {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Aabb, Vec2, func};
    use crate::skin::{Extent, SkinMatrices, skin_mesh};
    use crate::{BindInfluence, BindSpaceMesh, Joint, Pose, Skeleton};
    use tintype_base::deadline::Deadline;

    /// A ring of triangles about the x axis; each vertex is bound half to each of two joints with
    /// mirroring transforms.
    fn ring(share: f32) -> (Mesh, usize) {
        let count = 24_u16;
        let joint = |name: &str, parent| Joint {
            name: name.into(),
            parent,
            model_from_joint: Affine3::IDENTITY,
        };
        let joints = vec![joint("a", None), joint("b", Some(JointIndex(0)))];
        let skeleton = Skeleton::try_new(joints).unwrap();
        let place = |index: u16| {
            let angle = func::radians(360.0 * f32::from(index) / f32::from(count));
            Vec3::new(0.0, func::cos(angle), func::sin(angle))
        };
        let influences = (0..count).flat_map(|_| {
            [0, 1].map(|joint| BindInfluence { joint: JointIndex(joint), weight: 0.5, offset: 0 })
        });
        let bind = BindSpaceMesh {
            positions: (0..count).map(place).collect(),
            normals: (0..count).map(place).collect(),
            texcoords: vec![Vec2::ZERO; usize::from(count)],
            influence_start: (0..=u32::from(count)).map(|vertex| vertex * 2).collect(),
            influences: influences.collect(),
            offsets: vec![Affine3::from_scale(Vec3::new(1.0, 1.0, -1.0))],
            triangles: (0..u32::from(count) - 2)
                .map(|first| [first, first + 1, first + 2])
                .collect(),
            dual_shares: vec![share; usize::from(count)],
            ..BindSpaceMesh::default()
        };
        let mesh = Mesh::from_bind_space(bind, &skeleton, &Deadline::NEVER).expect("no deadline");
        (mesh, usize::from(count))
    }

    fn twisted(degrees: f32) -> Pose {
        let turn = Affine3::from_rotation_x(func::radians(degrees));
        Pose::new(vec![Affine3::IDENTITY, turn])
    }

    #[test]
    fn twist_keeps_the_width_of_a_limb_and_turns_it_half_way() {
        let (mesh, count) = ring(1.0);
        for degrees in [0.0, 90.0, -120.0, 170.0] {
            let pose = twisted(degrees);
            let posed = skin_mesh(&mesh, &SkinMatrices::new(&pose));
            let half = Affine3::from_rotation_x(func::radians(degrees * 0.5));
            for vertex in 0..count {
                let [y, z] =
                    [1, 2].map(|axis| mesh.dual.as_ref().unwrap().vertices[vertex][0][axis]);
                let expected = half.transform_point3(Vec3::new(0.0, y, -z));
                assert!((posed.position_at(vertex) - expected).length() < 1e-5, "{degrees}");
                assert!((posed.normal_at(vertex) - expected).length() < 1e-5, "{degrees}");
            }
            // The bounding box of a pose, and of a part of the mesh, is that of its vertices.
            let mut bounds = Aabb::EMPTY;
            Extent::new(&mesh).grow(&pose, &mut bounds);
            assert_eq!(bounds, posed.bounds());
            let part = mesh.part("other", &|triangle| triangle >= 6);
            let of_part = skin_mesh(&part, &SkinMatrices::new(&pose));
            let first = mesh.triangles[6][0] as usize;
            assert_eq!(of_part.position_at(0), posed.position_at(first), "{degrees}");
        }
    }

    #[test]
    fn share_is_the_way_from_the_linear_place() {
        let pose = SkinMatrices::new(&twisted(120.0));
        let [linear, half, dual] = [0.0, 0.5, 1.0].map(|share| skin_mesh(&ring(share).0, &pose));
        assert!(ring(0.0).0.dual.is_none());
        for vertex in 0..24 {
            let middle = (linear.position_at(vertex) + dual.position_at(vertex)) * 0.5;
            assert!((half.position_at(vertex) - middle).length() < 1e-6);
            assert!((linear.position_at(vertex).length() - 0.5).abs() < 1e-5);
        }
    }

    #[test]
    fn motions_that_cancel_or_are_flat_leave_the_linear_place() {
        let (mesh, count) = ring(1.0);
        let flat = Pose::new(vec![Affine3::from_scale(Vec3::ZERO); 2]);
        let posed = skin_mesh(&mesh, &SkinMatrices::new(&flat));
        assert!((0..count).all(|vertex| posed.position_at(vertex) == Vec3::ZERO));
    }
}
