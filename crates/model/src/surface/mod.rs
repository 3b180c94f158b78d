//! Normals, tangents and closedness of a mesh in its bind pose, and their conversion to weight
//! space.
//!
//! Input: a [`WeightSpaceMesh`] and the bind pose of its skeleton, or a [`BindSpaceMesh`]. Output:
//! the [`Mesh`] to skin. This module runs once for each model, not for each frame.
//!
//! # Normals
//! A vertex normal is the sum of the unit normals of its faces, each weighted by the angle of the
//! face at the vertex. Vertices at one position are welded first, because texture seams split them
//! and a seam must not show in the lighting. They are welded only if their normals differ by less
//! than 90°, so that the two sides of a cloth do not cancel out and the edges of a box that its
//! author split stay hard. A mesh may keep the splits of its file, for models with flat facets.
//!
//! # Tangents
//! A tangent is the direction in which `u` grows, summed over the faces of a vertex with the same
//! angle weights and made perpendicular to the normal. Tangents of the file are kept. A vertex
//! whose faces have both mirrored and unmirrored texture coordinates is duplicated, once for each
//! sign.
//!
//! # Source
//! Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal Facets", JGT 3(1), 1998, for the
//! angle weights; Lengyel, "Foundations of Game Engine Development 2", 7.5, for tangents from
//! texture coordinates.

mod faces;
mod hull;
mod joint_space;
mod normals;
mod part;
mod tangents;
mod weld;

pub use hull::mark_outline_hulls;
pub use normals::WELD_COSINE;
pub use weld::{WELD_DISTANCE, weld_positions};

use super::mesh::{BindSpaceMesh, Mesh, WeightSpaceMesh};
use super::skeleton::Skeleton;
use crate::math::{Affine3, Vec3, unit_or};
use faces::{Faces, closed_volume};
use joint_space::{SplitSurface, bind_positions, carry_from_bind, carry_into_joints, vertex_turns};
use normals::vertex_normals;
use std::borrow::Cow;
use tangents::{Vertices, equal_vertices, given_tangents, split_mirrored, vertex_tangents};
use tintype_base::deadline::{Deadline, TimedOut};

/// For each vertex, the first vertex with the same normal: `weld`, or the vertex itself if splits
/// are kept.
fn lit_as(weld: &[u32], keeps_splits: bool) -> Cow<'_, [u32]> {
    if keeps_splits {
        Cow::Owned((0_u32..).take(weld.len()).collect())
    } else {
        Cow::Borrowed(weld)
    }
}

impl Mesh {
    /// Adds normals and tangents, computed in the bind pose of `skeleton`, to a mesh whose indices
    /// are in range.
    ///
    /// # Errors
    /// [`TimedOut`] if `deadline` passes before the mesh is built.
    ///
    /// # Panics
    /// If an index of `weighted` is out of range: `formats` checks them, where the line is known.
    pub fn new(
        mut weighted: WeightSpaceMesh,
        skeleton: &Skeleton,
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        let bind: Vec<Affine3> =
            skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
        let positions = bind_positions(&weighted, &bind, deadline)?;
        let weld = weld_positions(&weighted.triangles, &positions, deadline)?;
        let faces = Faces::new(&weighted.triangles, &positions, &weld, deadline)?;
        let lit = lit_as(&weld, weighted.keeps_splits);
        let normals = vertex_normals(&weighted.triangles, &faces, &lit, positions.len(), deadline)?;
        let volume =
            closed_volume(&weighted.triangles, &weld, &positions, deadline)?.unwrap_or(0.0);
        let triangles = core::mem::take(&mut weighted.triangles);
        let split = split_mirrored(&weighted.texcoords, triangles, deadline)?;
        let texcoords = &weighted.texcoords;
        let vertices = Vertices { positions: &positions, normals: &normals, texcoords };
        let tangents = vertex_tangents(&split, None, &faces, &vertices, deadline)?;
        let surface = SplitSurface { split, normals: &normals, tangents: &tangents, volume };
        carry_into_joints(weighted, &bind, surface, deadline)
    }

    /// Adds tangents, and missing normals, to a mesh in bind space whose indices are in range.
    ///
    /// A vertex is transformed to joint space by its offset, its normal by the offset's inverse
    /// transpose. Missing normals are computed as for [`Mesh::new`], in bind space; if offset and
    /// skeleton together mirror, the front of a face is its back there.
    ///
    /// # Errors
    /// [`TimedOut`] if `deadline` passes before the mesh is built.
    ///
    /// # Panics
    /// If an index of `bind` is out of range: `formats` checks them, where the line is known.
    pub fn from_bind_space(
        mut bind: BindSpaceMesh,
        skeleton: &Skeleton,
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        let triangles = core::mem::take(&mut bind.triangles);
        let positions = &bind.positions;
        let weld = weld_positions(&triangles, positions, deadline)?;
        let faces = Faces::new(&triangles, positions, &weld, deadline)?;
        let turns = vertex_turns(&bind, skeleton, deadline)?;
        let given = (0..positions.len()).map(|vertex| {
            bind.normals.get(vertex).map_or(Vec3::ZERO, |&own| unit_or(own, Vec3::ZERO))
        });
        let mut normals: Vec<Vec3> = given.collect();
        if normals.contains(&Vec3::ZERO) {
            let lit = lit_as(&weld, bind.keeps_splits);
            let computed = vertex_normals(&triangles, &faces, &lit, positions.len(), deadline)?;
            for ((normal, own), turn) in normals.iter_mut().zip(computed).zip(&turns) {
                if *normal == Vec3::ZERO {
                    // The index order defines the sides after all transforms, so it is reversed
                    // here after mirroring.
                    *normal = if *turn { -own } else { own };
                }
            }
        }
        let mut used_turns = triangles.iter().flatten().map(|&vertex| turns[vertex as usize]);
        let is_turned = used_turns.next().unwrap_or(false);
        let is_one_side = used_turns.all(|turn| turn == is_turned);
        let volume = match closed_volume(&triangles, &weld, positions, deadline)? {
            Some(volume) if is_one_side => volume * if is_turned { -1.0 } else { 1.0 },
            _ => 0.0,
        };
        let (split, tangents) = if bind.tangents.is_empty() {
            let texcoords = if bind.tangent_texcoords.is_empty() {
                &bind.texcoords
            } else {
                &bind.tangent_texcoords
            };
            let split = split_mirrored(texcoords, triangles, deadline)?;
            let vertices = Vertices { positions, normals: &normals, texcoords };
            let equal = if bind.joins_equal {
                Some(equal_vertices(&split, &vertices, deadline)?)
            } else {
                None
            };
            let tangents = vertex_tangents(&split, equal.as_deref(), &faces, &vertices, deadline)?;
            (split, tangents)
        } else {
            given_tangents(&bind, triangles, &normals, &turns)
        };
        let surface = SplitSurface { split, normals: &normals, tangents: &tangents, volume };
        carry_from_bind(bind, surface, deadline)
    }
}

#[cfg(test)]
mod tests;
