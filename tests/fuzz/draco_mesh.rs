//! Draco streams, as the one mesh of a glTF file.
#![no_main]

use base64::Engine as _;
use libfuzzer_sys::fuzz_target;
use serde_json::json;
use tintype::formats::{LoadOptions, gltf};

fuzz_target!(|bytes: &[u8]| {
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let document = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0},
            "indices": 1,
            "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}},
        }]}],
        "accessors": [
            {"componentType": 5126, "count": 25, "type": "VEC3"},
            {"componentType": 5123, "count": 96, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:;base64,{data}")}],
    });
    let nothing = |_: &str| Err("no such file".to_owned());
    let _ = gltf::parse_model(document.to_string().as_bytes(), &nothing, &LoadOptions::default());
});
