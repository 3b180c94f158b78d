//! Options of `tintype dataset`.

use super::value::PathText;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype dataset examples/dataset.toml -o set
  tintype dataset recipe.toml -o set --shard 2/5       one of five machines
  tintype dataset recipe.toml -o set --shard slurm/5   in a job array

Each sample depends on the recipe and its number alone: 000012.png, its channels in 000012.npz, its labels in 000012.json. Samples that are up to date are not drawn again. When the last one is there, annotations.json (COCO, with keypoints), transforms.json (nerfstudio) and index.jsonl are written; while one is missing they are not there.

Exit codes: 0 all samples that were asked for are there; 2 bad input; 3 a sample shows nothing, or --strict found a warning; 75 temporary failure: run it again.";

/// `dataset`
#[derive(Clone, Debug, Args)]
pub(crate) struct Dataset {
    /// The recipe
    #[arg(value_name = "RECIPE.toml")]
    pub recipe: PathBuf,
    /// Folder of the set
    #[arg(short, long, value_name = "DIR", value_parser = PathText)]
    pub output: String,
    /// Draw only a share of the samples: 2/5 is the second fifth; slurm/5, k8s/5 and env:NAME/1-5 take the number from the environment of the task
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Draw samples again that are up to date
    #[arg(long)]
    pub overwrite: bool,
}
