//! Options of `tintype render`.

use super::picture::{Png, SceneOverrides};
use super::progress::Progress;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype render scenes/walk.toml                    all frames
  tintype render scenes/walk.toml -f 0-47x4          every fourth frame
  tintype render scenes/walk.toml -f 12 -o - > 12.png
  tintype render scenes/walk.toml --shard 2/5        one of five machines
  tintype render scenes/walk.toml --aov depth        and out/walk/0000.depth.png
  tintype render scenes/walk.toml --size 1920x1080 -o big/walk.####.png
  tintype render scenes/walk.toml --overwrite --stats     where the time goes

A frame that is there, whole and current is not drawn again: the digest of scene, assets and options in its file tells, and the check sums of all its chunks. Ctrl-C and SIGUSR1 finish the frames in flight, SIGTERM ends within two seconds; running the same command again goes on. A second Ctrl-C ends at once.

Exit codes: 0 done; 2 bad input; 3 nothing is seen in any frame, or --strict and a warning; 75 temporary trouble or stopped by a signal: run it again; 130 Ctrl-C.";

/// `render`
#[derive(Clone, Debug, Args)]
pub(crate) struct Render {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// File names: #### or %04d is the frame; - writes one frame to standard output, or its only view
    #[arg(short, long, value_name = "PATTERN")]
    pub output: Option<String>,
    /// Which of the scene's frames: 0-47, 1-100x5 or 0,7,20-30
    #[arg(short, long, value_name = "FRAMES", allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Only a part of these frames: 2/5 is the second fifth; slurm/5 and k8s/5 take the number from the task's environment
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Draw frames anew that are there and current
    #[arg(long)]
    pub overwrite: bool,
    /// Go on to the next frame when one cannot be written; exit code 3, or 75 if another try may do
    #[arg(long)]
    pub keep_going: bool,
    /// Try so often again to write a frame, each time after a longer pause, while the trouble is temporary
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// That nothing is seen in any frame is a warning only, as it is with --shard
    #[arg(long)]
    pub allow_empty: bool,
    /// Keep a record of this attempt beside the frames: a file of JSON lines in .tintype/tasks
    #[arg(long)]
    pub record: bool,
    #[command(flatten)]
    pub overrides: SceneOverrides,
    /// How hard PNG files are squeezed
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Png::Fast)]
    pub png: Png,
    /// How progress is shown
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    pub progress: Progress,
    /// Say at the end where the time went, and how many triangles, tiles, pixels and bytes there were: as a page, or as JSON on
    /// standard output, frame by frame
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub stats: Option<StatsForm>,
    /// Side of a tile in pixels, 4 to 64; changes nothing in the picture
    #[arg(long, value_name = "N", hide = true)]
    pub tile: Option<u32>,
    /// Instructions to use: scalar, sse2, sse4.2, avx2, avx512 or neon; changes nothing in the picture
    #[arg(long, value_name = "LEVEL", hide = true)]
    pub simd: Option<String>,
}

/// How `--stats` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsForm {
    /// A page for people, on standard error
    Text,
    /// One JSON document on standard output
    Json,
}
