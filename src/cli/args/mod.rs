//! The command line as typed options: one file for each command.
//!
//! Imports no command, so that every command and the console can import it.
//! Text after the options of a help page: an example fits 80 columns; a paragraph is one line, which is wrapped where it is shown.

mod argv;
mod bless;
mod diff;
pub(super) mod farm;
mod global;
mod inspect;
mod manual;
mod models;
mod picture;
mod pose;
mod progress;
mod render;
mod test;
mod thumbnail;
mod turntable;
mod value;
mod verify;

pub(crate) use argv::WithArgv;
pub(crate) use bless::Bless;
pub(crate) use diff::{Diff, DiffPicture};
pub(crate) use farm::Farm;
pub(crate) use global::{Early, Global, When};
pub(crate) use inspect::Inspect;
pub(crate) use manual::{Completions, Man};
pub(crate) use models::Models;
pub(crate) use picture::{Png, SceneOverrides};
pub(crate) use pose::Pose;
pub(crate) use progress::Progress;
pub(crate) use render::{Render, StatsForm};
pub(crate) use test::Test;
pub(crate) use thumbnail::Thumbnail;
pub(crate) use turntable::{Raw, Turntable};
pub(crate) use verify::Verify;

use clap::{Parser, Subcommand};

/// Photographs skinned models on machines without a GPU or a display.
#[derive(Clone, Debug, Parser)]
#[command(name = "tintype", version, max_term_width = 100, after_help = TOP_EXAMPLES)]
pub(crate) struct Cli {
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

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Draw the frames of a scene as PNG files
    #[command(after_help = render::EXAMPLES)]
    Render(Render),
    /// Go once around a model, or around each of many, moving if it has a clip, in a loop that closes: no scene needed
    #[command(after_help = turntable::EXAMPLES)]
    Turntable(Box<Turntable>),
    /// One picture of each model, of one or of thousands: the side, the clip and its moment are chosen for each
    #[command(after_help = thumbnail::EXAMPLES)]
    Thumbnail(Thumbnail),
    /// Say what is in a model, a clip, a recorded camera or a scene
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(Inspect),
    /// Write a posed mesh as OBJ, to check it elsewhere
    #[command(after_help = pose::EXAMPLES)]
    Pose(Pose),
    /// Compare the golden frames of scenes with the frames of today, exactly
    #[command(after_help = test::EXAMPLES)]
    Test(Test),
    /// Accept the frames of today as golden
    #[command(after_help = bless::EXAMPLES)]
    Bless(Bless),
    /// Compare two pictures or sequences exactly and as seen, or two models joint by joint
    #[command(after_help = diff::EXAMPLES)]
    Diff(Diff),
    /// Check that every frame of a scene is there, whole, and the one that render would write
    #[command(after_help = verify::EXAMPLES)]
    Verify(Verify),
    /// Render on a farm, by an engine that it already has
    #[command(after_help = farm::EXAMPLES)]
    Farm(Farm),
    /// Write the JSON schema of scenes, by which editors complete and check them
    #[command(after_help = manual::SCHEMA_EXAMPLES)]
    Schema,
    /// Write a script that completes words in a shell
    #[command(after_help = manual::COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write the manual, as man reads it
    #[command(after_help = manual::MAN_EXAMPLES)]
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
