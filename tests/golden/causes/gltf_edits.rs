//! Edits of a glTF document and its buffer.

use super::files::{Change, Edit, Files, Wanted, product, turn};
use super::gltf_document::{DOCUMENT, Document};
use crate::random::Random;
use serde_json::{Value, json};
use tintype_golden::record::Stage::{Pose, Scene, Skin, Texture, Visibility};

pub(super) const CHANGES: &[Change] = &[
    key,
    keys,
    steps,
    root_key,
    rate,
    key_count,
    node_moved,
    rename,
    bone_offset,
    position,
    morph_offsets,
    morph_weight,
    bias,
    normal,
    texcoord,
    triangle,
    mesh_gone,
    mesh_order,
    factor,
    color,
    two_sided,
    embedded_texels,
    spelling_document,
    spelling_buffer,
    spelling_joints,
];

pub(super) fn four(numbers: &[f64]) -> Option<[f64; 4]> {
    numbers.try_into().ok()
}

fn key(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("rotation", random)?;
    let values = document.samples(sampler, "output")?;
    let number = random.below(document.count(values));
    let angle = random.between(2.0, 12.0);
    let old = four(&document.numbers(values, number)?)?;
    document.set(values, number, &product(old, turn(random.axis(), angle)))?;
    let name = document.name("nodes", node)?;
    document.store(files);
    let what = format!("key {number} of {name} by {angle:.2}°");
    Some(Edit::new("key", what, &[Pose]).word(name).amount(angle))
}

fn keys(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("rotation", random)?;
    let values = document.samples(sampler, "output")?;
    let by = turn(random.axis(), random.between(2.0, 12.0));
    for number in 0..document.count(values) {
        let old = four(&document.numbers(values, number)?)?;
        document.set(values, number, &product(old, by))?;
    }
    let angle = 2.0 * by[3].acos().to_degrees();
    let name = document.name("nodes", node)?;
    document.store(files);
    let what = format!("all keys of {name} by {angle:.2}°");
    Some(Edit::new("all keys of a joint", what, &[Pose]).word(name).amount(angle))
}

/// Keeps each key until the next.
fn steps(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("rotation", random)?;
    let values = document.samples(sampler, "output")?;
    // A joint at rest moves no less in steps.
    if !document.varies(values) {
        return None;
    }
    document.json["animations"][0]["samplers"][sampler]["interpolation"] = json!("STEP");
    let name = document.name("nodes", node)?;
    document.store(files);
    Some(Edit::new("steps of a joint", name.clone(), &[Pose]).word(name))
}

fn root_key(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("translation", random)?;
    let values = document.samples(sampler, "output")?;
    let number = random.below(document.count(values));
    let (axis, by) = (random.axis(), random.between(0.03, 0.3));
    let old = document.numbers(values, number)?;
    let new: Vec<f64> = old.iter().zip(axis).map(|(old, axis)| old + axis * by).collect();
    document.set(values, number, &new)?;
    let name = document.name("nodes", node)?;
    document.store(files);
    let what = format!("key {number} of {name} by {by:.3}");
    Some(Edit::new("key", what, &[Pose]).word(name).amount(by))
}

/// Plays the first clip slower or faster by scaling the times of all its samplers.
fn rate(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let times = document.common_times()?;
    let by = *random.pick(&[0.5, 0.8, 1.25, 2.0])?;
    for number in 0..document.count(times) {
        let old = document.numbers(times, number)?;
        document.set(times, number, &[old[0] * by])?;
    }
    let last = document.count(times) - 1;
    let end = document.numbers(times, last)?[0];
    let rate = last as f64 / (end - document.numbers(times, 0)?[0]);
    document.bound(times)?;
    document.store(files);
    let what = format!("times of all keys times {by}");
    Some(
        Edit::new("time base", what, &[Pose, Scene])
            .any(&["s", "per second"])
            .amount(end)
            .amount(rate),
    )
}

