//! The weight-space mesh: the form in which the geometry of every format reaches the skinning
//! stage.
//!
//! For each influence of each vertex it keeps the position, the normal and the tangent **in the
//! space of the joint**. A posed vertex is then the plain sum
//! `Σ weight · (model_from_joint · position_in_joint)`, for any number of influences, and the
//! normals need no recomputation per frame. MD5 files store positions like this; bind-space formats
//! are converted into it.

use super::dual_skin::DualSkin;
use super::morph::MorphTargets;
use super::skeleton::JointIndex;
use crate::math::{Affine3, Vec2, Vec3, Vec4};
use std::sync::{Arc, LazyLock};

/// One influence of one vertex, in the form of a format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexInfluence {
    /// The joint that pulls.
    pub joint: JointIndex,
    /// Its weight; kept as written, even if the biases of a vertex do not sum to 1.
    pub weight: f32,
    /// The vertex in the space of that joint.
    pub position: Vec3,
}

/// A mesh as in its format, before normals and tangents.
#[derive(Clone, Debug, Default)]
pub struct WeightSpaceMesh {
    /// The name of the mesh, empty if the file has none.
    pub name: String,
    /// The material's name as written in the file.
    pub material_name: String,
    /// One texture coordinate a vertex.
    pub texcoords: Vec<Vec2>,
    /// Influences of vertex `v` are `influences[influence_start[v]..influence_start[v + 1]]`; one
    /// entry more than vertices.
    pub influence_start: Vec<u32>,
    /// The influences of all vertices, in file order within a vertex.
    pub influences: Vec<VertexInfluence>,
    /// Front faces counter-clockwise; each index below the number of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// True if vertices at one position keep separate normals, as split in the file; otherwise they
    /// share one where they lie on a smooth surface.
    pub keeps_splits: bool,
}

/// One influence of one vertex of a [`BindSpaceMesh`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindInfluence {
    /// The joint that pulls.
    pub joint: JointIndex,
    /// Its weight.
    pub weight: f32,
    /// Index of the offset of the mesh that transforms the vertex into the space of this joint.
    pub offset: u32,
}

/// A mesh from a format, with vertices in the bind space of the mesh.
///
/// The vertices may be bound in another pose than the skeleton's pose in the file: the offsets
/// define it, and two meshes may have different ones for the same joint. They may mirror and
/// stretch.
#[derive(Clone, Debug, Default)]
pub struct BindSpaceMesh {
    /// The name of the mesh, empty if the file has none.
    pub name: String,
    /// The material's name.
    pub material_name: String,
    /// One per vertex, in bind space.
    pub positions: Vec<Vec3>,
    /// True if vertices at one position keep separate normals, as split in the file; otherwise they
    /// share one where they lie on a smooth surface.
    pub keeps_splits: bool,
    /// One per vertex, of any length, zero if the file has none; or empty.
    pub normals: Vec<Vec3>,
    /// One per vertex, with the sign of the bitangent `sign · (normal × tangent)` in bind space; or
    /// empty.
    pub tangents: Vec<Vec4>,
    /// One per vertex.
    pub texcoords: Vec<Vec2>,
    /// One per vertex of a second set; or empty.
    pub second_texcoords: Vec<Vec2>,
    /// Coordinates along which tangents are computed, one per vertex, if they are not `texcoords`;
    /// or empty.
    pub tangent_texcoords: Vec<Vec2>,
    /// Linear red, green, blue and straight alpha, one per vertex; or empty.
    pub colors: Vec<Vec4>,
    /// Start of the influences of each vertex; one entry more than vertices.
    pub influence_start: Vec<u32>,
    /// The influences of all vertices, in file order within a vertex.
    pub influences: Vec<BindInfluence>,
    /// Joint space from bind space.
    pub offsets: Vec<Affine3>,
    /// Front faces counter-clockwise after all transforms; each index below the number of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The last vertices are copies of these vertices, made by the format with another normal.
    pub source_vertex: Vec<u32>,
    /// Vertices without weights in a file that weights others, in increasing order.
    pub unweighted_vertices: Vec<u32>,
    /// Morph targets, in file order.
    pub targets: Vec<BindTarget>,
    /// For each vertex, its dual-quaternion weight, 0 to 1; empty for a linear skin.
    pub dual_shares: Vec<f32>,
    /// True if each triangle has the normal of its plane in every pose, with separate vertices.
    pub is_faceted: bool,
    /// True if vertices of equal position, normal and texture coordinate share their tangent, as
    /// required by the format.
    pub joins_equal: bool,
    /// Control points and polygons of the file, if vertices and triangles were made from them.
    pub shape: FileShape,
}

