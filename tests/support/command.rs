//! The program as a user starts it, and what it answers.

use libtest_mimic::Failed;
use std::path::Path;
use std::process::{Command, Output};

/// The program, for tests of the crate that builds it.
pub(crate) const PROGRAM: &str = match option_env!("CARGO_BIN_EXE_tintype") {
    Some(program) => program,
    None => "",
};

/// A box from -1 to 1, 2 high, as an MD5 mesh bound to the joint `root`; its fronts are outside.
pub(crate) const BOX: &str = include_str!("box.md5mesh");

/// The program in a folder, on a machine that is not a CI server, without colours or user settings.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("TINTYPE_CONFIG", "")
        .env_remove("CI")
        .env_remove("GITHUB_ACTIONS");
    command
}

/// Runs it and waits for its output.
pub(crate) fn tintype(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program was built with this test")
}

/// The exit code, and a text on standard error.
pub(crate) fn wanted(output: &Output, code: i32, says: &str) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(code) && text.contains(says) {
        return Ok(());
    }
    Err(format!("{:?}, not {code}; or not said: {says:?}\n{text}", output.status).into())
}
