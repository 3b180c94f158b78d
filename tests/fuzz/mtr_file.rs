//! Doom 3 material files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{LoadOptions, mtr};

fuzz_target!(|bytes: &[u8]| drop(mtr::parse_materials(bytes, &LoadOptions::default())));
