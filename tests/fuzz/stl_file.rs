//! STL files of both kinds.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::stl_file(bytes));
