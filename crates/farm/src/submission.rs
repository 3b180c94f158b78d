//! The file of a submission, beside the pictures: the job, its options and the numbers of its Slurm
//! jobs.

use super::error::SubmitError;
use super::folders::farm_folder;
use super::job::{Frames, Job, JobKind, Models, Pictures};
use super::plan::{Plan, TaskOptions};
use super::slurm::SlurmOptions;
use super::sources::Sources;
use super::text::path_text;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype_base::data::plain_message;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::printable::printable_json;
use tintype_host::job::journal::{Event, Line, Subject, beginnings, lists_in};
use tintype_host::write_atomic;

/// Version of the format written by this program.
const VERSION: u32 = 2;

/// One submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// Version of the format.
    pub version: u32,
    /// Unique name, sorted by time: milliseconds since 1970, process number, and a count within the
    /// process.
    pub id: String,
    /// The program that submitted, with its version.
    pub program: String,
    /// Working folder at submission, the base of all paths.
    #[serde(with = "path_text")]
    pub working_folder: PathBuf,
    /// The job.
    pub job: Job,
    /// Digests of all inputs of the pictures, as read at submission.
    #[serde(default)]
    pub sources: Sources,
    /// Part of the job drawn by this submission: frames in the form of `render -f`, or the file of
    /// a list of models.
    pub part: String,
    /// Number of tasks.
    pub tasks: u64,
    /// Number of items of the largest task.
    pub chunk: u64,
    /// The given options `--limit`.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Options of tasks, as given.
    pub asked: TaskOptions,
    /// Options of Slurm.
    pub slurm: SlurmOptions,
    /// Numbers of the jobs: preflight check, array and verification.
    pub jobs: Option<[String; 3]>,
    /// True if the preflight check is common to several submissions.
    #[serde(rename = "shares_look")]
    pub shares_preflight: bool,
    /// True if a dry run wrote it; its scripts may be submitted by hand.
    #[serde(default)]
    pub is_dry: bool,
    /// Numbers of the jobs of other submissions to the folder, which are merged with its jobs.
    #[serde(skip)]
    pub other_jobs: Vec<String>,
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
            is_dry: false,
            other_jobs: Vec::new(),
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
        write_atomic(&self.path(frames), (printable_json(&text) + "\n").as_bytes())
            .map_err(|error| SubmitError::from(&error))
    }

    /// Reads all submissions of a folder, oldest first.
    ///
    /// # Errors
    /// [`SubmitError`] if there are none, or one cannot be read.
    pub fn all_of(frames: &Path) -> Result<Vec<Self>, SubmitError> {
        let paths = files_of(frames)?.ok_or_else(|| {
            SubmitError::invalid(format!(
                "{}: no submission here: {} does not exist; give the folder of the pictures",
                frames.shown(),
                farm_folder(frames).shown()
            ))
        })?;
        paths.iter().map(|path| Self::read(path)).collect()
    }

    /// Reads the file of a submission.
    ///
    /// # Errors
    /// [`SubmitError`] if it cannot be read.
    pub fn read(path: &Path) -> Result<Self, SubmitError> {
        let bytes = tintype_base::disk::read_regular(path)
            .map_err(|error| SubmitError::unreadable(path, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let why = plain_message(&error.to_string());
            SubmitError::invalid(format!("{}: {why}", path.shown()))
        })
    }

    /// The last submission of a folder combined with the jobs of the others, and with their frames
    /// or models if these are pictures of the same kind. Without any submission, the work recorded
    /// in the journals of attempts.
    ///
    /// # Errors
    /// [`SubmitError`] if neither exists, or a submission cannot be read.
    pub fn together(frames: &Path) -> Result<Self, SubmitError> {
        if files_of(frames)?.is_none_or(|files| files.is_empty())
            && let Some(found) = Self::of_journals(frames)
        {
            return Ok(found);
        }
        let mut last = Self::last_of(frames)?;
        for other in Self::all_of(frames)? {
            if other.id == last.id {
                continue;
            }
            last.job.join(other.job)?;
            last.other_jobs.extend(other.jobs.into_iter().flatten());
        }
        Ok(last)
    }

    /// The frames of a scene, or the models, that attempts were started for, by any engine or by
    /// hand, according to their journals. None without such journals. All attempts at pictures of
    /// the same kind as the last one are combined.
    #[must_use]
    pub fn of_journals(folder: &Path) -> Option<Self> {
        let (mut found, mut tasks) = (None::<Job>, 0);
        for attempt in beginnings(folder) {
            let mut subject = Subject::default();
            for Line { event, .. } in attempt {
                let job = match event {
                    Event::Start(start) => {
                        subject = start.subject;
                        continue;
                    }
                    Event::Scene { output, all, digest, size, views, channels, channels_as } => {
                        let scene = path_of_text(subject.scene.as_deref().unwrap_or_default());
                        // The folder may have another path here.
                        let name = output.rsplit('/').next().unwrap_or_default();
                        let output = format!("{}/{name}", folder.shown());
                        let pictures = Pictures::default();
                        Job::Frames(Frames {
                            scene,
                            output,
                            digest,
                            size,
                            views,
                            channels,
                            channels_as,
                            all,
                            pictures,
                        })
                    }
                    Event::Models { list, base, frames } => {
                        let folder_text = folder.shown();
                        let (command, output) = match frames {
                            None => (JobKind::Thumbnail, folder_text),
                            Some(frames) => (JobKind::Turntable, format!("{folder_text}/{frames}")),
                        };
                        Job::Models(Models {
                            command,
                            base: path_of_text(&base),
                            all: lists_in(folder).join(list),
                            also: Vec::new(),
                            output,
                            argv: Vec::new(),
                            gallery: false,
                        })
                    }
                    _ => continue,
                };
                let mut now = job;
                if let Some(known) = found {
                    now.join(known).ok()?;
                }
                (found, tasks) = (Some(now), tasks + 1);
            }
        }
        let job = found?;
        let part = match &job {
            Job::Frames(frames) => frames.all.clone(),
            Job::Models(models) => models.all.shown(),
        };
        Some(Self {
            version: VERSION,
            id: String::new(),
            program: concat!("tintype ", env!("CARGO_PKG_VERSION")).to_owned(),
            working_folder: std::path::absolute(".").ok()?,
            sources: Sources::default(),
            part,
            job,
            tasks,
            chunk: 1,
            limits: Vec::new(),
            asked: TaskOptions { chunk: None, cpus: 1, memory: None, program: None },
            slurm: SlurmOptions::default(),
            jobs: None,
            shares_preflight: false,
            is_dry: false,
            other_jobs: Vec::new(),
        })
    }

    /// Reads the last submission of a folder, or one of a dry run if there is no other.
    ///
    /// # Errors
    /// [`SubmitError`] if there is none, or it cannot be read.
    pub fn last_of(frames: &Path) -> Result<Self, SubmitError> {
        let mut all = Self::all_of(frames)?;
        let place = all.iter().rposition(|one| !one.is_dry);
        let last = place.map(|place| all.swap_remove(place)).or_else(|| all.pop());
        last.ok_or_else(|| SubmitError::invalid(format!("{}: no submission", frames.shown())))
    }
}

/// The files of the submissions beside pictures, oldest first. None if their folder does not exist.
fn files_of(frames: &Path) -> Result<Option<Vec<PathBuf>>, SubmitError> {
    let folder = farm_folder(frames);
    let failed = |error: std::io::Error| SubmitError::unreadable(&folder, &error);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(Some(files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_that_cannot_be_read_are_no_absent_ones() {
        let frames = tempfile::tempdir().unwrap();
        let told = || Submission::together(frames.path()).unwrap_err().to_string();
        assert!(told().contains("no submission"), "{}", told());
        let folder = farm_folder(frames.path());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("1.json"), "{").unwrap();
        // Journals contain the work, but not the jobs in the queue.
        let tasks = tintype_host::job::journal::tasks_in(frames.path());
        std::fs::create_dir_all(&tasks).unwrap();
        assert!(told().contains("1.json: "), "{}", told());
    }
}
