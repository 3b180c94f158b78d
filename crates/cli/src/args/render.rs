//! Options of `tintype render`.

use super::global::Progress;
use super::picture::Png;
use super::setting::{OfScene, SettingArgs};
use super::value::PathText;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype render scenes/walk.toml                    all frames
  tintype render scenes/walk.toml -f 0-47x4          every fourth frame
  tintype render scenes/walk.toml -f 12 -o - > 12.png
  tintype render scenes/walk.toml -o walk.webp       or .gif, .mp4: one file
  tintype render scenes/walk.toml --shard 2/5        one of five machines
  tintype render scenes/walk.toml --aov depth        also out/walk/0000.depth.png
  tintype render scenes/walk.toml --size 1920x1080 -o big/walk.####.png
  tintype render scenes/walk.toml --overwrite --stats     with timings

Frames that are complete and up to date are not drawn again: each file records a digest of the scene, assets and options, and its checksums are verified. Ctrl-C and SIGUSR1 finish the frames in flight, SIGTERM stops within two seconds, and a second Ctrl-C stops at once; run the same command to continue.

Exit codes: 0 success; 2 bad input; 3 no instance is visible in any frame, or --strict found a warning; 75 temporary failure or stopped by a signal: run it again; 130 Ctrl-C.";

/// `render`
#[derive(Clone, Debug, Args)]
pub(crate) struct Render {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// More scenes, drawn one after another, each into its default folder
    #[arg(value_name = "SCENE.toml")]
    pub more: Vec<PathBuf>,
    /// A folder for 0000.png, 0001.png, ...; a pattern with #### or %04d for the frame number (.png, .jpg, .webp); one file for all frames (.gif, .webp, .apng, or through ffmpeg .mp4, .webm, .mov); or - to write one frame, or its only view, to standard output
    #[arg(short, long, value_name = "DIR|FILE|PATTERN", value_parser = PathText)]
    pub output: Option<String>,
    /// Frames of the scene to draw: 0-47, 1-100x5 or 0,7,20-30
    #[arg(short, long, value_name = "FRAMES", allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Draw only one shard of the frames: 2/5 is the second of five; slurm/5, k8s/5 and env:NAME/1-5 take the number from the environment of the task
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Also draw frames that are up to date
    #[arg(long)]
    pub overwrite: bool,
    /// When done, remove frames from the folder that the scene no longer has, such as those of an earlier, longer run
    #[arg(long)]
    pub clean: bool,
    /// Continue if a frame cannot be written; exit with code 3, or 75 if another attempt may succeed
    #[arg(long)]
    pub keep_going: bool,
    /// Retries of a write that fails temporarily, each after a longer pause
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Warn, instead of failing, if no instance is visible in any frame; --shard implies this
    #[arg(long)]
    pub allow_empty: bool,
    /// Write a record of this attempt beside the frames: JSON lines in .tintype/tasks
    #[arg(long)]
    pub record: bool,
    /// Draw nothing if a file of the scene differs from this farm record
    #[arg(long, value_name = "FILE", conflicts_with = "more")]
    pub inputs: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingArgs<OfScene>,
    /// Compression effort of PNG files
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Png::Fast)]
    pub png: Png,
    /// Form of progress
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    pub progress: Progress,
    /// Report the time of each stage and counts of triangles, tiles, pixels and bytes: as text at the end, or as JSON for each frame on
    /// standard output
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub stats: Option<StatsForm>,
    /// Side of a tile in pixels, 4 to 64; does not change the picture
    #[arg(long, value_name = "N", hide = true)]
    pub tile: Option<u32>,
    /// SIMD level: scalar, sse4.2, avx2, avx512 or neon; does not change the picture
    #[arg(long, value_name = "LEVEL", hide = true)]
    pub simd: Option<String>,
}

/// Form of `--stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsForm {
    /// Text on standard error
    Text,
    /// One JSON document on standard output
    Json,
}
