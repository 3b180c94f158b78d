//! Written files read back unchanged: pictures, and lists of frames.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::round_trips(bytes));
