//! Vertices of two posed models: the motion of each mesh, with and without its joints.

use super::joint::{ROUNDING, ROUNDING_DEG};
use super::structure::{Pairs, name_of};
use crate::finding::Subject;
use serde::Serialize;
use tintype_model::math::{clamp, func};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Model, Pose, PosedMesh};

/// A vertex and the distance that it moved.
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
    pub of: Subject,
    /// The vertex that moved farthest at any time. None if only normals turned.
    pub worst: Option<VertexDiff>,
    /// Number of vertices that moved at any time.
    pub vertices_moved: usize,
    /// The total number.
    pub vertices: usize,
    /// The vertex whose normal turned farthest, in degrees, if by more than rounding.
    pub normal: Option<VertexDiff>,
    /// The vertex that moved farthest with the joints where they were before: its weights or its
    /// index in the file changed.
    pub own: Option<VertexDiff>,
}

/// One mesh at one time.
#[derive(Default)]
pub(super) struct Difference {
    /// Per vertex of the file.
    moved: Vec<f32>,
    /// Per vertex, copies included, in degrees; empty if they have other copies.
    turned_deg: Vec<f32>,
    /// Movement of each vertex of the file with the joints of before; empty if it cannot be
    /// separated from that of the joints.
    own: Vec<f32>,
}

/// Compares the meshes of two poses, in the order of the pairs; a pair with other counts of
/// vertices is empty.
pub(super) fn differences(
    models: [&Model; 2],
    poses: &[Pose; 2],
    pairs: &Pairs,
    diagonal: f32,
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
    let on_old_joints = placed.map(|matrices| {
        SkinMatrices::new(&Pose { morphs: poses[1].morphs.clone(), ..Pose::new(matrices) })
    });

    let compare = |(pair, &(mesh, other)): (usize, &(usize, usize))| {
        let (old, new) = (&models[0].meshes[mesh], &models[1].meshes[other]);
        let Some(partners) = pairs.vertices(pair, models) else { return Difference::default() };
        let distances = |a: &PosedMesh, b: &PosedMesh| {
            let distance = |(v, partner): (usize, &Option<usize>)| {
                let moved = partner
                    .map_or(0.0, |partner| (b.position_at(partner) - a.position_at(v)).length());
                if moved <= ROUNDING * diagonal { 0.0 } else { moved }
            };
            partners.iter().enumerate().map(distance).collect()
        };
        let before = skin_mesh(old, &matrices[0]);
        let after = skin_mesh(new, &matrices[1]);
        let own = on_old_joints.as_ref().map(|joints| distances(&before, &skin_mesh(new, joints)));
        Difference {
            moved: distances(&before, &after),
            turned_deg: match &pairs.orders[pair] {
                Some(order) if !order.has_normals => Vec::new(),
                Some(_) => turns(&before, &after, partners.iter().copied().enumerate()),
                // Copies are in the order of the triangles.
                None if old.source_vertex != new.source_vertex => {
                    turns(&before, &after, (0..partners.len()).map(|v| (v, Some(v))))
                }
                None => turns(&before, &after, (0..before.len()).map(|v| (v, Some(v)))),
            },
            own: own.unwrap_or_default(),
        }
    };
    pairs.meshes.iter().enumerate().map(compare).collect()
}

/// The angles between the normals of matching vertices in degrees; rounding counts as 0.
fn turns(
    before: &PosedMesh,
    after: &PosedMesh,
    partners: impl Iterator<Item = (usize, Option<usize>)>,
) -> Vec<f32> {
    let turn = |(vertex, partner): (usize, Option<usize>)| {
        let Some(partner) = partner else { return 0.0 };
        let half_chord = (after.normal_at(partner) - before.normal_at(vertex)).length() * 0.5;
        let angle_deg = 2.0 * (90.0 - func::degrees(func::acos(clamp(half_chord, 0.0, 1.0))));
        if angle_deg > MAX_ROUNDED_DEG { angle_deg } else { 0.0 }
    };
    partners.map(turn).collect()
}

/// Distances below this come from the rounding of chained joints.
const CARRIED: f32 = 2e-5;
/// Angles of normals below this come from rounding.
const MAX_ROUNDED_DEG: f32 = 10.0 * ROUNDING_DEG;
/// Angles below this come from the grid of a quantized file, whose normals have 8 bits.
const GRID_DEG: f32 = 1.5;
/// Distances below these come from that grid, in diagonals: of 10 bits, and with weights of 8 bits
/// too.
const GRID: f32 = 4e-3;

/// Largest difference of each pair of meshes over the times so far.
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

    /// The meshes that moved, farthest first. Where no joint moved by itself, vertices that only
    /// follow their joints are treated as rounding of these.
    pub(super) fn finish(
        self,
        old: &Model,
        pairs: &Pairs,
        diagonal: f32,
        has_moved_joints: bool,
    ) -> Vec<MeshDiff> {
        let mut found = Vec::new();
        for ((seen, &(mesh, _)), grid) in
            self.pairs.into_iter().zip(&pairs.meshes).zip(&pairs.grids)
        {
            let Seen { mut worst, mut normal, own, has_moved } = seen;
            if grid.is_some() {
                worst = worst.filter(|worst| worst.moved > GRID * diagonal);
                normal = normal.filter(|normal| normal.moved > GRID_DEG);
            }
            if own.is_none() && !has_moved_joints {
                worst = worst.filter(|worst| worst.moved > CARRIED * diagonal);
            }
            if worst.is_none() && normal.is_none() {
                continue;
            }
            found.push(MeshDiff {
                of: name_of(old, mesh),
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

/// Keeps the vertex that moved farthest, the first of equal ones; not a number is farther than
/// anything.
fn farthest(known: &mut Option<VertexDiff>, at_s: f64, distances: &[f32]) {
    for (vertex, &moved) in distances.iter().enumerate() {
        let is_farther = |known: &VertexDiff| moved.abs().total_cmp(&known.moved.abs()).is_gt();
        if moved != 0.0 && known.as_ref().is_none_or(is_farther) {
            *known = Some(VertexDiff { vertex, moved, at_s });
        }
    }
}
