//! Pictures of light.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::light_picture(bytes));
