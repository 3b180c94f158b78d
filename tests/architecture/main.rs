//! The shape of the source: imports, layers, arithmetic that is equal on every CPU, prose, and the
//! lints that hold it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../support/mod.rs"]
mod support;

mod clippy;
mod dependencies;
mod faults;
mod floats;
mod generated;
mod imports;
mod option_names;
mod prose;
mod registered;
mod sentences;
mod source;
mod vectors;
#[path = "../../tools/settings.rs"]
mod settings;
mod walks;

use source::Source;
use std::path::Path;
use std::sync::OnceLock;

/// The source of the workspace, parsed once for all trials.
fn source() -> &'static Source {
    static SOURCE: OnceLock<Source> = OnceLock::new();
    SOURCE.get_or_init(|| Source::read(Path::new(env!("WORKSPACE_ROOT"))))
}

fn main() {
    support::run();
}
