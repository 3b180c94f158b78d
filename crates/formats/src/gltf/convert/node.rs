//! Nodes become the joints of one skeleton, parents before children, each with a unique name.
//!
//! Every node of the scene is a joint, so that rigid, skinned and animated parts of a file form one
//! system.

use crate::FileScene;
use crate::LimitExceeded;
use crate::gltf::buffer::missing;
use crate::gltf::document::{Document, Node};
use crate::gltf::error::GltfError;
use crate::gltf::faults::RepairLog;
use crate::gltf::number::JsonInteger;
use crate::gltf::path::JsonPath;
use crate::names::Names;
use std::collections::BTreeSet;
use tintype_model::math::{Affine3, Mat3, Quat, Vec3};
use tintype_model::{FileRepair, Joint, JointIndex, LocalTransform, Skeleton, SkeletonError};

/// Rotations whose length deviates from 1 by more than this are reported.
const UNIT_TOLERANCE: f64 = 1.0e-3;

/// The nodes of the scene as joints.
pub(super) struct Nodes {
    pub(super) skeleton: Skeleton,
    /// For each node of the document, its joint. None outside of the scene.
    joints: Vec<Option<JointIndex>>,
    /// Per joint: its node.
    pub(super) nodes: Vec<usize>,
    /// Per node of the document: a unique name.
    pub(super) names: Vec<String>,
    /// Per node of the document: its children.
    pub(super) children: Vec<Vec<usize>>,
    /// Per node of the document: true if the scene lists it, or an ancestor of it.
    pub(super) listed: Vec<bool>,
}

impl Nodes {
    /// The joint of a node. None outside of the scene.
    pub(super) fn joint(&self, node: usize) -> Option<JointIndex> {
        self.joints.get(node).copied().flatten()
    }
}

/// Builds the skeleton of a scene: the requested one, otherwise the default of the document,
/// otherwise the first. Without scenes, all nodes are used.
///
/// # Errors
/// [`GltfError::Value`] for a requested scene that does not exist, and invalid transforms;
/// [`GltfError::Limit`] for more nodes than a skeleton can have.
pub(super) fn build_nodes(
    document: &Document,
    scene: Option<&FileScene>,
    faults: &RepairLog,
) -> Result<Nodes, GltfError> {
    let hierarchy = Hierarchy::of(document, faults);
    let chosen = chosen_scene(document, scene, faults)?;
    let (roots, listed) = roots(document, &hierarchy, chosen, faults);
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
            return Err(LimitExceeded::new(
                list.index(index).to_string(),
                "nodes of the scene",
                document.nodes.len(),
                (Skeleton::MAX_JOINTS, None),
            )
            .into());
        };
        let local = local_transform(node, &list.index(index), faults);
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
        let children = hierarchy.children.get(index).into_iter().flatten();
        open.extend(children.rev().map(|&child| (child, Some(joint))));
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
    Ok(Nodes { skeleton, joints, nodes, names, children: hierarchy.children, listed })
}

/// The nodes of a document, each with at most one parent, without cycles.
struct Hierarchy {
    children: Vec<Vec<usize>>,
    /// For each node, its root, which is itself for a root.
    tops: Vec<usize>,
}

impl Hierarchy {
    /// The hierarchy of the children listed by nodes. Of two parents the first one counts; a circle
    /// is cut above its first node.
    fn of(document: &Document, faults: &RepairLog) -> Self {
        let count = document.nodes.len();
        let (parents, mut children) = family(document, faults);
        // A walk from the roots visits every node once; unvisited ones are in a cycle.
        let mut tops: Vec<Option<usize>> = vec![None; count];
        let roots = (0..count).filter(|&node| parents.get(node) == Some(&None));
        roots.for_each(|root| descend(&children, root, &mut tops));
        let mut seen = vec![usize::MAX; count];
        for index in 0..count {
            if tops.get(index) != Some(&None) {
                continue;
            }
            let (first, parent) = circle_above(index, &parents, &mut seen);
            if let Some(own) = children.get_mut(parent) {
                own.retain(|&child| child != first);
            }
            let list = JsonPath::root("nodes");
            let path = list.index(parent);
            let (at, found) = (path.key("children"), format!("node {first} below itself"));
            let error = GltfError::value(&at, "the hierarchy", found, "no cycle of nodes");
            faults.tell(FileRepair::Hierarchy, format!("{error}; skipped"));
            descend(&children, first, &mut tops);
        }
        Self { children, tops: tops.into_iter().flatten().collect() }
    }
}

