//! VRM: characters in glTF files, version 0.x (the extension `VRM`) and 1.0 (`VRMC_vrm`).
//!
//! Such a file is drawn like any glTF file. Only the differences are read here: the direction that
//! version 0.x faces; the expressions, which are weights of morph targets and name those without a
//! name; and first-person meshes. Materials are in `mtoon`.
//!
//! # Source
//! VRM Consortium, "VRM 0.x" and "VRMC_vrm-1.0".

use super::document::Document;
use serde_json::Value;
use tintype_model::math::srgb::linear_from_encoded;
use tintype_model::math::{Vec3, max};
use tintype_model::{ColorBind, ColorRole, Expression, Override, TextureBind, expression_preset};

/// True if a file follows one of the VRM specifications, which define the direction its character
/// faces.
pub(super) fn is_vrm(document: &Document) -> bool {
    ["VRM", "VRMC_vrm"].iter().any(|name| document.extensions.contains_key(*name))
}

/// The front of a model: characters of version 0.x look along -Z.
pub(super) fn front(document: &Document) -> Vec3 {
    if document.extensions.contains_key("VRM") { Vec3::NEG_Z } else { Vec3::Z }
}

/// The name of the first expression that moves only this morph target of a node's mesh.
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

/// A morph target moved by an expression, of a mesh or of the mesh of a node.
pub(super) struct Bind {
    pub(super) node: Option<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) target: usize,
    /// Its weight at the full expression.
    pub(super) weight: f32,
}

/// An expression of a document with its morph targets; the weights of `own` are empty.
pub(super) struct FileExpression {
    pub(super) own: Expression,
    pub(super) binds: Vec<Bind>,
}

/// The expressions of a document, presets first; `materials` are the names of its materials in the
/// model.
pub(super) fn expressions_of(document: &Document, materials: &[String]) -> Vec<FileExpression> {
    if let Some(new) = document.extensions.get("VRMC_vrm") {
        let kinds = ["preset", "custom"].iter();
        let kinds = kinds.filter_map(|kind| new["expressions"][*kind].as_object());
        return kinds.flatten().map(|(name, one)| expression(name, one, materials)).collect();
    }
    let old =
        document.extensions.get("VRM").map(|old| &old["blendShapeMaster"]["blendShapeGroups"]);
    let groups = old.and_then(Value::as_array).into_iter().flatten();
    groups.map(|group| old_expression(group, document, materials)).collect()
}

