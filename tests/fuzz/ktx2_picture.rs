//! KTX2 pictures, whose texels are mostly Basis Universal.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::one_picture(bytes));
