//! Edits of nodes, clips, cameras and lights of a glTF document.

use super::files::{Change, Edit, Files, Wanted, product, turn};
use super::gltf_document::Document;
use super::gltf_edits::four;
use crate::random::Random;
use serde_json::{Value, json};
use tintype_golden::record::Stage::{Pose, Scene, Skin, Visibility};

pub(super) const CHANGES: &[Change] = &[
    key_time,
    opposite_keys,
    steps_of_all,
    tangents,
    morph_key,
    target_renamed,
    clip_renamed,
    clip_gone,
    node_scaled,
    node_turned,
    mesh_moved,
    mesh_hidden,
    camera,
    light,
];

fn target_renamed(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let meshes = document.json["meshes"].as_array_mut()?.iter_mut();
    let mut lists: Vec<&mut Vec<Value>> = meshes
        .filter_map(|mesh| mesh.get_mut("extras")?.get_mut("targetNames")?.as_array_mut())
        .collect();
    let names = lists.first_mut()?;
    let target = random.below(names.len());
    let old = names[target].as_str()?.to_owned();
    let new = format!("{old}_new");
    // Targets of one name on several meshes count as one for a user.
    for name in lists.into_iter().flatten().filter(|name| **name == json!(old)) {
        *name = json!(new);
    }
    document.store(files);
    let edit = Edit::new("target renamed", format!("{old} -> {new}"), &[]);
    Some(edit.word(&old).word(new).wanted(Wanted::Word))
}

/// Moves the time of a key of one channel.
fn key_time(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("rotation", random)?;
    let [times, values] = ["input", "output"].map(|which| document.samples(sampler, which));
    let (times, values) = (times?, values?);
    let count = document.count(times);
    if count < 4 || document.count(values) != count {
        return None;
    }
    let number = 1 + random.below(count - 2);
    let [before, own, after] =
        [number - 1, number, number + 1].map(|key| document.numbers(values, key));
    let gap =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Between equal keys every time is equivalent.
    let own = own?;
    if gap(before?.as_slice(), own.as_slice()).max(gap(after?.as_slice(), own.as_slice())) < 0.01 {
        return None;
    }
    let mut all = document.all(times)?;
    all[number] += random.between(0.2, 0.45) * (all[number + 1] - all[number]);
    let fresh = document.append("SCALAR", &all);
    document.json["accessors"][fresh]["min"] = json!([all[0]]);
    document.json["accessors"][fresh]["max"] = json!([all[count - 1]]);
    document.json["animations"][0]["samplers"][sampler]["input"] = json!(fresh);
    let name = document.name("nodes", node)?;
    document.store(files);
    Some(Edit::new("time of a key", format!("key {number} of {name}"), &[Pose]).word(name))
}

/// Turns two neighbouring keys by one angle in opposite directions.
fn opposite_keys(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("rotation", random)?;
    let values = document.samples(sampler, "output")?;
    let first = random.below(document.count(values) - 1);
    let (axis, angle) = (random.axis(), random.between(1.0, 4.0));
    for (number, angle) in [(first, angle), (first + 1, -angle)] {
        let old = four(&document.numbers(values, number)?)?;
        document.set(values, number, &product(old, turn(axis, angle)))?;
    }
    let name = document.name("nodes", node)?;
    document.store(files);
    let what = format!("keys {first} and {} of {name} by {angle:.2}°", first + 1);
    Some(Edit::new("two keys apart", what, &[Pose]).word(name))
}

/// The samplers of the first clip.
fn samplers(document: &mut Document) -> Option<&mut Vec<Value>> {
    document.json["animations"][0]["samplers"].as_array_mut()
}

