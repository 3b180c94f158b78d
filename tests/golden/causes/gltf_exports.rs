//! A glTF document saved again by another program: other bytes, the same content; or the same
//! within the grid of a quantized file.

use super::files::{Change, Edit, Files, Wanted};
use super::gltf_document::Document;
use super::gltf_edits::four;
use super::scene_edits::picture;
use crate::random::Random;
use serde_json::{Value, json};
use tintype_output::{PngEffort, encode_png};

pub(super) const CHANGES: &[Change] = &[
    negated,
    one_negated,
    last_digits,
    matrices,
    holders_renamed,
    leaf_added,
    leaf_gone,
    camera_added,
    still_in_clip,
    children_reversed,
    shuffled,
    unwelded,
    more_keys,
    copied_accessors,
    wide_indices,
    copied_material,
    encoded_picture,
    unused_coordinates,
    quantized,
];

/// The accessors of the values of rotations of the first clip, each once.
fn rotations(document: &Document) -> Option<Vec<usize>> {
    let channels = document.json["animations"][0]["channels"].as_array()?;
    let own = |channel: &&Value| channel["target"]["path"] == "rotation";
    let sampler = |channel: &Value| Some(channel["sampler"].as_u64()? as usize);
    let mut all: Vec<usize> = (channels.iter().filter(own))
        .filter_map(|channel| document.samples(sampler(channel)?, "output"))
        .collect();
    all.sort_unstable();
    all.dedup();
    Some(all)
}

fn negate(document: &mut Document, accessor: usize, element: usize) -> Option<()> {
    let own: Vec<f64> = document.numbers(accessor, element)?.iter().map(|part| -part).collect();
    document.set(accessor, element, &own)
}

/// q and -q are one rotation.
fn negated(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    for accessor in rotations(&document)? {
        for element in 0..document.count(accessor) {
            negate(&mut document, accessor, element)?;
        }
    }
    document.store(files);
    Some(Edit::export("all rotations negated"))
}

fn one_negated(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (_, sampler) = document.channel("rotation", random)?;
    if document.json["animations"][0]["samplers"][sampler]["interpolation"] == "CUBICSPLINE" {
        return None;
    }
    let accessor = document.samples(sampler, "output")?;
    let element = random.below(document.count(accessor));
    negate(&mut document, accessor, element)?;
    document.store(files);
    Some(Edit::export(format!("rotation {element} negated")))
}

fn last_digits(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    for mesh in 0..document.list("meshes").len() {
        for name in ["POSITION", "NORMAL", "TEXCOORD_0"] {
            let Some(accessor) = document.attribute(mesh, name) else { continue };
            for element in 0..document.count(accessor) {
                let own: Vec<f64> = document
                    .numbers(accessor, element)?
                    .iter()
                    .map(|one| one * 0.999_999_94)
                    .collect();
                document.set(accessor, element, &own)?;
            }
            document.bound(accessor);
        }
    }
    for node in document.json["nodes"].as_array_mut()? {
        for key in ["translation", "scale"] {
            let all = node.get_mut(key).and_then(Value::as_array_mut);
            for one in all.into_iter().flatten() {
                *one = json!(one.as_f64()? * 0.999_999_94);
            }
        }
    }
    document.store(files);
    Some(Edit::export("last digits of all positions"))
}

