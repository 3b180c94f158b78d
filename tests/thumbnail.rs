//! `thumbnail` as a user, a script and a file manager meet it: which files there are afterwards, what is in them, what is said.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "tests make numbers of known size"
)]

#[allow(dead_code, reason = "pages of reports need more of it")]
#[path = "report/browser.rs"]
mod browser;
#[path = "support/held.rs"]
mod held;
#[path = "thumbnail/files.rs"]
mod files;
#[path = "thumbnail/desktop.rs"]
mod desktop;
#[path = "support/json_schema.rs"]
mod json_schema;
#[path = "thumbnail/page.rs"]
mod page;
mod support;

use browser::Browser;
use libtest_mimic::Arguments;
use std::sync::{Arc, Mutex};

fn main() {
    let arguments = Arguments::from_args();
    // Started by the first trial that looks at a page; stopped when all have.
    let browser = Arc::new(Mutex::new(None::<Result<Arc<Browser>, String>>));
    let mut trials = files::trials();
    trials.extend(desktop::trials());
    trials.extend(page::trials(&browser));
    let conclusion = libtest_mimic::run(&arguments, trials);
    drop(browser.lock().unwrap().take());
    conclusion.exit();
}
