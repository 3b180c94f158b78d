//! Conversion of a mesh to weight space: positions, normals and tangents in the space of each joint
//! of each vertex.

use super::faces::STEPS;
use super::tangents::Split;
use crate::dual_skin::DualSkin;
use crate::math::{Affine3, Vec3, normal_matrix};
use crate::mesh::{
    BindInfluence, BindSource, BindSpaceMesh, BindTarget, Influence, Mesh, Orientation,
    VertexInfluence, WeightSpaceMesh,
};
use crate::morph::{MorphTarget, MorphTargets, MorphTransform};
use crate::skeleton::{JointIndex, Skeleton};
use std::collections::BTreeMap;
use std::sync::Arc;
use tintype_base::deadline::{Deadline, TimedOut};

/// The bind position of every vertex: the weighted sum in joint space, in file order.
pub(super) fn bind_positions(
    weighted: &WeightSpaceMesh,
    bind: &[Affine3],
    deadline: &Deadline,
) -> Result<Vec<Vec3>, TimedOut> {
    let mut watch = deadline.watch("placing vertices", STEPS);
    let mut positions = Vec::with_capacity(weighted.texcoords.len());
    for range in weighted.influence_start.windows(2) {
        let mut sum = Vec3::ZERO;
        let run = &weighted.influences[range[0] as usize..range[1] as usize];
        watch.take(run.len())?;
        for influence in run {
            let place = bind[influence.joint.index()].transform_point3(influence.position);
            sum += place * influence.weight;
        }
        positions.push(sum);
    }
    Ok(positions)
}

/// For each vertex, true if its first influence mirrors it between bind space and the pose of the
/// skeleton.
pub(super) fn vertex_turns(
    bind: &BindSpaceMesh,
    skeleton: &Skeleton,
    deadline: &Deadline,
) -> Result<Vec<bool>, TimedOut> {
    let mut watch = deadline.watch("looking for mirrored joints", STEPS);
    let turn = |influence: &BindInfluence| {
        let offset = bind.offsets[influence.offset as usize].matrix3;
        let rest = skeleton.joints()[influence.joint.index()].model_from_joint.matrix3;
        (rest * offset).determinant() < 0.0
    };
    let mut turns = Vec::with_capacity(bind.positions.len());
    for range in bind.influence_start.windows(2) {
        watch.step()?;
        let run = &bind.influences[range[0] as usize..range[1] as usize];
        turns.push(run.first().is_some_and(turn));
    }
    Ok(turns)
}

/// A surface whose vertices are split where texture coordinates are mirrored.
pub(super) struct SplitSurface<'m> {
    pub(super) split: Split,
    /// By vertex before it is split.
    pub(super) normals: &'m [Vec3],
    /// By split vertex.
    pub(super) tangents: &'m [Vec3],
    /// Six times the volume inside; 0 if it is open.
    pub(super) volume: f64,
}

/// The number of influences of all vertices and of their `copies`. Lists are sized once: a doubling
/// list would take twice the memory.
fn expanded_influences(influence_start: &[u32], copies: &[u32]) -> usize {
    let own = |&vertex: &u32| {
        (influence_start[vertex as usize + 1] - influence_start[vertex as usize]) as usize
    };
    let all = influence_start.last().copied().unwrap_or(0) as usize;
    all + copies.iter().map(own).sum::<usize>()
}

/// Appends the texture coordinates and colours of the `copies` of vertices.
fn copy_attributes(mesh: &mut Mesh, copies: &[u32]) {
    for &source in copies {
        mesh.texcoords.push(mesh.texcoords[source as usize]);
        if let Some(&texcoord) = mesh.second_texcoords.get(source as usize) {
            mesh.second_texcoords.push(texcoord);
        }
        if let Some(&color) = mesh.colors.get(source as usize) {
            mesh.colors.push(color);
        }
    }
}

/// Stage name of both conversions to weight space.
const CARRYING: &str = "carrying normals into the joints";

