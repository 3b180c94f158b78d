//! The bounding box of a mesh over many poses, without posing every vertex every time.
//!
//! A vertex lies between its positions by its joints. If all of these are already in the box, the
//! vertex cannot enlarge it. The positions for each joint are therefore stored as a box in joint
//! space, for all vertices and for each group of vertices with the same joints: after a few poses
//! most groups are skipped.

use super::{posed_bounds, skin_position};
use crate::math::{Aabb, Affine3, Vec3, max};
use crate::{Influence, JointIndex, Mesh, MorphTargets, Pose};
use std::sync::Arc;

/// Tolerance of the sum of weights within which a vertex counts as lying between the positions of
/// its joints.
const EVEN: f32 = 1.0e-5;
/// Error of a coordinate from rounding, and from weights within [`EVEN`], as a fraction of the
/// largest coordinate.
const SLACK: f32 = 4.0e-5;

/// A mesh prepared for measuring its box in many poses.
pub struct Extent<'m> {
    mesh: &'m Mesh,
    /// Per joint: the box of all its positions, in joint space.
    pulled: Vec<Aabb>,
    /// Vertices by group, without copies, as they lie at the positions of their originals.
    vertices: Vec<u32>,
    groups: Vec<Group>,
    /// First index of vertices that do not lie between the positions of their joints.
    odd: usize,
}

/// Vertices with the same joints in the same order.
struct Group {
    /// End of the group among the vertices.
    end: usize,
    /// Each joint, and the box of its positions in the group.
    pulled: Vec<(JointIndex, Aabb)>,
}

impl<'m> Extent<'m> {
    /// Sorts the vertices of a mesh into groups.
    #[must_use]
    pub fn new(mesh: &'m Mesh) -> Self {
        let joints = |vertex: u32| {
            mesh.influences[mesh.influences_of(vertex as usize)].iter().map(Influence::joint)
        };
        let is_between = |vertex: &u32| {
            let influences = &mesh.influences[mesh.influences_of(*vertex as usize)];
            let sum: f32 = influences.iter().map(Influence::weight).sum();
            influences.iter().all(|influence| influence.weight() >= 0.0)
                && (sum - 1.0).abs() <= EVEN
        };
        let mut pulled: Vec<Aabb> = Vec::new();
        for influence in &mesh.influences {
            let joint = influence.joint();
            if pulled.len() <= joint.index() {
                pulled.resize(joint.index() + 1, Aabb::EMPTY);
            }
            pulled[joint.index()].add(influence.position());
        }
        let count = u32::try_from(mesh.file_vertex_count()).expect("indices fit");
        let (mut vertices, odd): (Vec<u32>, Vec<u32>) = (0..count).partition(is_between);
        vertices.sort_by(|&a, &b| joints(a).cmp(joints(b))); // stable: file order within a group
        let mut groups = Vec::new();
        let mut end = 0;
        for group in vertices.chunk_by(|&a, &b| joints(a).eq(joints(b))) {
            end += group.len();
            let mut pulled: Vec<_> = joints(group[0]).map(|joint| (joint, Aabb::EMPTY)).collect();
            for &vertex in group {
                let own = &mesh.influences[mesh.influences_of(vertex as usize)];
                pulled
                    .iter_mut()
                    .zip(own)
                    .for_each(|(one, influence)| one.1.add(influence.position()));
            }
            groups.push(Group { end, pulled });
        }
        vertices.extend(odd);
        Self { mesh, pulled, vertices, groups, odd: end }
    }

    /// Grows `bounds` to include the skinned positions of a pose.
    pub fn grow(&self, pose: &Pose, bounds: &mut Aabb) {
        // Morph targets and dual quaternions move vertices out of the stored boxes.
        let is_morphed = |morph: &Arc<MorphTargets>| morph.is_active(&pose.morphs);
        if self.mesh.dual.is_some() || self.mesh.morph.as_ref().is_some_and(is_morphed) {
            let copies = posed_bounds(self.mesh, pose);
            bounds.merge(&copies);
            return;
        }
        let all_inside: Vec<bool> = (self.pulled.iter().zip(&pose.matrices))
            .map(|(pulled, matrix)| !pulled.is_empty() && is_inside(matrix, pulled, bounds))
            .collect();
        let mut start = 0;
        for Group { end, pulled } in &self.groups {
            let is_passed_over = pulled.iter().all(|(joint, own)| {
                let joint = joint.index();
                all_inside[joint] || is_inside(&pose.matrices[joint], own, bounds)
            });
            if !is_passed_over {
                self.add(start..*end, pose, bounds);
            }
            start = *end;
        }
        self.add(self.odd..self.vertices.len(), pose, bounds);
    }

    fn add(&self, vertices: core::ops::Range<usize>, pose: &Pose, bounds: &mut Aabb) {
        for &vertex in &self.vertices[vertices] {
            bounds.add(skin_position(self.mesh, &pose.matrices, vertex as usize));
        }
    }
}

/// True if `pulled`, in joint space, is inside `bounds`, in the space of the pose, with a margin.
fn is_inside(matrix: &Affine3, pulled: &Aabb, bounds: &Aabb) -> bool {
    let half = (pulled.max - pulled.min) * 0.5;
    let middle = matrix.transform_point3(pulled.center());
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let reach = x.abs() * half.x + y.abs() * half.y + z.abs() * half.z;
    let far = middle.abs() + reach;
    let reach = reach + Vec3::splat(max(max(far.x, far.y), far.z) * SLACK);
    (middle - reach).cmpge(bounds.min).all() && (middle + reach).cmple(bounds.max).all()
}
