//! OBJ files; the bytes after the first zero are the material file.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::obj_file(bytes));
