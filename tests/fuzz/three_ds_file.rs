//! 3DS files, up to models and clips.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::three_ds_file(bytes));
