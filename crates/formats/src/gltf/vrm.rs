//! VRM: characters in glTF files, version 0.x (the extension `VRM`) and 1.0 (`VRMC_vrm`).
//!
//! Such a file is drawn as any glTF file. What differs is read here: where version 0.x looks to, the expressions, which are weights of
//! morph targets and name those without a name, meshes for the first person alone, and materials of two tones (MToon).
//!
//! # Source
//! VRM Consortium, "VRM 0.x", "VRMC_vrm-1.0" and "VRMC_materials_mtoon-1.0"; values of 0.x in terms of 1.0 as UniVRM migrates them
//! (`MToon10Migrator`).

use super::document::{Document, Material};
use serde_json::Value;
use tintype_model::math::srgb::linear_from_encoded;
use tintype_model::math::{Vec3, clamp};
use tintype_model::{LinearRgb, Toon};

/// The extension of materials of two tones in files of version 1.0.
pub(super) const MTOON: &str = "VRMC_materials_mtoon";

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

/// A material of two tones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ToonLook {
    pub(super) toon: Toon,
    /// Whether it has parts that are not drawn: an outline, light at the rim, or a picture of reflections.
    pub(super) loses: bool,
}

/// The two tones of the material at an index, if it is of such a kind.
///
/// Values of another type than the specification gives count as missing: applications write them for themselves.
pub(super) fn toon_of(document: &Document, index: usize, material: &Material) -> Option<ToonLook> {
    if let Some(own) = material.extensions.get(MTOON) {
        let has_light = |key: &str| numbers(&own[key]).any(|value| value > 0.0);
        let outline = own["outlineWidthMode"].as_str().is_some_and(|mode| mode != "none");
        let shade = color(&own["shadeColorFactor"], |value| value).unwrap_or([0.0; 3]);
        return Some(ToonLook {
            toon: toon(
                (shade, base_factor(material)),
                !own["shadeMultiplyTexture"].is_null(),
                own["shadingToonyFactor"].as_f64().unwrap_or(0.9),
                own["shadingShiftFactor"].as_f64().unwrap_or(0.0),
            ),
            loses: outline
                || has_light("parametricRimColorFactor")
                || !own["matcapTexture"].is_null(),
        });
    }
    let own = &document.extensions.get("VRM")?["materialProperties"][index];
    if own["shader"].as_str() != Some("VRM/MToon") {
        return None;
    }
    let (floats, vectors, textures) =
        (&own["floatProperties"], &own["vectorProperties"], &own["textureProperties"]);
    let float = |key: &str, default: f64| floats[key].as_f64().unwrap_or(default);
    let (sharp, start) = (float("_ShadeToony", 0.9), float("_ShadeShift", 0.0));
    // The edge runs from the shift to a point between it and 1.
    let (low, high) = (start, 1.0 + (start - 1.0) * sharp);
    let shade = color(&vectors["_ShadeColor"], linear_from_encoded).unwrap_or([0.97, 0.81, 0.86]);
    let rim = numbers(&vectors["_RimColor"]).take(3).any(|value| value > 0.0);
    Some(ToonLook {
        toon: toon(
            (shade, base_factor(material)),
            !textures["_ShadeTexture"].is_null(),
            clamp_real((2.0 - (high - low)) * 0.5, 0.0, 1.0),
            clamp_real(-(high + low) * 0.5, -1.0, 1.0),
        ),
        loses: float("_OutlineWidthMode", 0.0) > 0.0 || rim || !textures["_SphereAdd"].is_null(),
    })
}

fn toon((shade, base): ([f64; 3], [f64; 3]), is_textured: bool, toony: f64, shift: f64) -> Toon {
    // The texture is that of the lit colour, which its own factor multiplies already.
    let part = |(shade, base): (f64, f64)| match is_textured {
        true if base > 0.0 => shade / base,
        true => 0.0,
        false => shade,
    };
    let [r, g, b] = shade;
    let [base_r, base_g, base_b] = base;
    let [r, g, b] = [(r, base_r), (g, base_g), (b, base_b)].map(part).map(nearest);
    Toon {
        shade: LinearRgb::new(r, g, b),
        is_factor: is_textured,
        toony: clamp(nearest(toony), 0.0, 1.0),
        shift: clamp(nearest(shift), -1.0, 1.0),
    }
}

/// The factor of the lit colour.
fn base_factor(material: &Material) -> [f64; 3] {
    let base = material.pbr_metallic_roughness.as_ref();
    let [r, g, b, _] = base.and_then(|base| base.base_color_factor).unwrap_or([1.0; 4]);
    [r, g, b]
}

fn numbers(list: &Value) -> impl Iterator<Item = f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64)
}

fn color(list: &Value, linear: impl Fn(f64) -> f64) -> Option<[f64; 3]> {
    let mut parts = numbers(list).map(|value| linear(clamp_real(value, 0.0, 1.0)));
    Some([parts.next()?, parts.next()?, parts.next()?])
}

fn clamp_real(value: f64, least: f64, most: f64) -> f64 {
    if value < least {
        least
    } else if value > most {
        most
    } else {
        value
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn nearest(value: f64) -> f32 {
    value as f32
}
