//! The `tintype` program; the library does everything.

use std::process::ExitCode;

fn main() -> ExitCode {
    tintype::cli::run()
}
