//! Pictures of all kinds, including TGA files, which have no signature. The picture must have the
//! size stated in its header.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::picture_file(bytes));
