//! MD5 files: the first byte says which of the three kinds the others are read as.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{Limits, md5};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    match bytes.split_first() {
        Some((0, mesh)) => drop(md5::parse_mesh(mesh, &limits)),
        Some((1, clip)) => drop(md5::parse_anim(clip, &limits)),
        Some((_, camera)) => drop(md5::parse_camera(camera, &limits)),
        None => {}
    }
});
