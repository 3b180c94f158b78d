//! Checks of the weights of vertices.

use super::kind::Kind;
use super::lint_problems::{LintProblems, of_joints};
use super::problem::Problem;
use std::collections::BTreeSet;
use tintype_model::math::{Aabb, Affine3, Vec3};
use tintype_model::{Influence, Mesh, Model};

/// Deviation of the sum of weights from 1 above which it is reported.
const SUM_TOLERANCE: f32 = 1.0e-3;
/// Influences with a lower weight move a vertex by less than a pixel in any picture.
const TINY_WEIGHT: f32 = 1.0e-3;
/// Vertices with more influences than this are reported: hardware skins with 4.
const MANY_INFLUENCES: usize = 4;
/// Weights of one vertex that disagree by more than this fraction of the model's diagonal are
/// reported.
const APART_SHARE: f32 = 1.0e-3;

pub(super) fn check(
    model: &Model,
    bind: &[Affine3],
    positions: &[Vec<Vec3>],
    in_joint_space: bool,
) -> Vec<Problem> {
    let bounds: Aabb = positions.iter().flatten().copied().collect();
    let reach = bounds.diagonal() * APART_SHARE;
    let [mut unweighted_vertices, mut uneven, mut negative, mut many, mut apart] = [
        Kind::NoInfluence,
        Kind::BiasSum,
        Kind::NegativeBias,
        Kind::ManyInfluences,
        Kind::WeightsApart,
    ]
    .map(LintProblems::new);
    let mut tiny = LintProblems::new(Kind::TinyBias);
    let (mut worst_sum, mut most, mut farthest, mut zeros) = (1.0_f32, 0, 0.0_f32, 0);
    for (index, mesh) in model.meshes.iter().enumerate() {
        let count = mesh.file_vertex_count();
        let [mut uneven_here, mut negative_here, mut many_here, mut apart_here, mut tiny_here] =
            [(); 5].map(|()| Vec::new());
        let (mut influences, mut tiny_influences) = (0, 0);
        for (vertex, number) in (0..count).zip(0_u32..) {
            let run = mesh.influences_of(vertex);
            let weights = mesh.influences[run.clone()].iter().map(Influence::weight);
            influences += run.len();
            if run.is_empty() {
                continue;
            }
            let sum: f32 = weights.clone().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                uneven_here.push(number);
                worst_sum =
                    if (sum - 1.0).abs() > (worst_sum - 1.0).abs() { sum } else { worst_sum };
            }
            if weights.clone().any(|weight| weight < 0.0) {
                negative_here.push(number);
            }
            let weak = weights.clone().filter(|weight| weight.abs() < TINY_WEIGHT).count();
            if weak > 0 {
                tiny_influences += weak;
                zeros += weights.clone().filter(|&weight| weight == 0.0).count();
                tiny_here.push(number);
            }
            let pulling = weights.filter(|&weight| weight != 0.0).count();
            if pulling > MANY_INFLUENCES {
                many_here.push(number);
                most = most.max(pulling);
            }
            if in_joint_space {
                let spread = spread(mesh, run, bind);
                if spread > reach {
                    apart_here.push(number);
                    farthest = tintype_model::math::max(farthest, spread);
                }
            }
        }
        unweighted_vertices.vertices(model, index, mesh.unweighted_vertices.clone(), count);
        uneven.vertices(model, index, uneven_here, count);
        negative.vertices(model, index, negative_here, count);
        many.vertices(model, index, many_here, count);
        apart.vertices(model, index, apart_here, count);
        tiny.vertices(model, index, tiny_here.clone(), influences);
        // Influences are counted, and the vertices that have them listed.
        tiny.count += tiny_influences;
        tiny.count -= tiny_here.len();
    }
    let percent = 100.0 * farthest / tintype_model::math::max(bounds.diagonal(), f32::MIN_POSITIVE);
    let no_pull = if zeros > 0 { format!(", {zeros} of them with 0") } else { String::new() };
    let is_told = true;
    let mut problems: Vec<Problem> = [
        unweighted_vertices.into_problem("").map(|problem| Problem { is_told, ..problem }),
        uneven
            .into_problem(&format!("; the worst sum is {worst_sum}"))
            .map(|problem| Problem { is_told, ..problem }),
        negative.into_problem(""),
        tiny.into_problem(&no_pull),
        many.into_problem(&format!(", at most {most}")),
        apart.into_problem(&format!(", by at most {percent:.1} % of the diagonal")),
    ]
    .into_iter()
    .flatten()
    .collect();
    problems.extend(unused_joints(model));
    problems.extend(joint_names(model));
    problems
}

/// Largest distance between the bind positions from the influences of a vertex; small weights are
/// ignored.
fn spread(mesh: &Mesh, run: core::ops::Range<usize>, bind: &[Affine3]) -> f32 {
    let mut bounds = Aabb::EMPTY;
    for influence in
        run.filter(|&influence| mesh.influences[influence].weight().abs() >= TINY_WEIGHT)
    {
        let joint = &bind[mesh.influences[influence].joint().index()];
        bounds.add(joint.transform_point3(mesh.influences[influence].position()));
    }
    if bounds.is_empty() { 0.0 } else { bounds.diagonal() }
}

/// Joints that neither pull vertices nor have a descendant that does.
fn unused_joints(model: &Model) -> Option<Problem> {
    let joints = model.skeleton.joints();
    let mut is_used = vec![false; joints.len()];
    for mesh in &model.meshes {
        for influence in &mesh.influences {
            is_used[influence.joint().index()] |= influence.weight() != 0.0;
        }
    }
    for (index, joint) in joints.iter().enumerate().rev() {
        if let (true, Some(parent)) = (is_used[index], joint.parent) {
            is_used[parent.index()] = true;
        }
    }
    // Nodes of a skinned mesh pull no vertices, but it would be lost without them.
    let mut holds = vec![false; joints.len()];
    model.parts.holders.iter().for_each(|joint| holds[joint.index()] = true);
    for (index, joint) in joints.iter().enumerate().rev() {
        if let (true, Some(parent)) = (holds[index], joint.parent) {
            holds[parent.index()] = true;
        }
    }
    let is_needed = is_used.iter().zip(&holds).map(|(used, holds)| *used || *holds);
    let unused = joints.iter().zip(is_needed).filter(|(_, is_needed)| !is_needed);
    let names = unused.map(|(joint, _)| joint.name.clone()).collect();
    of_joints(Kind::UnusedJoint, names, joints.len(), None)
}

/// Duplicate names of joints; unnamed joints do not count.
fn joint_names(model: &Model) -> Option<Problem> {
    let joints = model.skeleton.joints();
    let mut known = BTreeSet::new();
    let mut names = Vec::new();
    for joint in joints.iter().filter(|joint| !joint.name.is_empty()) {
        if !known.insert(joint.name.as_str()) {
            names.push(joint.name.clone());
        }
    }
    of_joints(Kind::JointNameTwice, names, joints.len(), None)
}
