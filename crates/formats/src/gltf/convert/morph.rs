//! Morph targets: their weights, one for each target of the mesh of each node, and the offsets of
//! their vertices.

use super::channel::{Target, VISIBLE, target_of};
use super::instancing::is_visible;
use super::node::{Nodes, to_f32};
use super::primitive::vec3s;
use super::source::Source;
use crate::gltf::accessor::{IntegerPolicy, NonFiniteFallback};
use crate::gltf::document::{Document, Mesh, Node, Primitive};
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::path::JsonPath;
use crate::gltf::vrm::{Bind, FileExpression, expression_of, expressions_of};
use crate::names::Names;
use std::collections::{BTreeMap, BTreeSet};
use tintype_model::math::Vec3;
use tintype_model::{BindTarget, Expression, FileRepair, MorphWeight};

/// Weights of the morph targets of a scene.
#[derive(Default)]
pub(super) struct Morphs {
    /// In the order of the joints, then of the targets.
    pub(super) weights: Vec<MorphWeight>,
    /// Per node of the document: the index of the weight of its first target.
    first: Vec<Option<usize>>,
    /// For each node with animated visibility: the index of the weight that shows it at 0.5 or
    /// more.
    shown: BTreeMap<usize, usize>,
}

impl Morphs {
    /// The index of the weight of the first target of a node. None for a node without targets, or
    /// outside of the scene.
    pub(super) fn first(&self, node: usize) -> Option<usize> {
        self.first.get(node).copied().flatten()
    }

    /// The expressions of a VRM file in terms of the weights.
    pub(super) fn expressions(
        &self,
        document: &Document,
        nodes: &Nodes,
        materials: &[String],
    ) -> Vec<Expression> {
        let mut unique = Names::default();
        let slot = |node: usize, target: usize| {
            let first = self.first(node).filter(|_| target < target_count(document, node))?;
            Some(first + target)
        };
        let resolved = |(index, FileExpression { own, binds }): (usize, FileExpression)| {
            let mut weights = Vec::new();
            for Bind { node, mesh, target, weight } in binds {
                let is_meant = |index: &usize| {
                    let of_mesh = document.nodes.get(*index).and_then(|node| node.mesh);
                    node == Some(*index) || mesh.is_some() && mesh == of_mesh.map(|mesh| mesh.0)
                };
                let places = nodes.nodes.iter().filter(|index| is_meant(index));
                weights.extend(places.filter_map(|&index| Some((slot(index, target)?, weight))));
            }
            let name = unique.unique(Some(&own.name), "expression", index);
            Expression { name, weights, ..own }
        };
        expressions_of(document, materials).into_iter().enumerate().map(resolved).collect()
    }

    /// True if clips animate the visibility of a node itself.
    pub(super) fn is_switched(&self, node: usize) -> bool {
        self.shown.contains_key(&node)
    }

    /// The weights that show a node: its own and those of its ancestors. None if there are more
    /// than [`MAX_SWITCHES`].
    pub(super) fn shown_by(&self, nodes: &Nodes, node: usize) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        if self.shown.is_empty() {
            return Some(found);
        }
        let mut joint = nodes.joint(node);
        while let Some(at) = joint {
            let own = nodes.nodes.get(at.index()).and_then(|node| self.shown.get(node));
            found.extend(own);
            if found.len() > MAX_SWITCHES {
                return None;
            }
            joint = nodes.skeleton.joints().get(at.index()).and_then(|joint| joint.parent);
        }
        Some(found)
    }
}

/// Maximum number of visibility switches between a node and its root.
pub(super) const MAX_SWITCHES: usize = 32;

/// The name of the weight that shows a node, listed beside its morph targets.
pub(super) fn name_of_switch(document: &Document, node: usize) -> String {
    let is_taken = target_names(document, node).iter().any(|name| name == "visible");
    if is_taken { "node visible".to_owned() } else { "visible".to_owned() }
}

/// Nodes with visibility animated by clips.
fn switched_nodes(document: &Document) -> BTreeSet<usize> {
    let channels = document.animations.iter().flat_map(|animation| &animation.channels);
    let switched = channels.filter_map(|channel| match target_of(channel) {
        Target::Node(node, VISIBLE) => Some(node.0),
        _ => None,
    });
    switched.collect()
}

/// The number of targets of the mesh of a node.
pub(super) fn target_count(document: &Document, node: usize) -> usize {
    let mesh = document.nodes.get(node).and_then(|node| node.mesh);
    let mesh = mesh.and_then(|mesh| document.meshes.get(mesh.0));
    mesh.map_or(0, targets_of)
}

/// The number of targets of a mesh: the maximum over its primitives.
fn targets_of(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0)
}

/// Unique names of the targets of a node's mesh: from `extras.targetNames` of the mesh, otherwise
/// of a primitive, otherwise from VRM expressions, otherwise their numbers.
pub(super) fn target_names(document: &Document, node: usize) -> Vec<String> {
    let mesh = document.nodes.get(node).and_then(|node| node.mesh);
    let Some(mesh) = mesh.and_then(|mesh| document.meshes.get(mesh.0)) else { return Vec::new() };
    let mut unique = Names::default();
    let mut extras =
        core::iter::once(&mesh.extras).chain(mesh.primitives.iter().map(|one| &one.extras));
    let names = extras.find_map(|extras| extras.get("targetNames")?.as_array());
    let given = |index: usize| names.and_then(|names| names.get(index)?.as_str());
    let name = |index: usize| given(index).or_else(|| expression_of(document, node, index));
    (0..targets_of(mesh)).map(|index| unique.unique(name(index), "target", index)).collect()
}

