//! Options of `tintype turntable`.

use super::global::Progress;
use super::models::{Attempt, Models};
use super::picture::Png;
use super::setting::{OfTurntable, SettingArgs};
use super::value::{PathText, at_least_one, parse_file_scene, parse_texture};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tintype_formats::FileScene;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype turntable robot.md5mesh                  to out/robot.md5mesh/0000.png
  tintype turntable robot.md5mesh -a walk.md5anim -o robot.gif   or .webp, .mp4
  tintype turntable robot.x --sheet robot.png      and robot.json with the layout
  tintype turntable robot.x --ground --shadow --look classic
  tintype turntable robot.x -o - --raw y4m | ffmpeg -i - -c:v ffv1 robot.mkv
  tintype turntable robot.x --gif a.gif --aov wireframe      and a.wireframe.gif
  tintype turntable robot.x --directions 8 --view dimetric --sheet robot.png
  tintype turntable models -o turns -n 48          each in turns/NAME/0000.png

Without -n, a model without a clip gets 36 frames at 12 per second; with a clip the turn takes at least three seconds at 24 per second, with as many frames as the clip needs to end in its first pose. PNG files are written unless only a file of all frames is asked for. With --directions they are in a folder for each, with its azimuth as the name: 000/0000.png, 045/0000.png. Each view of --aov has a file beside each file of pictures, with the name of the view before the extension: 0000.depth.png, robot.depth.gif, robot.joint-hand_l.png with robot.joint-hand_l.json. Frames that are complete and up to date are not drawn again. Each of several models has a folder with its name inside, in which --apng, --gif, --webp and --sheet name a file; a model that cannot be drawn does not stop the others.";

/// `turntable`
#[derive(Clone, Debug, Args)]
pub(crate) struct Turntable {
    #[command(flatten)]
    pub models: Models,
    /// File of a clip (.md5anim, .x); repeat for several, of which --clip selects one
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    #[command(flatten)]
    pub settings: SettingArgs<OfTurntable>,
    /// Number of frames
    #[arg(short = 'n', long = "count", aliases = ["frames", "moments"], value_name = "N", value_parser = at_least_one)]
    pub frames: Option<usize>,
    /// Folder, which gets 0000.png and on; one file of all frames by its extension: .gif, .webp, .apng, or a video by ffmpeg: .mp4, .webm, .mov; or files named with #### or %04d for the frame number: .png, .jpg, .webp; - is standard output
    #[arg(short, long, value_name = "DIR|FILE|PATTERN", value_parser = PathText)]
    pub output: Option<String>,
    /// Folder to search first for textures; repeat for several
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    /// Picture for the shader of that name; repeat for several
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_texture)]
    pub texture: Vec<(String, PathBuf)>,
    /// Scene of a glTF file with several, by name or by index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Write an animated PNG
    #[arg(long, value_name = "FILE")]
    pub apng: Option<PathBuf>,
    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    pub gif: Option<PathBuf>,
    /// Write an animated WebP, without losses
    #[arg(long, value_name = "FILE")]
    pub webp: Option<PathBuf>,
    /// Write a sprite sheet, .png, .webp or .jpg, and beside it a .json file with the rectangle of each frame
    #[arg(long, value_name = "FILE")]
    pub sheet: Option<PathBuf>,
    /// Write a contact sheet and its .json legend alone: --directions (4) by -n moments (3) of every --clip NAME, or --clip all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "apng", "gif", "webp", "sheet", "raw", "save_scene", "aov", "channels", "verify", "record", "inputs"])]
    pub contact_sheet: Option<PathBuf>,
    /// Format of frames for -o -
    #[arg(long, value_enum, value_name = "FORM")]
    pub raw: Option<Raw>,
    /// Write the scene that is drawn, as a start for a scene of your own
    #[arg(long, value_name = "SCENE.toml")]
    pub save_scene: Option<PathBuf>,
    /// Draw frames again that are up to date
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
    /// YUV4MPEG2, with size and frame rate; no alpha
    Y4m,
    /// Bytes of red, green, blue and alpha
    Rgba,
}
