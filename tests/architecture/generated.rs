//! Files that follow from the declared settings.

use crate::settings;
use crate::support::trial;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;

#[trial]
fn files_follow_from_the_settings() -> Result<(), Failed> {
    for (path, text) in settings::generated(Path::new(env!("WORKSPACE_ROOT")))? {
        if fs::read_to_string(&path)? != text {
            let path = path.display();
            return Err(format!("{path}: cargo run --release --example settings writes it").into());
        }
    }
    Ok(())
}
