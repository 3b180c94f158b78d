//! The file of a submission, beside the pictures: the job, its options and the numbers of its Slurm jobs.

use super::error::SubmitError;
use super::folders::farm_folder;
use super::job::Job;
use super::plan::{Plan, TaskOptions};
use super::slurm::options::SlurmOptions;
use super::sources::Sources;
use crate::output::write_atomic;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Version of the format that this program writes.
const VERSION: u32 = 2;

/// One submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// Version of the format.
    pub version: u32,
    /// Unique name, sorted by time: milliseconds since 1970, process number, and a count within the process.
    pub id: String,
    /// The program that submitted, with its version.
    pub program: String,
    /// Working folder at submission, which all paths are relative to.
    pub working_folder: PathBuf,
    /// The job.
    pub job: Job,
    /// Digests of everything that the pictures are made from, as read at submission.
    #[serde(default)]
    pub sources: Sources,
    /// Part of the job that this submission draws: frames as `render -f` takes them, or the file of a list of models.
    pub part: String,
    /// Number of tasks.
    pub tasks: u64,
    /// Items of the largest task.
    pub chunk: u64,
    /// Options `--limit` that were given.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Options of tasks, as given.
    pub asked: TaskOptions,
    /// Options of Slurm.
    pub slurm: SlurmOptions,
    /// Numbers of the jobs: preflight check, array and verification.
    pub jobs: Option<[String; 3]>,
    /// Whether other submissions share the preflight check.
    #[serde(rename = "shares_look")]
    pub shares_preflight: bool,
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
            shares_preflight: false,
        })
    }

    /// Path of the file.
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

    /// Reads all submissions of a folder, oldest first.
    ///
    /// # Errors
    /// [`SubmitError`] if there is none, or one cannot be read.
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

    /// Reads the file of a submission.
    ///
    /// # Errors
    /// [`SubmitError`] if it cannot be read.
    pub fn read(path: &Path) -> Result<Self, SubmitError> {
        let bytes = crate::output::read_regular(path)
            .map_err(|error| SubmitError::unreadable(path, &error))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| SubmitError::invalid(format!("{}: {error}", path.display())))
    }

    /// Reads the last submission of a folder.
    ///
    /// # Errors
    /// [`SubmitError`] if there is none, or it cannot be read.
    pub fn last_of(frames: &Path) -> Result<Self, SubmitError> {
        let last = Self::all_of(frames)?.pop();
        last.ok_or_else(|| SubmitError::invalid(format!("{}: no submission", frames.display())))
    }
}
