//! Pictures of all kinds; TGA files too, which have no mark. A size that a header tells is that of the picture.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::picture_file(bytes));
