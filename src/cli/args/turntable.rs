//! Options of `tintype turntable`.

use super::camera::{ProjectionWord, View};
use super::models::{Attempt, Models};
use super::picture::{Png, Sampling, Views, parse_label, parse_size, parse_views};
use super::progress::Progress;
use super::value::{
    Checked, PathText, at_least_one, parse_axis, parse_background, parse_file_scene, parse_fps,
    parse_root, parse_ticks, parse_wrap,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tintype_formats::FileScene;
use tintype_model::Wrap;
use tintype_scene::builder::Background;
use tintype_scene::{Aov, FileAxis, RootMotion};

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype turntable robot.md5mesh                  to out/robot.md5mesh/0000.png
  tintype turntable robot.md5mesh -a walk.md5anim -o robot.gif   or .webp, .mp4
  tintype turntable robot.x --sheet robot.png      and robot.json with the layout
  tintype turntable robot.x --ground --shadow --background transparent
  tintype turntable robot.x -o robot.mp4           by ffmpeg
  tintype turntable robot.x -o - --raw y4m | ffmpeg -i - -c:v ffv1 robot.mkv
  tintype turntable robot.x --gif a.gif --aov wireframe      and a.wireframe.gif
  tintype turntable robot.x --save-scene robot.toml      the scene it draws
  tintype turntable robot.x --directions 8 --view dimetric --sheet robot.png
  tintype turntable models -o turns -n 48          each in turns/NAME/0000.png

Without -n, a model without a clip gets 36 frames at 12 per second; with a clip the turn takes at least three seconds at 24 per second, with as many frames as the clip needs to end in its first pose. PNG files are written unless only a file of all frames is asked for. With --directions they are in a folder for each, with its azimuth as the name: 000/0000.png, 045/0000.png. Each view of --aov has a file beside each file of pictures, with the name of the view before the extension: 0000.depth.png, robot.depth.gif, robot.joint-hand_l.png with robot.joint-hand_l.json. Frames that are complete and up to date are not drawn again. Each of several models has a folder with its name; a model that cannot be drawn does not stop the others.";

/// `turntable`
#[derive(Clone, Debug, Args)]
pub(crate) struct Turntable {
    #[command(flatten)]
    pub models: Models,
    /// File of a clip (.md5anim, .x); repeat for several, of which --clip selects one
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Clip to play, by name or by index from 0, or a part of it: NAME:168-187 for keys, NAME:1.5s-2.5s, NAME:800t-1600t; bind for
    /// none [default: the one that a thumbnail shows]
    #[arg(long, value_name = "NAME[:RANGE]")]
    pub clip: Option<String>,
    /// Behaviour beyond the ends of the clip: loop, clamp or ping-pong [default: that of its file]
    #[arg(long, value_name = "MODE", value_parser = Checked(parse_wrap))]
    pub wrap: Option<Wrap>,
    /// Motion with which the clip carries the model: keep, hold (in place) or hold-xz (in place on the level plane)
    #[arg(long, value_name = "MODE", default_value = "keep", value_parser = Checked(parse_root))]
    pub root: RootMotion,
    /// Number of frames
    #[arg(short = 'n', long = "count", alias = "frames", value_name = "N", value_parser = at_least_one)]
    pub frames: Option<usize>,
    /// Frames per second
    #[arg(long, value_name = "N", value_parser = parse_fps)]
    pub fps: Option<f64>,
    /// Folder, which gets 0000.png and on; one file of all frames by its extension: .gif, .webp, .apng, or a video by ffmpeg: .mp4, .webm, .mov; or files named with #### or %04d for the frame number: .png, .jpg, .webp; - is standard output. Each of several models has its folder inside
    #[arg(short, long, value_name = "DIR|FILE|PATTERN", value_parser = PathText)]
    pub output: Option<String>,
    /// Width and height in pixels
    #[arg(short, long, value_name = "WxH", default_value = "512x512", value_parser = Checked(parse_size))]
    pub size: [u32; 2],
    /// Folder to search first for textures; repeat for several
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    #[command(flatten)]
    pub sampling: Sampling,
    /// Text burnt into the lower left corner of each picture; {frame}, {time}, {clip} and {file} stand for those of the frame
    #[arg(long, value_name = "TEXT", value_parser = Checked(parse_label))]
    pub label: Option<String>,
    /// Background: transparent, #rrggbb, or two colours with a comma for top and bottom
    #[arg(long, value_name = "COLOR", value_parser = Checked(parse_background))]
    pub background: Option<Background>,
    /// Add a ground that receives a soft contact shadow of the model; over a transparent background the shadow is in the alpha
    #[arg(long)]
    pub ground: bool,
    /// Cast a shadow of the key light, on the model and on the ground
    #[arg(long)]
    pub shadow: bool,
    /// Azimuth of the camera in the first frame, in degrees: 0 is in front of the model, positive is counter-clockwise from above [default: 30; 0 with --directions; that of --view]
    #[arg(long, value_name = "DEG", value_parser = Checked(parse_turn), allow_hyphen_values = true)]
    pub azimuth: Option<f64>,
    /// Angle that the camera travels, in degrees; negative for clockwise
    #[arg(long, value_name = "DEG", default_value = "360", value_parser = Checked(parse_turn), allow_hyphen_values = true)]
    pub turn: f64,
    /// Elevation of the camera above the horizon, in degrees [default: 12; that of --view]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    pub elevation: Option<f64>,
    /// Directions of a sprite, such as 4, 8 or 16: the whole clip from each, one row of --sheet for each, without perspective; -n counts the frames of one. The first is --azimuth, the next are counter-clockwise from above
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub directions: Option<u32>,
    /// Usual direction of an orthographic camera: dimetric is azimuth 45 and elevation 30, the 2:1 view of sprites
    #[arg(long, value_enum, value_name = "VIEW")]
    pub view: Option<View>,
    /// Projection [default: perspective; orthographic with --view or --directions]
    #[arg(long, value_enum, value_name = "HOW")]
    pub projection: Option<ProjectionWord>,
    /// Vertical field of view, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 30.0)]
    pub fov: f64,
    /// Axis of the file that points up: x, -x, y, -y, z or -z [default: that of the format; found by joints and shape for figures that would lie]
    #[arg(long, value_name = "AXIS", value_parser = Checked(parse_axis), allow_hyphen_values = true)]
    pub up: Option<FileAxis>,
    /// Axis of the file that the model faces [default: found by joints and shape]
    #[arg(long, value_name = "AXIS", value_parser = Checked(parse_axis), allow_hyphen_values = true)]
    pub front: Option<FileAxis>,
    /// Ticks per second, instead of the rate in .x files
    #[arg(long, value_name = "N", value_parser = parse_ticks)]
    pub ticks_per_second: Option<f64>,
    /// Scene of a glTF file with several, by name or by index from 0
    #[arg(long, value_name = "SCENE", value_parser = parse_file_scene)]
    pub file_scene: Option<FileScene>,
    /// Write an animated PNG; for several models a file name in the folder of each, as for --gif and --sheet
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
    /// Views to draw beside each picture: depth, normal, uv, mesh, material, joint:NAME, skeleton, wireframe, needles, bounds, overdraw,
    /// metallic, roughness, occlusion, environment. Each
    /// has separate files, with its name before the extension: 0000.wireframe.png, robot.wireframe.gif; -o - writes one view alone
    #[arg(long, value_name = "LIST", value_parser = Checked(parse_views))]
    pub aov: Option<Views>,
    /// Format of frames on standard output, for -o -
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

impl Turntable {
    /// The views beside each picture.
    pub(crate) fn views(&self) -> &[Aov] {
        self.aov.as_ref().map_or(&[], |views| &views.0)
    }
}

/// A stream of frames for another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Raw {
    /// YUV4MPEG2, with size and frame rate in its header; no alpha
    Y4m,
    /// Red, green, blue and alpha of each pixel, without a header
    Rgba,
}

/// Most degrees of an azimuth or a turn: a thousand rounds.
const MOST_DEG: f64 = 360_000.0;

/// Parses an angle around the model.
pub(super) fn parse_turn(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.abs() <= MOST_DEG);
    number.ok_or_else(|| format!("{text:?}; expected degrees from -{MOST_DEG} to {MOST_DEG}"))
}
