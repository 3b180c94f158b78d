//! Nodes become the joints of one skeleton, parents before children, each under a name of its own.
//!
//! Every node of the scene is a joint, so that rigid, skinned and animated parts of a file are one system.

use super::names::Names;
use crate::FileScene;
use crate::gltf::buffer::missing;
use crate::gltf::document::{Document, Node};
use crate::gltf::error::GltfError;
use crate::gltf::number::Whole;
use crate::gltf::path::JsonPath;
use std::collections::BTreeSet;
use tintype_model::math::{Affine3, Mat3, Quat, Vec3};
use tintype_model::{Joint, JointIndex, LocalTransform, Skeleton, SkeletonError, Warning};

/// Rotations whose length is off 1 by more than this are told.
const UNIT_TOLERANCE: f64 = 1.0e-3;

/// The nodes of the scene as joints.
pub(super) struct Nodes {
    pub(super) skeleton: Skeleton,
    /// Per node of the document: its joint; none outside of the scene.
    joints: Vec<Option<JointIndex>>,
    /// Per joint: its node.
    pub(super) nodes: Vec<usize>,
    /// Per node of the document: a name that no other has.
    pub(super) names: Vec<String>,
}

impl Nodes {
    /// The joint of a node; none outside of the scene.
    pub(super) fn joint(&self, node: usize) -> Option<JointIndex> {
        self.joints.get(node).copied().flatten()
    }
}

/// Builds the skeleton of a scene: that which is asked for, else that which the document names, else the first one; without scenes
/// that of all nodes.
///
/// # Errors
/// [`GltfError::Value`] for a scene that there is not, indices out of range, a node with two parents, a circle of nodes, and transforms that cannot be;
/// [`GltfError::Limit`] for more nodes than a skeleton can have.
pub(super) fn build_nodes(
    document: &Document,
    scene: Option<&FileScene>,
    warnings: &mut Vec<Warning>,
) -> Result<Nodes, GltfError> {
    let tops = tops(document)?;
    let roots = roots(document, &tops, chosen_scene(document, scene)?, warnings)?;
    let mut unique = Names::default();
    let names: Vec<String> = (document.nodes.iter().enumerate())
        .map(|(index, node)| unique.unique(node.name.as_deref(), "node", index))
        .collect();
    let list = JsonPath::root("nodes");
    let mut joints = vec![None; document.nodes.len()];
    let (mut nodes, mut built, mut rests) = (Vec::new(), Vec::new(), Vec::new());
    let mut open: Vec<(usize, Option<JointIndex>)> =
        roots.into_iter().rev().map(|root| (root, None)).collect();
    while let Some((index, parent)) = open.pop() {
        let Some(node) = document.nodes.get(index) else { continue };
        let Ok(joint) = u16::try_from(built.len()).map(JointIndex) else {
            return Err(GltfError::Limit {
                path: list.index(index).to_string(),
                what: "nodes of the scene",
                found: document.nodes.len(),
                limit: Skeleton::MAX_JOINTS,
                option: None,
            });
        };
        let local = local_transform(node, &list.index(index), warnings)?;
        let above = parent.and_then(|parent| built.get(parent.index()));
        let model_from_joint = match above {
            Some(Joint { model_from_joint, .. }) => *model_from_joint * local.matrix,
            None => local.matrix,
        };
        built.push(Joint {
            name: names.get(index).cloned().unwrap_or_default(),
            parent,
            model_from_joint,
        });
        rests.push(local);
        nodes.push(index);
        if let Some(slot) = joints.get_mut(index) {
            *slot = Some(joint);
        }
        open.extend(node.children.iter().rev().map(|child| (child.0, Some(joint))));
    }
    let (matrices, parts) = rests.iter().map(|rest| (rest.matrix, rest.parts)).unzip();
    let skeleton = Skeleton::try_with_parts(built, matrices, parts).map_err(|error| {
        let node = match &error {
            SkeletonError::NotFinite { joint, .. } => nodes.get(*joint).copied().unwrap_or(0),
            _ => 0,
        };
        let path = list.index(node);
        GltfError::value(&path, "the transform of the node", error, "a finite transform")
    })?;
    Ok(Nodes { skeleton, joints, nodes, names })
}

