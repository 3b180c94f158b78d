//! Options of `tintype farm`.

use super::{SceneOverrides, Thumbnail, Turntable, WithArgv};
use crate::submit::job::Pictures as JobPictures;
use crate::submit::plan::TaskOptions;
use crate::submit::slurm::SlurmOptions as SubmitSlurmOptions;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tintype farm submit scenes/walk.toml --dry-run     the script, not submitted
  tintype farm submit scenes/walk.toml -o /share/walk/####.png --chunk 20
  tintype farm submit thumbnail /share/models -o /share/thumbs --gallery
  tintype farm submit turntable /share/models -o /share/turns -n 48 --shadow
  tintype farm status /share/walk --watch
  tintype farm retry /share/walk                     only what is missing
  tintype farm export scenes/walk.toml --openjd > walk.yaml
  openjd run walk.yaml

Of many models the command is the one that would draw them here, behind farm submit or farm export: each task draws its share of the models that there are now, a last job says which pictures are missing and why, and writes the page of --gallery.

The engine owns the queue, the retries and the nodes; the pictures on disk are the only truth. Everything that is not a picture is kept in .tintype beside them: the scripts, the list of models, the logs, a record of each attempt.";

/// `farm`
#[derive(Clone, Debug, Args)]
pub(crate) struct Farm {
    #[command(subcommand)]
    pub command: FarmCommand,
}

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum FarmCommand {
    /// Check scenes or models here, write batch scripts beside the pictures, and submit them
    Submit(Submit),
    /// Say how far it is, from the pictures on disk, the records of the attempts and the queue; exit code 3 if pictures are missing
    /// and nothing will draw them, 75 if the queue is not known
    Status(Status),
    /// Submit what is missing, and nothing else
    Retry(Retry),
    /// Take the tasks of a folder out of the queue, and end those that run
    Cancel(Folder),
    /// Write the end of the logs of tasks that failed, or all of one
    Logs(Logs),
    /// Say whether this machine sees what was submitted: scene, assets, program, and a folder to write to; each task asks first
    Look(Look),
    /// Write a job file for another engine to standard output
    Export(Export),
}

/// `farm submit`
#[derive(Clone, Debug, Args)]
#[command(subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct Submit {
    /// Scenes: a job for each, all of them or none
    #[arg(value_name = "SCENE.toml", required = true)]
    pub scenes: Vec<PathBuf>,
    #[command(subcommand)]
    pub models: Option<OfModels>,
    /// The engine
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t = Engine::Slurm, global = true)]
    pub engine: Engine,
    #[command(flatten)]
    pub pictures: Pictures,
    #[command(flatten)]
    pub tasks: Tasks,
    #[command(flatten)]
    pub slurm: SlurmOptions,
    /// Write the batch script to standard output, and do nothing else
    #[arg(long, global = true)]
    pub dry_run: bool,
}

/// A command that makes pictures of many models: whatever stands behind its name is given to each task.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum OfModels {
    /// A turntable of each model, with the options of tintype turntable
    Turntable(Box<WithArgv<Turntable>>),
    /// A picture of each model, with the options of tintype thumbnail
    Thumbnail(Box<WithArgv<Thumbnail>>),
}

/// What Slurm is told beyond the plan.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SlurmOptions {
    /// The partition; without it the cluster's own choice
    #[arg(long, global = true, value_name = "NAME")]
    pub partition: Option<String>,
    /// Minutes for a task; without it four times what its share took here, and ten more
    #[arg(long, global = true, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
    /// How often a task may be started again
    #[arg(long, global = true, value_name = "N", default_value_t = 5)]
    pub restarts: u32,
    /// How many tasks run at once
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub parallel: Option<u64>,
    /// A further option of sbatch, such as --account=film; again for another
    #[arg(long = "sbatch", global = true, value_name = "OPTION", allow_hyphen_values = true)]
    pub extra: Vec<String>,
}

impl SlurmOptions {
    /// The options in the form that a submission takes.
    pub fn to_submit(&self) -> SubmitSlurmOptions {
        let Self { partition, time, restarts, parallel, extra } = self.clone();
        SubmitSlurmOptions { partition, time, restarts, parallel, extra }
    }
}

