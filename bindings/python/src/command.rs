//! The `tintype` command of the wheel.

use crate::threads::detach;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use tintype_cli::{Invocation, run_as};

/// Runs the `tintype` command with these words, starting with the program name, and returns its
/// exit code. `module` is the file of this module.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, words: Vec<OsString>, module: PathBuf) -> u8 {
    let program = words.first().map(PathBuf::from);
    let program = program.and_then(|path| path.canonicalize().ok());
    detach(py, || run_as(Invocation { words, program, code: Some(module) }))
}
