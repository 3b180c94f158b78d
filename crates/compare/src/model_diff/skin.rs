//! Vertices of two posed models: how far each mesh moved, and how far by itself.

use super::joint::ROUNDING_DEG;
use super::structure::{Pairs, name_of};
use serde::Serialize;
use tintype_model::math::{clamp, func};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Model, Pose, PosedMesh};

/// A vertex and how far it moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VertexDiff {
    /// Its index in the file's mesh.
    pub vertex: usize,
    /// Distance.
    pub moved: f32,
    /// When.
    pub at_s: f64,
}

/// A mesh with vertices that moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshDiff {
    /// Its index, and its name or shader.
    pub name: String,
    /// The vertex that moved farthest at any moment; none if only normals turned.
    pub worst: Option<VertexDiff>,
    /// Number of vertices that moved at any moment.
    pub vertices_moved: usize,
    /// Of how many.
    pub vertices: usize,
    /// The vertex whose normal turned farthest, in degrees, where that is more than rounding.
    pub normal: Option<VertexDiff>,
    /// The vertex that moved farthest with the joints where they were before: its weights or its index in the file changed.
    pub own: Option<VertexDiff>,
}

/// One mesh at one moment.
#[derive(Default)]
pub(super) struct Difference {
    /// Per vertex of the file.
    moved: Vec<f32>,
    /// Per vertex, copies included, in degrees; empty if they have other copies.
    turned_deg: Vec<f32>,
    /// Per vertex of the file, with the joints of before; empty if the joints cannot be told apart from the mesh.
    own: Vec<f32>,
}

/// Compares the meshes of two poses, in the order of the pairs; a pair with other counts of vertices is empty.
pub(super) fn differences(
    models: [&Model; 2],
    poses: &[Pose; 2],
    pairs: &Pairs,
) -> Vec<Difference> {
    let matrices = [SkinMatrices::new(&poses[0]), SkinMatrices::new(&poses[1])];
    // The new mesh on the old joints: only if every joint of the new model has a partner.
    let mut placed: Vec<Option<usize>> = vec![None; poses[1].matrices.len()];
    for (joint, partner) in pairs.joints.iter().enumerate() {
        if let Some(partner) = partner {
            placed[*partner] = Some(joint);
        }
    }
    let placed: Option<Vec<_>> =
        placed.iter().map(|joint| Some(poses[0].matrices[(*joint)?])).collect();
    let on_old_joints = placed
        .map(|matrices| SkinMatrices::new(&Pose { matrices, morphs: poses[1].morphs.clone() }));

    let compare = |&(mesh, other): &(usize, usize)| {
        let (old, new) = (&models[0].meshes[mesh], &models[1].meshes[other]);
        let count = old.file_vertex_count();
        if count != new.file_vertex_count() {
            return Difference::default();
        }
        let distances = |a: &PosedMesh, b: &PosedMesh| {
            (0..count).map(|v| (b.position_at(v) - a.position_at(v)).length()).collect()
        };
        let before = skin_mesh(old, &matrices[0]);
        let after = skin_mesh(new, &matrices[1]);
        let own = on_old_joints.as_ref().map(|joints| distances(&before, &skin_mesh(new, joints)));
        Difference {
            moved: distances(&before, &after),
            turned_deg: turns(&before, &after),
            own: own.unwrap_or_default(),
        }
    };
    pairs.meshes.iter().map(compare).collect()
}

/// The angles between the normals in degrees, those of rounding as 0; empty if the counts differ.
fn turns(before: &PosedMesh, after: &PosedMesh) -> Vec<f32> {
    if before.len() != after.len() {
        return Vec::new();
    }
    let turn = |vertex: usize| {
        let half_chord = (after.normal_at(vertex) - before.normal_at(vertex)).length() * 0.5;
        let angle_deg = 2.0 * (90.0 - func::degrees(func::acos(clamp(half_chord, 0.0, 1.0))));
        if angle_deg > ROUNDING_DEG { angle_deg } else { 0.0 }
    };
    (0..before.len()).map(turn).collect()
}

/// Largest difference of each pair of meshes over the moments so far.
pub(super) struct Worst {
    pairs: Vec<Seen>,
}

struct Seen {
    worst: Option<VertexDiff>,
    normal: Option<VertexDiff>,
    own: Option<VertexDiff>,
    /// Per vertex of the file.
    has_moved: Vec<bool>,
}

impl Worst {
    pub(super) fn new(old: &Model, pairs: &Pairs) -> Self {
        let seen = |&(mesh, _): &(usize, usize)| {
            let has_moved = vec![false; old.meshes[mesh].file_vertex_count()];
            Seen { worst: None, normal: None, own: None, has_moved }
        };
        Self { pairs: pairs.meshes.iter().map(seen).collect() }
    }

    pub(super) fn add(&mut self, at_s: f64, differences: &[Difference]) {
        for (seen, here) in self.pairs.iter_mut().zip(differences) {
            farthest(&mut seen.worst, at_s, &here.moved);
            farthest(&mut seen.normal, at_s, &here.turned_deg);
            farthest(&mut seen.own, at_s, &here.own);
            for (has_moved, moved) in seen.has_moved.iter_mut().zip(&here.moved) {
                *has_moved |= *moved != 0.0;
            }
        }
    }

    /// The meshes that moved, farthest first.
    pub(super) fn finish(self, old: &Model, pairs: &Pairs) -> Vec<MeshDiff> {
        let mut found = Vec::new();
        for (seen, &(mesh, _)) in self.pairs.into_iter().zip(&pairs.meshes) {
            let Seen { worst, normal, own, has_moved } = seen;
            if worst.is_none() && normal.is_none() {
                continue;
            }
            found.push(MeshDiff {
                name: name_of(old, mesh),
                worst,
                vertices_moved: has_moved.iter().filter(|moved| **moved).count(),
                vertices: has_moved.len(),
                normal,
                own,
            });
        }
        let moved = |mesh: &MeshDiff| mesh.worst.map_or(0.0, |worst| worst.moved);
        found.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
        found
    }
}

/// Keeps the vertex that moved farthest, the first of equal ones; not a number is farther than anything.
fn farthest(known: &mut Option<VertexDiff>, at_s: f64, distances: &[f32]) {
    for (vertex, &moved) in distances.iter().enumerate() {
        let is_farther = |known: &VertexDiff| moved.abs().total_cmp(&known.moved.abs()).is_gt();
        if moved != 0.0 && known.as_ref().is_none_or(is_farther) {
            *known = Some(VertexDiff { vertex, moved, at_s });
        }
    }
}