fn key_count(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let samplers = document.json["animations"][0]["samplers"].as_array()?.len();
    let count = document.count(document.common_times()?);
    let all = document.json["animations"][0]["samplers"].as_array()?;
    if count < 4 || all.iter().any(|sampler| sampler["interpolation"] == "CUBICSPLINE") {
        return None;
    }
    for sampler in 0..samplers {
        for which in ["input", "output"] {
            let accessor = document.samples(sampler, which)?;
            document.json["accessors"][accessor]["count"] = json!(count - 1);
            let _ = document.bound(accessor);
        }
    }
    document.store(files);
    let what = format!("last of {count} keys is gone");
    Some(Edit::new("time base", what, &[Pose, Scene]).any(&["keys"]).amount((count - 1) as f64))
}

/// Moves a joint that the clip only turns.
fn node_moved(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, _) = document.channel("rotation", random)?;
    let old = document.json["nodes"][node].get("translation")?.as_array()?.clone();
    let moved = document.json["animations"][0]["channels"].as_array()?.iter().any(|channel| {
        channel["target"]["path"] == "translation" && channel["target"]["node"] == json!(node)
    });
    if moved || !document.is_joint(node) {
        return None;
    }
    let (axis, by) = (random.axis(), random.between(0.01, 0.1));
    let new: Vec<f64> =
        old.iter().zip(axis).filter_map(|(old, axis)| Some(old.as_f64()? + axis * by)).collect();
    document.json["nodes"][node]["translation"] = json!(new);
    let name = document.name("nodes", node)?;
    document.store(files);
    let what = format!("{name} moved by {by:.3}");
    Some(Edit::new("place of a joint", what, &[Pose]).word(name).amount(by))
}

fn rename(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, _) = document.channel("rotation", random)?;
    let name = document.name("nodes", node)?;
    let new = format!("{name}_new");
    document.json["nodes"][node]["name"] = json!(new);
    document.store(files);
    let edit = Edit::new("joint renamed", format!("{name} -> {new}"), &[Pose]);
    Some(edit.word(&name).word(new).wanted(Wanted::Word))
}

/// Moves the bind pose for a joint's part of the skin.
fn bone_offset(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let matrices = document.json["skins"][0]["inverseBindMatrices"].as_u64()? as usize;
    let joints = document.json["skins"][0]["joints"].as_array()?.clone();
    let joint = random.below(joints.len());
    // The joint must have vertices of the skin.
    let is_used = |mesh: usize| {
        let own = document.attribute(mesh, "JOINTS_0")?;
        let weights = document.attribute(mesh, "WEIGHTS_0")?;
        Some((0..document.count(own)).any(|vertex| {
            let pairs = document.numbers(own, vertex).zip(document.numbers(weights, vertex));
            pairs.is_some_and(|(joints, weights)| {
                joints
                    .iter()
                    .zip(weights)
                    .any(|(&own, weight)| own as usize == joint && weight > 0.2)
            })
        }))
    };
    if !(0..document.list("meshes").len()).any(|mesh| is_used(mesh) == Some(true)) {
        return None;
    }
    let mut matrix = document.numbers(matrices, joint)?;
    let (axis, by) = (random.axis(), random.between(0.02, 0.1));
    for (component, axis) in axis.into_iter().enumerate() {
        matrix[12 + component] += axis * by;
    }
    document.set(matrices, joint, &matrix)?;
    let name = document.name("nodes", joints[joint].as_u64()? as usize)?;
    document.store(files);
    let what = format!("bone offset of {name} by {by:.3}");
    Some(Edit::new("bone offset", what, &[Skin]).word(name).amount(by))
}

fn position(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let positions = document.attribute(mesh, "POSITION")?;
    let vertex = random.below(document.count(positions));
    let (axis, by) = (random.axis(), random.between(0.01, 0.1));
    let old = document.numbers(positions, vertex)?;
    let new: Vec<f64> = old.iter().zip(axis).map(|(old, axis)| old + axis * by).collect();
    document.set(positions, vertex, &new)?;
    document.bound(positions)?;
    document.store(files);
    let what = format!("vertex {vertex} of {name} by {by:.4}");
    let edit = Edit::new("position of a vertex", what, &[Skin]).word(name);
    Some(edit.word(format!("vertex {vertex}")).amount(by))
}

