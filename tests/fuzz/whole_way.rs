//! The whole pipeline: from the bytes of a model to a picture of 32 by 32 pixels.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::whole_way(bytes));
