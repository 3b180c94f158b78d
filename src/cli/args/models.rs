//! Options of commands that draw many models: which models, and how each is attempted.

use clap::Args;
use std::path::PathBuf;

/// Which models, and which part of them.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Models {
    /// Models (.md5mesh, .x), folders of them with all that is below, or patterns with * in quotes
    #[arg(value_name = "MODEL|DIR|GLOB", required_unless_present = "list")]
    pub paths: Vec<PathBuf>,
    /// A text file that names models, one path in a line
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// The folder that the paths in --list count from, and that pictures mirror; the deepest that holds all, if nobody says
    #[arg(long, value_name = "DIR")]
    pub base: Option<PathBuf>,
    /// Only a part of these models: 2/5 is the second fifth; slurm/5 and k8s/5 take the number from the task's environment
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
}

/// How pictures of many models are attempted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Attempt {
    /// Go on when a picture cannot be written; exit code 3, or 75 if another try may do
    #[arg(long)]
    pub keep_going: bool,
    /// Try so often again to write a picture, each time after a longer pause, while the trouble is temporary
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Keep a record of this attempt beside the pictures: a file of JSON lines in .tintype/tasks
    #[arg(long)]
    pub record: bool,
    /// Draw nothing; say which pictures are missing, torn or stale, and why: exit code 1 if any is
    #[arg(long, conflicts_with_all = ["overwrite", "record"])]
    pub verify: bool,
}
