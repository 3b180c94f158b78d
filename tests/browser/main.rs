//! Pages in Chromium from the user's point of view, and the files beside them: the report of
//! `test`, the gallery of `thumbnail`.
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
/// The report of `test`: its texts read back by other programs, its page used in a browser, its
/// files on the disk.
mod report {
    mod command;
    mod page;
    pub(crate) mod sample;
    mod text;
}
#[path = "../support/mod.rs"]
mod support;
/// `thumbnail` as seen by a user, a script and a file manager: the written files, their content,
/// and the messages.
mod thumbnail {
    mod desktop;
    mod files;
    mod page;
}

use libtest_mimic::Arguments;

fn main() {
    support::begin();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), support::registered());
    chromium::end();
    conclusion.exit();
}
