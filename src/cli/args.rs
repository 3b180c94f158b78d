//! What may stand on the command line.

use super::farm::args::{FARM_EXAMPLES, Farm};
use super::help;
use crate::formats::LimitSetting;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Photographs skinned models on machines without a GPU or a display.
#[derive(Clone, Debug, Parser)]
#[command(name = "tintype", version, max_term_width = 100, after_help = TOP_EXAMPLES)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: Global,
}

const TOP_EXAMPLES: &str = "\
Examples:
  tintype turntable imp.md5mesh -a walk.md5anim --gif imp.gif     no scene needed
  tintype thumbnail models --gallery              a picture of each, and a page
  tintype render scenes/walk.toml                 to out/walk/0000.png and on
  tintype inspect imp.md5mesh                     what is in it, what is wrong
  tintype test                                    has any golden picture changed?
  tintype help render                             all of a command, with examples

Exit codes: 0 done; 1 compared and different; 2 bad usage or bad input; 3 some of the work failed for good, or pictures are empty, or --strict met a warning; 75 temporary trouble such as a full disk: run it again; 130 ended by Ctrl-C, with whole frames only.

Settings: ~/.config/tintype/config.toml (or where XDG_CONFIG_HOME, XDG_CONFIG_DIRS or TINTYPE_CONFIG point) may hold
  threads = 4              0 is one for each core
  color = \"auto\"           auto, always or never
  progress = \"auto\"        auto, plain or none
  messages = \"normal\"      quiet, normal or verbose
None of them changes what is written. -v tells which file was read; where CI is set, none is unless TINTYPE_CONFIG names it.";

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(super) struct Global {
    /// Threads to use; 0 takes one per core
    #[arg(short = 'j', long, global = true, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Say more: what was loaded, and what each frame took
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Say nothing but errors and warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Colour messages
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub color: When,
    /// Let files ask for more or less than usual, such as depth=300000 or inflated=4G; again for another limit. The limits are
    /// bytes, meshes, influences, keys, inflated, values, objects and depth
    #[arg(long = "limit", global = true, value_name = "NAME=NUMBER")]
    pub limits: Vec<LimitSetting>,
    /// Any warning fails (exit code 3)
    #[arg(long, global = true)]
    pub strict: bool,
    /// Read no settings file; else ~/.config/tintype/config.toml, which `tintype --help` tells of
    #[arg(long, global = true)]
    pub no_config: bool,
}

/// What has to be known of a command line before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Early {
    pub no_config: bool,
    pub color: Option<When>,
}

