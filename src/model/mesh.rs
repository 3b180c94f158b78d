//! The weight-space mesh: the one form in which every format's geometry reaches the skinning stage.
//!
//! For each influence of each vertex it keeps the position, the normal and the tangent **in the space of the joint**. A posed
//! vertex is then the plain sum `Σ bias · (model_from_joint · position_in_joint)`, for any number of influences, and the
//! normals need no recomputation per frame. MD5 files store positions like this; bind-space formats are converted into it.

use super::skeleton::{JointIndex, Skeleton};
use super::surface;
use crate::math::{Vec2, Vec3};

/// One influence of one vertex as a format gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexInfluence {
    /// The joint that pulls.
    pub joint: JointIndex,
    /// How much it pulls; kept as written, also where the biases of a vertex do not sum to 1.
    pub bias: f32,
    /// The vertex in the space of that joint.
    pub position: Vec3,
}

/// A mesh as a format gives it, before normals and tangents.
#[derive(Clone, Debug, Default)]
pub struct WeightedMesh {
    /// The name of the mesh, empty if the file gives none.
    pub name: String,
    /// The material's name as the file writes it.
    pub shader: String,
    /// One texture coordinate a vertex.
    pub texcoords: Vec<Vec2>,
    /// Influences of vertex `v` are `influences[influence_start[v]..influence_start[v + 1]]`; one entry more than vertices.
    pub influence_start: Vec<u32>,
    /// The influences of all vertices, in file order within a vertex.
    pub influences: Vec<VertexInfluence>,
    /// Front faces counter-clockwise; each index below the number of vertices.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh in weight space with normals and tangents: read-only input of the skinning stage, shared by all instances.
///
/// # Layout
/// Structure of arrays. The influences of vertex `v` are the range [`Mesh::influences`] of the per-influence arrays. The first
/// [`Mesh::file_vertex_count`] vertices are the file's, in file order; behind them stand copies that were made where one
/// vertex belongs to faces with mirrored and unmirrored texture coordinates.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The name of the mesh, empty if the file gives none.
    pub name: String,
    /// The material's name as the file writes it.
    pub shader: String,
    /// One texture coordinate a vertex.
    pub texcoords: Vec<Vec2>,
    /// +1 or -1 a vertex: bitangent = sign · (normal × tangent).
    pub bitangent_sign: Vec<f32>,
    /// Where the influences of each vertex start; one entry more than vertices.
    pub influence_start: Vec<u32>,
    /// Per influence: the joint.
    pub joint: Vec<JointIndex>,
    /// Per influence: the weight.
    pub bias: Vec<f32>,
    /// Per influence: the vertex in joint space.
    pub position: Vec<Vec3>,
    /// Per influence: the unit bind normal carried into joint space.
    pub normal: Vec<Vec3>,
    /// Per influence: the unit bind tangent carried into joint space.
    pub tangent: Vec<Vec3>,
    /// Front faces counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex from `file_vertex_count` on: the file's vertex that it copies.
    pub copied_from: Vec<u32>,
    /// Whether the welded surface is closed and encloses a positive volume, so that its back faces can never be seen.
    pub closed_outward: bool,
}

impl Mesh {
    /// Adds normals and tangents, computed in the bind pose of `skeleton`, to a mesh whose indices are in range.
    ///
    /// # Panics
    /// If an index of `weighted` is out of range: `formats` checks them where it knows the line.
    #[must_use]
    pub fn new(weighted: WeightedMesh, skeleton: &Skeleton) -> Self {
        surface::build_mesh(weighted, skeleton)
    }

    /// How many vertices there are, copies included.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.texcoords.len()
    }

    /// How many vertices the file has.
    #[must_use]
    pub fn file_vertex_count(&self) -> usize {
        self.texcoords.len() - self.copied_from.len()
    }

    /// The file's vertex that `vertex` is or copies.
    #[must_use]
    pub fn file_vertex(&self, vertex: u32) -> u32 {
        (vertex as usize)
            .checked_sub(self.file_vertex_count())
            .map_or(vertex, |copy| self.copied_from[copy])
    }

    /// The range of the per-influence arrays that belongs to a vertex.
    #[inline]
    #[must_use]
    pub fn influences(&self, vertex: usize) -> core::ops::Range<usize> {
        self.influence_start[vertex] as usize..self.influence_start[vertex + 1] as usize
    }
}
