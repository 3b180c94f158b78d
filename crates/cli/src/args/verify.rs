//! Options of `tintype verify`.

use super::setting::{OfScene, SettingArgs};
use super::value::PathText;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype verify scenes/walk.toml
  tintype verify scenes/walk.toml -o walk.####.png -f 0-23
  tintype verify walk.toml --missing               the frames for render -f
  tintype render walk.toml -f \"$(tintype verify walk.toml --missing)\"

Nothing is drawn: the digest of scene, files and options recorded in each frame is compared.

Exit codes: 0 every frame is up to date; 1 some are missing, incomplete or out of date; 2 bad input.";

/// `verify`
#[derive(Clone, Debug, Args)]
pub(crate) struct Verify {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// Folder or file names, as for render
    #[arg(short, long, value_name = "DIR|PATTERN", value_parser = PathText)]
    pub output: Option<String>,
    /// Frames of the scene to check: 0-47, 1-100x5 or 0,7,20-30
    #[arg(short, long, value_name = "FRAMES", allow_hyphen_values = true)]
    pub frames: Option<String>,
    #[command(flatten)]
    pub settings: SettingArgs<OfScene>,
    /// Check only one shard of the frames, as for render
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Fail if a file of the scene differs from this farm record
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Remove temporary files older than this many seconds, and those left by dead processes of this machine
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "3600")]
    pub tidy: Option<u64>,
    /// Print only the frames that need rendering, as for render -f
    #[arg(long, conflicts_with = "json")]
    pub missing: bool,
    /// Print the status of each frame as JSON
    #[arg(long)]
    pub json: bool,
}
