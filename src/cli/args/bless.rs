//! Options of `tintype bless`.

use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype test --report out/report     first see what differs, and why
  tintype bless scenes/walk.toml       then accept the new frames
  tintype bless golden/walk/0012.png   or a single one
  tintype bless --all
  tintype bless --prune                delete goldens of no scene

Only pictures that differ are written, and each is listed. A picture in which nothing is seen is never accepted. If CI is set the command fails: a build server compares and never accepts.

Exit codes: 0 accepted; 2 bad input, or CI is set; 3 a picture is not accepted, as nothing is seen in it or as something in it is missing, or --strict found a warning; 75 temporary failure: run it again.";

/// `bless`
#[derive(Clone, Debug, Args)]
pub(crate) struct Bless {
    /// Select goldens whose path, or whose scene's path, contains one of these texts
    #[arg(value_name = "PATTERN", required_unless_present_any = ["all", "prune"])]
    pub patterns: Vec<String>,
    /// Select the goldens of all scenes below --scenes
    #[arg(long, conflicts_with = "patterns")]
    pub all: bool,
    /// Keep existing goldens, and accept the new pictures as alternatives beside them
    #[arg(long, conflicts_with = "prune")]
    pub beside: bool,
    /// Accept pictures that show something else in place of what is missing: a magenta checker for a texture, joints matched by index
    #[arg(long, conflicts_with = "prune")]
    pub allow_warnings: bool,
    /// Delete goldens that belong to no scene
    #[arg(long, conflicts_with_all = ["patterns", "all"])]
    pub prune: bool,
    /// Folder of scenes
    #[arg(long, value_name = "DIR", default_value = "scenes")]
    pub scenes: PathBuf,
    /// Golden folder, if it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
}
