//! Options of `tintype watch`.

use clap::Args;
use std::ffi::OsString;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype watch render scenes/walk.toml -f 0
  tintype watch thumbnail models --gallery
  tintype watch test

The command is run at once, and again when a file has changed that it may read: models, clips, textures, materials and scenes in the folders that it names, or in the working folder if it names none. What commands write is not watched. A run that fails is told, and the next change starts another one. Ctrl-C ends it.

Exit codes: 130 ended by Ctrl-C; 2 bad usage.";

/// `watch`
#[derive(Clone, Debug, Args)]
pub(crate) struct Watch {
    /// Command to run, with its options: render, turntable, thumbnail, inspect, pose, diff or test
    #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub words: Vec<OsString>,
}