/// Per node: the root that it hangs on, itself for a root.
fn tops(document: &Document) -> Result<Vec<usize>, GltfError> {
    let count = document.nodes.len();
    let list = JsonPath::root("nodes");
    let mut parents: Vec<Option<usize>> = vec![None; count];
    for (index, node) in document.nodes.iter().enumerate() {
        let path = list.index(index);
        for (place, child) in node.children.iter().enumerate() {
            let children = path.key("children");
            let at = children.index(place);
            let Some(slot) = parents.get_mut(child.0) else {
                return Err(missing(&at, "the child", *child, count));
            };
            if let Some(first) = *slot {
                let found = format!("node {}, already a child of node {first}", child.0);
                return Err(GltfError::value(
                    &at,
                    "the child",
                    found,
                    "a node without another parent",
                ));
            }
            *slot = Some(index);
        }
    }
    // A walk from the roots meets every node once; what it does not meet hangs in a circle.
    let mut tops: Vec<Option<usize>> = vec![None; count];
    let mut open: Vec<(usize, usize)> = (0..count)
        .filter(|&node| parents.get(node) == Some(&None))
        .map(|root| (root, root))
        .collect();
    while let Some((index, top)) = open.pop() {
        if let (Some(slot), Some(node)) = (tops.get_mut(index), document.nodes.get(index)) {
            *slot = Some(top);
            open.extend(node.children.iter().map(|child| (child.0, top)));
        }
    }
    match tops.iter().position(Option::is_none) {
        None => Ok(tops.into_iter().flatten().collect()),
        Some(index) => {
            let path = list.index(index);
            Err(GltfError::value(
                &path,
                "the hierarchy",
                format!("node {index} below itself"),
                "no circle of nodes",
            ))
        }
    }
}

/// Names of the scenes of a document, each once.
pub(super) fn scene_names(document: &Document) -> Vec<String> {
    let mut names = Names::default();
    let scenes = document.scenes.iter().enumerate();
    scenes.map(|(index, one)| names.unique(one.name.as_deref(), "scene", index)).collect()
}

/// The index of a scene.
fn chosen_scene(document: &Document, wanted: Option<&FileScene>) -> Result<usize, GltfError> {
    let count = document.scenes.len();
    let Some(wanted) = wanted else {
        return match document.scene {
            Some(scene) if scene.0 >= count => {
                Err(missing(&JsonPath::root("scene"), "the scene", scene, count))
            }
            Some(scene) => Ok(scene.0),
            None => Ok(0),
        };
    };
    let names = scene_names(document);
    let (found, written) = match wanted {
        FileScene::Index(index) => (Some(*index).filter(|&index| index < count), index.to_string()),
        FileScene::Name(name) => (names.iter().position(|own| own == name), format!("{name:?}")),
    };
    found.ok_or_else(|| {
        let listed: Vec<String> =
            names.iter().take(MOST_NAMES).map(|own| format!("{own:?}")).collect();
        let more = if count > listed.len() { " ..." } else { "" };
        let expected = match count {
            0 => "none: the file has no scenes".to_owned(),
            count => format!("an index below {count}, or a name: {}{more}", listed.join(", ")),
        };
        GltfError::value(
            &JsonPath::root("scenes"),
            "the scene that is asked for",
            written,
            expected,
        )
    })
}

/// Names that a message lists.
const MOST_NAMES: usize = 12;

