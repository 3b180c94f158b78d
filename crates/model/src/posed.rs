//! Results of the pose and skin stages: joint matrices, and vertices at one time.

use crate::math::lanes::Vec3s;
use crate::math::{Aabb, Affine3, Vec3};
use crate::simd::Simd;
use crate::simd::prelude::*;

/// The joints and the morph weights of one instance at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// For each joint of the skeleton, joint space to the target space, which is model space, or
    /// world space after [`Pose::placed`].
    pub matrices: Vec<Affine3>,
    /// Weights of the morph targets of the skeleton, in its order; targets without one have weight
    /// 0.
    pub morphs: Vec<f32>,
    /// Requested weights of the skeleton's expressions, in order; empty if none is used. They are
    /// included in `morphs` already; [`crate::pose::shown_expressions`] returns the weights for
    /// colours of materials.
    pub expressions: Vec<f32>,
}

impl Pose {
    /// A pose without morph targets and expressions.
    #[must_use]
    pub fn new(matrices: Vec<Affine3>) -> Self {
        Self { matrices, ..Self::default() }
    }

    /// The same pose with an outer transform applied: model space to world space for an instance.
    #[must_use]
    pub fn placed(&self, world_from_model: &Affine3) -> Self {
        let matrices = self.matrices.iter().map(|joint| *world_from_model * *joint).collect();
        Self { matrices, morphs: self.morphs.clone(), expressions: self.expressions.clone() }
    }
}

/// The vertices of one mesh of one instance at one time, in the space of its [`Pose`].
///
/// # Layout
/// Structure of arrays, one entry per vertex of the [`super::Mesh`]. Normals and tangents have
/// length 1; they may not be perpendicular.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PosedMesh {
    /// Positions.
    pub position: [Vec<f32>; 3],
    /// Unit normals.
    pub normal: [Vec<f32>; 3],
    /// Unit tangents; empty unless requested.
    pub tangent: [Vec<f32>; 3],
}

impl PosedMesh {
    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position[0].len()
    }

    /// True if there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position[0].is_empty()
    }

    /// Removes all vertices and keeps the memory.
    pub fn clear(&mut self) {
        let streams = [&mut self.position, &mut self.normal, &mut self.tangent];
        streams.into_iter().flatten().for_each(Vec::clear);
    }

    /// Position of a vertex.
    #[inline]
    #[must_use]
    pub fn position_at(&self, vertex: usize) -> Vec3 {
        Vec3::new(self.position[0][vertex], self.position[1][vertex], self.position[2][vertex])
    }

    /// Positions of consecutive vertices, one per lane.
    #[inline(always)]
    pub fn positions_from<S: Simd>(&self, simd: S, first: usize) -> Vec3s<S> {
        let [x, y, z] = &self.position;
        let range = first..first + S::f32s::LEN;
        Vec3s::new(
            S::f32s::from_slice(simd, &x[range.clone()]),
            S::f32s::from_slice(simd, &y[range.clone()]),
            S::f32s::from_slice(simd, &z[range]),
        )
    }

    /// Normal of a vertex.
    #[inline]
    #[must_use]
    pub fn normal_at(&self, vertex: usize) -> Vec3 {
        Vec3::new(self.normal[0][vertex], self.normal[1][vertex], self.normal[2][vertex])
    }

    /// Tangent of a vertex.
    #[inline]
    #[must_use]
    pub fn tangent_at(&self, vertex: usize) -> Vec3 {
        Vec3::new(self.tangent[0][vertex], self.tangent[1][vertex], self.tangent[2][vertex])
    }

    /// The box around all vertices.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb::of_streams(&self.position)
    }

    /// The bytes that the vertices take.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        (self.len() * 6 + self.tangent[0].len() * 3) * size_of::<f32>()
    }
}
