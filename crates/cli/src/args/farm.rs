//! Options of `tintype farm`.

use super::argv::WithArgv;
use super::setting::{OfScene, SettingArgs};
use super::thumbnail::Thumbnail;
use super::turntable::Turntable;
use super::value::PathText;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use tintype_farm::job::Pictures as JobPictures;
use tintype_farm::plan::TaskOptions;
use tintype_farm::slurm::SlurmOptions as SubmitSlurmOptions;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tintype farm submit scenes/walk.toml --dry-run     print the script only
  tintype farm submit scenes/walk.toml -o /share/walk/####.png --chunk 20
  tintype farm submit thumbnail /share/models -o /share/thumbs --gallery
  tintype farm submit turntable /share/models -o /share/turns -n 48 --shadow
  tintype farm status /share/walk --watch
  tintype farm retry /share/walk                     only missing frames
  tintype farm export scenes/walk.toml --openjd > walk.yaml
  openjd run walk.yaml

To draw many models, put the command after farm submit or farm export. Each task draws one shard of the models that exist now; a final job reports missing pictures with the reason, and writes the --gallery page.

The engine manages the queue, retries and nodes; progress is read from the pictures on disk. Scripts, model lists, logs and attempt records are kept in .tintype beside the pictures.";

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
    /// Report progress from the pictures on disk, the attempt records and the queue; exit code 3 if pictures are missing and
    /// no task will draw them, 75 if the queue cannot be read
    Status(Status),
    /// Submit only the frames or models that are missing
    Retry(Retry),
    /// Cancel all tasks of a folder, waiting or running
    Cancel(Folder),
    /// Print the ends of the logs of failed tasks, or the whole log of one task
    Logs(Logs),
    /// Check that this machine has what a task needs: scene, assets, program, and a writable folder; each task runs this check first
    Look(Look),
    /// Write a job file for another engine to standard output
    Export(Export),
}

/// `farm submit`
#[derive(Clone, Debug, Args)]
#[command(subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct Submit {
    /// Scenes; each becomes a job, and all are submitted or none
    #[arg(value_name = "SCENE.toml", required = true)]
    pub scenes: Vec<PathBuf>,
    #[command(subcommand)]
    pub models: Option<OfModels>,
    /// Engine that runs the tasks
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t = Engine::Slurm, global = true)]
    pub engine: Engine,
    #[command(flatten)]
    pub pictures: Pictures,
    #[command(flatten)]
    pub tasks: Tasks,
    #[command(flatten)]
    pub slurm: SlurmOptions,
    /// Write the batch script to standard output without submitting it
    #[arg(long, global = true)]
    pub dry_run: bool,
}

/// A command that draws many models: the options behind its name are passed to each task.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum OfModels {
    /// Draw a turntable of each model, with the options of tintype turntable
    Turntable(Box<WithArgv<Turntable>>),
    /// Draw a thumbnail of each model, with the options of tintype thumbnail
    Thumbnail(Box<WithArgv<Thumbnail>>),
}

/// Options of Slurm that a plan does not decide.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SlurmOptions {
    /// Partition [default: the cluster's]
    #[arg(long, global = true, value_name = "NAME")]
    pub partition: Option<String>,
    /// Time limit of a task in minutes [default: four times the time measured here, plus ten]
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
    /// Most times that a task is requeued
    #[arg(long, global = true, value_name = "N", default_value_t = 5)]
    pub restarts: u32,
    /// Most tasks to run at once
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub parallel: Option<u64>,
    /// Option passed on to sbatch, such as --account=film; repeat for several
    #[arg(long = "sbatch", global = true, value_name = "OPTION", allow_hyphen_values = true)]
    pub extra: Vec<String>,
}

impl SlurmOptions {
    /// The options in the form that a submission takes.
    pub(crate) fn to_submit(&self) -> SubmitSlurmOptions {
        let Self { partition, time, restarts, parallel, extra } = self.clone();
        SubmitSlurmOptions { partition, time, restarts, parallel, extra }
    }
}

/// A submission, by its folder.
#[derive(Clone, Debug, Args)]
pub(crate) struct Folder {
    /// Folder of the frames or thumbnails
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `farm status`
#[derive(Clone, Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub folder: Folder,
    /// Repeat every few seconds until no task is left, then exit with code 3 if frames are missing
    #[arg(long)]
    pub watch: bool,
    /// Write JSON to standard output
    #[arg(long, conflicts_with = "watch")]
    pub json: bool,
    /// Write an HTML page with the pictures, the time of each frame, the nodes, and failures with the ends of their logs
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
}

