//! The `tintype` program; the library does everything.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: tintype::program::Allocator = tintype::program::Allocator;

fn main() -> ExitCode {
    tintype::program::run()
}
