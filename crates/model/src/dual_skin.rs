//! Dual quaternion skins: the part of a mesh that keeps its volume where its joints twist.
//!
//! A vertex of such a skin does not follow the weighted sum of its joints' matrices, but a rigid
//! motion interpolated between them. This requires the vertex in bind space and the transforms into
//! the joints, which a mesh in weight space does not have.

use super::skeleton::JointIndex;
use crate::math::{Affine3, Vec3};

/// Data of a mesh in addition to its influences, if its skin or a part of it uses dual quaternions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DualSkin {
    /// For each vertex, its dual-quaternion weight, 0 to 1; the rest is linear.
    pub shares: Vec<f32>,
    /// Per vertex: position, unit normal and unit tangent in bind space.
    pub vertices: Vec<[Vec3; 3]>,
    /// Joint space from bind space, for each pair of a joint and an offset.
    pub ways: Vec<(JointIndex, Affine3)>,
    /// For each influence of the mesh, the index of its transform.
    pub way_of: Vec<u32>,
}

impl DualSkin {
    /// The skin of some vertices, in that order, with their transforms.
    pub(crate) fn part(&self, used: &[usize], way_of: Vec<u32>) -> Self {
        Self {
            shares: used.iter().map(|&vertex| self.shares[vertex]).collect(),
            vertices: used.iter().map(|&vertex| self.vertices[vertex]).collect(),
            ways: self.ways.clone(),
            way_of,
        }
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.shares.len() * size_of::<f32>()
            + self.vertices.len() * size_of::<[Vec3; 3]>()
            + self.ways.len() * size_of::<(JointIndex, Affine3)>()
            + self.way_of.len() * size_of::<u32>()
    }
}
