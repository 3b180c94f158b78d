//! Options of `tintype thumbnail`.

use super::models::{Attempt, Models};
use super::picture::{Png, Sampling};
use super::progress::Progress;
use super::value::parse_bytes;
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype thumbnail models --gallery         and open thumbnails/index.html
  tintype thumbnail robot.x -o robot.png -s 512
  tintype thumbnail 'models/*/*.x' -o thumbs --json > thumbs.json
  tintype thumbnail imp.md5mesh -a walk.md5anim -o - > imp.png
  tintype thumbnail models --timeout 5 --max-memory 256M
  tintype thumbnail models --shard 2/5             one of five machines
  tintype thumbnail models --verify --gallery      what is missing; the page

Pictures mirror the folders of the models below the deepest folder that holds all that is named; a picture has the whole name of its model and .png behind it. A picture that is there and would be drawn the same is left as it is: that is told by the bytes of model, clip and textures, the options and the version, and not by times of files. Of an MD5 model the .md5anim files beside it are looked through for one that fits, at rest rather than in motion.

Exit codes: 0 all have a picture; 1 --verify, and some have none that is current; 2 bad usage, or the one model that was named cannot be read; 3 some models have no picture, the others have; 75 run it again.";

/// `thumbnail`
#[derive(Clone, Debug, Args)]
pub(crate) struct Thumbnail {
    #[command(flatten)]
    pub models: Models,
    /// A folder, or for one model a file that ends in .png; - is standard output. thumbnails, if nobody says
    #[arg(short, long, value_name = "DIR|FILE.png")]
    pub output: Option<PathBuf>,
    /// Width and height in pixels
    #[arg(short, long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub size: u32,
    /// A clip that moves every model (.md5anim, .x)
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub anim: Option<PathBuf>,
    /// Which clip is shown, by its name: that of its file for .md5anim files; bind for none
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Behind the model: transparent, #rrggbb, or two of these with a comma for top and bottom; transparent, if nobody says
    #[arg(long, value_name = "COLOR")]
    pub background: Option<String>,
    /// Which axis of the files points up: x, -x, y, -y, z or -z; guessed for .x figures that would lie
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub up: Option<String>,
    /// Which axis of the files the models look along; guessed by the names of joints
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub front: Option<String>,
    /// A folder in which textures are looked for first; again for another
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    #[command(flatten)]
    pub sampling: Sampling,
    /// Write index.html into the folder: a page that shows all of them, with search and sorting
    #[arg(long)]
    pub gallery: bool,
    /// Draw pictures that are there and the same, too
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub attempt: Attempt,
    /// Write what became of each model to standard output, as JSON
    #[arg(long)]
    pub json: bool,
    /// The time that one model has: it is refused when that is over, whatever is going on; 30 s, if nobody says
    #[arg(long, value_name = "S")]
    pub timeout: Option<f64>,
    /// The memory that one model may take, estimated before it is taken; 1G, if nobody says. As many models as threads are in work
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
    /// The longest file of a model, a clip or a texture
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = parse_bytes)]
    pub max_size: u64,
    /// As file managers call it: --output is one file, whatever its name, and is written into if it is there; what lacks its texture is grey; 10 s and 512M, if nobody says
    #[arg(long)]
    pub desktop: bool,
    /// Draw nothing; write the entry for file managers and the kinds of files below a folder such as /usr/share
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub install_desktop: Option<PathBuf>,
    /// How hard PNG files are squeezed
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Png::Fast)]
    pub png: Png,
    /// How progress is shown
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    pub progress: Progress,
}