/// Control points and polygons by their indices in the file; empty if vertices and triangles are
/// those of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileShape {
    /// A vertex each: its control point.
    pub points: Vec<u32>,
    /// A triangle each: its polygon, rising.
    pub polygons: Vec<u32>,
}

/// Offsets of the vertices of a [`BindSpaceMesh`] by one morph target. An empty list moves nothing.
#[derive(Clone, Debug, Default)]
pub struct BindTarget {
    /// Index of its weight in the skeleton.
    pub weight: usize,
    /// One per vertex, in bind space.
    pub positions: Vec<Vec3>,
    /// One per vertex, added to its normal of length 1.
    pub normals: Vec<Vec3>,
    /// One per vertex, added to its tangent of length 1.
    pub tangents: Vec<Vec3>,
}

/// Geometry of a [`BindSpaceMesh`] as in its file, to compare two states of a file; it is not
/// drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BindSource {
    /// One per vertex, in bind space.
    pub positions: Vec<Vec3>,
    /// One per vertex, of any length; or empty.
    pub normals: Vec<Vec3>,
    /// Joint space from bind space for each joint of the mesh, in the order used by the vertices.
    pub offsets: Vec<(JointIndex, Affine3)>,
    /// Control points and polygons.
    pub shape: FileShape,
}

/// Influence of one joint on one vertex: position and normal in joint space, and the weight.
///
/// # Layout
/// Loaded as eight numbers: position, weight, normal, and the bits of the joint, which are not used
/// in arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Influence([f32; 8]);

impl Influence {
    /// From the joint, the weight, the vertex in joint space, and the unit bind normal in joint
    /// space.
    #[must_use]
    pub fn new(joint: JointIndex, weight: f32, position: Vec3, normal: Vec3) -> Self {
        let joint = f32::from_bits(u32::from(joint.0));
        Self([position.x, position.y, position.z, weight, normal.x, normal.y, normal.z, joint])
    }

    /// The joint that pulls.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "made of 16 bits")]
    pub fn joint(&self) -> JointIndex {
        JointIndex(self.0[7].to_bits() as u16)
    }

    /// The weight.
    #[inline]
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.0[3]
    }

    /// The vertex in joint space.
    #[inline]
    #[must_use]
    pub fn position(&self) -> Vec3 {
        Vec3::new(self.0[0], self.0[1], self.0[2])
    }

    /// The unit bind normal in joint space.
    #[inline]
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        Vec3::new(self.0[4], self.0[5], self.0[6])
    }

    /// The numbers as they lie in memory.
    #[inline(always)]
    #[must_use]
    pub fn numbers(&self) -> &[f32; 8] {
        &self.0
    }
}

/// Visible side of the front faces of a closed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// A positive volume: back faces are always hidden.
    Outward,
    /// A negative volume: an interior, a sky, or an inside-out mesh.
    Inward,
}

impl Orientation {
    /// Orientation of a closed surface with this signed volume. None for zero volume.
    pub(crate) fn of_volume(volume: f64) -> Option<Self> {
        match volume {
            _ if volume > 0.0 => Some(Self::Outward),
            _ if volume < 0.0 => Some(Self::Inward),
            _ => None,
        }
    }
}