fn whole(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn binds_of(list: &Value, full: f64) -> Vec<Bind> {
    let bind = |bind: &Value| {
        let weight = nearest(bind["weight"].as_f64().unwrap_or(full) / full);
        let weight = Some(weight).filter(|weight| weight.is_finite())?;
        let (node, mesh) = (whole(&bind["node"]), whole(&bind["mesh"]));
        Some(Bind { node, mesh, target: whole(&bind["index"])?, weight })
    };
    list.as_array().into_iter().flatten().filter_map(bind).collect()
}

/// An expression of version 1.0.
fn expression(name: &str, one: &Value, materials: &[String]) -> FileExpression {
    let all = |key: &str| one[key].as_array().into_iter().flatten();
    let material = |bind: &Value| materials.get(whole(&bind["material"])?).cloned();
    let color = |bind: &Value| {
        let role = match bind["type"].as_str()? {
            "color" => ColorRole::Base,
            "emissionColor" => ColorRole::Emission,
            "shadeColor" => ColorRole::Shade,
            "matcapColor" => ColorRole::Matcap,
            "rimColor" => ColorRole::Rim,
            "outlineColor" => ColorRole::Outline,
            _ => return None,
        };
        let value = finite(&bind["targetValue"], [1.0; 4])?;
        Some(ColorBind { material: material(bind)?, role, value })
    };
    let texture = |bind: &Value| {
        let (scale, offset) =
            (finite(&bind["scale"], [1.0; 2])?, finite(&bind["offset"], [0.0; 2])?);
        Some(TextureBind { material: material(bind)?, scale, offset })
    };
    let way = |key: &str| match one[key].as_str() {
        Some("block") => Override::Block,
        Some("blend") => Override::Blend,
        _ => Override::None,
    };
    let names = expression_preset(name).into_iter().flatten();
    let own = Expression {
        name: name.to_owned(),
        aliases: names.filter(|other| *other != name).map(str::to_owned).collect(),
        weights: Vec::new(),
        colors: all("materialColorBinds").filter_map(color).collect(),
        textures: all("textureTransformBinds").filter_map(texture).collect(),
        is_binary: one["isBinary"].as_bool() == Some(true),
        part: Expression::part_of(name),
        overrides: ["overrideBlink", "overrideLookAt", "overrideMouth"].map(way),
    };
    FileExpression { own, binds: binds_of(&one["morphTargetBinds"], 1.0) }
}

/// An expression of version 0.x: it has a custom name and the names of its preset. Its colours are
/// sRGB-encoded, and its textures run upward.
fn old_expression(group: &Value, document: &Document, materials: &[String]) -> FileExpression {
    let preset = group["presetName"].as_str().filter(|preset| *preset != "unknown");
    let presets = preset.map(|preset| expression_preset(preset).unwrap_or([preset; 2]));
    let names = [group["name"].as_str().unwrap_or("")]
        .into_iter()
        .chain(presets.into_iter().flatten().rev());
    let mut names: Vec<String> =
        names.filter(|name| !name.trim().is_empty()).map(str::to_owned).collect();
    names.dedup();
    let (mut colors, mut textures) = (Vec::new(), Vec::new());
    for one in group["materialValues"].as_array().into_iter().flatten() {
        let Some(name) = one["materialName"].as_str() else { continue };
        let named = document.materials.iter().zip(materials);
        let named = named.filter(|(material, _)| material.name.as_deref() == Some(name));
        let role = match one["propertyName"].as_str() {
            Some("_Color") => ColorRole::Base,
            Some("_EmissionColor") => ColorRole::Emission,
            Some("_ShadeColor") => ColorRole::Shade,
            Some("_RimColor") => ColorRole::Rim,
            Some("_OutlineColor") => ColorRole::Outline,
            Some("_MainTex_ST" | "_MainTex_ST_S" | "_MainTex_ST_T") => {
                let Some([width, height, x, y]) = finite(&one["targetValue"], [1.0, 1.0, 0.0, 0.0])
                else {
                    continue;
                };
                let (scale, offset) = ([width, height], [x, 1.0 - y - height]);
                textures.extend(named.map(|(_, material)| TextureBind {
                    material: material.clone(),
                    scale,
                    offset,
                }));
                continue;
            }
            _ => continue,
        };
        let Some([r, g, b, alpha]) = finite(&one["targetValue"], [1.0; 4]) else { continue };
        let linear = |part: f32| match role {
            // Same as in the material.
            ColorRole::Emission => part,
            _ => nearest(linear_from_encoded(f64::from(max(part, 0.0)))),
        };
        let value = [linear(r), linear(g), linear(b), alpha];
        colors.extend(named.map(|(_, material)| ColorBind {
            material: material.clone(),
            role,
            value,
        }));
    }
    let own = Expression {
        name: if names.is_empty() { String::new() } else { names.remove(0) },
        aliases: names,
        colors,
        textures,
        is_binary: group["isBinary"].as_bool() == Some(true),
        part: presets.and_then(|[new, _]| Expression::part_of(new)),
        ..Expression::default()
    };
    FileExpression { own, binds: binds_of(&group["binds"], 100.0) }
}

/// The numbers of a list, completed from `usual`. None if one is not finite.
fn finite<const N: usize>(list: &Value, usual: [f32; N]) -> Option<[f32; N]> {
    let mut found = usual;
    let given = list.as_array().into_iter().flatten().map(|part| part.as_f64().map(nearest));
    for (slot, part) in found.iter_mut().zip(given) {
        *slot = part?;
    }
    found.iter().all(|part| part.is_finite()).then_some(found)
}

/// True if the mesh of a node is visible only in the character's first-person view.
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

/// True if the expression has a single bind, to that target.
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