/// The roots of the scene; and those above joints of skins that lie outside of it.
fn roots(
    document: &Document,
    tops: &[usize],
    chosen: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<usize>, GltfError> {
    let scenes = JsonPath::root("scenes");
    let is_root = |node: usize| tops.get(node) == Some(&node);
    let Some(scene) = document.scenes.get(chosen) else {
        return Ok((0..tops.len()).filter(|&node| is_root(node)).collect());
    };
    let path = scenes.index(chosen);
    let mut roots: Vec<usize> = Vec::new();
    let mut is_taken = vec![false; tops.len()];
    for (place, node) in scene.nodes.iter().enumerate() {
        let nodes = path.key("nodes");
        let at = nodes.index(place);
        let Some(taken) = is_taken.get_mut(node.0) else {
            return Err(missing(&at, "the node", *node, tops.len()));
        };
        if !is_root(node.0) || *taken {
            return Err(GltfError::value(&at, "the node", node.0, "a node without a parent, once"));
        }
        *taken = true;
        roots.push(node.0);
    }
    // Skins of nodes of the scene.
    let in_scene = |node: usize| {
        tops.get(node).is_some_and(|&top| is_taken.get(top).copied().unwrap_or(false))
    };
    let nodes = document.nodes.iter().enumerate().filter(|(index, _)| in_scene(*index));
    let used: BTreeSet<Whole> = nodes.filter_map(|(_, node)| node.skin).collect();
    for (index, skin) in document.skins.iter().enumerate() {
        if !used.contains(&Whole(index)) {
            continue;
        }
        for joint in &skin.joints {
            let Some(&top) = tops.get(joint.0) else { continue };
            let Some(taken) = is_taken.get_mut(top).filter(|taken| !**taken) else { continue };
            *taken = true;
            let list = JsonPath::root("skins");
            let message = format!(
                "{}: joint node {} is outside of the scene; it is posed all the same",
                list.index(index),
                joint.0
            );
            warnings.push(Warning::new(0, message));
            roots.push(top);
        }
    }
    Ok(roots)
}

/// Transform of a node on its parent.
struct Local {
    matrix: Affine3,
    parts: LocalTransform,
}

/// The transform of a node: a matrix, or translation, rotation and scale.
fn local_transform(
    node: &Node,
    path: &JsonPath,
    warnings: &mut Vec<Warning>,
) -> Result<Local, GltfError> {
    if let Some(matrix) = node.matrix {
        for (key, is_given) in [
            ("translation", node.translation.is_some()),
            ("rotation", node.rotation.is_some()),
            ("scale", node.scale.is_some()),
        ] {
            if is_given {
                let expected = "either a matrix, or translation, rotation and scale";
                return Err(GltfError::value(
                    &path.key(key),
                    "the transform",
                    "a matrix too",
                    expected,
                ));
            }
        }
        let matrix = affine(matrix.map(to_f32)).ok_or_else(|| {
            GltfError::value(&path.key("matrix"), "the last row", "another row", "0, 0, 0, 1")
        })?;
        return Ok(Local { matrix, parts: LocalTransform::of(matrix) });
    }
    let translation = Vec3::from_array(node.translation.unwrap_or_default().map(to_f32));
    let scale = Vec3::from_array(node.scale.unwrap_or([1.0; 3]).map(to_f32));
    let written = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let length = written.iter().map(|part| part * part).sum::<f64>().sqrt();
    if !(length > 0.0 && length.is_finite()) {
        let found = format!("{written:?}");
        return Err(GltfError::value(
            &path.key("rotation"),
            "the rotation",
            found,
            "a unit quaternion",
        ));
    }
    if (length - 1.0).abs() > UNIT_TOLERANCE {
        let message =
            format!("{}: the rotation has length {length:.4}; it is made 1", path.key("rotation"));
        warnings.push(Warning::new(0, message));
    }
    let rotation = Quat::from_array(written.map(to_f32)).normalize();
    let parts = LocalTransform { scale, rotation, translation };
    Ok(Local { matrix: parts.matrix(), parts })
}

/// An affine transform from sixteen numbers, column by column; none if the last row is not that of one.
pub(super) fn affine(columns: [f32; 16]) -> Option<Affine3> {
    let [ax, ay, az, aw, bx, by, bz, bw, cx, cy, cz, cw, x, y, z, w] = columns;
    const TOLERANCE: f32 = 1.0e-5;
    let is_last_row = [aw, bw, cw, w - 1.0].iter().all(|part| part.abs() <= TOLERANCE);
    let (a, b, c) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz), Vec3::new(cx, cy, cz));
    is_last_row
        .then_some(Affine3 { matrix3: Mat3::from_cols(a, b, c), translation: Vec3::new(x, y, z) })
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
pub(super) fn to_f32(value: f64) -> f32 {
    value as f32
}
