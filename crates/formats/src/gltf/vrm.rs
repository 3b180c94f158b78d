//! VRM: characters in glTF files, version 0.x (the extension `VRM`) and 1.0 (`VRMC_vrm`).
//!
//! Such a file is drawn as any glTF file. What differs is read here: where version 0.x looks to, the expressions, which are weights of
//! morph targets and name those without a name, and meshes for the first person alone. Materials are in `mtoon`.
//!
//! # Source
//! VRM Consortium, "VRM 0.x" and "VRMC_vrm-1.0".

use super::document::Document;
use serde_json::Value;
use tintype_model::math::Vec3;

/// Whether a file follows one of the specifications of VRM, which say where its character looks to.
pub(super) fn is_vrm(document: &Document) -> bool {
    ["VRM", "VRMC_vrm"].iter().any(|name| document.extensions.contains_key(*name))
}

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

/// A morph target that an expression moves: of a mesh, or of that of a node.
pub(super) struct Bind {
    pub(super) node: Option<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) target: usize,
    /// Its weight at the full expression.
    pub(super) weight: f32,
}

/// Names of the expressions of a document, of its presets first, and the morph targets that they move.
pub(super) fn expressions_of(document: &Document) -> Vec<(String, Vec<Bind>)> {
    let whole = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let binds = |list: &Value, full: f64| {
        let list = list.as_array().into_iter().flatten();
        let bind = |bind: &Value| {
            let (node, mesh) = (whole(&bind["node"]), whole(&bind["mesh"]));
            let weight = nearest(bind["weight"].as_f64().unwrap_or(full) / full);
            let weight = Some(weight).filter(|weight| weight.is_finite())?;
            Some(Bind { node, mesh, target: whole(&bind["index"])?, weight })
        };
        list.filter_map(bind).collect::<Vec<_>>()
    };
    let extensions = &document.extensions;
    if let Some(new) = extensions.get("VRMC_vrm") {
        let kinds = ["preset", "custom"].iter();
        let kinds = kinds.filter_map(|kind| new["expressions"][*kind].as_object());
        let all = kinds.flatten();
        return all
            .map(|(name, one)| (name.clone(), binds(&one["morphTargetBinds"], 1.0)))
            .collect();
    }
    let old = extensions.get("VRM").map(|old| &old["blendShapeMaster"]["blendShapeGroups"]);
    let groups = old.and_then(Value::as_array).into_iter().flatten();
    // A group has a name of its own, and that of its preset.
    let named = groups.flat_map(|group| {
        let preset = group["presetName"].as_str().filter(|preset| *preset != "unknown");
        let name = group["name"].as_str().filter(|name| Some(*name) != preset);
        let names = [name, preset].into_iter().flatten().filter(|name| !name.is_empty());
        names.map(|name| (name.to_owned(), binds(&group["binds"], 100.0))).collect::<Vec<_>>()
    });
    named.collect()
}

/// Whether the mesh of a node is for the eyes of the character alone.
pub(super) fn is_first_person_only(document: &Document, node: usize) -> bool {
    let is_marked = |list: &Value, key: &str, number: Option<usize>, flag: &str| {
        list.as_array().into_iter().flatten().any(|one| {
            let is_own = one[key].as_u64().and_then(|own| usize::try_from(own).ok()) == number;
            let is_only = |word: &str| word.eq_ignore_ascii_case("firstPersonOnly");
            number.is_some() && is_own && one[flag].as_str().is_some_and(is_only)
        })
    };
    let extension = |name: &str| document.extensions.get(name).map(|own| &own["firstPerson"]);
    let mesh = document.nodes.get(node).and_then(|node| node.mesh).map(|mesh| mesh.0);
    extension("VRMC_vrm")
        .is_some_and(|own| is_marked(&own["meshAnnotations"], "node", Some(node), "type"))
        || extension("VRM")
            .is_some_and(|own| is_marked(&own["meshAnnotations"], "mesh", mesh, "firstPersonFlag"))
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

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn nearest(value: f64) -> f32 {
    value as f32
}
