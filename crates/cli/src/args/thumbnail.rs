//! Options of `tintype thumbnail`.

use super::global::Progress;
use super::models::{Attempt, Models};
use super::picture::{Png, parse_aspect, parse_side};
use super::setting::{OfThumbnail, SettingArgs};
use super::value::{Checked, parse_bytes, parse_file_scene, parse_texture};
use clap::Args;
use std::path::PathBuf;
use tintype_formats::FileScene;

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
  tintype thumbnail models --clean                 and drop those of lost models

Pictures mirror the folders of the models below the deepest folder that holds all of them; a picture is named after the file of its model, with .png appended. A picture that is up to date is not drawn again: it records a digest of model, clip, textures, options and version, and file times do not matter. For an MD5 model, the .md5anim files beside it are searched for a clip that fits, preferably one at rest.

Exit codes: 0 all models have a picture; 1 --verify found pictures that are missing or out of date; 2 bad usage, or the only model cannot be read; 3 some models have no picture; 75 temporary failure: run it again.";

/// `thumbnail`
#[derive(Clone, Debug, Args)]
pub(crate) struct Thumbnail {
    #[command(flatten)]
    pub models: Models,
    /// Folder, or for one model a file that ends in .png, .jpg or .webp; - is standard output [default: out/thumbnails]
    #[arg(short, long, value_name = "DIR|FILE")]
    pub output: Option<PathBuf>,
    /// Width and height in pixels; of the longer side with --aspect
    #[arg(short, long, value_name = "N", default_value_t = 256, value_parser = Checked(parse_side))]
    pub size: u32,
    /// Width to height, such as 4:5 or 16:9
    #[arg(long, value_name = "W:H", default_value = "1:1", value_parser = Checked(parse_aspect))]
    pub aspect: [u32; 2],
    /// File of a clip that moves every model (.md5anim, .x)
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub anim: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingArgs<OfThumbnail>,
    /// Scene of glTF files with several, by name or by index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Folder to search first for textures; repeat for several
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    /// Picture for the shader of that name; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_texture)]
    pub texture: Vec<(String, PathBuf)>,
    /// Write a page of all pictures, with search and sorting, as index.html into the folder
    #[arg(long)]
    pub gallery: bool,
    /// Carry the models beside the page of --gallery, which turns one that is clicked on; the folder is that of the JavaScript package: node_modules/tintype after npm install tintype, or bindings/npm of the sources after its build
    #[arg(long, value_name = "PACKAGE", requires = "gallery")]
    pub interactive: Option<PathBuf>,
    /// Heading of the page of --gallery [default: the number of models]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Draw a turntable of each model beside its picture, an animated WebP of half the size, which the page of --gallery plays under the pointer
    #[arg(long)]
    pub spin: bool,
    /// Draw pictures again that are up to date
    #[arg(long)]
    pub overwrite: bool,
    /// Remove pictures of models that are gone, for one folder of models as a whole
    #[arg(long, conflicts_with = "verify")]
    pub clean: bool,
    #[command(flatten)]
    pub attempt: Attempt,
    /// Write the result of each model to standard output as JSON
    #[arg(long)]
    pub json: bool,
    /// Time limit of one model in seconds [default: 30, or 10 with --desktop]
    #[arg(long, value_name = "S")]
    pub timeout: Option<f64>,
    /// Memory limit of one model, estimated before it is allocated; each thread works on one model [default: 1G, or 512M with --desktop]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
    /// Largest file of a model, a clip or a texture
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = parse_bytes)]
    pub max_size: u64,
    /// Behave as a thumbnailer of file managers: --output is one file of any name, overwritten in place; surfaces without their texture are grey; lower limits of time and memory
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
