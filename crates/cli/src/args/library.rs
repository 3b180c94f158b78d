//! Options of commands that test or accept libraries of models without scenes.

use super::picture::parse_size;
use super::value::Checked;
use clap::Args;
use std::path::PathBuf;

/// Models in place of scenes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LibraryModels {
    /// Use every model in these files, folders or patterns, with each of its clips, instead of scenes
    #[arg(long, value_name = "MODELS", num_args = 1..)]
    pub models: Vec<PathBuf>,
    /// With --models: number of times of each clip to draw [default: as in the goldens, or 4]
    #[arg(long, value_name = "N", requires = "models")]
    pub moments: Option<u32>,
    /// With --models: size of the pictures [default: as in the goldens, or 128x128]
    #[arg(short, long, value_name = "WxH", requires = "models", value_parser = Checked(parse_size))]
    pub size: Option<[u32; 2]>,
}
