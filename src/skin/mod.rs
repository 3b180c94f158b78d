//! Weight-space mesh + joint matrices -> posed mesh.
//!
//! Input: a [`Mesh`] shared by all instances and the [`Pose`] of one. Output: its vertices in the space of that pose. The work
//! is split over threads by ranges of vertices; each vertex is computed alone, its influences summed in file order, so that
//! neither the split nor the number of threads can change a bit. This module samples no clip and knows no camera.

mod extent;

pub use extent::Extent;

use crate::math::{Affine3, Mat3, Vec3, normal_matrix, unit_or};
use crate::model::{Mesh, Pose, PosedMesh};

/// Ranges of at most this many vertices are skinned by one thread.
const VERTICES_PER_JOB: usize = 2048;

/// The matrices of one pose as skinning needs them.
#[derive(Clone, Debug)]
pub struct SkinMatrices {
    position: Vec<Affine3>,
    normal: Vec<Mat3>,
}

impl SkinMatrices {
    /// Adds the normal matrices; see [`normal_matrix`].
    #[must_use]
    pub fn new(pose: &Pose) -> Self {
        let normal = pose.matrices.iter().map(|joint| normal_matrix(joint.matrix3)).collect();
        Self { position: pose.matrices.clone(), normal }
    }
}

/// Computes every vertex of `mesh`, copies included.
///
/// Positions are `Σ bias · (matrix · position_in_joint)`. Normals and tangents are summed alike and brought to length 1; a
/// vertex whose influences cancel, or that has none, gets +Y and +X.
#[must_use]
pub fn skin_mesh(mesh: &Mesh, matrices: &SkinMatrices) -> PosedMesh {
    let count = mesh.vertex_count();
    let zeroed = || [vec![0.0; count], vec![0.0; count], vec![0.0; count]];
    let mut posed = PosedMesh { position: zeroed(), normal: zeroed(), tangent: zeroed() };
    let out = Range {
        position: posed.position.each_mut().map(Vec::as_mut_slice),
        normal: posed.normal.each_mut().map(Vec::as_mut_slice),
        tangent: posed.tangent.each_mut().map(Vec::as_mut_slice),
    };
    skin_range(mesh, matrices, 0, out);
    posed
}