/// A mesh in weight space with normals and tangents: read-only input of the skinning stage, used by
/// all instances.
///
/// # Layout
/// Structure of arrays. The influences of vertex `v` are the range [`Mesh::influences_of`] it in
/// the arrays with one entry per influence. The first [`Mesh::file_vertex_count`] vertices are the
/// file's, in file order, followed by the copies of vertices that have several normals or belong to
/// faces with mirrored and unmirrored texture coordinates.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The name of the mesh, empty if the file has none.
    pub name: String,
    /// The material's name as written in the file.
    pub material_name: String,
    /// One texture coordinate a vertex.
    pub texcoords: Vec<Vec2>,
    /// Texture coordinates of a second set, for materials that need it; or empty.
    pub second_texcoords: Vec<Vec2>,
    /// Linear red, green, blue and straight alpha, one per vertex, multiplied by the material's; or
    /// empty.
    pub colors: Vec<Vec4>,
    /// +1 or -1 per vertex: bitangent = sign · (normal × tangent).
    pub bitangent_sign: Vec<f32>,
    /// Start of the influences of each vertex; one entry more than vertices.
    pub influence_start: Vec<u32>,
    /// Per influence: the joint, the weight, the vertex and its normal.
    pub influences: Vec<Influence>,
    /// Per influence: the unit bind tangent carried into joint space.
    pub tangent: Vec<Vec3>,
    /// Front faces counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex from `file_vertex_count` on: the file's vertex that it copies.
    pub source_vertex: Vec<u32>,
    /// Visible side of its front faces if the welded surface is closed and encloses a volume.
    pub closed: Option<Orientation>,
    /// True if each triangle has the normal of its plane in every pose, with separate vertices.
    pub is_faceted: bool,
    /// True if it is the outline of another mesh of its model, whose back faces are never visible.
    pub is_outline_hull: bool,
    /// Vertices of the file without a joint although others have joints, in ascending order.
    pub unweighted_vertices: Vec<u32>,
    /// Number of sets of texture coordinates in its file; at most two are kept, those used by its
    /// material.
    pub texcoord_sets: u8,
    /// Its morph targets, if it has any.
    pub morph: Option<Arc<MorphTargets>>,
    /// The part of its skin with dual quaternions, if any.
    pub dual: Option<Arc<DualSkin>>,
    /// Variants of the file that assign it another material: their indices, and the names of the
    /// materials.
    pub variants: Vec<(usize, String)>,
    /// Geometry in bind space, in formats with a bind space.
    pub source: Option<Arc<BindSource>>,
    /// Weights of the skeleton that hide it while one of them is below [`Mesh::SHOWN_FROM`]:
    /// visibility switched by clips.
    pub shown_by: Vec<usize>,
}

impl Mesh {
    /// Minimum weight of [`Mesh::shown_by`] at which the mesh is drawn.
    pub const SHOWN_FROM: f32 = 0.5;

    /// True if these weights of the skeleton show the mesh; missing weights show it.
    #[must_use]
    pub fn is_shown(&self, weights: &[f32]) -> bool {
        let is_on = |&slot: &usize| weights.get(slot).is_none_or(|&on| on >= Self::SHOWN_FROM);
        self.shown_by.iter().all(is_on)
    }

    /// True if its back faces can never be visible.
    #[must_use]
    pub fn is_closed_outward(&self) -> bool {
        self.closed == Some(Orientation::Outward)
    }

    /// True if it is closed and its front faces point inwards.
    #[must_use]
    pub fn is_closed_inward(&self) -> bool {
        self.closed == Some(Orientation::Inward)
    }

    /// A mesh without vertices, drawn instead of a hidden one.
    #[must_use]
    pub fn nothing() -> &'static Self {
        static NOTHING: LazyLock<Mesh> = LazyLock::new(Mesh::default);
        &NOTHING
    }

    /// The mesh for the rasterizer under a mirroring transform: the triangles are reversed, so that
    /// front faces are again counter-clockwise, and so are bitangents, because mirroring does not
    /// apply to the cross product.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            bitangent_sign: self.bitangent_sign.iter().map(|sign| -sign).collect(),
            triangles: self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
            ..self.clone()
        }
    }

    /// Number of vertices, copies included.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.texcoords.len()
    }

    /// Number of vertices of the file.
    #[must_use]
    pub fn file_vertex_count(&self) -> usize {
        self.texcoords.len() - self.source_vertex.len()
    }

    /// The file's vertex that `vertex` is or copies.
    #[must_use]
    pub fn file_vertex(&self, vertex: u32) -> u32 {
        (vertex as usize)
            .checked_sub(self.file_vertex_count())
            .map_or(vertex, |copy| self.source_vertex[copy])
    }

    /// The range of the per-influence arrays that belongs to a vertex.
    #[inline]
    #[must_use]
    pub fn influences_of(&self, vertex: usize) -> core::ops::Range<usize> {
        self.influence_start[vertex] as usize..self.influence_start[vertex + 1] as usize
    }
}

/// Names of the meshes of a model: an MD5 mesh has no name and is named after its shader, the
/// second of one shader as `shader (2)`.
#[must_use]
pub fn mesh_names(meshes: &[Mesh]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(meshes.len());
    for (index, mesh) in meshes.iter().enumerate() {
        let is_alike =
            |other: &&Mesh| other.name.is_empty() && other.material_name == mesh.material_name;
        let before = meshes[..index].iter().filter(is_alike).count();
        names.push(match before {
            _ if !mesh.name.is_empty() => mesh.name.clone(),
            0 => mesh.material_name.clone(),
            before => format!("{} ({})", mesh.material_name, before + 1),
        });
    }
    names
}
