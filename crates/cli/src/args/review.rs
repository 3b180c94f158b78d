//! Options of `tintype review`.

use super::value::PathText;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype review                       test all scenes below scenes/, then ask
  tintype review scenes/walk.toml
  tintype review --filter crane
  echo A | tintype review              accept all that fail, each listed

Each failure is told with its cause, and shown in terminals that take pictures: those of kitty and iTerm2; else in a file. A line answers: a accepts, c accepts all that follow of the same cause, r rejects, s skips, A, R and S do so for all that are left, u undoes the last answer, q quits. If CI is set the command fails.

Exit codes: 0 nothing fails any more; 1 some are rejected or left; 2 bad input, or CI is set.";

/// `review`
#[derive(Clone, Debug, Args)]
pub(crate) struct Review {
    /// Scenes, folders of scenes, or goldens by their paths, as for bless
    #[arg(value_name = "SCENE|DIR|GOLDEN", default_value = "scenes")]
    pub paths: Vec<PathBuf>,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// Review only goldens whose path, or whose scene's path, contains this text
    #[arg(long, value_name = "TEXT", value_parser = PathText)]
    pub filter: Option<String>,
}
