//! Models of Quake of all kinds, up to models and clips.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::quake_file(bytes));
