//! Options of `tintype review`.

use super::value::PathText;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype review                       test all of scenes/, then ask
  tintype review scenes/walk.toml
  tintype review --filter crane
  echo A | tintype review              accept every failure

Each failure is reported with its cause. Its picture is shown in terminals that support images (kitty, iTerm2), otherwise written to a temporary file. Answer with a to accept, r to reject, s to skip, c to accept all with the same cause; A, R or S for all that remain; u to undo, q to quit. If CI is set, the command fails.

Exit codes: 0 no failure remains; 1 some were rejected or skipped; 2 bad input, or CI is set.";

/// `review`
#[derive(Clone, Debug, Args)]
pub(crate) struct Review {
    /// Scenes, folders of scenes, or paths of goldens
    #[arg(value_name = "SCENE|DIR|GOLDEN", default_value = "scenes")]
    pub paths: Vec<PathBuf>,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// Review only goldens with this text in their path or their scene's path
    #[arg(long, value_name = "TEXT", value_parser = PathText)]
    pub filter: Option<String>,
    /// The pin of the project that this program does not meet.
    #[arg(skip)]
    pub other_program: Option<String>,
}