/// The part of a posed mesh that one job writes.
struct Range<'a> {
    position: [&'a mut [f32]; 3],
    normal: [&'a mut [f32]; 3],
    tangent: [&'a mut [f32]; 3],
}

impl Range<'_> {
    fn len(&self) -> usize {
        self.position[0].len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let [p, n, t] = [self.position, self.normal, self.tangent].map(|axes| {
            let [x, y, z] = axes.map(|axis| axis.split_at_mut(middle));
            ([x.0, y.0, z.0], [x.1, y.1, z.1])
        });
        (
            Self { position: p.0, normal: n.0, tangent: t.0 },
            Self { position: p.1, normal: n.1, tangent: t.1 },
        )
    }
}

fn skin_range(mesh: &Mesh, matrices: &SkinMatrices, first: usize, out: Range) {
    if out.len() > VERTICES_PER_JOB {
        let middle = out.len() / 2;
        let (left, right) = out.split_at(middle);
        rayon::join(
            || skin_range(mesh, matrices, first, left),
            || skin_range(mesh, matrices, first + middle, right),
        );
        return;
    }
    let Range { position, normal, tangent } = out;
    for index in 0..position[0].len() {
        let (p, n, t) = skin_vertex(mesh, matrices, first + index);
        for axis in 0..3 {
            position[axis][index] = p[axis];
            normal[axis][index] = n[axis];
            tangent[axis][index] = t[axis];
        }
    }
}

/// The kernel: one vertex, its influences in file order.
#[inline]
fn skin_vertex(mesh: &Mesh, matrices: &SkinMatrices, vertex: usize) -> (Vec3, Vec3, Vec3) {
    let (mut position, mut normal, mut tangent) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    for influence in mesh.influences(vertex) {
        let joint = mesh.joint[influence].index();
        let bias = mesh.bias[influence];
        let place = &matrices.position[joint];
        position += place.transform_point3(mesh.position[influence]) * bias;
        normal += (matrices.normal[joint] * mesh.normal[influence]) * bias;
        tangent += (place.matrix3 * mesh.tangent[influence]) * bias;
    }
    (position, unit_or(normal, Vec3::Y), unit_or(tangent, Vec3::X))
}

/// The position alone, with the bits of [`skin_vertex`].
#[inline]
fn skin_position(mesh: &Mesh, matrices: &[Affine3], vertex: usize) -> Vec3 {
    let mut position = Vec3::ZERO;
    for influence in mesh.influences(vertex) {
        let place = &matrices[mesh.joint[influence].index()];
        position += place.transform_point3(mesh.position[influence]) * mesh.bias[influence];
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Aabb, Quat, Vec2};
    use crate::model::{Joint, JointIndex, Skeleton, VertexInfluence, WeightedMesh};

    fn two_joints() -> Skeleton {
        let joint = |name: &str, parent, model_from_joint| Joint {
            name: String::from(name),
            parent,
            model_from_joint,
        };
        let lower = Affine3::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::X);
        let upper =
            lower * Affine3::from_rotation_translation(Quat::from_rotation_y(-1.1), Vec3::Y * 2.0);
        Skeleton::try_new(vec![
            joint("lower", None, lower),
            joint("upper", Some(JointIndex(0)), upper),
        ])
        .unwrap()
    }

    /// A strip of `count` triangles held by both joints with changing shares.
    fn strip(skeleton: &Skeleton, count: u32) -> (Mesh, Vec<Vec3>) {
        let bind = crate::model::Pose {
            matrices: skeleton.joints().iter().map(|joint| joint.model_from_joint).collect(),
        };
        let places: Vec<Vec3> = (0..count + 2)
            .map(|v| Vec3::new(v as f32 * 0.25, (v % 2) as f32, (v % 5) as f32 * 0.1))
            .collect();
        let mut weighted = WeightedMesh { influence_start: vec![0], ..WeightedMesh::default() };
        for (v, &place) in places.iter().enumerate() {
            let share = (v % 7) as f32 / 7.0;
            for (joint, bias) in [(0_u16, share), (1, 1.0 - share)] {
                let position = bind.matrices[usize::from(joint)].inverse().transform_point3(place);
                weighted.influences.push(VertexInfluence {
                    joint: JointIndex(joint),
                    bias,
                    position,
                });
            }
            weighted.influence_start.push(weighted.influences.len() as u32);
            weighted.texcoords.push(Vec2::new(place.x, -place.y));
        }
        weighted.triangles = (0..count)
            .map(|v| if v % 2 == 0 { [v, v + 2, v + 1] } else { [v, v + 1, v + 2] })
            .collect();
        (Mesh::new(weighted, skeleton), places)
    }

    #[test]
    fn skin_in_the_bind_pose_gives_the_bind_positions() {
        let skeleton = two_joints();
        let (mesh, places) = strip(&skeleton, 40);
        let bind = Pose {
            matrices: skeleton.joints().iter().map(|joint| joint.model_from_joint).collect(),
        };
        let posed = skin_mesh(&mesh, &SkinMatrices::new(&bind));
        for (vertex, place) in places.iter().enumerate() {
            assert!((posed.position_at(vertex) - *place).length() < 1e-5);
            assert!((posed.normal_at(vertex).length() - 1.0).abs() < 1e-6);
            assert!(posed.normal_at(vertex).dot(posed.tangent_at(vertex)).abs() < 1e-5);
        }
    }

    #[test]
    fn skin_turns_normals_with_a_rigid_pose() {
        let skeleton = two_joints();
        let (mesh, _) = strip(&skeleton, 40);
        let turn = Affine3::from_rotation_translation(
            Quat::from_rotation_x(0.7) * Quat::from_rotation_y(2.0),
            Vec3::new(3.0, -1.0, 0.5),
        );
        let bind = Pose {
            matrices: skeleton.joints().iter().map(|joint| joint.model_from_joint).collect(),
        };
        let still = skin_mesh(&mesh, &SkinMatrices::new(&bind));
        let moved = skin_mesh(&mesh, &SkinMatrices::new(&bind.placed(&turn)));
        for vertex in 0..still.len() {
            let normal = turn.transform_vector3(still.normal_at(vertex));
            assert!((moved.normal_at(vertex) - normal).length() < 1e-5);
            let place = turn.transform_point3(still.position_at(vertex));
            assert!((moved.position_at(vertex) - place).length() < 1e-4);
        }
    }

    #[test]
    fn skin_gives_the_same_bits_on_any_number_of_threads() {
        let skeleton = two_joints();
        let (mesh, _) = strip(&skeleton, 3 * VERTICES_PER_JOB as u32 + 17);
        let pose =
            Pose { matrices: vec![Affine3::from_rotation_x(0.3), Affine3::from_rotation_y(1.7)] };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| skin_mesh(&mesh, &SkinMatrices::new(&pose)))
        };
        let alone = run(1);
        for threads in [2, 3, 8] {
            assert_eq!(run(threads), alone, "{threads}");
        }
    }

    #[test]
    fn extent_is_the_box_around_all_vertices_of_all_poses() {
        let skeleton = two_joints();
        for is_odd in [false, true] {
            let (mut mesh, _) = strip(&skeleton, 200);
            if is_odd {
                // One vertex is thrown far out by its weights, another pulled in.
                let (far, near) = (mesh.influences(77), mesh.influences(140));
                mesh.bias[far.start] = 2.5;
                mesh.bias[near.start] = -1.5;
            }
            let extent = Extent::new(&mesh);
            let (mut found, mut expected) = (Aabb::EMPTY, Aabb::EMPTY);
            for step in 0..60 {
                let angle = (step * step % 37) as f32 * 0.17;
                let swing = Affine3::from_rotation_translation(
                    Quat::from_rotation_x(angle) * Quat::from_rotation_z(angle * 0.7),
                    Vec3::new(0.0, angle * 0.1, -0.2),
                );
                let pose = Pose { matrices: vec![swing, swing * Affine3::from_rotation_y(angle)] };
                extent.grow(&pose, &mut found);
                expected.merge(&skin_mesh(&mesh, &SkinMatrices::new(&pose)).bounds());
                assert_eq!(found, expected, "step {step}");
            }
        }
    }

    #[test]
    fn skin_of_a_vertex_without_influence_sits_at_the_origin() {
        let weighted = WeightedMesh {
            texcoords: vec![Vec2::ZERO],
            influence_start: vec![0, 0],
            ..WeightedMesh::default()
        };
        let mesh = Mesh::new(weighted, &Skeleton::default());
        let posed = skin_mesh(&mesh, &SkinMatrices::new(&Pose::default()));
        assert_eq!(posed.position_at(0), Vec3::ZERO);
        assert_eq!(posed.normal_at(0), Vec3::Y);
    }
}
