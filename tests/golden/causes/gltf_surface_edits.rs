//! Edits of materials and textures of a glTF document, and of single vertices.

use super::files::{Change, Edit, Files, Wanted};
use super::gltf_document::Document;
use super::gltf_edits::own_material;
use crate::random::Random;
use serde_json::{Value, json};
use tintype_golden::record::Stage::{Scene, Skin, Texture, Visibility};

pub(super) const CHANGES: &[Change] = &[
    emissive,
    alpha_mode,
    alpha_cutoff,
    unlit,
    texture_gone,
    texture_transform,
    texture_edges,
    strength,
    clearcoat,
    vertex_color,
    two_weights,
    opposite_vertices,
    influence_gone,
    morph_vertex,
];

fn material_edit(name: &str, what: String) -> Edit {
    Edit::new("material", what, &[Scene, Texture, Visibility]).word(name)
}

fn emissive(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let own = &mut document.json["materials"][material];
    if own.get("emissiveTexture").is_some() {
        return None;
    }
    let value = random.between(0.2, 0.8);
    own["emissiveFactor"] = json!([value, 0.1, 0.0]);
    document.store(files);
    Some(material_edit(&name, format!("emissive of {name}")).word("emissive").amount(value))
}

fn alpha_mode(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let own = &mut document.json["materials"][material];
    let is_blended = own["alphaMode"] == "BLEND";
    own["alphaMode"] = json!(if is_blended { "OPAQUE" } else { "BLEND" });
    let alpha = own["pbrMetallicRoughness"]["baseColorFactor"][3].as_f64();
    let is_clear = alpha.is_some_and(|alpha| alpha < 1.0);
    document.store(files);
    let edit = material_edit(&name, format!("alpha mode of {name}")).word("alpha");
    // If all texels are opaque, no pixel differs.
    Some(if is_clear { edit } else { edit.wanted(Wanted::Word) })
}

fn alpha_cutoff(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let own = &mut document.json["materials"][material];
    let cutoff = random.between(0.1, 0.4);
    own["alphaMode"] = json!("MASK");
    own["alphaCutoff"] = json!(cutoff);
    document.store(files);
    let edit = material_edit(&name, format!("alpha cutoff of {name}")).word("alpha");
    Some(edit.amount(cutoff).wanted(Wanted::Word))
}

fn unlit(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    document.json["materials"][material]["extensions"]["KHR_materials_unlit"] = json!({});
    document.uses("KHR_materials_unlit");
    document.store(files);
    Some(material_edit(&name, format!("{name} unlit")).word("unlit"))
}

/// The textures of a material: where they are, and the word for each.
fn textures(material: &Value) -> Vec<([&'static str; 2], &'static str)> {
    let all = [
        (["pbrMetallicRoughness", "baseColorTexture"], "base color texture"),
        (["pbrMetallicRoughness", "metallicRoughnessTexture"], "metallic roughness texture"),
        (["", "normalTexture"], "normal texture"),
        (["", "emissiveTexture"], "emissive texture"),
        (["", "occlusionTexture"], "occlusion texture"),
    ];
    let is_there = |(place, _): &([&str; 2], &str)| !slot(material, place).is_null();
    all.into_iter().filter(is_there).collect()
}

fn slot<'a>(material: &'a Value, [table, key]: &[&str; 2]) -> &'a Value {
    if table.is_empty() { &material[*key] } else { &material[*table][*key] }
}

fn table<'a>(material: &'a mut Value, [table, _]: [&str; 2]) -> &'a mut Value {
    if table.is_empty() { material } else { &mut material[table] }
}

/// A random texture of a material: the material, its name, the role, the word.
fn texture(
    document: &Document,
    random: &mut Random,
) -> Option<(usize, String, [&'static str; 2], &'static str)> {
    let (material, name) = own_material(document, random)?;
    let all = textures(&document.json["materials"][material]);
    let (place, word) = *random.pick(&all)?;
    Some((material, name, place, word))
}

fn texture_gone(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name, place, word) = texture(&document, random)?;
    let table = table(&mut document.json["materials"][material], place);
    table.as_object_mut()?.remove(place[1]);
    document.store(files);
    Some(material_edit(&name, format!("{word} of {name} is gone")).word(word).any(&["no"]))
}

fn texture_transform(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name, place, word) = texture(&document, random)?;
    let offset = random.between(0.1, 0.4);
    let table = table(&mut document.json["materials"][material], place);
    table[place[1]]["extensions"]["KHR_texture_transform"] = json!({"offset": [offset, 0.0]});
    document.uses("KHR_texture_transform");
    document.store(files);
    let what = format!("{word} of {name} by {offset:.3}");
    // Of a material with one texture it is a change of all coordinates of a mesh.
    let edit = Edit::new("material", what, &[Scene, Texture, Visibility, Skin]);
    let edit = edit.any(&[word, "texture coordinates"]).any(&["transform", "offset"]);
    Some(edit.amount(offset))
}

fn texture_edges(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name, place, word) = texture(&document, random)?;
    let slot = slot(&document.json["materials"][material], &place);
    let own = document.json["textures"][slot["index"].as_u64()? as usize].clone();
    let sampler = document.push("samplers", json!({"wrapS": 33071, "wrapT": 33648}));
    let mut fresh = own;
    fresh["sampler"] = json!(sampler);
    let fresh = document.push("textures", fresh);
    let table = table(&mut document.json["materials"][material], place);
    table[place[1]]["index"] = json!(fresh);
    document.store(files);
    let edit = material_edit(&name, format!("edges of the {word} of {name}"));
    // Coordinates within 0 and 1 meet no edge.
    Some(edit.word(word).any(&["wrap", "clamp"]).wanted(Wanted::Word))
}

