//! Finds the pose in which the vertices of a file are bound to its joints, if that is not the pose
//! of its models.
//!
//! Clusters state the transforms of their bones at binding. Files whose clusters do not may have a
//! pose of kind `BindPose`, which counts if it has all bones. Models that are not bones are placed
//! by that pose, otherwise relative to their parents as in the file.

use super::node::Nodes;
use super::skin::matrix;
use crate::fbx::document::Document;
use std::collections::BTreeMap;
use tintype_model::math::{Affine3, DAffine3, max};
use tintype_model::{Joint, JointIndex};

/// Relative difference at which a transform of the bind pose counts as different from the pose of
/// the file.
const AWAY: f32 = 1.0e-4;

/// The place of each model that a bind pose of the file lists.
fn listed_places(document: &Document) -> BTreeMap<usize, DAffine3> {
    let poses = document.objects.iter().filter(|own| own.kind == "Pose" && own.class == "BindPose");
    let mut listed: BTreeMap<usize, DAffine3> = BTreeMap::new();
    for record in poses.flat_map(|own| own.node.all("PoseNode")) {
        let model = record.child("Node").and_then(|node| document.find(node.values.first()?));
        let numbers = record.child("Matrix").and_then(|matrix| matrix.reals().ok());
        if let (Some(model), Some(numbers)) = (model, numbers.filter(|list| list.len() >= 16)) {
            listed.entry(model).or_insert_with(|| matrix(&numbers));
        }
    }
    listed
}

/// The bones of all clusters, each with its place if a cluster states it.
fn bones_of_clusters(document: &Document) -> BTreeMap<usize, Option<DAffine3>> {
    let mut bones: BTreeMap<usize, Option<DAffine3>> = BTreeMap::new();
    for (index, cluster) in document.objects.iter().enumerate() {
        if cluster.class != "Cluster" {
            continue;
        }
        let stated = cluster.node.reals_of("TransformLink").ok().flatten();
        let stated = stated.filter(|list| list.len() >= 16 && list.iter().any(|&one| one != 0.0));
        let stated = stated.map(|list| matrix(&list));
        for bone in document.parts(index, "Model") {
            let known = bones.entry(bone).or_insert(None);
            *known = known.or(stated);
        }
    }
    bones
}

/// From each joint to model space in the bind pose. None if the file has none, or if it equals its
/// pose.
pub(super) fn bind_pose(document: &Document, nodes: &Nodes) -> Option<Vec<Affine3>> {
    let (listed, bones) = (listed_places(document), bones_of_clusters(document));
    if bones.values().any(Option::is_none) && !bones.keys().all(|bone| listed.contains_key(bone)) {
        return None;
    }
    // A file of clips has no clusters; there its limbs count.
    let is_bone = |object: usize| {
        let class = document.objects.get(object).map(|own| own.class.as_ref());
        matches!(class, Some("LimbNode" | "Limb" | "Root"))
    };
    let limbs = || nodes.list.iter().map(|node| node.object).filter(|&one| is_bone(one));
    let has_limbs = limbs().next().is_some() && limbs().all(|limb| listed.contains_key(&limb));
    if bones.is_empty() && !has_limbs {
        return None;
    }
    let mut placed: BTreeMap<JointIndex, Affine3> = BTreeMap::new();
    for node in &nodes.list {
        let is_mesh = document.parts(node.object, "Geometry").next().is_some();
        let of_pose =
            || listed.get(&node.object).filter(|_| !is_mesh || bones.contains_key(&node.object));
        let own = bones.get(&node.object).copied().flatten();
        if let Some(world) = own.or_else(|| of_pose().copied()) {
            placed.insert(node.carrier(), nodes.frame.world(world));
        }
    }
    let mut found: Vec<Affine3> = Vec::new();
    let joints = nodes.skeleton.joints();
    let locals = nodes.skeleton.parent_from_joint();
    // The second joint of a model carries only its scale.
    let first_of: BTreeMap<JointIndex, JointIndex> =
        nodes.list.iter().map(|node| (node.joint, node.carrier())).collect();
    for ((index, joint), local) in (0_u16..).zip(joints).zip(locals) {
        let index = JointIndex(index);
        let by_scale = || {
            let scaled = first_of.get(&index).filter(|scaled| **scaled != index)?;
            Some(*placed.get(scaled)? * locals.get(scaled.index())?.inverse())
        };
        let stated = placed.get(&index).copied().or_else(by_scale);
        let above = joint.parent.and_then(|parent| found.get(parent.index()));
        found.push(stated.unwrap_or_else(|| above.map_or(*local, |above| *above * *local)));
    }
    let size = |at: &Affine3| at.to_cols_array().map(f32::abs).into_iter().fold(0.0, max);
    let reach = joints.iter().map(|joint| size(&joint.model_from_joint)).fold(0.0, max);
    let is_away = |(own, joint): (&Affine3, &Joint)| {
        let parts = own.to_cols_array().into_iter().zip(joint.model_from_joint.to_cols_array());
        parts.map(|(a, b)| (a - b).abs()).any(|far| far > reach * AWAY)
    };
    let is_sound = found.iter().all(|own| own.is_finite() && own.inverse().is_finite());
    (is_sound && found.iter().zip(joints).any(is_away)).then_some(found)
}
