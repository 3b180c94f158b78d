//! What was submitted: a file beside the frames, from which the other commands know the scene, the options and the jobs.

use super::args::{SlurmOptions, Tasks};
use super::console::Console;
use super::job::Job;
use super::look::Sources;
use super::plan::Plan;
use super::{Failure, load};
use crate::cli::journal::now;
use crate::job::journal::HIDDEN;
use crate::output::{temp_files, write_atomic};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The form of tickets that this program writes.
const VERSION: u32 = 2;

/// One submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ticket {
    /// The form of this file.
    pub version: u32,
    /// Tells submissions apart, in the order of time: milliseconds since 1970, the process, and its own count.
    pub id: String,
    pub program: String,
    /// Where it was submitted from; all paths count from there.
    pub working_folder: PathBuf,
    /// All that is wanted.
    pub job: Job,
    /// What its pictures are made from, as far as it is known where it is submitted.
    #[serde(default)]
    pub sources: Sources,
    /// What of it this submission makes: frames as `render -f` takes them, or the file of a list of models.
    pub part: String,
    pub tasks: u64,
    pub chunk: u64,
    /// What was said of the limits of files.
    #[serde(default)]
    pub limits: Vec<String>,
    /// As they were asked for.
    pub asked: Tasks,
    pub slurm: SlurmOptions,
    /// The numbers of the jobs: one that looks at a node, the array, and one that verifies.
    pub jobs: Option<[String; 3]>,
    /// Whether other submissions wait for the same look at a node.
    pub shares_look: bool,
}

/// A name for a submission.
pub(super) fn new_id() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:.0}-{}-{count}", now() * 1000.0, temp_files::process())
}

/// The folder of tickets and scripts.
pub(super) fn farm_folder(frames: &Path) -> PathBuf {
    frames.join(HIDDEN).join("farm")
}

/// The folder of logs.
pub(super) fn log_folder(frames: &Path) -> PathBuf {
    frames.join(HIDDEN).join("log")
}

impl Ticket {
    pub fn new(plan: &Plan, asked: &Tasks, slurm: &SlurmOptions) -> Result<Self, Failure> {
        let here = std::env::current_dir();
        let working_folder = here.map_err(|error| load::unreadable(Path::new("."), &error))?;
        Ok(Self {
            version: VERSION,
            id: plan.id.clone(),
            program: concat!("tintype ", env!("CARGO_PKG_VERSION")).to_owned(),
            working_folder,
            job: plan.job.clone(),
            sources: plan.sources.clone(),
            part: plan.part.clone(),
            tasks: plan.tasks,
            chunk: plan.chunk,
            limits: plan.limits.clone(),
            asked: asked.clone(),
            slurm: slurm.clone(),
            jobs: None,
            shares_look: false,
        })
    }

    /// The file of a submission.
    pub fn path(&self, frames: &Path) -> PathBuf {
        farm_folder(frames).join(format!("{}.json", self.id))
    }

    pub fn write(&self, frames: &Path) -> Result<(), Failure> {
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Failure::bad_input_chain(&error))?;
        write_atomic(&self.path(frames), (text + "\n").as_bytes())
            .map_err(|error| Failure::output(&error))
    }

    /// The submissions of a folder, the oldest first.
    pub fn all_of(frames: &Path) -> Result<Vec<Self>, Failure> {
        let folder = farm_folder(frames);
        let nothing = |_| {
            let message = format!(
                "{}: nothing was submitted from here: {} is not there; name the folder of the pictures",
                frames.display(),
                folder.display()
            );
            Failure::bad_input(message)
        };
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
            .map_err(nothing)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    /// One submission by its file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = std::fs::read(path).map_err(|error| load::unreadable(path, &error))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", path.display())))
    }

    /// The last submission of a folder.
    pub fn last_of(frames: &Path) -> Result<Self, Failure> {
        let last = Self::all_of(frames)?.pop();
        last.ok_or_else(|| {
            Failure::bad_input(format!("{}: nothing was submitted from here", frames.display()))
        })
    }

    /// Goes where it was submitted from, so that its paths hold; its limits do then too.
    pub fn enter(&self, console: &mut Console) -> Result<(), Failure> {
        console.allow(&self.limits);
        console.detail(&format!("in {}", self.working_folder.display()));
        std::env::set_current_dir(&self.working_folder)
            .map_err(|error| load::unreadable(&self.working_folder, &error))
    }
}
