//! Options of `tintype diff`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype diff a.png b.png -o diff.png
  tintype diff golden/walk out/walk -o diff        every picture of either
  tintype diff 'a/walk.####.png' 'b/w_%03d.png'     frames with the same number
  tintype diff a.png b.png --metric flip --bound 0.01
  tintype diff old.md5mesh new.md5mesh -a walk.md5anim

Pictures are equal only if every channel of every pixel is, unless --metric and --bound say otherwise; a bound on flip or ssim is held against the mean over what is not transparent, if both pictures have alpha, and over all pixels if not.

Exit codes: 0 the same, or within the bound; 1 different, of other sizes, or missing on one side; 2 bad input; 75 run it again.";

/// `diff`
#[derive(Clone, Debug, Args)]
pub(crate) struct Diff {
    /// A PNG, a folder of them, a pattern such as walk.####.png, or a model
    #[arg(value_name = "A")]
    pub expected: PathBuf,
    /// Another one
    #[arg(value_name = "B")]
    pub found: PathBuf,
    /// Draw what differs: into a file; of sequences into a folder, or to the names of a pattern
    #[arg(short, long, value_name = "DIFF.png")]
    pub output: Option<PathBuf>,
    /// What the drawing shows
    #[arg(long, value_enum, value_name = "WHAT", requires = "output")]
    pub picture: Option<DiffPicture>,
    /// What counts as the same: exact, max, flip or ssim
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Of max and flip the most that passes, of ssim the least
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub bound: Option<f64>,
    /// Of models: a clip to move both; said twice, the first moves A and the second moves B
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Of models: which clip of the file, by its name or its place from 0
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Of models: how far a vertex may move and count as the same, as a share of the model's diagonal
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub tolerance: Option<f32>,
    /// Write what differs to standard output, as JSON
    #[arg(long)]
    pub json: bool,
}

/// What a picture of a difference shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffPicture {
    /// How much of it a person sees: FLIP, from black over purple to light yellow
    Heat,
    /// Each channel's difference times 16
    X16,
}
