//! Options of `tintype bless`.

use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test --report out/report     look first: what differs, and why
  tintype bless scenes/walk.toml       then accept the frames of today
  tintype bless golden/walk/0012.png   or one of them
  tintype bless --all
  tintype bless --prune                delete goldens that no scene asks for

Only pictures that differ are written, and each is said. Refused where CI is set: a build server compares and never accepts.

Exit codes: 0 accepted; 1 what was accepted does not hold; 2 bad input, or CI is set; 75 temporary trouble: run it again.";

/// `bless`
#[derive(Clone, Debug, Args)]
pub(crate) struct Bless {
    /// Only goldens where the path of the scene or of the golden contains one of these
    #[arg(value_name = "PATTERN", required_unless_present_any = ["all", "prune"])]
    pub patterns: Vec<String>,
    /// All scenes below `scenes`
    #[arg(long, conflicts_with = "patterns")]
    pub all: bool,
    /// Keep the goldens that are there, and accept the pictures of today beside them
    #[arg(long, conflicts_with = "prune")]
    pub beside: bool,
    /// Delete goldens that no scene asks for
    #[arg(long, conflicts_with_all = ["patterns", "all"])]
    pub prune: bool,
    /// The folder of scenes
    #[arg(long, value_name = "DIR", default_value = "scenes")]
    pub scenes: PathBuf,
    /// The golden folder, where it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
}