fn steps_of_all(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let outputs: Vec<usize> = samplers(&mut document)?
        .iter()
        .filter_map(|sampler| Some(sampler["output"].as_u64()? as usize))
        .collect();
    // A clip of one pose is the same with step interpolation.
    if !outputs.into_iter().any(|values| document.varies(values)) {
        return None;
    }
    let all = samplers(&mut document)?;
    if all.iter().any(|sampler| sampler["interpolation"] == "CUBICSPLINE") {
        return None;
    }
    all.iter_mut().for_each(|sampler| sampler["interpolation"] = json!("STEP"));
    document.store(files);
    let edit = Edit::new("steps of a clip", "all samplers", &[Pose]);
    Some(edit.word("STEP").any(&["interpolation"]))
}

fn tangents(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let channels = document.json["animations"][0]["channels"].as_array()?.clone();
    let all = document.json["animations"][0]["samplers"].as_array()?;
    let is_spline = |channel: &&Value| {
        let sampler = channel["sampler"].as_u64().unwrap_or(0) as usize;
        all[sampler]["interpolation"] == "CUBICSPLINE" && channel["target"]["path"] != "weights"
    };
    let splines: Vec<&Value> = channels.iter().filter(is_spline).collect();
    let channel = *random.pick(&splines)?;
    let values = document.samples(channel["sampler"].as_u64()? as usize, "output")?;
    let keys = document.count(values) / 3;
    let number = random.below(keys - 1);
    let mut own = document.numbers(values, number * 3 + 2)?;
    own[0] += random.between(0.5, 2.0);
    document.set(values, number * 3 + 2, &own)?;
    let name = document.name("nodes", channel["target"]["node"].as_u64()? as usize)?;
    document.store(files);
    let edit = Edit::new("tangents", format!("of key {number} of {name}"), &[Pose]);
    Some(edit.word(name).word("tangents"))
}

fn morph_key(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, sampler) = document.channel("weights", random)?;
    let values = document.samples(sampler, "output")?;
    let mesh = document.json["nodes"][node]["mesh"].as_u64()? as usize;
    let target = document.json["meshes"][mesh]["extras"]["targetNames"][0].as_str()?.to_owned();
    let number = random.below(document.count(values));
    let by = random.between(0.2, 0.5);
    let own = document.numbers(values, number)?[0];
    document.set(values, number, &[own + by])?;
    document.store(files);
    let edit = Edit::new("key of a target", format!("key {number} of {target}"), &[Pose, Skin]);
    Some(edit.word(target).amount(by))
}

fn clip_renamed(files: &mut Files, _: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let old = document.json["animations"][0]["name"].as_str()?.to_owned();
    let new = format!("{old}_new");
    document.json["animations"][0]["name"] = json!(new);
    document.store(files);
    let edit = Edit::new("clip renamed", format!("{old} -> {new}"), &[]);
    Some(edit.any(&[&old, &new]).wanted(Wanted::Word))
}

/// Takes away a clip that the scene does not play.
fn clip_gone(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let all = document.json["animations"].as_array_mut()?;
    if all.len() < 2 {
        return None;
    }
    let gone = all.remove(1 + random.below(all.len() - 1));
    let name = gone["name"].as_str()?.to_owned();
    document.store(files);
    Some(Edit::new("clip gone", name.clone(), &[]).word(name).word("gone").of_file())
}

/// Nodes with vertices whose property is not animated by any clip: joints of the skin, or nodes
/// with a mesh.
fn free_node(document: &Document, path: &str, random: &mut Random) -> Option<(usize, String)> {
    let channels = document.json["animations"][0]["channels"].as_array()?;
    let is_set = |node: usize| {
        let own = |channel: &Value| {
            channel["target"]["path"] == path && channel["target"]["node"] == json!(node)
        };
        channels.iter().any(own)
    };
    let nodes = document.list("nodes");
    let has_vertices = |node: usize| {
        document.is_joint(node)
            || nodes[node].get("mesh").is_some() && nodes[node].get("skin").is_none()
    };
    let is_free =
        |&node: &usize| has_vertices(node) && !is_set(node) && nodes[node].get("matrix").is_none();
    let all: Vec<usize> = (0..nodes.len()).filter(is_free).collect();
    let node = *random.pick(&all)?;
    Some((node, document.name("nodes", node)?))
}

