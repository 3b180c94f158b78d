//! Speed of glTF: `cargo bench --bench gltf`. Reading a binary file to its model, and morphing a
//! mesh on one thread.
//!
//! The input is generated, the same on every run: a wavy sheet of 100 x 100 vertices with normals,
//! texture coordinates, indices and eight morph targets that move every vertex; and a rig of 40
//! joints with 60 clips, whose document is as large as its buffer. `TINTYPE_GLTF=FILE.glb` reads a
//! file instead of the rig.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "benches make numbers of known size"
)]

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use serde_json::{Value, json};
use tintype_formats::LoadOptions;
use tintype_formats::gltf::{GltfModel, clip_names, parse_model};
use tintype_model::pose::bind_pose;
use tintype_model::simd::Level;
use tintype_model::skin::{SkinMatrices, SkinOptions, skin_mesh_into};

fn main() {
    divan::main();
}

const SIDE: u32 = 100;
const TARGETS: usize = 8;

#[divan::bench]
fn gltf_read_model(bencher: Bencher) {
    let bytes = file();
    assert!(bytes.len() > 1_000_000);
    bencher.counter(BytesCount::new(bytes.len())).bench(|| read(divan::black_box(&bytes)));
}

/// The document alone: the part of its JSON in the time of [`gltf_read_clips`].
#[divan::bench]
fn gltf_read_document(bencher: Bencher) {
    let bytes = lively();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| clip_names(divan::black_box(&bytes)).expect("the writer is right").len());
}

#[divan::bench]
fn gltf_read_clips(bencher: Bencher) {
    let bytes = lively();
    bencher.counter(BytesCount::new(bytes.len())).bench(|| read(divan::black_box(&bytes)));
}

/// Posed vertices with `0` and with `8` targets of a weight that is not 0: the difference is the
/// time of morphing.
#[divan::bench(args = [0, TARGETS])]
fn gltf_pose_vertices(bencher: Bencher, active: usize) {
    let model = read(&file()).model;
    let mut pose = bind_pose(&model.skeleton);
    pose.morphs.iter_mut().take(active).for_each(|weight| *weight = 0.3);
    let matrices = SkinMatrices::new(&pose);
    let options = SkinOptions { tangents: false, level: Level::best() };
    let mut posed = tintype_model::PosedMesh::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    bencher.counter(ItemsCount::new(SIDE * SIDE)).bench_local(|| {
        pool.install(|| skin_mesh_into(&model.meshes[0], &matrices, options, &mut posed));
    });
}

fn read(bytes: &[u8]) -> GltfModel {
    let nothing = |_: &str| Err("no such file".to_owned());
    parse_model(bytes, &nothing, &LoadOptions::default()).expect("the writer is right").value
}

/// A number of a fixed sequence, within -1 to 1.
fn number(index: u32) -> f32 {
    (f64::from(index.wrapping_mul(2_654_435_761) % 2_000_000) / 1e6 - 1.0) as f32
}

/// Bytes of a buffer with their views and accessors.
#[derive(Default)]
struct Parts {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Parts {
    fn add(&mut self, kind: &str, component: u32, count: u32, bytes: Vec<u8>) -> usize {
        let view = json!({"buffer": 0, "byteOffset": self.data.len(), "byteLength": bytes.len()});
        self.views.push(view);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind,
        }));
        self.data.extend(bytes);
        self.accessors.len() - 1
    }

    /// The binary file of a document with these parts.
    fn finish(self, mut document: Value) -> Vec<u8> {
        document["asset"] = json!({"version": "2.0"});
        document["accessors"] = json!(self.accessors);
        document["bufferViews"] = json!(self.views);
        document["buffers"] = json!([{"byteLength": self.data.len()}]);
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 28 + text.len() + self.data.len();
        let mut file = b"glTF\x02\0\0\0".to_vec();
        file.extend((length as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &self.data)] {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
        file
    }
}

fn floats(values: Vec<f32>) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A chain of joints that 60 clips move, each joint with three channels of 30 keys; or the file
/// that the environment names.
fn lively() -> Vec<u8> {
    const JOINTS: u32 = 40;
    const CLIPS: u32 = 60;
    const KEYS: u32 = 30;
    if let Ok(path) = std::env::var("TINTYPE_GLTF") {
        return std::fs::read(&path).expect("TINTYPE_GLTF names a file");
    }
    let mut parts = Parts::default();
    let clip = |clip: u32, parts: &mut Parts| {
        let times = floats((0..KEYS).map(|key| key as f32 / 24.0).collect());
        let input = parts.add("SCALAR", 5126, KEYS, times);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for joint in 0..JOINTS {
            for (path, kind, width) in
                [("translation", "VEC3", 3), ("rotation", "VEC4", 4), ("scale", "VEC3", 3)]
            {
                let start = clip * 7919 + joint * 104_729;
                let values = (0..KEYS * width).map(|k| number(start + k) + 2.0).collect();
                let output = parts.add(kind, 5126, KEYS, floats(values));
                channels.push(
                    json!({"sampler": samplers.len(), "target": {"node": joint, "path": path}}),
                );
                samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
            }
        }
        json!({"name": format!("clip {clip}"), "samplers": samplers, "channels": channels})
    };
    let animations: Vec<Value> = (0..CLIPS).map(|number| clip(number, &mut parts)).collect();
    let nodes: Vec<Value> = (0..JOINTS)
        .map(|joint| match joint + 1 {
            JOINTS => json!({"name": format!("joint {joint}")}),
            child => json!({"name": format!("joint {joint}"), "children": [child]}),
        })
        .collect();
    parts.finish(json!({"nodes": nodes, "animations": animations}))
}

fn file() -> Vec<u8> {
    let mut parts = Parts::default();
    let mut add = |kind: &str, component: u32, count: u32, bytes: Vec<u8>| {
        parts.add(kind, component, count, bytes)
    };
    let count = SIDE * SIDE;
    let at = |vertex: u32| [(vertex % SIDE) as f32 * 0.1, (vertex / SIDE) as f32 * 0.1];
    let places = (0..count).flat_map(|v| [at(v)[0], at(v)[1], 0.1 * number(v)]).collect();
    let positions = add("VEC3", 5126, count, floats(places));
    let normals = add("VEC3", 5126, count, floats([0.0, 0.0, 1.0].repeat(count as usize)));
    let spots = (0..count).flat_map(|v| at(v).map(|part| part * 0.1)).collect();
    let texcoords = add("VEC2", 5126, count, floats(spots));
    let quads = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let corners: Vec<u32> =
        quads.flat_map(|v| [v, v + 1, v + SIDE, v + SIDE, v + 1, v + SIDE + 1]).collect();
    let bytes = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
    let indices = add("SCALAR", 5125, corners.len() as u32, bytes);
    let targets: Vec<_> = (0..TARGETS as u32)
        .map(|target| {
            let offset = |k: u32| number(k + 977 * target) * 0.05;
            let moves = add("VEC3", 5126, count, floats((0..3 * count).map(offset).collect()));
            let turns = add("VEC3", 5126, count, floats((1..=3 * count).map(offset).collect()));
            json!({"POSITION": moves, "NORMAL": turns})
        })
        .collect();
    parts.finish(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"indices": indices, "targets": targets, "attributes": {
            "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": texcoords}}]}],
    }))
}