/// Strength of a normal or an occlusion map.
fn strength(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let all = [
        ("normalTexture", "scale", "normal_scale"),
        ("occlusionTexture", "strength", "occlusion_strength"),
    ];
    let own = &mut document.json["materials"][material];
    let (slot, key, word) = *all.iter().find(|(slot, ..)| !own[*slot].is_null())?;
    let value = random.between(0.2, 0.6);
    own[slot][key] = json!(value);
    document.store(files);
    let edit = material_edit(&name, format!("{word} of {name} {value:.3}"));
    Some(edit.word(word).amount(value).wanted(Wanted::Word))
}

fn clearcoat(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let value = random.between(0.3, 0.9);
    document.json["materials"][material]["extensions"]["KHR_materials_clearcoat"] =
        json!({"clearcoatFactor": value});
    document.uses("KHR_materials_clearcoat");
    document.store(files);
    let edit = material_edit(&name, format!("clearcoat of {name} {value:.3}"));
    Some(edit.word("clearcoat").amount(value).wanted(Wanted::Word))
}

fn vertex_color(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let meshes = document.list("meshes").len();
    let mesh = (0..meshes).find(|&mesh| document.attribute(mesh, "COLOR_0").is_some())?;
    let colors = document.attribute(mesh, "COLOR_0")?;
    let name = document.name("meshes", mesh)?;
    let vertex = random.below(document.count(colors));
    let mut own = document.numbers(colors, vertex)?;
    own[1] = if own[1] > 0.5 { own[1] - 0.3 } else { own[1] + 0.3 };
    document.set(colors, vertex, &own)?;
    document.store(files);
    let edit = Edit::new("vertex colour", format!("vertex {vertex} of {name}"), &[Skin]);
    Some(edit.word(name).any(&["colour", "colours"]).word(format!("vertex {vertex}")))
}

/// Vertices whose first influence exceeds that weight and whose second is not zero.
fn shared(document: &Document, weights: usize, least: f64) -> Vec<usize> {
    let fits = |&vertex: &usize| {
        document.numbers(weights, vertex).is_some_and(|own| own[0] > least && own[1] > 0.01)
    };
    (0..document.count(weights)).filter(fits).collect()
}

/// Shifts weight between the first two influences of two vertices.
fn two_weights(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let weights = document.attribute(mesh, "WEIGHTS_0")?;
    let fitting = shared(&document, weights, 0.3);
    let [a, b] = [*random.pick(&fitting)?, *random.pick(&fitting)?];
    if a == b {
        return None;
    }
    let (a, b) = (a.min(b), a.max(b));
    let by = random.between(0.08, 0.25);
    for vertex in [a, b] {
        let mut own = document.numbers(weights, vertex)?;
        (own[0], own[1]) = (own[0] - by, own[1] + by);
        document.set(weights, vertex, &own)?;
    }
    document.store(files);
    let edit = Edit::new("weights of two vertices", format!("{a} and {b} of {name}"), &[Skin]);
    let both = [format!("vertices {a} and {b}"), format!("vertex {a}"), format!("vertex {b}")];
    // Both, or the count and one of them.
    Some(edit.word(name).any(&both.each_ref().map(String::as_str)))
}

/// Moves two neighbours by one distance in opposite directions.
fn opposite_vertices(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let positions = document.attribute(mesh, "POSITION")?;
    let count = document.count(positions);
    let first = random.below(count - 1);
    let all = document.all(positions)?;
    let size = all.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let (axis, by) = (random.axis(), random.between(0.01, 0.04) * size);
    for (vertex, by) in [(first, by), (first + 1, -by)] {
        let old = document.numbers(positions, vertex)?;
        let new: Vec<f64> = old.iter().zip(axis).map(|(old, axis)| old + axis * by).collect();
        document.set(positions, vertex, &new)?;
    }
    document.bound(positions);
    document.store(files);
    let [a, b] = [first, first + 1].map(|vertex| format!("vertex {vertex}"));
    let both = format!("vertices {first} and {}", first + 1);
    let edit = Edit::new("two vertices apart", format!("{both} of {name} by {by:.4}"), &[Skin]);
    Some(edit.word(name).any(&[&a, &b, &both]))
}

/// Removes an influence and adds its weight to the first.
fn influence_gone(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let weights = document.attribute(mesh, "WEIGHTS_0")?;
    let fits = |&vertex: &usize| document.numbers(weights, vertex).is_some_and(|own| own[1] > 0.05);
    let fitting: Vec<usize> = (0..document.count(weights)).filter(fits).collect();
    let vertex = *random.pick(&fitting)?;
    let mut own = document.numbers(weights, vertex)?;
    (own[0], own[1]) = (own[0] + own[1], 0.0);
    document.set(weights, vertex, &own)?;
    document.store(files);
    let edit = Edit::new("influence gone", format!("of vertex {vertex} of {name}"), &[Skin]);
    Some(edit.word(name).word(format!("vertex {vertex}")))
}

/// Moves one vertex of a morph target.
fn morph_vertex(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, _) = document.mesh(random)?;
    let own = &document.json["meshes"][mesh];
    let accessor = own["primitives"][0]["targets"][0]["POSITION"].as_u64()? as usize;
    let target = own["extras"]["targetNames"][0].as_str()?.to_owned();
    document.json["accessors"][accessor].get("bufferView")?;
    let vertex = random.below(document.count(accessor));
    let by = random.between(0.1, 0.4);
    let mut own = document.numbers(accessor, vertex)?;
    own[2] += by;
    document.set(accessor, vertex, &own)?;
    document.bound(accessor);
    document.store(files);
    let edit = Edit::new("offsets of a target", format!("vertex {vertex} of {target}"), &[Skin]);
    Some(edit.word(target).word(format!("vertex {vertex}")).amount(by))
}