/// The parent of each node, and its children.
fn family(document: &Document, faults: &RepairLog) -> (Vec<Option<usize>>, Vec<Vec<usize>>) {
    let count = document.nodes.len();
    let list = JsonPath::root("nodes");
    let mut parents: Vec<Option<usize>> = vec![None; count];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    for ((index, node), own) in document.nodes.iter().enumerate().zip(&mut children) {
        let path = list.index(index);
        for (place, &child) in node.children.iter().enumerate() {
            let path = path.key("children");
            let at = path.index(place);
            let (fault, error) = match parents.get_mut(child.0) {
                Some(slot @ None) => {
                    *slot = Some(index);
                    own.push(child.0);
                    continue;
                }
                Some(Some(first)) => {
                    let found = format!("node {child}, already a child of node {first}");
                    let expected = "a node without another parent";
                    let error = GltfError::value(&at, "the child", found, expected);
                    (FileRepair::Hierarchy, error)
                }
                None => (FileRepair::BadReference, missing(&at, "the child", child, count)),
            };
            faults.tell(fault, format!("{error}; skipped"));
        }
    }
    (parents, children)
}

/// The first node of the circle above a node, and the parent of that node.
fn circle_above(index: usize, parents: &[Option<usize>], seen: &mut [usize]) -> (usize, usize) {
    let above = |node: usize| parents.get(node).copied().flatten().unwrap_or(node);
    // The walk upwards reaches the circle, and then goes around it.
    let mut at = index;
    while let Some(slot) = seen.get_mut(at).filter(|slot| **slot != index) {
        *slot = index;
        at = above(at);
    }
    let (start, mut first) = (at, at);
    while above(at) != start {
        at = above(at);
        first = first.min(at);
    }
    (first, above(first))
}

/// Notes the root of all nodes below it.
fn descend(children: &[Vec<usize>], root: usize, tops: &mut [Option<usize>]) {
    let mut open = vec![root];
    while let Some(index) = open.pop() {
        if let Some(slot) = tops.get_mut(index) {
            *slot = Some(root);
        }
        open.extend(children.get(index).into_iter().flatten());
    }
}

/// Names of the scenes of a document, each once.
pub(super) fn scene_names(document: &Document) -> Vec<String> {
    let mut names = Names::default();
    let scenes = document.scenes.iter().enumerate();
    scenes.map(|(index, one)| names.unique(one.name.as_deref(), "scene", index)).collect()
}