impl Early {
    /// Looks for two options by their spelling; mistakes in them are found later.
    pub fn of(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut early = Self::default();
        let words = arguments.skip(1).map(|word| word.to_string_lossy().into_owned());
        let mut words = words.take_while(|word| word != "--");
        while let Some(word) = words.next() {
            early.no_config |= word == "--no-config";
            let color = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            let color = color.and_then(|word| When::from_str(&word, false).ok());
            early.color = color.or(early.color);
        }
        early
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    /// On a terminal, unless NO_COLOR is set; elsewhere if CLICOLOR_FORCE is set
    Auto,
    Always,
    Never,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum Command {
    /// Draw the frames of a scene as PNG files
    #[command(after_help = RENDER_EXAMPLES)]
    Render(Render),
    /// Go once around a model, or around each of many, moving if it has a clip, in a loop that closes: no scene needed
    #[command(after_help = TURNTABLE_EXAMPLES)]
    Turntable(Box<Turntable>),
    /// One picture of each model, of one or of thousands: the side, the clip and its moment are chosen for each
    #[command(after_help = THUMBNAIL_EXAMPLES)]
    Thumbnail(Thumbnail),
    /// Say what is in a model, a clip, a recorded camera or a scene
    #[command(after_help = help::INSPECT)]
    Inspect(Inspect),
    /// Write a posed mesh as OBJ, to check it elsewhere
    #[command(after_help = help::POSE)]
    Pose(Pose),
    /// Compare the golden frames of scenes with the frames of today, exactly
    #[command(after_help = help::TEST)]
    Test(Test),
    /// Accept the frames of today as golden
    #[command(after_help = help::BLESS)]
    Bless(Bless),
    /// Compare two pictures or sequences exactly and as seen, or two models joint by joint
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(Diff),
    /// Check that every frame of a scene is there, whole, and the one that render would write
    #[command(after_help = help::VERIFY)]
    Verify(Verify),
    /// Render on a farm, by an engine that it already has
    #[command(after_help = FARM_EXAMPLES)]
    Farm(Farm),
    /// Write the JSON schema of scenes, by which editors complete and check them
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    /// Write a script that completes words in a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write the manual, as man reads it
    #[command(after_help = help::MAN)]
    Man(Man),
}

impl Command {
    /// How progress is shown, of the commands that draw.
    pub fn progress(&self) -> Option<Progress> {
        match self {
            Self::Render(options) => Some(options.progress),
            Self::Turntable(options) => Some(options.progress),
            Self::Thumbnail(options) => Some(options.progress),
            _ => None,
        }
    }
}

const TURNTABLE_EXAMPLES: &str = "\
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

const THUMBNAIL_EXAMPLES: &str = "\
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

const RENDER_EXAMPLES: &str = "\
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

const DIFF_EXAMPLES: &str = "\
Examples:
  tintype diff a.png b.png -o diff.png
  tintype diff golden/walk out/walk -o diff        every picture of either
  tintype diff 'a/walk.####.png' 'b/w_%03d.png'     frames with the same number
  tintype diff a.png b.png --metric flip --bound 0.01
  tintype diff old.md5mesh new.md5mesh -a walk.md5anim

Pictures are equal only if every channel of every pixel is, unless --metric and --bound say otherwise; a bound on flip or ssim is held against the mean over what is not transparent, if both pictures have alpha, and over all pixels if not.

Exit codes: 0 the same, or within the bound; 1 different, of other sizes, or missing on one side; 2 bad input; 75 run it again.";

/// `render`
#[derive(Clone, Debug, Args)]
pub(super) struct Render {
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
    /// Width and height in pixels, in place of the scene's
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Samples a pixel, in place of the scene's: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N")]
    pub samples: Option<u32>,
    /// Probes a texture and point at most, in place of the scene's: 1, 2, 4, 8 or 16; more keep textures of slanted surfaces
    /// sharp
    #[arg(long, value_name = "N")]
    pub anisotropy: Option<u32>,
    /// Views to draw beside each picture, in place of the scene's: depth, normal, uv, mesh, material, joint:NAME, skeleton,
    /// wireframe, bounds, overdraw; or none
    #[arg(long, value_name = "LIST")]
    pub aov: Option<String>,
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
pub(super) enum StatsForm {
    /// A page for people, on standard error
    Text,
    /// One JSON document on standard output
    Json,
}

const SCHEMA_EXAMPLES: &str = "\
Write it beside your scenes, and begin each with the line that editors look for (Even Better TOML in VS Code, taplo elsewhere):
  tintype schema > scenes/scene.schema.json
  #:schema ./scene.schema.json";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  tintype completions bash > ~/.local/share/bash-completion/completions/tintype
  tintype completions fish > ~/.config/fish/completions/tintype.fish
  tintype completions zsh > ~/.zfunc/_tintype

zsh needs fpath+=~/.zfunc before compinit in ~/.zshrc.";

/// `completions`
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`
#[derive(Clone, Debug, Args)]
pub(super) struct Man {
    /// Write a page for each command into this folder, such as ~/.local/share/man/man1
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Which models, and which part of them.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Models {
    /// Models (.md5mesh, .x), folders of them with all that is below, or patterns with * in quotes
    #[arg(value_name = "MODEL|DIR|GLOB", required_unless_present = "list")]
    pub paths: Vec<PathBuf>,
    /// A text file that names models, one path in a line
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// The folder that the paths in --list count from, and that pictures mirror; the deepest that holds all, if nobody says
    #[arg(long, value_name = "DIR")]
    pub base: Option<PathBuf>,
    /// Only a part of these models: 2/5 is the second fifth; slurm/5 and k8s/5 take the number from the task's environment
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
}

/// How pictures of many models are attempted.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Attempt {
    /// Go on when a picture cannot be written; exit code 3, or 75 if another try may do
    #[arg(long)]
    pub keep_going: bool,
    /// Try so often again to write a picture, each time after a longer pause, while the trouble is temporary
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Keep a record of this attempt beside the pictures: a file of JSON lines in .tintype/tasks
    #[arg(long)]
    pub record: bool,
    /// Draw nothing; say which pictures are missing, torn or stale, and why: exit code 1 if any is
    #[arg(long, conflicts_with_all = ["overwrite", "record"])]
    pub verify: bool,
}

/// `turntable`
#[derive(Clone, Debug, Args)]
pub(super) struct Turntable {
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
    #[arg(long, value_name = "WxH", default_value = "512x512")]
    pub size: String,
    /// Samples a pixel: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub samples: u32,
    /// Probes a texture and point at most: 1, 2, 4, 8 or 16; more keep textures of slanted surfaces sharp
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub anisotropy: u32,
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
    #[arg(long, value_name = "LIST")]
    pub aov: Option<String>,
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

/// `thumbnail`
#[derive(Clone, Debug, Args)]
pub(super) struct Thumbnail {
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
    /// Samples a pixel: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub samples: u32,
    /// Probes a texture and point at most: 1, 2, 4, 8 or 16; more keep textures of slanted surfaces sharp
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub anisotropy: u32,
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
    #[arg(long, value_name = "BYTES", value_parser = super::thumbnail::parse_bytes)]
    pub max_memory: Option<u64>,
    /// The longest file of a model, a clip or a texture
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = super::thumbnail::parse_bytes)]
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

/// A stream of frames for another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Raw {
    /// YUV4MPEG2, which says its size and rate itself; no alpha
    Y4m,
    /// Red, green, blue and alpha of each pixel, and nothing else
    Rgba,
}

/// How hard PNG files are squeezed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Png {
    /// For sequences
    Fast,
    /// Slower: views become a third smaller or more, pictures a few percent if at all
    Small,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Progress {
    /// A bar on a terminal, a line every few seconds elsewhere
    Auto,
    /// A line with rate and time left every few seconds
    Plain,
    /// A line of JSON on standard error every half second, and at the last step
    Json,
    /// Lines of Open Job Description on standard output: openjd_progress, openjd_status, and openjd_fail where it fails
    Openjd,
    /// Nothing
    None,
}

/// `inspect`
#[derive(Clone, Debug, Args)]
pub(super) struct Inspect {
    /// A model (.md5mesh, .x), a clip (.md5anim, .x), a camera (.md5camera) or a scene (.toml)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Clips to look at together with a model: all that the file holds
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Ticks a second, in place of what .x files say
    #[arg(long, value_name = "N", value_parser = parse_ticks)]
    pub ticks_per_second: Option<f64>,
    /// As JSON, on standard output
    #[arg(long)]
    pub json: bool,
    /// Every joint, as a tree
    #[arg(long)]
    pub tree: bool,
}

/// `test`
#[derive(Clone, Debug, Args)]
pub(super) struct Test {
    /// Scenes, or folders of scenes
    #[arg(value_name = "SCENE|DIR", default_value = "scenes")]
    pub paths: Vec<PathBuf>,
    /// The golden folder, where it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
    /// Only goldens where the path of the scene or of the golden contains this
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Stop at the first failure; what runs is finished
    #[arg(long)]
    pub fail_fast: bool,
    /// Say which goldens there must be, and compare nothing
    #[arg(long)]
    pub list: bool,
    /// Write golden, new and difference pictures of what fails into this folder
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// Write a page that shows and compares the pictures into this folder: open its index.html
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the results as JUnit XML, for a build server; - is standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the results as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `bless`
#[derive(Clone, Debug, Args)]
pub(super) struct Bless {
    /// Only goldens where the path of the scene or of the golden contains one of these
    #[arg(value_name = "PATTERN", required_unless_present_any = ["all", "prune"])]
    pub patterns: Vec<String>,
    /// All scenes below `scenes`
    #[arg(long, conflicts_with = "patterns")]
    pub all: bool,
    /// Keep the goldens that are there, and accept the pictures of today beside them
    #[arg(long, conflicts_with = "prune")]
    pub beside: bool,
    /// Delete goldens that no scene asks for
    #[arg(long, conflicts_with_all = ["patterns", "all"])]
    pub prune: bool,
    /// The folder of scenes
    #[arg(long, value_name = "DIR", default_value = "scenes")]
    pub scenes: PathBuf,
    /// The golden folder, where it is not beside the scenes
    #[arg(long, value_name = "DIR")]
    pub golden: Option<PathBuf>,
}

/// `diff`
#[derive(Clone, Debug, Args)]
pub(super) struct Diff {
    /// A PNG, a folder of them, a pattern such as walk.####.png, or a model
    #[arg(value_name = "A")]
    pub expected: PathBuf,
    /// Another one
    #[arg(value_name = "B")]
    pub found: PathBuf,
    /// Draw what differs: into a file; of sequences into a folder, or to the names of a pattern
    #[arg(short, long, value_name = "DIFF.png")]
    pub output: Option<PathBuf>,
    /// What the drawing shows
    #[arg(long, value_enum, value_name = "WHAT", requires = "output")]
    pub picture: Option<DiffPicture>,
    /// What counts as the same: exact, max, flip or ssim
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Of max and flip the most that passes, of ssim the least
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub bound: Option<f64>,
    /// Of models: a clip to move both; said twice, the first moves A and the second moves B
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub clips: Vec<PathBuf>,
    /// Of models: which clip of the file, by its name or its place from 0
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Of models: how far a vertex may move and count as the same, as a share of the model's diagonal
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub tolerance: Option<f32>,
    /// Write what differs to standard output, as JSON
    #[arg(long)]
    pub json: bool,
}

/// What a picture of a difference shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffPicture {
    /// How much of it a person sees: FLIP, from black over purple to light yellow
    Heat,
    /// Each channel's difference times 16
    X16,
}

/// `verify`
#[derive(Clone, Debug, Args)]
pub(super) struct Verify {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// File names, as they were given to render
    #[arg(short, long, value_name = "PATTERN")]
    pub output: Option<String>,
    /// Which of the scene's frames: 0-47, 1-100x5 or 0,7,20-30
    #[arg(short, long, value_name = "FRAMES", allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Width and height in pixels, as they were given to render
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Samples a pixel, as they were given to render
    #[arg(long, value_name = "N")]
    pub samples: Option<u32>,
    /// Probes a texture and point at most, as they were given to render
    #[arg(long, value_name = "N")]
    pub anisotropy: Option<u32>,
    /// Views beside each picture, as they were given to render
    #[arg(long, value_name = "LIST")]
    pub aov: Option<String>,
    /// Only a part of these frames, as render has it
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Remove unfinished files that nobody has written to for so many seconds, and those of dead processes of this machine
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "3600")]
    pub tidy: Option<u64>,
    /// Write only the list of frames to be rendered, to standard output, as render -f takes it
    #[arg(long, conflicts_with = "json")]
    pub missing: bool,
    /// Write what became of each frame to standard output, as JSON
    #[arg(long)]
    pub json: bool,
}

/// Ticks a second: above 0 and at most 1e9, as in a scene.
fn parse_ticks(text: &str) -> Result<f64, String> {
    let ticks = text.parse::<f64>().ok().filter(|ticks| *ticks > 0.0 && *ticks <= 1e9);
    ticks.ok_or_else(|| "expected a number above 0, at most 1e9".to_owned())
}

/// `pose`
#[derive(Clone, Debug, Args)]
pub(super) struct Pose {
    /// The model
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// The file of the clip; without any clip the bind pose is written
    #[arg(short = 'a', long = "anim", value_name = "ANIM")]
    pub anim: Option<PathBuf>,
    /// Which clip of the file: its name, or its place from 0
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// The moment, in seconds from the start of the clip
    #[arg(long, value_name = "S", group = "moment", allow_hyphen_values = true)]
    pub time: Option<f64>,
    /// The moment, in the ticks of a .x file
    #[arg(long, value_name = "T", group = "moment", allow_hyphen_values = true)]
    pub tick: Option<f64>,
    /// Ticks a second, in place of what a .x file says
    #[arg(long, value_name = "N", value_parser = parse_ticks, requires = "moment")]
    pub ticks_per_second: Option<f64>,
    /// The moment, as the number of a key of the clip
    #[arg(long, value_name = "KEY", group = "moment")]
    pub frame: Option<usize>,
    /// The OBJ file; - is standard output
    #[arg(short, long, value_name = "OUT.obj")]
    pub output: PathBuf,
}

/// A number of things of which there has to be one.
fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&count| count > 0)
        .ok_or_else(|| "expected a whole number above 0".to_owned())
}
