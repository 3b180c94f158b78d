//! MD5 files: the first byte says which of the three kinds the others are read as.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{LoadOptions, md5};

fuzz_target!(|bytes: &[u8]| {
    let options = LoadOptions::default();
    match bytes.split_first() {
        Some((0, mesh)) => drop(md5::parse_mesh(mesh, &options)),
        Some((1, clip)) => drop(md5::parse_anim(clip, &options)),
        Some((_, camera)) => drop(md5::parse_camera(camera, &options)),
        None => {}
    }
});
