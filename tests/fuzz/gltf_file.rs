//! glTF files, binary and JSON: container, document, accessors, up to models and clips.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{LoadOptions, gltf};

fuzz_target!(|bytes: &[u8]| {
    let nothing = |_: &str| Err("no such file".to_owned());
    let _ = gltf::parse_model(bytes, &nothing, &LoadOptions::default());
});
