//! Pictures of all kinds, among them WebP and KTX2.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{Limits, LoadOptions, image};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { max_image_side_px: 4096, max_image_bytes: 1 << 24, ..Limits::default() };
    let _ = image::decode(bytes, "picture", &LoadOptions::from(limits));
});
