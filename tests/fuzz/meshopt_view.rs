//! Streams of meshopt, as the one buffer view of a glTF file; the first bytes choose mode, filter,
//! count and stride.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::meshopt_view(bytes));
