//! Options of `tintype turntable`.

use super::global::Progress;
use super::models::{Attempt, Models};
use super::picture::Png;
use super::setting::{OfTurntable, SettingArgs};
use super::value::{PathText, at_least_one, parse_file_scene, parse_texture};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tintype::FileScene;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype turntable robot.md5mesh                  to out/robot.md5mesh/0000.png
  tintype turntable robot.md5mesh -a walk.md5anim -o robot.gif   or .webp, .mp4
  tintype turntable robot.x --sheet robot.png      with the layout in robot.json
  tintype turntable robot.x --ground --shadow --look classic
  tintype turntable robot.x -o - --raw y4m | ffmpeg -i - -c:v ffv1 robot.mkv
  tintype turntable robot.x --gif a.gif --aov wireframe      also a.wireframe.gif
  tintype turntable robot.x --directions 8 --view dimetric --sheet robot.png
  tintype turntable models -o turns -n 48          each in turns/NAME/0000.png

Without -n, a model without a clip gets 36 frames at 12 per second. With a clip, the turn takes at least three seconds at 24 per second, and as many frames as the clip needs to end in its first pose. PNG files are written unless only a file of all frames is requested. --directions writes one folder per direction, named by its azimuth: 000/0000.png, 045/0000.png. Each view of --aov is written beside the pictures, with its name before the extension: 0000.depth.png, robot.depth.gif, robot.joint-hand_l.png with robot.joint-hand_l.json. Frames that are complete and up to date are not drawn again. With several models, each gets a folder with its name, where --apng, --gif, --webp and --sheet name a file; a model that cannot be drawn does not stop the others.";

/// `turntable`
#[derive(Clone, Debug, Args)]
pub(crate) struct Turntable {
    #[command(flatten)]
    pub models: Models,
    /// Clip file (.md5anim, .x); may be repeated, and --clip then selects one
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    #[command(flatten)]
    pub settings: SettingArgs<OfTurntable>,
    /// Number of frames
    #[arg(short = 'n', long = "count", aliases = ["frames", "moments"], value_name = "N", value_parser = at_least_one)]
    pub frames: Option<usize>,
    /// A folder for 0000.png, 0001.png, ...; a pattern with #### or %04d for the frame number (.png, .jpg, .webp); one file for all frames (.gif, .webp, .apng, or through ffmpeg .mp4, .webm, .mov); or - for standard output
    #[arg(short, long, value_name = "DIR|FILE|PATTERN", value_parser = PathText)]
    pub output: Option<String>,
    /// Folder to search first for textures; may be repeated
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    /// Picture for the shader with this name; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_texture)]
    pub texture: Vec<(String, PathBuf)>,
    /// Scene of a glTF file that has several, by name or index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Write an animated PNG
    #[arg(long, value_name = "FILE")]
    pub apng: Option<PathBuf>,
    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    pub gif: Option<PathBuf>,
    /// Write a lossless animated WebP
    #[arg(long, value_name = "FILE")]
    pub webp: Option<PathBuf>,
    /// Write a sprite sheet (.png, .webp or .jpg) with a .json file beside it that gives the rectangle of each frame
    #[arg(long, value_name = "FILE")]
    pub sheet: Option<PathBuf>,
    /// Write only a contact sheet and its .json legend: --directions (4) by -n times (3) for every --clip NAME, or --clip all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "apng", "gif", "webp", "sheet", "raw", "save_scene", "aov", "channels", "verify", "record", "inputs"])]
    pub contact_sheet: Option<PathBuf>,
    /// Format of frames for -o -
    #[arg(long, value_enum, value_name = "FORM")]
    pub raw: Option<Raw>,
    /// Write the scene that is drawn, as a starting point for a custom scene
    #[arg(long, value_name = "SCENE.toml")]
    pub save_scene: Option<PathBuf>,
    /// Also draw frames that are up to date
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub attempt: Attempt,
    /// Compression effort of PNG files
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Png::Fast)]
    pub png: Png,
    /// Form of progress
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    pub progress: Progress,
}

/// A stream of frames for another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Raw {
    /// YUV4MPEG2 with size and frame rate, without alpha
    Y4m,
    /// Bytes of red, green, blue and alpha
    Rgba,
}
