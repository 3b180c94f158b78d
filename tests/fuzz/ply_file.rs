//! PLY files of all kinds.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::ply_file(bytes));
