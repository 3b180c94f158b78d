//! Options of `tintype turntable`.

use super::models::{Attempt, Models};
use super::picture::{Png, Sampling, Views, parse_size, parse_views};
use super::progress::Progress;
use super::value::{Checked, at_least_one, parse_ticks};
use crate::scene::Aov;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  tintype turntable robot.md5mesh                  to out/robot/0000.png and on
  tintype turntable robot.md5mesh -a walk.md5anim --gif robot.gif
  tintype turntable robot.x --sheet robot.png      and robot.json: which is where
  tintype turntable robot.x --ground --shadow --background transparent
  tintype turntable robot.x -o - --raw y4m | ffmpeg -i - robot.mp4
  tintype turntable robot.x --gif a.gif --aov wireframe      and a.wireframe.gif
  tintype turntable robot.x --save-scene robot.toml      a scene to go on from
  tintype turntable models -o turns -n 48          each in turns/NAME/0000.png

Where nobody says how many frames, a model that stands still gets 36 at 12 a second; with a clip the turn takes three seconds or more at 24 a second, as many frames as the clip needs to end where it began. PNG files are written unless only --apng, --gif or --sheet is asked for. A view of --aov has a file beside each file of pictures, with the view's name before the ending: 0000.depth.png, robot.depth.gif, robot.joint-hand_l.png with robot.joint-hand_l.json. What is there, whole and current is not drawn again. Of several models each has a folder of its name, as thumbnail has pictures; one that cannot be drawn costs the others nothing.";

/// `turntable`
#[derive(Clone, Debug, Args)]
pub(crate) struct Turntable {
    #[command(flatten)]
    pub models: Models,
    /// A clip that moves it (.md5anim, .x); of several, --clip picks one
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Which clip plays: its name, or its place from 0; bind for none. The first, if nobody says
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// How many frames
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub frames: Option<usize>,
    /// Frames a second
    #[arg(long, value_name = "N")]
    pub fps: Option<f64>,
    /// A folder, or file names with #### or %04d for the frame; - is standard output. Of several models each has a folder in it
    #[arg(short, long, value_name = "DIR|PATTERN")]
    pub output: Option<String>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = Checked(parse_size))]
    pub size: [u32; 2],
    #[command(flatten)]
    pub sampling: Sampling,
    /// Behind the model: transparent, #rrggbb, or two of these with a comma for top and bottom
    #[arg(long, value_name = "COLOR")]
    pub background: Option<String>,
    /// Lay a ground below the model that catches a soft shadow where it stands; over a transparent background the shadow is in
    /// the alpha
    #[arg(long)]
    pub ground: bool,
    /// Let the key light cast a shadow, on the model itself and on the ground
    #[arg(long)]
    pub shadow: bool,
    /// Where the camera is in the first frame, in degrees: 0 is before the model, positive counter-clockwise from above
    #[arg(long, value_name = "DEG", default_value_t = 30.0, allow_hyphen_values = true)]
    pub azimuth: f64,
    /// How far the camera goes, in degrees; less than 0 goes the other way round
    #[arg(long, value_name = "DEG", default_value_t = 360.0, allow_hyphen_values = true)]
    pub turn: f64,
    /// How far the camera stands above the horizon, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 12.0, allow_hyphen_values = true)]
    pub elevation: f64,
    /// From the top edge to the bottom edge of the picture, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 30.0)]
    pub fov: f64,
    /// Which axis of the file points up: x, -x, y, -y, z or -z; guessed for .x figures that would lie
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub up: Option<String>,
    /// Which axis of the file the model looks along
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub front: Option<String>,
    /// Ticks a second, in place of what .x files say
    #[arg(long, value_name = "N", value_parser = parse_ticks)]
    pub ticks_per_second: Option<f64>,
    /// Write one animated PNG; of several models this is a name in the folder of each, as it is for --gif and --sheet
    #[arg(long, value_name = "FILE")]
    pub apng: Option<PathBuf>,
    /// Write one GIF
    #[arg(long, value_name = "FILE")]
    pub gif: Option<PathBuf>,
    /// Write all frames side by side, and beside the picture a .json that says where each is
    #[arg(long, value_name = "FILE.png")]
    pub sheet: Option<PathBuf>,
    /// Views to draw beside each picture: depth, normal, uv, mesh, material, joint:NAME, skeleton, wireframe, bounds, overdraw. Each
    /// has its own files, with its name before the ending: 0000.wireframe.png, robot.wireframe.gif; of -o - it is all that goes there
    #[arg(long, value_name = "LIST", value_parser = Checked(parse_views))]
    pub aov: Option<Views>,
    /// What goes to standard output, with -o -
    #[arg(long, value_enum, value_name = "FORM")]
    pub raw: Option<Raw>,
    /// Write the scene that is drawn, to go on from
    #[arg(long, value_name = "SCENE.toml")]
    pub save_scene: Option<PathBuf>,
    /// Draw frames anew that are there and current
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub attempt: Attempt,
    /// How hard PNG files are squeezed
    #[arg(long, value_enum, value_name = "EFFORT", default_value_t = Png::Fast)]
    pub png: Png,
    /// How progress is shown
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    pub progress: Progress,
}

impl Turntable {
    /// The views beside each picture.
    pub fn views(&self) -> &[Aov] {
        self.aov.as_ref().map_or(&[], |views| &views.0)
    }
}

/// A stream of frames for another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Raw {
    /// YUV4MPEG2, which says its size and rate itself; no alpha
    Y4m,
    /// Red, green, blue and alpha of each pixel, and nothing else
    Rgba,
}
