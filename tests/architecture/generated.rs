//! Files that follow from the declared settings.

use crate::settings;
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;

fn generated_files_are_those_of_the_declared_settings() -> Result<(), Failed> {
    for (path, text) in settings::generated(Path::new(env!("WORKSPACE_ROOT")))? {
        if fs::read_to_string(&path)? != text {
            let path = path.display();
            return Err(format!("{path}: cargo run --release --example settings writes it").into());
        }
    }
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test(
        "files_follow_from_the_settings",
        generated_files_are_those_of_the_declared_settings,
    )]
}
