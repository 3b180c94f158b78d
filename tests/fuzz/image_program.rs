//! Image programs: the bytes are one, as a material's diffuse map.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::image_program(bytes));
