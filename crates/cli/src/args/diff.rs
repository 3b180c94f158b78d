//! Options of `tintype diff`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype diff a.png b.png -o diff.png
  tintype diff golden/walk out/walk -o diff        every picture of either
  tintype diff 'a/walk.####.png' 'b/w_%03d.png'     frames with equal numbers
  tintype diff a.png b.png --metric flip --bound 0.01
  tintype diff old.md5mesh new.md5mesh    with every clip beside them
  tintype diff old.glb new.glb --contact-sheet review.png      and review.json
  tintype diff exports/old exports/new --report out/report
  tintype diff old.md5mesh new.md5mesh -a walk.md5anim

Pictures pass only if every channel of every pixel is equal, unless --metric and --bound select another rule. A bound on flip or ssim applies to the mean over pixels that are not transparent if both pictures have alpha, otherwise to the mean over all pixels.

Exit codes: 0 equal, or within the bound; 1 different, of different sizes, or missing on one side; 2 bad input; 75 temporary failure: run it again.";

/// `diff`
#[derive(Clone, Debug, Args)]
pub(crate) struct Diff {
    /// A PNG file, a folder of PNG files, a pattern such as walk.####.png, or a model
    #[arg(value_name = "A")]
    pub expected: PathBuf,
    /// The file, folder, pattern or model to compare with A
    #[arg(value_name = "B")]
    pub found: PathBuf,
    /// Write difference pictures: to a file, or for sequences to a folder or a pattern
    #[arg(short, long, value_name = "DIFF.png")]
    pub output: Option<PathBuf>,
    /// Content of the difference pictures
    #[arg(long, value_enum, value_name = "WHAT", requires = "output")]
    pub picture: Option<DiffPicture>,
    /// Metric that decides whether pictures pass: exact, max, flip or ssim
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Largest max or flip, or smallest ssim, that passes
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub bound: Option<f64>,
    /// For models: clip file to play on both; given twice, the first is for A and the second for B
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// For models: clip, by name or index from 0, or a range of it such as NAME:168-187; bind for the bind pose
    #[arg(long, value_name = "NAME[:RANGE]")]
    pub clip: Option<String>,
    /// For models: largest allowed distance between matching vertices, as a fraction of the model's diagonal
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub tolerance: Option<f32>,
    /// Write the differences to standard output as JSON
    #[arg(long)]
    pub json: bool,
    /// For models and folders: write the differences as an HTML page into this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// For two models: write a contact sheet of the differences, before and after (.png, .webp or .jpg), with a .json legend beside it
    #[arg(long, value_name = "FILE")]
    pub contact_sheet: Option<PathBuf>,
    /// For models and folders: write the results as JUnit XML; - is standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// Content of a difference picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffPicture {
    /// Perceptual difference of each pixel (FLIP), from black through purple to light yellow
    Heat,
    /// Difference of each channel, times 16
    X16,
}
