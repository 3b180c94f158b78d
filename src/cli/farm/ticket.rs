//! What was submitted: a file beside the frames, from which the other commands know the scene, the options and the jobs.

use super::args::{SlurmOptions, Work};
use super::console::Console;
use super::look::Sources;
use super::plan::Plan;
use super::record::HIDDEN;
use super::{Failure, load};
use crate::output::write_atomic;
use crate::scene::{Aov, FrameList, FramePattern};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ticket {
    /// The form of this file.
    pub version: u32,
    /// Tells submissions apart, in the order of time: milliseconds since 1970, and the process.
    pub id: String,
    pub program: String,
    /// Where it was submitted from; all paths count from there.
    pub working_folder: PathBuf,
    pub scene: PathBuf,
    pub output: String,
    pub digest: String,
    /// What that digest is made from.
    #[serde(default)]
    pub sources: Sources,
    pub size: [u32; 2],
    /// The views beside each picture, by their words.
    #[serde(default)]
    pub views: Vec<String>,
    /// All frames of the sequence.
    pub all: String,
    /// Those that this submission renders.
    pub frames: String,
    pub tasks: u64,
    pub chunk: u64,
    /// As they were asked for.
    pub work: Work,
    pub slurm: SlurmOptions,
    /// The numbers of the jobs: check, frames, verify.
    pub jobs: Option<[String; 3]>,
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
    pub fn new(
        plan: &Plan,
        all: &FrameList,
        work: &Work,
        slurm: &SlurmOptions,
        id: String,
    ) -> Result<Self, Failure> {
        let here = std::env::current_dir();
        let working_folder = here.map_err(|error| load::unreadable(Path::new("."), &error))?;
        Ok(Self {
            version: 1,
            id,
            program: concat!("tintype ", env!("CARGO_PKG_VERSION")).to_owned(),
            working_folder,
            scene: plan.scene.clone(),
            output: plan.output.clone(),
            digest: plan.digest.clone(),
            sources: plan.sources.clone(),
            size: plan.size,
            views: plan.views.iter().map(Aov::word).collect(),
            all: all.to_string(),
            frames: plan.frames.to_string(),
            tasks: plan.tasks,
            chunk: plan.chunk,
            work: work.clone(),
            slurm: slurm.clone(),
            jobs: None,
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

    /// The submissions of a sequence, the oldest first.
    pub fn all_of(frames: &Path) -> Result<Vec<Self>, Failure> {
        let folder = farm_folder(frames);
        let nothing = |_| {
            let message = format!(
                "{}: nothing was submitted from here: {} is not there; name the folder of the frames",
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

    /// The last submission of a sequence.
    pub fn last_of(frames: &Path) -> Result<Self, Failure> {
        let last = Self::all_of(frames)?.pop();
        last.ok_or_else(|| {
            Failure::bad_input(format!("{}: nothing was submitted from here", frames.display()))
        })
    }

    /// Goes where it was submitted from, so that its paths hold.
    pub fn enter(&self, console: &Console) -> Result<(), Failure> {
        console.detail(&format!("in {}", self.working_folder.display()));
        std::env::set_current_dir(&self.working_folder)
            .map_err(|error| load::unreadable(&self.working_folder, &error))
    }

    pub fn pattern(&self) -> Result<FramePattern, Failure> {
        FramePattern::parse(&self.output).map_err(|error| Failure::bad_input(error.to_string()))
    }

    /// The views beside each picture.
    pub fn views(&self) -> Result<Vec<Aov>, Failure> {
        let views = self.views.iter().map(|word| Aov::parse(word));
        views.collect::<Result<_, _>>().map_err(|error| Failure::bad_input(error.to_string()))
    }

    /// All frames of the sequence.
    pub fn all_frames(&self) -> Result<FrameList, Failure> {
        FrameList::parse(&self.all).map_err(|error| Failure::bad_input(error.to_string()))
    }
}
