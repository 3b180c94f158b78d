//! Draco streams, as the one mesh of a glTF file.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::draco_mesh(bytes));
