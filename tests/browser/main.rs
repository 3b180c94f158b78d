//! Pages in Chromium as a person uses them, and the files beside them: the report of `test`, the gallery of `thumbnail`.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

mod chromium;
#[path = "../support/held.rs"]
mod held;
#[path = "../support/json_schema.rs"]
mod json_schema;
mod report;
#[path = "../support/mod.rs"]
mod support;
mod thumbnail;

use chromium::Browser;
use libtest_mimic::Arguments;
use std::sync::{Arc, Mutex};

/// The browser of all trials: started by the first that opens a page.
pub(crate) type Shared = Arc<Mutex<Option<Result<Arc<Browser>, String>>>>;

fn main() {
    support::begin();
    let browser = Shared::default();
    let trials = support::named([
        ("report", report::trials(&browser)),
        ("thumbnail", thumbnail::trials(&browser)),
    ]);
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    drop(browser.lock().unwrap().take());
    conclusion.exit();
}