/// The index of a scene.
fn chosen_scene(
    document: &Document,
    wanted: Option<&FileScene>,
    faults: &RepairLog,
) -> Result<usize, GltfError> {
    let count = document.scenes.len();
    let Some(wanted) = wanted else {
        return match document.scene {
            Some(scene) if scene.0 >= count => {
                let error = missing(&JsonPath::root("scene"), "the scene", scene, count);
                faults.tell(FileRepair::BadReference, format!("{error}; the first one is drawn"));
                Ok(0)
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
            names.iter().take(MAX_NAMES).map(|own| format!("{own:?}")).collect();
        let more = if count > listed.len() { " ..." } else { "" };
        let expected = match count {
            0 => "none: the file has no scenes".to_owned(),
            count => format!("an index below {count}, or a name: {}{more}", listed.join(", ")),
        };
        GltfError::value(&JsonPath::root("scenes"), "the requested scene", written, expected)
    })
}

/// Names that a message lists.
const MAX_NAMES: usize = 12;

/// The roots of the scene, and those above joints of skins outside of it; for each node, true if it
/// is in the scene.
fn roots(
    document: &Document,
    hierarchy: &Hierarchy,
    chosen: usize,
    faults: &RepairLog,
) -> (Vec<usize>, Vec<bool>) {
    let tops = &hierarchy.tops;
    let scenes = JsonPath::root("scenes");
    let is_root = |node: usize| tops.get(node) == Some(&node);
    let Some(scene) = document.scenes.get(chosen) else {
        return ((0..tops.len()).filter(|&node| is_root(node)).collect(), vec![true; tops.len()]);
    };
    let path = scenes.index(chosen);
    let mut roots: Vec<usize> = Vec::new();
    let mut is_taken = vec![false; tops.len()];
    let mut is_listed = vec![false; tops.len()];
    for (place, &node) in scene.nodes.iter().enumerate() {
        let nodes = path.key("nodes");
        let at = nodes.index(place);
        let (Some(&top), Some(listed)) = (tops.get(node.0), is_listed.get_mut(node.0)) else {
            let error = missing(&at, "the node", node, tops.len());
            faults.tell(FileRepair::BadReference, format!("{error}; skipped"));
            continue;
        };
        if top != node.0 || *listed {
            let expected = "a node without a parent, once";
            let error = GltfError::value(&at, "the node", node, expected);
            let used = "drawn once, placed by all of its ancestors";
            faults.tell(FileRepair::SceneChild, format!("{error}; {used}"));
        }
        *listed = true;
        if let Some(taken) = is_taken.get_mut(top).filter(|taken| !**taken) {
            *taken = true;
            roots.push(top);
        }
    }
    list_below(&mut is_listed, &hierarchy.children);
    // Skins of nodes of the scene.
    let nodes = document.nodes.iter().zip(&is_listed).filter(|(_, listed)| **listed);
    let used: BTreeSet<JsonInteger> = nodes.filter_map(|(node, _)| node.skin).collect();
    for (index, skin) in document.skins.iter().enumerate() {
        if !used.contains(&JsonInteger(index)) {
            continue;
        }
        for joint in &skin.joints {
            let Some(&top) = tops.get(joint.0) else { continue };
            let Some(taken) = is_taken.get_mut(top).filter(|taken| !**taken) else { continue };
            *taken = true;
            let list = JsonPath::root("skins");
            let message = format!(
                "{}: joint node {joint} is outside the scene; it is posed anyway",
                list.index(index),
            );
            faults.tell(FileRepair::JointOutside, message);
            roots.push(top);
        }
    }
    (roots, is_listed)
}

/// Lists the nodes below listed ones.
fn list_below(is_listed: &mut [bool], children: &[Vec<usize>]) {
    let is_known = |node: &usize| is_listed.get(*node) == Some(&true);
    let mut open: Vec<usize> = (0..is_listed.len()).filter(is_known).collect();
    while let Some(node) = open.pop() {
        for &child in children.get(node).into_iter().flatten() {
            if let Some(listed) = is_listed.get_mut(child).filter(|listed| !**listed) {
                *listed = true;
                open.push(child);
            }
        }
    }
}

/// Transform of a node on its parent.
struct Local {
    matrix: Affine3,
    parts: LocalTransform,
}

/// The transform of a node: a matrix, or translation, rotation and scale.
fn local_transform(node: &Node, path: &JsonPath, faults: &RepairLog) -> Local {
    if let Some(matrix) = node.matrix {
        let at = path.key("matrix");
        if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
            let expected = "either a matrix, or translation, rotation and scale";
            let error = GltfError::value(&at, "the transform", "both", expected);
            faults.tell(FileRepair::Duplicate, format!("{error}; the matrix is used"));
        }
        let (matrix, is_affine) = affine(matrix.map(to_f32));
        if !is_affine {
            let error = GltfError::value(&at, "the last row", "another row", "0, 0, 0, 1");
            faults.tell(FileRepair::OutOfRange, format!("{error}; skipped"));
        }
        if matrix.is_finite() {
            return Local { matrix, parts: LocalTransform::of(matrix) };
        }
        let error = GltfError::value(&at, "the matrix", "a number too large", "finite numbers");
        faults.tell(FileRepair::NotFinite, format!("{error}; no transform"));
    }
    let vector = |key: &str, written: Option<[f64; 3]>, usual: Vec3| {
        let found = written.map_or(usual, |written| Vec3::from_array(written.map(to_f32)));
        if found.is_finite() {
            return found;
        }
        let at = path.key(key);
        let error = GltfError::value(&at, "the transform", found, "finite numbers");
        faults.tell(FileRepair::NotFinite, format!("{error}; {usual} is used"));
        usual
    };
    let translation = vector("translation", node.translation, Vec3::ZERO);
    let scale = vector("scale", node.scale, Vec3::ONE);
    let written = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let length = written.iter().map(|part| part * part).sum::<f64>().sqrt();
    let at = path.key("rotation");
    let mut rotation = Quat::IDENTITY;
    if length > 0.0 && length.is_finite() {
        if (length - 1.0).abs() > UNIT_TOLERANCE {
            let message = format!("{at}: the rotation has length {length:.4}; normalized");
            faults.tell(FileRepair::NotUnit, message);
        }
        rotation = Quat::from_array(written.map(to_f32)).normalize();
    } else {
        let found = format!("{written:?}");
        let error = GltfError::value(&at, "the rotation", found, "a unit quaternion");
        faults.tell(FileRepair::ZeroRotation, format!("{error}; no rotation"));
    }
    let parts = LocalTransform { scale, rotation, translation };
    Local { matrix: parts.matrix(), parts }
}

/// Makes an affine transform of sixteen numbers, column by column, and checks that the last row is
/// that of an affine matrix.
pub(super) fn affine(columns: [f32; 16]) -> (Affine3, bool) {
    let [ax, ay, az, aw, bx, by, bz, bw, cx, cy, cz, cw, x, y, z, w] = columns;
    const TOLERANCE: f32 = 1.0e-5;
    let is_affine = [aw, bw, cw, w - 1.0].iter().all(|part| part.abs() <= TOLERANCE);
    let (a, b, c) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz), Vec3::new(cx, cy, cz));
    let matrix3 = Mat3::from_cols(a, b, c);
    (Affine3 { matrix3, translation: Vec3::new(x, y, z) }, is_affine)
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
pub(super) fn to_f32(value: f64) -> f32 {
    value as f32
}
