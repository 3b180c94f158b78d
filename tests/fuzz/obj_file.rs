//! OBJ files; the bytes behind the first zero are the material file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{LoadOptions, obj};

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, library) = bytes.split_at(end);
    let fetch = |_: &str| Ok(library.to_vec());
    let _ = obj::parse_model(text, &fetch, &LoadOptions::default());
});
