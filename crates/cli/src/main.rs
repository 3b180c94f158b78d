//! The `tintype` program; the library of this crate does everything.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: tintype_cli::Allocator = tintype_cli::Allocator;

fn main() -> ExitCode {
    tintype_cli::run()
}
