//! MD5 files: tried as a mesh, as a clip and as a camera.
#![no_main]

mod harness;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harness::md5_file(bytes));
