//! The `tintype` program; the library does everything.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: tintype::cli::Allocator = tintype::cli::Allocator;

fn main() -> ExitCode {
    tintype::cli::run()
}