/// Expands the influences and transforms each vertex' normal and tangent into the space of each of
/// its joints.
pub(super) fn carry_into_joints(
    weighted: WeightSpaceMesh,
    bind: &[Affine3],
    surface: SplitSurface<'_>,
    deadline: &Deadline,
) -> Result<Mesh, TimedOut> {
    let mut watch = deadline.watch(CARRYING, STEPS);
    let SplitSurface { split, normals, tangents, volume } = surface;
    let file_count = weighted.texcoords.len();
    // `normal_matrix` of the inverse: skinning then restores the exact direction.
    let joint_from_normal: Vec<_> =
        bind.iter().map(|joint| normal_matrix(joint.matrix3).inverse()).collect();
    let joint_from_model: Vec<_> = bind.iter().map(|joint| joint.matrix3.inverse()).collect();

    let total = expanded_influences(&weighted.influence_start, &split.source_vertex);
    let runs = (0_u32..).zip(weighted.influence_start.windows(2));
    let unweighted_vertices = runs.filter(|(_, run)| run[0] == run[1]).map(|(vertex, _)| vertex);
    let mut mesh = Mesh {
        name: weighted.name,
        material_name: weighted.material_name,
        texcoords: weighted.texcoords,
        bitangent_sign: split.bitangent_sign,
        influence_start: vec![0],
        influences: Vec::with_capacity(total),
        tangent: Vec::with_capacity(total),
        triangles: split.triangles,
        closed: Orientation::of_volume(volume),
        unweighted_vertices: unweighted_vertices.collect(),
        texcoord_sets: 1,
        ..Mesh::default()
    };
    copy_attributes(&mut mesh, &split.source_vertex);
    mesh.source_vertex = split.source_vertex;
    for (vertex, &tangent) in tangents.iter().enumerate() {
        let source =
            vertex.checked_sub(file_count).map_or(vertex, |copy| mesh.source_vertex[copy] as usize);
        let range = weighted.influence_start[source] as usize
            ..weighted.influence_start[source + 1] as usize;
        watch.take(range.len())?;
        for influence in &weighted.influences[range] {
            let joint = influence.joint.index();
            let normal = finite_or_zero(joint_from_normal[joint] * normals[source]);
            let VertexInfluence { joint: own, weight, position } = influence;
            mesh.influences.push(Influence::new(*own, *weight, *position, normal));
            mesh.tangent.push(finite_or_zero(joint_from_model[joint] * tangent));
        }
        let end = u32::try_from(mesh.influences.len()).expect("limited by the format's reader");
        mesh.influence_start.push(end);
    }
    Ok(mesh)
}

/// Transforms positions, normals and tangents into the space of each joint.
pub(super) fn carry_from_bind(
    bind: BindSpaceMesh,
    surface: SplitSurface<'_>,
    deadline: &Deadline,
) -> Result<Mesh, TimedOut> {
    let mut watch = deadline.watch(CARRYING, STEPS);
    let SplitSurface { split, normals, tangents, volume } = surface;
    let count = bind.positions.len();
    let source_of = |vertex: usize| {
        vertex.checked_sub(count).map_or(vertex, |copy| split.source_vertex[copy] as usize)
    };
    let joint_from_bind_normal: Vec<_> =
        bind.offsets.iter().map(|offset| normal_matrix(offset.matrix3)).collect();
    let total = expanded_influences(&bind.influence_start, &split.source_vertex);
    let mut influence_start = Vec::with_capacity(tangents.len() + 1);
    influence_start.push(0);
    let targets = bind.targets;
    let mut ways = BindTransforms::default();
    let is_dual = bind.dual_shares.iter().any(|&share| share > 0.0);
    let mut dual = DualSkin::default();
    let mut mesh = Mesh {
        name: bind.name,
        material_name: bind.material_name,
        texcoords: bind.texcoords,
        second_texcoords: bind.second_texcoords,
        colors: bind.colors,
        bitangent_sign: split.bitangent_sign,
        influence_start,
        influences: Vec::with_capacity(total),
        tangent: Vec::with_capacity(total),
        triangles: split.triangles,
        source_vertex: file_vertices(&bind.source_vertex, count, &split.source_vertex),
        closed: Orientation::of_volume(volume),
        is_faceted: bind.is_faceted,
        unweighted_vertices: bind.unweighted_vertices,
        texcoord_sets: 1,
        ..Mesh::default()
    };
    copy_attributes(&mut mesh, &split.source_vertex);
    for (vertex, &tangent) in tangents.iter().enumerate() {
        let source = source_of(vertex);
        let range =
            bind.influence_start[source] as usize..bind.influence_start[source + 1] as usize;
        watch.take(range.len())?;
        if is_dual {
            dual.shares.push(bind.dual_shares[source]);
            dual.vertices.push([bind.positions[source], normals[source], tangent]);
        }
        for &BindInfluence { joint, weight, offset } in &bind.influences[range] {
            let joint_from_bind = &bind.offsets[offset as usize];
            let position = joint_from_bind.transform_point3(bind.positions[source]);
            let normal_matrix = joint_from_bind_normal[offset as usize];
            let normal = normal_matrix * normals[source];
            mesh.influences.push(Influence::new(joint, weight, position, normal));
            let linear = joint_from_bind.matrix3;
            mesh.tangent.push(linear * tangent);
            if !targets.is_empty() || is_dual {
                ways.add(offset, MorphTransform { joint, linear, normal: normal_matrix });
            }
        }
        let end = u32::try_from(mesh.influences.len()).expect("limited by the format's reader");
        mesh.influence_start.push(end);
    }
    if is_dual {
        let each = ways.carriers.iter().zip(&ways.offsets);
        dual.ways = each.map(|(own, &offset)| (own.joint, bind.offsets[offset as usize])).collect();
        dual.way_of.clone_from(&ways.carrier_of);
        mesh.dual = Some(Arc::new(dual));
    }
    if !targets.is_empty() {
        let target = |own: &BindTarget| split_target(own, tangents.len(), source_of);
        let targets = targets.iter().map(target).collect();
        let BindTransforms { carriers, carrier_of, .. } = ways;
        mesh.morph = Some(Arc::new(MorphTargets { targets, carriers, carrier_of }));
    }
    let offsets = used_offsets(&bind.influences, &bind.offsets);
    let (positions, normals, shape) = (bind.positions, bind.normals, bind.shape);
    mesh.source = Some(Arc::new(BindSource { positions, normals, offsets, shape }));
    Ok(mesh)
}

