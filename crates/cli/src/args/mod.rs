//! The command line as typed options: one file for each command.
//!
//! Imports no command, so that every command and the console can import it.
//! Text after the options of a help page: an example fits 80 columns; a paragraph is one line, which is wrapped where it is shown.

mod argv;
mod bless;
mod dataset;
mod diff;
pub(super) mod farm;
mod global;
mod heading;
mod init;
mod inspect;
mod manual;
mod models;
mod library;
mod picture;
mod pose;
mod render;
mod report;
mod review;
mod setting;
mod test;
mod thumbnail;
mod turntable;
mod value;
mod verify;
mod watch;

pub(crate) use argv::WithArgv;
pub(crate) use bless::Bless;
pub(crate) use dataset::Dataset;
pub(crate) use diff::{Diff, DiffPicture};
pub(crate) use farm::Farm;
pub(crate) use global::{Early, Global, Progress, When};
pub(crate) use heading::for_help;
pub(crate) use init::{Init, Service};
pub(crate) use inspect::Inspect;
pub(crate) use library::LibraryModels;
pub(crate) use manual::{Completions, Man, Schema};
pub(crate) use models::Models;
pub(crate) use picture::Png;
pub(crate) use pose::Pose;
pub(crate) use render::{Render, StatsForm};
pub(crate) use report::{Merge, Report, ReportCommand, ReportFiles};
pub(crate) use review::Review;
pub(crate) use test::Test;
pub(crate) use thumbnail::Thumbnail;
pub(crate) use turntable::{Raw, Turntable};
pub(crate) use verify::Verify;
pub(crate) use watch::Watch;

use clap::{CommandFactory, Parser, Subcommand};

/// Renders skinned models on machines without a GPU or a display.
#[derive(Clone, Debug, Parser)]
#[command(name = "tintype", version, max_term_width = 100, after_help = TOP_EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: Global,
}

/// The command line, with the options of long help pages under headings.
pub(crate) fn command() -> clap::Command {
    heading::with_headings(Cli::command())
}

const TOP_EXAMPLES: &str = "\
Examples:
  tintype imp.md5mesh                             a turntable, imp.md5mesh.gif
  tintype models                                  a picture of each, and a page
  tintype turntable imp.md5mesh -a walk.md5anim --gif imp.gif     no scene needed
  tintype thumbnail models --gallery              a picture of each, and a page
  tintype render scenes/walk.toml                 to out/walk/0000.png, ...
  tintype inspect imp.md5mesh                     contents and problems
  tintype test                                    compare frames with their goldens
  tintype help render                             all options, with examples

Exit codes: 0 success; 1 a comparison found differences; 2 bad usage or bad input; 3 some of the work failed permanently, pictures are empty, or --strict found a warning; 75 temporary failure such as a full disk: run it again; 130 interrupted by Ctrl-C, with complete frames only.

Settings: ~/.config/tintype/config.toml (or a file named by XDG_CONFIG_HOME, XDG_CONFIG_DIRS or TINTYPE_CONFIG) can set
  threads = 4              0 for one per core
  color = \"auto\"           auto, always or never
  progress = \"auto\"        auto, plain or none
  messages = \"normal\"      quiet, normal or verbose
None of these changes a picture. A project's tintype.toml, in the working directory or a parent up to the top of the repository, can also set
  size = [512, 512]        size of turntables
  look = \"studio\"          look of turntables and thumbnails: studio or classic
  golden = \"golden\"        golden folder, relative to tintype.toml
