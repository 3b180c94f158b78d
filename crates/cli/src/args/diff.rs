//! Options of `tintype diff`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype diff a.png b.png -o diff.png
  tintype diff golden/walk out/walk -o diff        every picture of either
  tintype diff 'a/walk.####.png' 'b/w_%03d.png'     frames with the same number
  tintype diff a.png b.png --metric flip --bound 0.01
  tintype diff old.md5mesh new.md5mesh    with every clip beside them
  tintype diff old.glb new.glb --contact-sheet review.png      and review.json
  tintype diff exports/old exports/new --report out/report
  tintype diff old.md5mesh new.md5mesh -a walk.md5anim

Pictures pass only if every channel of every pixel is equal, unless --metric and --bound select another rule. A bound on flip or ssim applies to the mean over pixels that are not transparent if both pictures have alpha, else to the mean over all pixels.

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
    /// Metric by which pictures pass: exact, max, flip or ssim
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Largest value of max or flip that passes, or smallest of ssim
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub bound: Option<f64>,
    /// For models: file of a clip that moves both; given twice, the first moves A and the second moves B
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// For models: clip of the file, by name or by index from 0, or a part of it, such as NAME:168-187; bind for none
    #[arg(long, value_name = "NAME[:RANGE]")]
    pub clip: Option<String>,
    /// For models: largest distance between equal vertices, as a fraction of the model's diagonal
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub tolerance: Option<f32>,
    /// Write the differences to standard output as JSON
    #[arg(long)]
    pub json: bool,
    /// For models and folders: write a page with the differences into this folder, as index.html
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// For two models: write a contact sheet of what differs, before and after, .png, .webp or .jpg, and beside it a .json legend
    #[arg(long, value_name = "FILE")]
    pub contact_sheet: Option<PathBuf>,
    /// For models and folders: write the results as JUnit XML; - is standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// Content of a difference picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffPicture {
    /// Visible difference of each pixel (FLIP), from black over purple to light yellow
    Heat,
    /// Difference of each channel, times 16
    X16,
}