/// The vertex of the file for each copy after its own vertices: those of the reader, which are the
/// last of the `count` vertices, and those of a split.
fn file_vertices(of_reader: &[u32], count: usize, of_split: &[u32]) -> Vec<u32> {
    let file_count = count - of_reader.len();
    let file_vertex = |&vertex: &u32| {
        (vertex as usize).checked_sub(file_count).map_or(vertex, |copy| of_reader[copy])
    };
    of_reader.iter().copied().chain(of_split.iter().map(file_vertex)).collect()
}

/// The target for `count` split vertices, each with its source.
fn split_target(
    target: &BindTarget,
    count: usize,
    source_of: impl Fn(usize) -> usize,
) -> MorphTarget {
    MorphTarget::new(target.weight, count, |vertex| {
        let lists = [&target.positions, &target.normals, &target.tangents];
        lists.map(|list| list.get(source_of(vertex)).copied().unwrap_or(Vec3::ZERO))
    })
}

/// Transforms of offsets into the joints, each once.
#[derive(Default)]
struct BindTransforms {
    known: BTreeMap<(u32, JointIndex), u32>,
    carriers: Vec<MorphTransform>,
    /// By carrier: the index of its offset.
    offsets: Vec<u32>,
    carrier_of: Vec<u32>,
}

impl BindTransforms {
    /// Adds the transform of the next influence, by the index of its offset.
    fn add(&mut self, offset: u32, carrier: MorphTransform) {
        let next = u32::try_from(self.carriers.len()).expect("no more than influences");
        let way = *self.known.entry((offset, carrier.joint)).or_insert(next);
        if way == next {
            self.carriers.push(carrier);
            self.offsets.push(offset);
        }
        self.carrier_of.push(way);
    }
}

/// The offset of each joint, by the first influence of each.
fn used_offsets(influences: &[BindInfluence], offsets: &[Affine3]) -> Vec<(JointIndex, Affine3)> {
    let mut is_known = vec![false; offsets.len()];
    let mut found = Vec::new();
    for influence in influences {
        let offset = influence.offset as usize;
        if !core::mem::replace(&mut is_known[offset], true) {
            found.push((influence.joint, offsets[offset]));
        }
    }
    found
}

/// A joint flattened to a plane has no inverse; its contribution is left out of the sums.
fn finite_or_zero(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}
