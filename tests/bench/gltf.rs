//! Speed of glTF: `cargo bench --bench gltf`. Reading a binary file to its model, and morphing a mesh on one thread.
//!
//! The input is made here, the same on every run: a wavy sheet of 100 x 100 vertices with normals, texture coordinates, indices and eight
//! morph targets that move every vertex.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "benches make numbers of known size"
)]

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use serde_json::json;
use tintype::formats::LoadOptions;
use tintype::formats::gltf::{GltfModel, parse_model};
use tintype::pose::bind_pose;
use tintype::simd::Level;
use tintype::skin::{SkinMatrices, SkinOptions, skin_mesh_into};

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

/// Posed vertices with `0` and with `8` targets of a weight that is not 0: the difference is the time of morphing.
#[divan::bench(args = [0, TARGETS])]
fn gltf_pose_vertices(bencher: Bencher, active: usize) {
    let model = read(&file()).model;
    let mut pose = bind_pose(&model.skeleton);
    pose.morphs.iter_mut().take(active).for_each(|weight| *weight = 0.3);
    let matrices = SkinMatrices::new(&pose);
    let options = SkinOptions { tangents: false, level: Level::best() };
    let mut posed = tintype::model::PosedMesh::default();
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

fn file() -> Vec<u8> {
    let mut data: Vec<u8> = Vec::new();
    let (mut views, mut accessors) = (Vec::new(), Vec::new());
    let mut add = |kind: &str, component: u32, count: u32, bytes: Vec<u8>| {
        views.push(json!({"buffer": 0, "byteOffset": data.len(), "byteLength": bytes.len()}));
        accessors.push(
            json!({"bufferView": views.len() - 1, "componentType": component, "count": count, "type": kind}),
        );
        data.extend(bytes);
        accessors.len() - 1
    };
    let floats = |values: Vec<f32>| values.iter().flat_map(|value| value.to_le_bytes()).collect();
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
    let document = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"indices": indices, "targets": targets, "attributes": {
            "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": texcoords}}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": data.len()}],
    });
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 28 + text.len() + data.len();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &data)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}
