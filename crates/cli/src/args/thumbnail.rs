//! Options of `tintype thumbnail`.

use super::global::Progress;
use super::models::{Attempt, Models};
use super::picture::{Png, parse_aspect, parse_side};
use super::setting::{OfThumbnail, SettingArgs};
use super::value::{Checked, parse_bytes, parse_file_scene, parse_texture};
use clap::Args;
use std::path::PathBuf;
use tintype::FileScene;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype thumbnail models --gallery         to out/thumbnails/index.html
  tintype thumbnail models --gallery --azimuth 35 --spin --title Beasts
  tintype thumbnail robot.x -o robot.png -s 512      or .jpg, .webp
  tintype thumbnail 'models/*/*.x' -o thumbs --json > thumbs.json
  tintype thumbnail imp.md5mesh -a walk.md5anim -o - > imp.png
  tintype thumbnail models --timeout 5 --max-memory 256M
  tintype thumbnail models --shard 2/5             one of five machines
  tintype thumbnail models --verify --gallery      list what is missing
  tintype thumbnail models --clean                 remove those of deleted models

Pictures mirror the folders of the models, below the deepest folder that contains all of them; a picture is named after its model file, with .png appended. Pictures that are up to date are not drawn again: each records a digest of the model, clip, textures, options and version; file times do not matter. For an MD5 model, the .md5anim files beside it are searched for a clip that fits, preferably an idle one.

Exit codes: 0 all models have a picture; 1 --verify found pictures that are missing or out of date; 2 bad usage, or the only model cannot be read; 3 some models have no picture; 75 temporary failure: run it again.";

/// `thumbnail`
#[derive(Clone, Debug, Args)]
pub(crate) struct Thumbnail {
    #[command(flatten)]
    pub models: Models,
    /// Folder, or for one model a .png, .jpg or .webp file; - is standard output [default: out/thumbnails]
    #[arg(short, long, value_name = "DIR|FILE")]
    pub output: Option<PathBuf>,
    /// Width and height in pixels; with --aspect, the longer side
    #[arg(short, long, value_name = "N", default_value_t = 256, value_parser = Checked(parse_side))]
    pub size: u32,
    /// Aspect ratio, width to height, such as 4:5 or 16:9
    #[arg(long, value_name = "W:H", default_value = "1:1", value_parser = Checked(parse_aspect))]
    pub aspect: [u32; 2],
    /// Clip file to play on every model (.md5anim, .x)
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub anim: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingArgs<OfThumbnail>,
    /// Scene of glTF files that have several, by name or index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Folder to search first for textures; may be repeated
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    /// Picture for the shader with this name; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_texture)]
    pub texture: Vec<(String, PathBuf)>,
    /// Write index.html into the folder: a page of all pictures, with search and sorting
    #[arg(long)]
    pub gallery: bool,
    /// Copy the models beside the --gallery page; clicking one opens it in a viewer. PACKAGE is the JavaScript package: node_modules/tintype after npm install tintype, or bindings/npm of the sources after its build
    #[arg(long, value_name = "PACKAGE", requires = "gallery")]
    pub interactive: Option<PathBuf>,
    /// Heading of the --gallery page [default: the number of models]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Also draw a turntable of each model, an animated WebP at half size, which the --gallery page plays on hover
    #[arg(long)]
    pub spin: bool,
    /// Also draw pictures that are up to date
    #[arg(long)]
    pub overwrite: bool,
    /// Remove pictures of deleted models; needs one whole folder of models
    #[arg(long, conflicts_with = "verify")]
    pub clean: bool,
    #[command(flatten)]
    pub attempt: Attempt,
    /// Write the result of each model to standard output as JSON
    #[arg(long)]
    pub json: bool,
    /// Time limit per model in seconds [default: 30, or 10 with --desktop]
    #[arg(long, value_name = "S")]
    pub timeout: Option<f64>,
    /// Memory limit per model, estimated before allocation; each thread works on one model [default: 1G, or 512M with --desktop]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
    /// Size limit of a model, clip or texture file
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = parse_bytes)]
    pub max_size: u64,
    /// Behave as a file manager's thumbnailer: --output is one file of any name, overwritten in place; surfaces with a missing texture are grey; limits of time and memory are lower
    #[arg(long)]
    pub desktop: bool,
    /// Draw nothing; install the thumbnailer entry and file types for file managers below a folder such as /usr/share
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub install_desktop: Option<PathBuf>,
    /// Compression effort of PNG files
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Png::Fast)]
    pub png: Png,
    /// Form of progress
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    pub progress: Progress,
}
