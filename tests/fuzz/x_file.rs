//! `.x` files of any encoding, up to models and clips.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{LoadOptions, x};

fuzz_target!(|bytes: &[u8]| {
    let _ = x::parse_model(bytes, None, &LoadOptions::default());
});
