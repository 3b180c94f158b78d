//! Options of `tintype watch`.

use clap::Args;
use std::ffi::OsString;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype watch render scenes/walk.toml -f 0
  tintype watch thumbnail models --gallery
  tintype watch test

The command runs at once, and again whenever a model, clip, texture, material or scene changes in the folders that it names, or in the working folder if it names none. Output files are not watched. A failed run is reported, and the next change starts another. Press Ctrl-C to stop.

Exit codes: 130 stopped by Ctrl-C; 2 bad usage.";

/// `watch`
#[derive(Clone, Debug, Args)]
pub(crate) struct Watch {
    /// Command to run, with its options: render, turntable, thumbnail, inspect, pose, diff or test
    #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub words: Vec<OsString>,
}
