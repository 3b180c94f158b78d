//! glTF files with mistakes in their values, chunks and buffers; the first eight bytes choose them.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::gltf_structure(bytes));
