//! Options of commands that draw many models: which models, and how each is attempted.

use clap::Args;
use std::path::PathBuf;

/// The models of a command, and the shard of them.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Models {
    /// Models (.md5mesh, .x, .gltf, .glb, .vrm, .fbx, .obj, .iqm, .md2, .md3, .mdl, .3ds, .b3d, .stl, .ply), folders with subfolders, or quoted patterns with *
    #[arg(value_name = "MODEL|DIR|GLOB", required_unless_present = "list")]
    pub paths: Vec<PathBuf>,
    /// Text file that lists models, one path per line
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Folder that paths in --list are relative to, and that pictures mirror [default: deepest folder containing all models]
    #[arg(long, value_name = "DIR")]
    pub base: Option<PathBuf>,
    /// Draw only one shard of the models: 2/5 is the second of five; slurm/5, k8s/5 and env:NAME/1-5 take the number from the environment of the task
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
}

/// Behaviour on errors, records and checks of commands that draw many models.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Attempt {
    /// Continue if a picture cannot be written; exit with code 3, or 75 if another attempt may succeed
    #[arg(long)]
    pub keep_going: bool,
    /// Retries of a write that fails temporarily
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Write a record of this attempt beside the pictures: JSON lines in .tintype/tasks
    #[arg(long)]
    pub record: bool,
    /// Skip models whose files differ from this farm record
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Exit with code 0 even if some models failed permanently; they are reported and recorded, and --verify finds them
    #[arg(long, conflicts_with = "verify")]
    pub defer_failures: bool,
    /// Draw nothing; list pictures that are missing, incomplete or out of date, with the reason; exit with code 1 if there are any
    #[arg(long, conflicts_with_all = ["overwrite", "record"])]
    pub verify: bool,
}