/// Makes a target larger: its offsets are a sparse accessor.
fn morph_offsets(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let names = document.json["meshes"][0]["extras"]["targetNames"].as_array()?.clone();
    let target = random.below(names.len());
    let accessor = document.json["meshes"][0]["primitives"][0]["targets"][target]["POSITION"]
        .as_u64()? as usize;
    let sparse = document.json["accessors"][accessor].get("sparse")?.clone();
    let view = sparse["values"]["bufferView"].as_u64()? as usize;
    let first = document.json["bufferViews"][view]["byteOffset"].as_u64()? as usize;
    for component in 0..sparse["count"].as_u64()? as usize * 3 {
        let place = first + component * 4;
        let bytes = document.buffer.get_mut(place..place + 4)?;
        let number = f32::from_le_bytes(bytes.try_into().ok()?) * 1.5;
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    for bound in ["min", "max"] {
        let old = document.json["accessors"][accessor][bound].as_array()?.clone();
        let new: Vec<f64> = old.iter().filter_map(|one| Some(one.as_f64()? * 1.5)).collect();
        document.json["accessors"][accessor][bound] = json!(new);
    }
    document.store(files);
    let name = names[target].as_str()?.to_owned();
    Some(Edit::new("offsets of a target", name.clone(), &[Skin]).word(name))
}

/// Sets the mesh's weight of its second target; the scene sets the first.
fn morph_weight(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let weight = random.between(0.2, 1.0);
    let name = document.json["meshes"][0]["extras"]["targetNames"][1].as_str()?.to_owned();
    document.json["meshes"][0]["weights"] = json!([0.0, weight]);
    document.store(files);
    let what = format!("{name} {weight:.2}");
    Some(Edit::new("weight of a target", what, &[Pose, Skin]).word(name).amount(weight))
}

/// Shifts weight from the first influence of a vertex to the second.
fn bias(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let weights = document.attribute(mesh, "WEIGHTS_0")?;
    let fits = |&vertex: &usize| {
        document.numbers(weights, vertex).is_some_and(|own| own[0] > 0.3 && own[1] > 0.01)
    };
    let fitting: Vec<usize> = (0..document.count(weights)).filter(fits).collect();
    let vertex = *random.pick(&fitting)?;
    let by = random.between(0.08, 0.25);
    let mut own = document.numbers(weights, vertex)?;
    (own[0], own[1]) = (own[0] - by, own[1] + by);
    document.set(weights, vertex, &own)?;
    document.store(files);
    let what = format!("weight of vertex {vertex} of {name} by {by:.3}");
    let edit = Edit::new("weight of a vertex", what, &[Skin]).word(name);
    Some(edit.word(format!("vertex {vertex}")).amount(by))
}

fn normal(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let normals = document.attribute(mesh, "NORMAL")?;
    let vertex = random.below(document.count(normals));
    let old: [f64; 3] = document.numbers(normals, vertex)?.try_into().ok()?;
    let [x, y, z] = random.axis();
    let [a, b, c] = old;
    // An axis perpendicular to the normal turns it by the whole angle.
    let across = [y * c - z * b, z * a - x * c, x * b - y * a];
    let length = across.iter().map(|one| one * one).sum::<f64>().sqrt();
    if length < 0.3 {
        return None;
    }
    let angle = random.between(15.0, 80.0);
    let (sin, cos) = angle.to_radians().sin_cos();
    let side = {
        let [i, j, k] = across.map(|one| one / length);
        [j * c - k * b, k * a - i * c, i * b - j * a]
    };
    let new: Vec<f64> = old.iter().zip(side).map(|(old, side)| old * cos + side * sin).collect();
    document.set(normals, vertex, &new)?;
    document.store(files);
    let what = format!("normal of vertex {vertex} of {name} by {angle:.1}°");
    let edit = Edit::new("normal", what, &[Skin]).word(name).any(&["normal", "normals"]);
    Some(edit.word(format!("vertex {vertex}")).amount(angle))
}

fn texcoord(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let texcoords = document.attribute(mesh, "TEXCOORD_0")?;
    let is_textured = document.is_textured(mesh);
    let vertex = random.below(document.count(texcoords));
    let by = random.between(0.03, 0.3);
    let old = document.numbers(texcoords, vertex)?;
    document.set(texcoords, vertex, &[old[0] + by, old[1]])?;
    document.store(files);
    let what = format!("uv of vertex {vertex} of {name} by {by:.3}");
    let edit = Edit::new("texture coordinate", what, &[Skin]).word(name);
    match is_textured {
        true => Some(edit.word(format!("vertex {vertex}")).amount(by)),
        // No texture uses them.
        false => Some(edit.any(&["coordinate", "coordinates"]).wanted(Wanted::Word)),
    }
}

fn triangle(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let indices = document.attribute(mesh, "indices")?;
    let triangle = random.below(document.count(indices) / 3);
    let second = document.numbers(indices, triangle * 3 + 1)?;
    let third = document.numbers(indices, triangle * 3 + 2)?;
    document.set(indices, triangle * 3 + 1, &third)?;
    document.set(indices, triangle * 3 + 2, &second)?;
    document.store(files);
    let what = format!("triangle {triangle} of {name} turned over");
    let edit = Edit::new("triangle", what, &[Skin, Visibility]).word(name);
    Some(edit.word(format!("triangle {triangle}")))
}

/// The nodes at the root that have meshes.
fn roots(document: &Document) -> Option<Vec<Value>> {
    let roots = document.json["scenes"][0]["nodes"].as_array()?.clone();
    let has_mesh = |node: &Value| {
        node.as_u64()
            .is_some_and(|node| document.json["nodes"][node as usize].get("mesh").is_some())
    };
    Some(roots.into_iter().filter(has_mesh).collect())
}

fn mesh_gone(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let roots = roots(&document)?;
    // For a file without triangles, only that is reported.
    let gone = if roots.len() < 2 { return None } else { random.pick(&roots)?.clone() };
    let name = document.name("nodes", gone.as_u64()? as usize)?;
    // The scene sets a target of this one.
    if name == "ranger_body" {
        return None;
    }
    document.json["scenes"][0]["nodes"].as_array_mut()?.retain(|node| *node != gone);
    document.store(files);
    let edit = Edit::new("mesh added or gone", format!("{name} is gone"), &[]);
    Some(edit.word(name).any(&["gone"]))
}

fn mesh_order(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let nodes = document.json["scenes"][0]["nodes"].as_array_mut()?;
    if nodes.len() < 3 {
        return None;
    }
    let last = nodes.len() - 1;
    nodes.swap(last - 1, last);
    document.store(files);
    Some(Edit::new("meshes reordered", "the last two", &[]).any(&["order"]).wanted(Wanted::Word))
}

/// A material that the scene leaves to the document.
pub(super) fn own_material(document: &Document, random: &mut Random) -> Option<(usize, String)> {
    let all: Vec<usize> = (0..document.list("materials").len())
        .filter(|&one| document.name("materials", one).is_some_and(|name| name != "ranger_eyes"))
        .collect();
    let index = *random.pick(&all)?;
    Some((index, document.name("materials", index)?))
}

fn factor(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let (key, word) =
        *random.pick(&[("metallicFactor", "metallic"), ("roughnessFactor", "roughness")])?;
    let value = random.between(0.2, 0.6);
    document.json["materials"][material]["pbrMetallicRoughness"][key] = json!(value);
    document.store(files);
    let what = format!("{word} of {name} {value:.3}");
    let edit = Edit::new("material", what, &[Scene]).word(name).word(word).amount(value);
    // The texture has no metalness, so its factor changes no picture.
    Some(edit.wanted(Wanted::Word))
}

fn color(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let value = random.between(0.2, 0.7);
    document.json["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"] =
        json!([1.0, value, 1.0, 1.0]);
    document.store(files);
    let what = format!("colour of {name}, green {value:.3}");
    Some(Edit::new("material", what, &[Scene]).word(name).any(&["color"]).amount(value))
}

fn two_sided(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, name) = own_material(&document, random)?;
    let old = &document.json["materials"][material]["doubleSided"];
    document.json["materials"][material]["doubleSided"] = json!(!old.as_bool().unwrap_or(false));
    document.store(files);
    let edit = Edit::new("material sides", name.clone(), &[Scene, Visibility]);
    // Closed surfaces look the same.
    Some(edit.word(name).any(&["cull"]).wanted(Wanted::Word))
}