/// Writes a node that no clip moves as a matrix.
fn matrices(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let animations = document.list("animations");
    let is_moved = |node: usize| {
        let channels = animations.iter().filter_map(|clip| clip["channels"].as_array()).flatten();
        channels.into_iter().any(|channel| channel["target"]["node"] == json!(node))
    };
    let all: Vec<usize> =
        (0..document.list("nodes").len()).filter(|&node| !is_moved(node)).collect();
    if all.is_empty() {
        return None;
    }
    for node in all {
        let own = document.json["nodes"][node].as_object_mut()?;
        let mut take = |key: &str, usual: &[f64]| -> Vec<f64> {
            let value = own.remove(key).and_then(|value| serde_json::from_value(value).ok());
            value.unwrap_or(usual.to_vec())
        };
        let place = take("translation", &[0.0; 3]);
        let scale = take("scale", &[1.0; 3]);
        let [x, y, z, w] = four(&take("rotation", &[0.0, 0.0, 0.0, 1.0]))?;
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let mut matrix = Vec::new();
        for (axis, scale) in axes.into_iter().zip(scale) {
            matrix.extend(axis.map(|one| one * scale));
            matrix.push(0.0);
        }
        matrix.extend(place);
        matrix.push(1.0);
        own.insert("matrix".to_owned(), json!(matrix));
    }
    document.store(files);
    Some(Edit::export("nodes as matrices"))
}

/// Renames nodes that only hold a skinned mesh.
fn holders_renamed(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let mut count = 0;
    for node in 0..document.list("nodes").len() {
        if !document.is_joint(node) && document.json["nodes"][node].get("skin").is_some() {
            document.json["nodes"][node]["name"] = json!(format!("Object_{node}"));
            count += 1;
        }
    }
    document.store(files);
    (count > 0).then(|| Edit::export("holders of meshes renamed"))
}

fn leaf_added(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let node = document.push("nodes", json!({"name": "empty", "translation": [0.0, 1.0, 0.0]}));
    document.json["scenes"][0]["nodes"].as_array_mut()?.push(json!(node));
    document.store(files);
    Some(Edit::export("an empty node is new"))
}

/// Removes a node without content.
fn leaf_gone(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let nodes = document.list("nodes");
    let is_empty = |&node: &usize| {
        !document.is_joint(node)
            && ["mesh", "skin", "children", "camera", "extensions"]
                .iter()
                .all(|key| nodes[node].get(key).is_none())
    };
    let empty = (0..nodes.len()).find(is_empty)?;
    let roots = document.json["scenes"][0]["nodes"].as_array_mut()?;
    roots.retain(|one| *one != json!(empty));
    for node in document.json["nodes"].as_array_mut()? {
        if let Some(children) = node.get_mut("children").and_then(Value::as_array_mut) {
            children.retain(|one| *one != json!(empty));
        }
    }
    document.store(files);
    Some(Edit::export("an empty node is gone"))
}