fn node_scaled(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, name) = free_node(&document, "scale", random)?;
    let by = random.between(1.05, 1.5);
    let old = document.json["nodes"][node].get("scale").cloned().unwrap_or(json!([1.0, 1.0, 1.0]));
    let new: Vec<f64> = old.as_array()?.iter().filter_map(|one| Some(one.as_f64()? * by)).collect();
    document.json["nodes"][node]["scale"] = json!(new);
    document.store(files);
    Some(Edit::new("scale of a node", format!("{name} by {by:.3}"), &[Pose]).word(name))
}

fn node_turned(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, name) = free_node(&document, "rotation", random)?;
    let old = document.json["nodes"][node].get("rotation").cloned();
    let old: Vec<f64> = old
        .unwrap_or(json!([0.0, 0.0, 0.0, 1.0]))
        .as_array()?
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    let angle = random.between(2.0, 20.0);
    document.json["nodes"][node]["rotation"] =
        json!(product(four(&old)?, turn(random.axis(), angle)));
    document.store(files);
    let edit = Edit::new("turn of a node", format!("{name} by {angle:.2}°"), &[Pose]);
    Some(edit.word(name).amount(angle))
}

fn mesh_moved(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let (node, name) = free_node(&document, "translation", random)?;
    if document.is_joint(node) {
        return None;
    }
    let old = document.json["nodes"][node].get("translation").cloned();
    let old = old.unwrap_or(json!([0.0, 0.0, 0.0]));
    let (axis, by) = (random.axis(), random.between(0.05, 0.3));
    let new: Vec<f64> = old
        .as_array()?
        .iter()
        .zip(axis)
        .filter_map(|(old, axis)| Some(old.as_f64()? + axis * by))
        .collect();
    document.json["nodes"][node]["translation"] = json!(new);
    document.store(files);
    let edit = Edit::new("place of a node", format!("{name} by {by:.3}"), &[Pose]);
    Some(edit.word(name).amount(by))
}

/// Hides a node with a mesh.
fn mesh_hidden(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let nodes = document.list("nodes");
    let drawn: Vec<usize> =
        (0..nodes.len()).filter(|&node| nodes[node].get("mesh").is_some()).collect();
    if drawn.len() < 2 {
        return None;
    }
    // The scene sets a target of the first.
    let node = *random.pick(&drawn[1..])?;
    let mesh = document.json["nodes"][node]["mesh"].as_u64()? as usize;
    document.json["nodes"][node]["extensions"]["KHR_node_visibility"] = json!({"visible": false});
    document.uses("KHR_node_visibility");
    let [node, mesh] = [document.name("nodes", node)?, document.name("meshes", mesh)?];
    document.store(files);
    let edit = Edit::new("mesh hidden", format!("{mesh} on {node}"), &[Skin, Visibility, Scene]);
    Some(edit.any(&[&node, &mesh]))
}

fn camera(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let name = document.name("cameras", 0)?;
    let by = random.between(0.5, 0.8);
    let old = document.json["cameras"][0]["perspective"]["yfov"].as_f64()?;
    document.json["cameras"][0]["perspective"]["yfov"] = json!(old * by);
    document.store(files);
    let edit = Edit::new("camera of the file", format!("{name} by {by:.3}"), &[]);
    Some(edit.word(name).any(&["camera"]).amount((old * by).to_degrees()).of_file())
}

fn light(files: &mut Files, random: &mut Random) -> Option<Edit> {
    let mut document = Document::of(files)?;
    let lights = &document.json["extensions"]["KHR_lights_punctual"]["lights"];
    let name = lights[0]["name"].as_str()?.to_owned();
    let value = random.between(20.0, 60.0);
    document.json["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"] = json!(value);
    document.store(files);
    let edit = Edit::new("light of the file", format!("{name} {value:.2}"), &[]);
    Some(edit.word(name).word("light").amount(value).of_file())
}