/// Appends another picture to the buffer.
fn embedded_texels(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (material, material_name) = own_material(&document, random)?;
    let slot = &document.json["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"];
    let texture = slot["index"].as_u64()? as usize;
    let image = document.json["textures"][texture]["source"].as_u64()? as usize;
    let name = document.name("images", image).unwrap_or(material_name);
    let view = document.json["images"][image]["bufferView"].as_u64()? as usize;
    let (first, length) = (
        document.json["bufferViews"][view]["byteOffset"].as_u64()? as usize,
        document.json["bufferViews"][view]["byteLength"].as_u64()? as usize,
    );
    let png = document.buffer.get(first..first + length)?.to_vec();
    let png = super::scene_edits::shifted(&png, random.below(3))?;
    document.json["bufferViews"][view]["byteOffset"] = json!(document.buffer.len());
    document.json["bufferViews"][view]["byteLength"] = json!(png.len());
    document.buffer.extend(png);
    document.store(files);
    let edit = Edit::new("embedded texture", format!("image {image}"), &[Texture, Scene]);
    Some(edit.any(&[&name, "ranger_body diffuse", "ranger_gear diffuse"]))
}

fn spelling_document(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let what = match random.below(3) {
        0 => {
            let text = serde_json::to_string_pretty(&document.json).ok()?;
            files.insert(DOCUMENT.to_owned(), text.into_bytes());
            return Some(Edit::spelling("white space of the document"));
        }
        1 => {
            document.json["asset"]["generator"] = json!("another exporter");
            "generator"
        }
        _ => {
            document.json["extras"] = json!({"exported": "again"});
            "extras"
        }
    };
    document.store(files);
    Some(Edit::spelling(what))
}

