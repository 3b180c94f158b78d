//! Options of `tintype dataset`.

use super::value::PathText;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype dataset examples/dataset.toml -o set
  tintype dataset recipe.toml -o set --shard 2/5       one of five machines
  tintype dataset recipe.toml -o set --shard slurm/5   in a job array

A sample depends only on the recipe and its number. Sample 12 is 000012.png, with channels in 000012.npz and labels in 000012.json. Samples that are up to date are not drawn again. Once all samples exist, annotations.json (COCO, with keypoints), transforms.json (nerfstudio) and index.jsonl are written.

Exit codes: 0 all requested samples exist; 2 bad input; 3 a sample is empty, or --strict found a warning; 75 temporary failure: run it again.";

/// `dataset`
#[derive(Clone, Debug, Args)]
pub(crate) struct Dataset {
    /// The recipe
    #[arg(value_name = "RECIPE.toml")]
    pub recipe: PathBuf,
    /// Output folder
    #[arg(short, long, value_name = "DIR", value_parser = PathText)]
    pub output: String,
    /// Draw only one shard of the samples: 2/5 is the second of five; slurm/5, k8s/5 and env:NAME/1-5 take the number from the environment of the task
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Also draw samples that are up to date
    #[arg(long)]
    pub overwrite: bool,
}
