//! The report of `test`: its texts read back by others, its page used in a browser as a person would, its files on the disk.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

#[path = "report/browser.rs"]
mod browser;
#[path = "support/json_schema.rs"]
mod json_schema;
#[path = "report/command.rs"]
mod command;
#[path = "report/page.rs"]
mod page;
#[path = "report/sample.rs"]
mod sample;
mod support;
#[path = "report/text.rs"]
mod text;

use browser::Browser;
use libtest_mimic::Arguments;
use std::sync::{Arc, Mutex};

fn main() {
    let arguments = Arguments::from_args();
    // Started by the first trial that looks at a page; stopped when all have.
    let browser = Arc::new(Mutex::new(None::<Result<Arc<Browser>, String>>));
    let mut trials = text::trials();
    trials.extend(command::trials(&browser));
    trials.extend(page::trials(&browser));
    let conclusion = libtest_mimic::run(&arguments, trials);
    drop(browser.lock().unwrap().take());
    conclusion.exit();
}