/// Moves a part of the buffer.
fn spelling_buffer(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let view = random.below(document.list("bufferViews").len());
    let of = |key: &str| document.json["bufferViews"][view][key].as_u64().unwrap_or(0) as usize;
    let (first, length) = (of("byteOffset"), of("byteLength"));
    let bytes = document.buffer.get(first..first + length)?.to_vec();
    document.buffer.resize(document.buffer.len().next_multiple_of(4), 0);
    document.json["bufferViews"][view]["byteOffset"] = json!(document.buffer.len());
    document.buffer.extend(bytes);
    document.store(files);
    Some(Edit::spelling(format!("place of buffer view {view}")))
}

/// Exchanges two joints of the list of the skin, with all that counts them.
fn spelling_joints(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let matrices = document.json["skins"][0]["inverseBindMatrices"].as_u64()? as usize;
    let is_plain = |mesh: &Value| mesh["primitives"].as_array().is_some_and(|own| own.len() == 1);
    if !document.list("meshes").iter().all(is_plain) {
        return None;
    }
    let joints = document.json["skins"][0]["joints"].as_array_mut()?;
    let first = random.below(joints.len() - 1);
    let second = first + 1;
    joints.swap(first, second);
    let (one, other) = (document.numbers(matrices, first)?, document.numbers(matrices, second)?);
    document.set(matrices, first, &other)?;
    document.set(matrices, second, &one)?;
    for mesh in 0..document.list("meshes").len() {
        let own = document.attribute(mesh, "JOINTS_0")?;
        for vertex in 0..document.count(own) {
            let exchanged = |joint: f64| match joint as usize {
                joint if joint == first => second as f64,
                joint if joint == second => first as f64,
                _ => joint,
            };
            let new: Vec<f64> = document.numbers(own, vertex)?.into_iter().map(exchanged).collect();
            document.set(own, vertex, &new)?;
        }
    }
    document.store(files);
    Some(Edit::spelling(format!("order of joints {first} and {second} of the skin")))
}
