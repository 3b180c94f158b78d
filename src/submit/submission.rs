//! What was submitted: a file beside the frames, from which the other commands know the scene, the options and the jobs.

use super::error::SubmitError;
use super::folders::farm_folder;
use super::job::Job;
use super::plan::{Plan, TaskOptions};
use super::slurm::options::SlurmOptions;
use super::sources::Sources;
use crate::output::write_atomic;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The form of submissions that this program writes.
const VERSION: u32 = 2;

/// One submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// The form of this file.
    pub version: u32,
    /// Tells submissions apart, in the order of time: milliseconds since 1970, the process, and its own count.
    pub id: String,
    /// The program that submitted, with its version.
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
    /// Number of tasks.
    pub tasks: u64,
    /// Items of the largest task.
    pub chunk: u64,
    /// What was said of the limits of files.
    #[serde(default)]
    pub limits: Vec<String>,
    /// As they were asked for.
    pub asked: TaskOptions,
    /// Options of Slurm.
    pub slurm: SlurmOptions,
    /// The numbers of the jobs: one that looks at a node, the array, and one that verifies.
    pub jobs: Option<[String; 3]>,
    /// Whether other submissions wait for the same look at a node.
    pub shares_look: bool,
}

impl Submission {
    /// Describes a plan.
    ///
    /// # Errors
    /// [`SubmitError`] if there is no working folder.
    pub fn new(
        plan: &Plan,
        asked: &TaskOptions,
        slurm: &SlurmOptions,
    ) -> Result<Self, SubmitError> {
        let here = Path::new(".");
        let working_folder =
            std::path::absolute(here).map_err(|error| SubmitError::unreadable(here, &error))?;
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

    /// Writes the file into its folder beside the pictures.
    ///
    /// # Errors
    /// [`SubmitError`] if it cannot be written.
    pub fn write(&self, frames: &Path) -> Result<(), SubmitError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| SubmitError::invalid(error.to_string()))?;
        write_atomic(&self.path(frames), (text + "\n").as_bytes())
            .map_err(|error| SubmitError::from(&error))
    }

    /// The submissions of a folder, the oldest first.
    pub fn all_of(frames: &Path) -> Result<Vec<Self>, SubmitError> {
        let folder = farm_folder(frames);
        let nothing = |_| {
            let message = format!(
                "{}: no submission: {} does not exist; name the folder of the pictures",
                frames.display(),
                folder.display()
            );
            SubmitError::invalid(message)
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
    pub fn read(path: &Path) -> Result<Self, SubmitError> {
        let bytes = std::fs::read(path).map_err(|error| SubmitError::unreadable(path, &error))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| SubmitError::invalid(format!("{}: {error}", path.display())))
    }

    /// The last submission of a folder.
    pub fn last_of(frames: &Path) -> Result<Self, SubmitError> {
        let last = Self::all_of(frames)?.pop();
        last.ok_or_else(|| SubmitError::invalid(format!("{}: no submission", frames.display())))
    }
}
