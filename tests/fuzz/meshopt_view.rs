//! Streams of meshopt, as the one buffer view of a glTF file; the first bytes choose mode, filter, count and stride.
#![no_main]

use base64::Engine as _;
use libfuzzer_sys::fuzz_target;
use serde_json::json;
use tintype::formats::{LoadOptions, gltf};

fuzz_target!(|bytes: &[u8]| {
    let [mode, filter, count, stride, stream @ ..] = bytes else { return };
    let mode = ["ATTRIBUTES", "TRIANGLES", "INDICES"][usize::from(*mode) % 3];
    let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
    let filter = filters[usize::from(*filter) % filters.len()];
    let data = base64::engine::general_purpose::STANDARD.encode(stream);
    let document = json!({
        "asset": {"version": "2.0"},
        "bufferViews": [{"buffer": 0, "byteLength": 0, "extensions": {"EXT_meshopt_compression": {
            "buffer": 0, "byteLength": stream.len(), "byteStride": stride, "count": count,
            "mode": mode, "filter": filter,
        }}}],
        "buffers": [{"byteLength": stream.len(), "uri": format!("data:;base64,{data}")}],
    });
    let nothing = |_: &str| Err("no such file".to_owned());
    let _ = gltf::parse_model(document.to_string().as_bytes(), &nothing, &LoadOptions::default());
});