fn camera_added(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let lens = json!({"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.1}});
    let camera = document.push("cameras", lens);
    let node = json!({"name": "view", "camera": camera, "translation": [0.0, 1.0, 5.0]});
    let node = document.push("nodes", node);
    document.json["scenes"][0]["nodes"].as_array_mut()?.push(json!(node));
    document.store(files);
    Some(Edit::export("a camera is new"))
}

/// A node without content, which a clip keeps in place.
fn still_in_clip(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    document.json["animations"][0].as_object()?;
    let node = document.push("nodes", json!({"name": "control"}));
    document.json["scenes"][0]["nodes"].as_array_mut()?.push(json!(node));
    let times = document.append("SCALAR", &[0.0, 0.5]);
    document.bound(times)?;
    let values = document.append("VEC3", &[0.0; 6]);
    let clip = &mut document.json["animations"][0];
    let samplers = clip["samplers"].as_array_mut()?;
    samplers.push(json!({"input": times, "output": values}));
    let sampler = samplers.len() - 1;
    let target = json!({"node": node, "path": "translation"});
    clip["channels"].as_array_mut()?.push(json!({"sampler": sampler, "target": target}));
    document.store(files);
    Some(Edit::export("a still node is in the clip"))
}

fn children_reversed(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let nodes = document.json["nodes"].as_array_mut()?.iter_mut();
    let mut lists: Vec<_> =
        nodes.filter_map(|node| node.get_mut("children")?.as_array_mut()).collect();
    lists.retain(|list| list.len() > 1);
    lists.first()?;
    lists.into_iter().for_each(|list| list.reverse());
    document.store(files);
    Some(Edit::export("children in another order"))
}

/// The attributes of a mesh and of its targets: accessors, with their positions in the primitive.
fn attributes(document: &Document, mesh: usize) -> Option<Vec<(Option<usize>, String, usize)>> {
    let primitive = &document.json["meshes"][mesh]["primitives"][0];
    let mut all = Vec::new();
    let tables = core::iter::once((None, &primitive["attributes"])).chain(
        primitive["targets"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(k, own)| (Some(k), own)),
    );
    for (target, own) in tables {
        for (name, accessor) in own.as_object()? {
            all.push((target, name.clone(), accessor.as_u64()? as usize));
        }
    }
    Some(all)
}

/// Writes the vertices of a mesh in the order of a list, which may repeat them.
fn reorder(document: &mut Document, mesh: usize, order: &[usize], indices: &[usize]) -> Option<()> {
    for (target, name, accessor) in attributes(document, mesh)? {
        let own = document.json["accessors"][accessor].clone();
        // A sparse target has no directly readable position.
        own.get("bufferView")?;
        if own.get("sparse").is_some() {
            return None;
        }
        let (_, component, _) = document.place(accessor, 0)?;
        let kind = own["type"].as_str()?.to_owned();
        let mut bytes = Vec::new();
        for &vertex in order {
            for number in document.numbers(accessor, vertex)? {
                match component {
                    5126 => bytes.extend((number as f32).to_le_bytes()),
                    5121 => bytes.push(number as u8),
                    5123 => bytes.extend((number as u16).to_le_bytes()),
                    _ => return None,
                }
            }
        }
        let fresh = document.append_bytes(&kind, component, bytes);
        for key in ["min", "max", "normalized"] {
            if let Some(value) = own.get(key) {
                document.json["accessors"][fresh][key] = value.clone();
            }
        }
        let primitive = &mut document.json["meshes"][mesh]["primitives"][0];
        match target {
            None => primitive["attributes"][name] = json!(fresh),
            Some(target) => primitive["targets"][target][name] = json!(fresh),
        }
    }
    let bytes = indices.iter().flat_map(|&index| (index as u32).to_le_bytes()).collect();
    let fresh = document.append_bytes("SCALAR", 5125, bytes);
    document.json["meshes"][mesh]["primitives"][0]["indices"] = json!(fresh);
    Some(())
}

fn indices(document: &Document, mesh: usize) -> Option<Vec<usize>> {
    let all = document.all(document.attribute(mesh, "indices")?)?;
    Some(all.into_iter().map(|index| index as usize).collect())
}

/// Exchanges vertices by chance, and turns the list of triangles.
fn shuffled(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let count = document.count(document.attribute(mesh, "POSITION")?);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last + 1));
    }
    let mut place = vec![0; count];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let mut all: Vec<usize> = indices(&document, mesh)?.into_iter().map(|old| place[old]).collect();
    let by = 3 * random.below(all.len() / 3);
    all.rotate_left(by);
    reorder(&mut document, mesh, &order, &all)?;
    document.store(files);
    Some(Edit::export(format!("vertices of {name} in another order")))
}

/// Gives each corner of each triangle a separate vertex.
fn unwelded(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let order = indices(&document, mesh)?;
    let all: Vec<usize> = (0..order.len()).collect();
    reorder(&mut document, mesh, &order, &all)?;
    document.store(files);
    Some(Edit::export(format!("vertices of {name} not shared")))
}

