//! IQM files, up to models and clips.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype::formats::{LoadOptions, iqm};

fuzz_target!(|bytes: &[u8]| {
    let _ = iqm::parse_model(bytes, &LoadOptions::default());
});
