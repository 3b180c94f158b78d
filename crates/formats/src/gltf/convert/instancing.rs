//! Copies of the mesh of a node (`EXT_mesh_gpu_instancing`), and hidden nodes
//! (`KHR_node_visibility`).

use super::detail::coarse_levels;
use super::node::Nodes;
use super::parts::extension;
use super::source::Source;
use crate::gltf::accessor::{IntegerPolicy, NonFiniteFallback};
use crate::gltf::document::{Attributes, Document, Node};
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::object::objects;
use crate::gltf::path::JsonPath;
use serde::Deserialize;
use tintype_model::math::{Affine3, Quat, Vec3};

objects!(Instancing, Visibility);

#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Instancing {
    #[serde(default)]
    attributes: Attributes,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Visibility {
    #[serde(default = "shown")]
    visible: bool,
}

fn shown() -> bool {
    true
}

/// Transforms of the copies of a node's mesh, in the space of the node. None for a node without
/// copies.
///
/// # Errors
/// [`GltfError`] for attributes of other types, or of different counts.
pub(super) fn copies_of(
    source: &Source,
    node: &Node,
    path: &JsonPath,
) -> Result<Option<Vec<Affine3>>, GltfError> {
    const NAME: &str = "EXT_mesh_gpu_instancing";
    let extensions = path.key("extensions");
    let found = extension(&node.extensions, NAME, &extensions, source.faults);
    let Some(Instancing { attributes }) = found else {
        return Ok(None);
    };
    let own = extensions.key(NAME);
    let list = own.key("attributes");
    let mut count: Option<usize> = None;
    let instead = NonFiniteFallback(0.0, "their instances are skipped");
    let mut read = |key: &str, kind: &str, integers: IntegerPolicy| {
        let Some(&index) = attributes.get(key) else { return Ok(None) };
        let at = list.key(key);
        let numbers = source.accessors.reals(index, &[kind], integers, &at, instead)?;
        let expected = *count.get_or_insert(numbers.len());
        if numbers.len() != expected {
            let expected = format!("{expected}, as in the other attributes");
            return Err(GltfError::value(&at, "the instance count", numbers.len(), expected));
        }
        Ok(Some(numbers))
    };
    let places = read("TRANSLATION", "VEC3", IntegerPolicy::Unusual)?;
    let turns = read("ROTATION", "VEC4", IntegerPolicy::Normalized)?;
    let sizes = read("SCALE", "VEC3", IntegerPolicy::Unusual)?;
    let mut copies = Vec::new();
    for copy in 0..count.unwrap_or(0) {
        let mut lists = [&places, &turns, &sizes].into_iter().flatten();
        if lists.any(|numbers| numbers.bad.binary_search(&copy).is_ok()) {
            continue;
        }
        let of = |numbers: &Option<crate::gltf::accessor::Numbers<f32>>| {
            numbers.as_ref().and_then(|numbers| numbers.elements().nth(copy)).map(<[f32]>::to_vec)
        };
        let place = of(&places).map_or(Vec3::ZERO, |at| Vec3::from_slice(&at));
        let turn = of(&turns).map_or(Quat::IDENTITY, |turn| Quat::from_slice(&turn));
        let size = of(&sizes).map_or(Vec3::ONE, |size| Vec3::from_slice(&size));
        let length = turn.length();
        let turn = if length > 0.0 { turn * (1.0 / length) } else { Quat::IDENTITY };
        copies.push(Affine3::from_scale_rotation_translation(size, turn, place));
    }
    Ok(Some(copies))
}

/// True if a node itself is visible.
pub(super) fn is_visible(node: &Node, path: &JsonPath, faults: &RepairLog) -> bool {
    let own: Option<Visibility> =
        extension(&node.extensions, "KHR_node_visibility", &path.key("extensions"), faults);
    own.is_none_or(|own| own.visible)
}

/// For each node of the document, true if no clip ever shows it and it is a coarser level of
/// another, or it or an ancestor is hidden. `is_switched` is true for nodes whose visibility is
/// animated.
pub(super) fn hidden_nodes(
    document: &Document,
    nodes: &Nodes,
    faults: &RepairLog,
    is_switched: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let list = JsonPath::root("nodes");
    let mut hidden = vec![false; document.nodes.len()];
    for index in coarse_levels(document, nodes, faults) {
        if let Some(slot) = hidden.get_mut(index).filter(|_| !is_switched(index)) {
            *slot = true;
        }
    }
    // Parents precede their children.
    for &index in &nodes.nodes {
        let Some(node) = document.nodes.get(index) else { continue };
        let path = list.index(index);
        let is_hidden = !is_visible(node, &path, faults) && !is_switched(index)
            || hidden.get(index).copied().unwrap_or(false);
        if !is_hidden {
            continue;
        }
        let children = nodes.children.get(index).into_iter().flatten();
        for &hidden_index in children.chain([&index]) {
            if let Some(slot) = hidden.get_mut(hidden_index) {
                *slot = true;
            }
        }
    }
    hidden
}
