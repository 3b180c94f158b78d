//! A small glTF file with features that the shipped one lacks: nodes with separate meshes, vertex
//! colours, a whole morph target animated by a clip, splines and steps, a camera and a light.

use super::gltf_document::{BUFFER, Document};
use serde_json::json;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

/// Vertices along each side of a sheet.
const SIDE: usize = 6;

/// Adds a wavy sheet of this number of units, and returns its attributes and its indices.
fn sheet(document: &mut Document, size: f64, has_colors: bool) -> (serde_json::Value, usize) {
    let mut lists = [const { Vec::new() }; 4];
    for vertex in 0..SIDE * SIDE {
        let [u, v] = [vertex % SIDE, vertex / SIDE].map(|one| one as f64 / (SIDE - 1) as f64);
        let (height, slope) = ((u * 5.0 + v).sin() * 0.12, (u * 5.0 + v).cos() * 0.6);
        let length = (1.0 + 1.04 * slope * slope).sqrt();
        lists[0].extend([(u - 0.5) * size, v * size, height * size]);
        lists[1].extend([-slope / length, -0.2 * slope / length, 1.0 / length]);
        lists[2].extend([u * 0.93 + 0.01, 0.97 - v * 0.91]);
        lists[3].extend([0.3 + 0.6 * u, 0.2 + 0.7 * v, 0.85 - 0.5 * u, 1.0]);
    }
    let [places, normals, coordinates, colors] = &lists;
    let positions = document.append("VEC3", places);
    document.json["accessors"][positions]["min"] = json!([0.0, 0.0, 0.0]);
    document.json["accessors"][positions]["max"] = json!([0.0, 0.0, 0.0]);
    document.bound(positions);
    let mut attributes = json!({
        "POSITION": positions,
        "NORMAL": document.append("VEC3", normals),
        "TEXCOORD_0": document.append("VEC2", coordinates),
    });
    if has_colors {
        attributes["COLOR_0"] = json!(document.append("VEC4", colors));
    }
    let mut indices: Vec<u8> = Vec::new();
    for row in 0..SIDE - 1 {
        for column in 0..SIDE - 1 {
            let [a, b] = [row * SIDE + column, (row + 1) * SIDE + column];
            let corners = [a, a + 1, b + 1, a, b + 1, b];
            indices.extend(corners.iter().flat_map(|&one| (one as u16).to_le_bytes()));
        }
    }
    (attributes, document.append_bytes("SCALAR", 5123, indices))
}

fn picture(shade: u8) -> Vec<u8> {
    let mut frame = Frame::new(16, 16);
    for (index, texel) in frame.rgba.iter_mut().enumerate() {
        let (x, y) = (index % 16, index / 16);
        let checked = if (x / 4 + y / 4) % 2 == 0 { 60 } else { 200 };
        *texel = [checked, shade, (x * 15) as u8, 255];
    }
    encode_png(&frame, true, PngEffort::Small, &[])
}

