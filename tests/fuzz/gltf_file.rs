//! glTF files, binary and JSON: container, document, accessors, up to models and clips.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::gltf_file(bytes));