/// Writes a key between each two of all straight samplers of the first clip, where the motion is at
/// that time.
fn more_keys(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let channels = document.json["animations"][0]["channels"].as_array()?.clone();
    for channel in channels {
        let sampler = channel["sampler"].as_u64()? as usize;
        let own = &document.json["animations"][0]["samplers"][sampler];
        let path = channel["target"]["path"].as_str()?;
        if own.get("interpolation").is_some_and(|word| word != "LINEAR") || path == "weights" {
            continue;
        }
        let [times, values] = ["input", "output"].map(|which| document.samples(sampler, which));
        let (times, values) = (times?, values?);
        let count = document.count(times);
        let (mut all_times, mut all_values) = (Vec::new(), Vec::new());
        for key in 0..count {
            let own = (document.numbers(times, key)?[0], document.numbers(values, key)?);
            if key > 0 {
                let before =
                    (document.numbers(times, key - 1)?[0], document.numbers(values, key - 1)?);
                all_times.push((before.0 + own.0) * 0.5);
                let dot: f64 = before.1.iter().zip(&own.1).map(|(a, b)| a * b).sum();
                let sign = if path == "rotation" && dot < 0.0 { -1.0 } else { 1.0 };
                let mut middle: Vec<f64> =
                    before.1.iter().zip(&own.1).map(|(a, b)| (a + b * sign) * 0.5).collect();
                if path == "rotation" {
                    let length = middle.iter().map(|one| one * one).sum::<f64>().sqrt();
                    middle.iter_mut().for_each(|one| *one /= length);
                }
                all_values.extend(middle);
            }
            all_times.push(own.0);
            all_values.extend(own.1);
        }
        let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
        let fresh_times = document.append("SCALAR", &all_times);
        document.json["accessors"][fresh_times]["min"] = json!([all_times[0]]);
        document.json["accessors"][fresh_times]["max"] = json!([all_times[all_times.len() - 1]]);
        let fresh_values = document.append(kind, &all_values);
        let own = &mut document.json["animations"][0]["samplers"][sampler];
        own["input"] = json!(fresh_times);
        own["output"] = json!(fresh_values);
    }
    document.store(files);
    Some(Edit::export("a key between each two, at the same motion"))
}

/// Writes the attributes of a mesh once more, and uses the copies.
fn copied_accessors(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    for key in ["POSITION", "TEXCOORD_0", "NORMAL"] {
        let Some(accessor) = document.attribute(mesh, key) else { continue };
        let own = document.json["accessors"][accessor].clone();
        let all = document.all(accessor)?;
        let fresh = document.append(own["type"].as_str()?, &all);
        for bound in ["min", "max"] {
            if let Some(value) = own.get(bound) {
                document.json["accessors"][fresh][bound] = value.clone();
            }
        }
        document.json["meshes"][mesh]["primitives"][0]["attributes"][key] = json!(fresh);
    }
    document.store(files);
    Some(Edit::export(format!("attributes of {name} in accessors of their own")))
}

fn wide_indices(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    let all = indices(&document, mesh)?;
    let bytes = all.iter().flat_map(|&index| (index as u32).to_le_bytes()).collect();
    let fresh = document.append_bytes("SCALAR", 5125, bytes);
    document.json["meshes"][mesh]["primitives"][0]["indices"] = json!(fresh);
    document.store(files);
    Some(Edit::export(format!("indices of {name} of 32 bits")))
}

/// Assigns a copy of its material under another name to a mesh.
fn copied_material(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, _) = document.mesh(random)?;
    let material = document.json["meshes"][mesh]["primitives"][0]["material"].as_u64()? as usize;
    let mut own = document.json["materials"][material].clone();
    let name = own["name"].as_str()?.to_owned();
    // The scene describes this one by its name.
    if name == "ranger_eyes" {
        return None;
    }
    own["name"] = json!(format!("{name}_copy"));
    let fresh = document.push("materials", own);
    document.json["meshes"][mesh]["primitives"][0]["material"] = json!(fresh);
    document.store(files);
    Some(Edit::export(format!("a copy of {name}")))
}