/// `farm retry`
#[derive(Clone, Debug, Args)]
pub(crate) struct Retry {
    #[command(flatten)]
    pub folder: Folder,
    /// Print the missing frames, as for render -f, or the missing models, and submit nothing; needs no engine
    #[arg(long, conflicts_with = "dry_run")]
    pub list: bool,
    /// Write the batch script to standard output without submitting it
    #[arg(long)]
    pub dry_run: bool,
}

/// `farm logs`
#[derive(Clone, Debug, Args)]
pub(crate) struct Logs {
    #[command(flatten)]
    pub folder: Folder,
    /// Print the whole log of this task
    #[arg(long, value_name = "N")]
    pub task: Option<u64>,
    /// Lines to print from the end of each log
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub lines: usize,
}

/// Options of a scene, as `render` has them.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Pictures {
    /// File names, with #### or %04d for the frame number
    #[arg(short, long, value_name = "PATTERN", value_parser = PathText)]
    pub output: Option<String>,
    /// Frames of the scene to draw: 0-47, 1-100x5 or 0,7,20-30
    #[arg(short, long, value_name = "FRAMES", allow_hyphen_values = true)]
    pub frames: Option<String>,
    #[command(flatten)]
    pub settings: SettingArgs<OfScene>,
}

impl Pictures {
    /// The options in the form that a submission takes.
    pub(crate) fn to_submit(&self) -> JobPictures {
        let Self { output, frames, settings } = self.clone();
        JobPictures { output, frames, settings: settings.said }
    }

    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<String> {
        let Self { output, frames, settings } = self;
        let named = [("--output", output.is_some()), ("--frames", frames.is_some())];
        let named = named.into_iter().filter(|(_, is_given)| *is_given);
        let named = named.map(|(name, _)| name.to_owned());
        let settings = settings.said.iter().map(|(setting, _)| format!("--{}", setting.option()));
        named.chain(settings).next()
    }
}

/// Size and resources of tasks.
#[derive(Clone, Debug, Args)]
pub(crate) struct Tasks {
    /// Frames or models per task [default: two minutes of work, measured here]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub chunk: Option<u64>,
    /// Processors per task
    #[arg(long, global = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: u32,
    /// Memory per task in MiB [default: 1.5 times the memory measured here]
    #[arg(long, global = true, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// Path of the program on the nodes
    #[arg(long, global = true, value_name = "PATH", value_parser = PathText)]
    pub program: Option<String>,
}

impl Tasks {
    /// The options in the form that a submission takes; `program` is used where none is named.
    pub(crate) fn to_submit(&self, program: Option<String>) -> TaskOptions {
        let Self { chunk, cpus, memory, .. } = *self;
        TaskOptions { chunk, cpus, memory, program: self.program.clone().or(program) }
    }
}

/// `farm look`
#[derive(Clone, Debug, Args)]
pub(crate) struct Look {
    /// File of the submission, in .tintype/farm beside the frames
    #[arg(value_name = "SUBMISSION.json")]
    pub submission: PathBuf,
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
    /// Write a job template of Open Job Description 2023-09, for openjd and AWS Deadline Cloud
    #[arg(long, global = true)]
    pub openjd: bool,
    /// With --openjd: write a job bundle with references to all assets into this folder, for deadline bundle submit
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        requires = "openjd",
        conflicts_with = "kubernetes"
    )]
    pub bundle: Option<PathBuf>,
    /// Write an Indexed Job of Kubernetes, for kubectl apply
    #[arg(long, global = true)]
    pub kubernetes: bool,
    #[command(flatten)]
    pub pictures: Pictures,
    #[command(flatten)]
    pub tasks: Tasks,
    /// Kubernetes: container image with the program
    #[arg(long, global = true, value_name = "IMAGE", default_value = concat!("tintype:", env!("CARGO_PKG_VERSION")))]
    pub image: String,
    /// Kubernetes: volume claim with the scene, assets and frames, under the paths given here
    #[arg(long, global = true, value_name = "NAME", default_value = "farm")]
    pub claim: String,
}

/// An engine that runs tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Slurm job arrays
    Slurm,
}