/// The weights come from the node, otherwise from its mesh, otherwise they are 0.
///
/// # Errors
/// Only those of the parts.
pub(super) fn build_weights(source: &Source, nodes: &Nodes) -> Result<Morphs, GltfError> {
    let (document, faults) = (source.document, source.faults);
    let first = vec![None; document.nodes.len()];
    let mut morphs = Morphs { first, ..Morphs::default() };
    let switched = switched_nodes(document);
    let (node_list, mesh_list) = (JsonPath::root("nodes"), JsonPath::root("meshes"));
    for &index in &nodes.nodes {
        let (Some(node), Some(joint)) = (document.nodes.get(index), nodes.joint(index)) else {
            continue;
        };
        let path = node_list.index(index);
        let mesh = node.mesh.and_then(|mesh| Some((mesh.0, document.meshes.get(mesh.0)?)));
        let mut count = 0;
        if let Some((number, mesh)) = mesh {
            count = targets_of(mesh);
            check_counts(mesh, &mesh_list.index(number), faults);
            let rest = rest_weights(node, mesh, [&path, &mesh_list.index(number)], faults);
            if count > 0
                && let Some(slot) = morphs.first.get_mut(index)
            {
                *slot = Some(morphs.weights.len());
            }
            let names = target_names(document, index);
            morphs.weights.extend(names.into_iter().enumerate().map(|(target, name)| {
                let rest = rest.get(target).copied().unwrap_or(0.0);
                MorphWeight { name, joint, target, rest }
            }));
        }
        if switched.contains(&index) {
            morphs.shown.insert(index, morphs.weights.len());
            let name = name_of_switch(document, index);
            let rest = if is_visible(node, &path, faults) { 1.0 } else { 0.0 };
            morphs.weights.push(MorphWeight { name, joint, target: count, rest });
        }
    }
    Ok(morphs)
}

/// Reports primitives with fewer targets than another of their mesh; the missing targets do not
/// deform them.
fn check_counts(mesh: &Mesh, path: &JsonPath, faults: &RepairLog) {
    let count = targets_of(mesh);
    let list = path.key("primitives");
    for (place, primitive) in mesh.primitives.iter().enumerate() {
        let found = primitive.targets.len();
        if found != count {
            let (path, expected) = (list.index(place), format!("{count}, as in another primitive"));
            let at = path.key("targets");
            let error = GltfError::value(&at, "the morph target count", found, expected);
            faults.tell(
                FileRepair::CountMismatch,
                format!("{error}; the others have no effect on it"),
            );
        }
    }
}

/// Weights where no clip moves them.
fn rest_weights(
    node: &Node,
    mesh: &Mesh,
    [node_path, mesh_path]: [&JsonPath; 2],
    faults: &RepairLog,
) -> Vec<f32> {
    let count = targets_of(mesh);
    let mut found = Vec::new();
    for (weights, path) in [(&mesh.weights, mesh_path), (&node.weights, node_path)] {
        let Some(weights) = weights else { continue };
        let path = path.key("weights");
        if weights.len() != count {
            let expected = format!("{count}, one for each morph target");
            let error = GltfError::value(&path, "the weight count", weights.len(), expected);
            let used =
                if weights.len() > count { "the others are skipped" } else { "the others are 0" };
            faults.tell(FileRepair::CountMismatch, format!("{error}; {used}"));
        }
        found = weights.iter().map(|&weight| to_f32(weight)).collect();
        for (place, weight) in found.iter_mut().enumerate() {
            if !weight.is_finite() {
                let error =
                    GltfError::value(&path.index(place), "the weight", *weight, "a finite number");
                faults.tell(FileRepair::NotFinite, format!("{error}; taken as 0"));
                *weight = 0.0;
            }
        }
    }
    found
}

/// The offsets of the targets of a primitive; their weights begin at `first`.
///
/// A target may move positions, normals and tangents; attributes missing from the primitive, and
/// unreadable offsets, are ignored.
///
/// # Errors
/// [`GltfError::Limit`] for too many numbers.
pub(super) fn read_targets(
    source: &Source,
    primitive: &Primitive,
    first: usize,
    count: usize,
    path: &JsonPath,
) -> Result<Vec<BindTarget>, GltfError> {
    let list = path.key("targets");
    let mut targets = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for (index, attributes) in primitive.targets.iter().enumerate() {
        let at = list.index(index);
        let mut target = BindTarget { weight: first + index, ..BindTarget::default() };
        for (name, &accessor) in attributes {
            let is_any = name == "POSITION";
            let slot = match name.as_str() {
                "POSITION" => &mut target.positions,
                "NORMAL" => &mut target.normals,
                "TANGENT" => &mut target.tangents,
                other => {
                    others.push(other);
                    continue;
                }
            };
            if !primitive.attributes.contains_key(name) {
                others.push(name);
                continue;
            }
            let integers = if !is_any {
                IntegerPolicy::Normalized
            } else if source.is_quantized {
                IntegerPolicy::Any
            } else {
                IntegerPolicy::Unusual
            };
            let at = at.key(name);
            let numbers =
                source.accessors.reals(accessor, &["VEC3"], integers, &at, NonFiniteFallback::ZERO);
            let numbers = source.faults.part(FileRepair::WrongShape, numbers, "skipped")?;
            let Some(mut numbers) = numbers else { continue };
            numbers.fit(count, 0.0, &at, source.faults);
            let offsets: Vec<Vec3> = vec3s(&numbers);
            *slot = offsets;
        }
        targets.push(target);
    }
    others.sort_unstable();
    others.dedup();
    if !others.is_empty() {
        let message = format!(
            "{list}: {} of morph targets is ignored: only the primitive's POSITION, NORMAL and TANGENT can be morphed",
            others.join(", ")
        );
        source.faults.tell(FileRepair::UnknownPart, message);
    }
    Ok(targets)
}