/// What was submitted, by its folder.
#[derive(Clone, Debug, Args)]
pub(crate) struct Folder {
    /// The folder of the frames, or of the pictures of models
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `farm status`
#[derive(Clone, Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub folder: Folder,
    /// Say it again every few seconds until no task is left; exit code 3 if frames are missing then
    #[arg(long)]
    pub watch: bool,
    /// As JSON, on standard output
    #[arg(long, conflicts_with = "watch")]
    pub json: bool,
    /// Write a page: pictures, the time of each frame, nodes, failures with the end of their logs
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

/// `farm retry`
#[derive(Clone, Debug, Args)]
pub(crate) struct Retry {
    #[command(flatten)]
    pub folder: Folder,
    /// Write the batch script to standard output, and do nothing else
    #[arg(long)]
    pub dry_run: bool,
}

/// `farm logs`
#[derive(Clone, Debug, Args)]
pub(crate) struct Logs {
    #[command(flatten)]
    pub folder: Folder,
    /// All of this task's log
    #[arg(long, value_name = "N")]
    pub task: Option<u64>,
    /// Lines from the end of each
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub lines: usize,
}

/// What is rendered of a scene, as `render` has it.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Pictures {
    /// File names: #### or %04d is the frame
    #[arg(short, long, value_name = "PATTERN")]
    pub output: Option<String>,
    /// Which of the scene's frames: 0-47, 1-100x5 or 0,7,20-30
    #[arg(short, long, value_name = "FRAMES", allow_hyphen_values = true)]
    pub frames: Option<String>,
    #[command(flatten)]
    pub overrides: SceneOverrides,
}

impl Pictures {
    /// The options in the form that a submission takes.
    pub fn to_submit(&self) -> JobPictures {
        let Self { output, frames, overrides } = self.clone();
        JobPictures { output, frames, overrides: overrides.to_output() }
    }

    /// The first option that was given.
    pub fn given(&self) -> Option<&'static str> {
        let Self { output, frames, overrides } = self;
        let SceneOverrides { size, samples, anisotropy, aov } = overrides;
        let named = [
            ("--output", output.is_some()),
            ("--frames", frames.is_some()),
            ("--size", size.is_some()),
            ("--samples", samples.is_some()),
            ("--anisotropy", anisotropy.is_some()),
            ("--aov", aov.is_some()),
        ];
        named.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}

/// How work is cut, and what a task gets.
#[derive(Clone, Debug, Args)]
pub(crate) struct Tasks {
    /// Frames, or models, in a task; without it as many as take two minutes, by what is drawn here
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub chunk: Option<u64>,
    /// Processors for a task
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: u32,
    /// Memory for a task in MiB; without it one and a half times what was taken here
    #[arg(long, global = true, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// The program on the nodes
    #[arg(long, global = true, value_name = "PATH")]
    pub program: Option<String>,
}

impl Tasks {
    /// The options in the form that a submission takes; `program` is used where none is named.
    pub fn to_submit(&self, program: Option<String>) -> TaskOptions {
        let Self { chunk, cpus, memory, .. } = *self;
        TaskOptions { chunk, cpus, memory, program: self.program.clone().or(program) }
    }
}

/// `farm look`
#[derive(Clone, Debug, Args)]
pub(crate) struct Look {
    /// The file of the submission, in .tintype/farm beside the frames
    #[arg(value_name = "TICKET.json")]
    pub ticket: PathBuf,
}

/// `farm export`
#[derive(Clone, Debug, Args)]
#[command(subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct Export {
    /// The scene
    #[arg(value_name = "SCENE.toml", required = true)]
    pub scene: Option<PathBuf>,
    #[command(subcommand)]
    pub models: Option<OfModels>,
    /// A job template of Open Job Description 2023-09, as openjd and AWS Deadline Cloud take it
    #[arg(long, global = true)]
    pub openjd: bool,
    /// An Indexed Job, as kubectl apply takes it
    #[arg(long, global = true)]
    pub kubernetes: bool,
    #[command(flatten)]
    pub pictures: Pictures,
    #[command(flatten)]
    pub tasks: Tasks,
    /// Of Kubernetes: the container image that has the program
    #[arg(long, global = true, value_name = "IMAGE", default_value = concat!("tintype:", env!("CARGO_PKG_VERSION")))]
    pub image: String,
    /// Of Kubernetes: the volume claim that holds scene, assets and frames, each under the path that is said here
    #[arg(long, global = true, value_name = "NAME", default_value = "farm")]
    pub claim: String,
}

/// An engine that runs tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Slurm job arrays
    Slurm,
}
