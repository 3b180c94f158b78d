//! Doom 3 material files.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::mtr_file(bytes));