/// The bytes of the file.
pub(super) fn binary() -> Vec<u8> {
    let mut document = Document {
        json: json!({"asset": {"version": "2.0"}, "scene": 0, "buffers": [{"byteLength": 0}]}),
        buffer: Vec::new(),
    };
    let (flag, flag_indices) = sheet(&mut document, 1.0, true);
    let offsets: Vec<f64> = (0..SIDE * SIDE)
        .flat_map(|vertex| [0.0, 0.0, 0.3 * ((vertex % SIDE) as f64 * 1.3).sin()])
        .collect();
    let target = document.append("VEC3", &offsets);
    let (sign, sign_indices) = sheet(&mut document, 0.7, false);
    let (board, board_indices) = sheet(&mut document, 0.5, false);
    for (name, shade) in [("checks", 90), ("glowing", 20)] {
        let view = document.append_view(picture(shade));
        document.push("images", json!({"name": name, "bufferView": view, "mimeType": "image/png"}));
    }
    document.json["samplers"] = json!([{}]);
    document.json["textures"] = json!([{"source": 0, "sampler": 0}, {"source": 1, "sampler": 0}]);
    document.json["materials"] = json!([
        {"name": "cloth", "doubleSided": true, "pbrMetallicRoughness": {"metallicFactor": 0.1, "roughnessFactor": 0.8}},
        {"name": "paint", "doubleSided": true, "normalTexture": {"index": 0, "scale": 0.9},
         "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.3, "roughnessFactor": 0.7}},
        {"name": "lit", "doubleSided": true, "emissiveFactor": [0.5, 0.5, 0.5], "emissiveTexture": {"index": 1},
         "occlusionTexture": {"index": 0, "strength": 0.8}, "pbrMetallicRoughness": {"roughnessFactor": 0.9}},
    ]);
    document.json["meshes"] = json!([
        {"name": "flag", "weights": [0.2], "extras": {"targetNames": ["wave"]},
         "primitives": [{"attributes": flag, "indices": flag_indices, "material": 0, "targets": [{"POSITION": target}]}]},
        {"name": "sign", "primitives": [{"attributes": sign, "indices": sign_indices, "material": 1}]},
        {"name": "board", "primitives": [{"attributes": board, "indices": board_indices, "material": 2}]},
    ]);
    document.bound(target);
    document.json["nodes"] = json!([
        {"name": "stand", "children": [1, 2, 3, 4, 5, 6], "translation": [0.1, 0.2, 0.0]},
        {"name": "flag_node", "mesh": 0, "translation": [-0.6, 0.1, 0.0]},
        {"name": "sign_node", "mesh": 1, "translation": [0.5, 0.3, 0.2], "rotation": [0.0, 0.19866933, 0.0, 0.98006658]},
        {"name": "board_node", "mesh": 2, "translation": [0.0, 1.2, -0.2], "scale": [1.2, 1.2, 1.2]},
        {"name": "eye_node", "camera": 0, "translation": [0.0, 1.0, 4.0]},
        {"name": "lamp_node", "translation": [1.0, 2.0, 1.0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
        {"name": "hook", "translation": [0.0, 2.0, 0.0]},
    ]);
    document.json["scenes"] = json!([{"nodes": [0]}]);
    document.json["cameras"] = json!([{"name": "eye", "type": "perspective", "perspective": {"yfov": 0.9, "znear": 0.1, "zfar": 50.0}}]);
    document.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"name": "lamp", "type": "point", "intensity": 12.0, "color": [1.0, 0.9, 0.8]},
    ]}});
    document.uses("KHR_lights_punctual");
    let times: Vec<f64> = (0..7).map(|key| f64::from(key) / 6.0).collect();
    let times_of_keys = document.append("SCALAR", &times);
    document.json["accessors"][times_of_keys]["min"] = json!([0.0]);
    document.json["accessors"][times_of_keys]["max"] = json!([1.0]);
    let turns: Vec<f64> = (0..7)
        .flat_map(|key| {
            let (sin, cos) = (0.25 * (f64::from(key) * 0.9).sin()).sin_cos();
            [0.0, sin, 0.0, cos]
        })
        .collect();
    let turns = document.append("VEC4", &turns);
    let splines: Vec<f64> = (0..7)
        .flat_map(|key| {
            let at = f64::from(key);
            let slope = 0.4 * (at * 1.1).cos();
            [slope, 0.0, 0.0, 0.1 * at.sin(), 1.2, -0.2, slope, 0.0, 0.0]
        })
        .collect();
    let splines = document.append("VEC3", &splines);
    let weights: Vec<f64> = (0..7).map(|key| 0.5 + 0.4 * f64::from(key).sin()).collect();
    let weights = document.append("SCALAR", &weights);
    let sampler = |output: usize, word: &str| json!({"input": times_of_keys, "output": output, "interpolation": word});
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    document.json["animations"] = json!([
        {"name": "sway",
         "samplers": [sampler(turns, "LINEAR"), sampler(splines, "CUBICSPLINE"), sampler(weights, "LINEAR")],
         "channels": [channel(0, 2, "rotation"), channel(1, 3, "translation"), channel(2, 1, "weights")]},
        {"name": "turn", "samplers": [sampler(turns, "STEP")], "channels": [channel(0, 0, "rotation")]},
    ]);
    packed(document)
}

/// Document and buffer as one binary file.
fn packed(mut document: Document) -> Vec<u8> {
    let mut buffer = core::mem::take(&mut document.buffer);
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    document.json["buffers"][0] = json!({"byteLength": buffer.len(), "name": BUFFER});
    let mut text = document.json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    let word = |length: usize| (length as u32).to_le_bytes();
    glb.extend(word(28 + text.len() + buffer.len()));
    glb.extend(word(text.len()));
    glb.extend(b"JSON");
    glb.extend(text);
    glb.extend(word(buffer.len()));
    glb.extend(b"BIN\0");
    glb.extend(buffer);
    glb
}