/// Writes a picture with another effort.
fn encoded_picture(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let images = document.list("images").len();
    let image = if images == 0 { return None } else { random.below(images) };
    let view = document.json["images"][image]["bufferView"].as_u64()? as usize;
    let own = &document.json["bufferViews"][view];
    let first = own["byteOffset"].as_u64().unwrap_or(0) as usize;
    let bytes = document.buffer.get(first..first + own["byteLength"].as_u64()? as usize)?;
    let png = encode_png(&picture(bytes)?, true, PngEffort::Fast, &[]);
    let fresh = document.append_view(png);
    document.json["images"][image]["bufferView"] = json!(fresh);
    document.json["images"][image]["mimeType"] = json!("image/png");
    document.store(files);
    Some(Edit::export(format!("picture {image} encoded anew")))
}

/// Takes away coordinates that no texture uses.
fn unused_coordinates(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (mesh, name) = document.mesh(random)?;
    // The scene assigns a material to the ranger.
    if document.is_textured(mesh) || name.starts_with("ranger") {
        return None;
    }
    let own = &mut document.json["meshes"][mesh]["primitives"][0]["attributes"];
    own.as_object_mut()?.remove("TEXCOORD_0")?;
    document.store(files);
    Some(Edit::export(format!("coordinates of {name}, which has no texture, are gone")))
}

/// Writes the positions of a skinned mesh as 16-bit integers, and the transform back into the
/// inverse bind matrices.
fn quantized(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let matrices = document.json["skins"][0]["inverseBindMatrices"].as_u64()? as usize;
    let meshes = document.list("meshes").len();
    let accessors: Option<Vec<usize>> =
        (0..meshes).map(|mesh| document.attribute(mesh, "POSITION")).collect();
    let mut accessors = accessors?;
    accessors.sort_unstable();
    accessors.dedup();
    // The offsets of targets would have to change too, and meshes on separate nodes.
    let name = document.name("meshes", 0)?;
    let is_plain = |mesh: usize| {
        let own = document.json["meshes"][mesh]["primitives"].as_array();
        own.is_some_and(|own| own.len() == 1 && own[0].get("targets").is_none())
    };
    let nodes = document.list("nodes").iter();
    let mut hung = nodes.filter(|node| node.get("mesh").is_some());
    if !(0..meshes).all(is_plain) || hung.any(|node| node.get("skin").is_none()) {
        return None;
    }
    let all: Vec<f64> = accessors.iter().filter_map(|&one| document.all(one)).flatten().collect();
    let scale = all.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    for &accessor in &accessors {
        let own = document.all(accessor)?;
        let mut bytes = Vec::new();
        for place in own.chunks(3) {
            place.iter().for_each(|one| {
                bytes.extend(((one / scale * 32767.0).round() as i16).to_le_bytes());
            });
            bytes.extend([0, 0]);
        }
        let count = own.len() / 3;
        let view = document.append_view(bytes);
        document.json["bufferViews"][view]["byteStride"] = json!(8);
        let bound = |of: fn(f64, f64) -> f64, from: f64| -> Vec<f64> {
            let whole = |axis: usize| {
                own.chunks(3).map(|place| (place[axis] / scale * 32767.0).round()).fold(from, of)
            };
            (0..3).map(whole).collect()
        };
        document.json["accessors"][accessor] = json!({
            "bufferView": view, "componentType": 5122, "normalized": true, "type": "VEC3", "count": count,
            "min": bound(f64::min, f64::MAX), "max": bound(f64::max, f64::MIN),
        });
    }
    for joint in 0..document.count(matrices) {
        let mut matrix = document.numbers(matrices, joint)?;
        matrix[..12].iter_mut().for_each(|one| *one *= scale);
        document.set(matrices, joint, &matrix)?;
    }
    document.uses("KHR_mesh_quantization");
    document.push("extensionsRequired", json!("KHR_mesh_quantization"));
    document.store(files);
    let edit = Edit::new("re-export", format!("quantized: {name} and others"), &[]);
    Some(edit.word("quantized").wanted(Wanted::Word))
}