-v prints the settings files that were read. If CI is set, only tintype.toml and the file named by TINTYPE_CONFIG are read.";

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    /// Draw the frames of a scene as PNG files
    #[command(after_help = render::EXAMPLES)]
    Render(Render),
    /// Draw a seamless turntable of one model, or of each of many, without a scene
    #[command(after_help = turntable::EXAMPLES)]
    Turntable(Box<Turntable>),
    /// Draw one picture of each model; viewpoint, clip and time are chosen automatically
    #[command(after_help = thumbnail::EXAMPLES)]
    Thumbnail(Thumbnail),
    /// Draw a data set from a recipe: pictures of models with joints, boxes, masks, cameras and channels
    #[command(after_help = dataset::EXAMPLES)]
    Dataset(Dataset),
    /// Describe a model, clip, recorded camera or scene, and list its problems
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(Inspect),
    /// Write a posed mesh as an OBJ file
    #[command(after_help = pose::EXAMPLES)]
    Pose(Pose),
    /// Set up a project: a scene with goldens for each model, and files for git and CI
    #[command(after_help = init::EXAMPLES)]
    Init(Init),
    /// Compare newly drawn frames of scenes with their goldens, exactly
    #[command(after_help = test::EXAMPLES)]
    Test(Test),
    /// Accept newly drawn frames as goldens
    #[command(after_help = bless::EXAMPLES)]
    Bless(Bless),
    /// Step through failing goldens and accept or reject each
    #[command(after_help = review::EXAMPLES)]
    Review(Review),
    /// Merge the reports of a sharded test
    #[command(after_help = report::EXAMPLES)]
    Report(Report),
    /// Compare two pictures or sequences, byte for byte and perceptually, or two models joint by joint
    #[command(after_help = diff::EXAMPLES)]
    Diff(Diff),
    /// Check that every frame of a scene is present, complete and up to date
    #[command(after_help = verify::EXAMPLES)]
    Verify(Verify),
    /// Re-run a command whenever one of its input files changes
    #[command(after_help = watch::EXAMPLES)]
    Watch(Watch),
    /// Render on a farm, with Slurm, Open Job Description or Kubernetes
    #[command(after_help = farm::EXAMPLES)]
    Farm(Farm),
    /// Write the JSON schema of scenes, which editors use for completion and validation
    #[command(after_help = manual::SCHEMA_EXAMPLES)]
    Schema(Schema),
    /// Write a shell-completion script
    #[command(after_help = manual::COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write the manual as man pages
    #[command(after_help = manual::MAN_EXAMPLES)]
    Man(Man),
}

impl Command {
    /// Form of progress, of commands that draw.
    pub(super) fn progress(&self) -> Option<Progress> {
        match self {
            Self::Render(options) => Some(options.progress),
            Self::Turntable(options) => Some(options.progress),
            Self::Thumbnail(options) => Some(options.progress),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::command;
    use std::collections::BTreeMap;

    /// A letter that stands for two options, or an option that has its letter in some commands only, is typed wrong.
    #[test]
    fn letters_mean_the_same_in_every_command() {
        fn walk(
            command: &clap::Command,
            letters: &mut BTreeMap<String, BTreeMap<char, Vec<String>>>,
        ) {
            for option in command.get_arguments() {
                let Some(long) = option.get_long() else { continue };
                let letter = option.get_short().unwrap_or(' ');
                let by_letter = letters.entry(long.to_owned()).or_default();
                by_letter.entry(letter).or_default().push(command.get_name().to_owned());
            }
            command.get_subcommands().for_each(|own| walk(own, letters));
        }
        let mut letters = BTreeMap::new();
        walk(&command(), &mut letters);
        let mut names: BTreeMap<char, &str> = BTreeMap::new();
        for (long, by_letter) in &letters {
            assert_eq!(
                by_letter.len(),
                1,
                "--{long} has its letter in some commands: {by_letter:?}"
            );
            // The lines of a log are counted, as frames are.
            let letter = by_letter.keys().find(|letter| **letter != ' ' && long != "lines");
            if let Some(other) = letter.and_then(|letter| names.insert(*letter, long)) {
                panic!("one letter for --{long} and --{other}");
            }
        }
        assert_eq!(names.len(), 8, "{names:?}");
    }
}
