//! Scenes: read, or refused with a position for each mistake.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::scene_text(bytes));
