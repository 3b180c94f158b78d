//! Options of commands that draw many models: which models, and how each is attempted.

use clap::Args;
use std::path::PathBuf;

/// The models of a command, and the shard of them.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Models {
    /// Models (.md5mesh, .x, .gltf, .glb, .vrm, .fbx, .obj, .iqm, .md2, .md3, .mdl, .3ds, .b3d, .stl, .ply), folders with subfolders, or quoted patterns with *
    #[arg(value_name = "MODEL|DIR|GLOB", required_unless_present = "list")]
    pub paths: Vec<PathBuf>,
    /// Text file with the path of a model in each line
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// Folder that paths in --list are relative to, and that pictures mirror [default: the deepest folder that holds all models]
    #[arg(long, value_name = "DIR")]
    pub base: Option<PathBuf>,
    /// Draw only a share of the models: 2/5 is the second fifth; slurm/5, k8s/5 and env:NAME/1-5 take the number from the environment of the task
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
}

/// Behaviour on errors, records and checks of commands that draw many models.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Attempt {
    /// Continue after a picture that cannot be written; exit code 3, or 75 if another attempt can succeed
    #[arg(long)]
    pub keep_going: bool,
    /// Retries of a write that fails for a temporary reason
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Write a record of this attempt beside the pictures: JSON lines in .tintype/tasks
    #[arg(long)]
    pub record: bool,
    /// Skip models of which a file is not as in this record of a farm
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Exit with code 0 although some models have no picture for good: they are reported and recorded, and --verify finds them
    #[arg(long, conflicts_with = "verify")]
    pub defer_failures: bool,
    /// Draw nothing; list pictures that are missing, incomplete or out of date, with the reason; exit code 1 if there are any
    #[arg(long, conflicts_with_all = ["overwrite", "record"])]
    pub verify: bool,
}
