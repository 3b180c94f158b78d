//! VRM: characters in glTF files, version 0.x (the extension `VRM`) and 1.0 (`VRMC_vrm`).
//!
//! Such a file is drawn as any glTF file. What differs is read here: where version 0.x looks to, and the names of expressions, which
//! name morph targets that have no name.
//!
//! # Source
//! VRM Consortium, "VRM 0.x" and "VRMC_vrm-1.0".

use super::document::Document;
use crate::math::Vec3;
use serde_json::Value;

/// The front of a model: characters of version 0.x look along -Z.
pub(super) fn front(document: &Document) -> Vec3 {
    if document.extensions.contains_key("VRM") { Vec3::NEG_Z } else { Vec3::Z }
}

/// The name of the first expression that moves a morph target of the mesh of a node, and nothing else.
pub(super) fn expression_of(document: &Document, node: usize, target: usize) -> Option<&str> {
    let old = document.extensions.get("VRM");
    if let Some(groups) = old.and_then(|old| old["blendShapeMaster"]["blendShapeGroups"].as_array())
    {
        let mesh = document.nodes.get(node)?.mesh?;
        let group =
            groups.iter().find(|group| is_alone(&group["binds"], "mesh", mesh.0, target))?;
        let name = group["name"].as_str().filter(|name| !name.trim().is_empty());
        return name.or_else(|| group["presetName"].as_str());
    }
    let expressions = &document.extensions.get("VRMC_vrm")?["expressions"];
    let kinds = ["preset", "custom"].iter().filter_map(|kind| expressions[*kind].as_object());
    let mut all = kinds.flatten();
    let found = all.find(|(_, one)| is_alone(&one["morphTargetBinds"], "node", node, target))?;
    Some(found.0)
}

/// Whether the binds of an expression are one, of that target.
fn is_alone(binds: &Value, key: &str, number: usize, target: usize) -> bool {
    let is_of = |bind: &Value, key: &str, number: usize| {
        bind[key].as_u64().is_some_and(|found| usize::try_from(found) == Ok(number))
    };
    match binds.as_array().map(Vec::as_slice) {
        Some([bind]) => is_of(bind, key, number) && is_of(bind, "index", target),
        _ => false,
    }
}
