//! The status of a submission: pictures on the disk, tasks in the queue, and the journals of the attempts, in one report.
//!
//! Whether a picture is done is read from its file quickly: size, provenance, and the end of the file. `verify` checks more.

use super::diagnosis::{Advice, Diagnosis};
use super::error::SubmitError;
use super::history::{Attempt, History, Node, rate};
use super::job::Job;
use super::progress::{ItemStatus, Items};
use super::queue::{Jobs, Queue, State};
use super::slurm::client::Slurm;
use super::slurm::queue::QueuedTask;
use super::submission::Submission;
use super::text::counted;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// How far a submission is.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Version of this format.
    pub version: u32,
    /// State of the submission.
    pub state: State,
    #[serde(flatten)]
    /// Items of the job, and which of them are missing.
    pub amount: Amount,
    /// Folder of the pictures.
    pub folder: String,
    /// Items that are done.
    pub done: usize,
    /// The jobs of the last submission.
    pub jobs: Option<Jobs>,
    /// Tasks in the queue by their state.
    pub tasks: BTreeMap<String, usize>,
    /// Tasks that will never start unless somebody does something.
    pub stuck: Vec<QueuedTask>,
    /// What that is.
    pub advice: Vec<Advice>,
    /// What tasks said where their logs may not be seen, and how many said it.
    pub comments: BTreeMap<String, usize>,
    /// Items a second during the last minute.
    pub rate_per_s: Option<f64>,
    /// Estimated seconds until all are done.
    pub left_s: Option<f64>,
    /// Number of attempts.
    pub attempts: usize,
    /// Attempts of tasks that run.
    pub running_attempts: usize,
    /// Attempts that ended otherwise than well, or without a word.
    pub failed_attempts: Vec<Attempt>,
    /// Machines by name.
    pub nodes: BTreeMap<String, Node>,
    /// Why the queue is not known.
    pub queue_unknown: Option<String>,
    /// Title of the job.
    #[serde(skip)]
    pub title: String,
    /// All items of the job.
    #[serde(skip)]
    pub items: Items,
    /// How each unit stands.
    #[serde(skip)]
    pub stands: Vec<ItemStatus>,
    /// Seconds of each unit by its place, and the node.
    #[serde(skip)]
    pub times: BTreeMap<usize, (f64, String)>,
    /// The places of those that were drawn more than once.
    #[serde(skip)]
    pub drawn_twice: Vec<usize>,
    /// What was said last of models that have no picture.
    #[serde(skip)]
    pub reasons: BTreeMap<usize, String>,
}

/// How much there is, and what of it is not there.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// Frames of a scene.
    Frames {
        /// Path of the scene.
        scene: String,
        /// Number of frames.
        frames: usize,
        /// As `render -f` takes them.
        missing: Option<String>,
        /// Frames that were drawn more than once.
        drawn_twice: Vec<i64>,
    },
    /// Pictures of models.
    Models {
        /// The command of each task.
        command: &'static str,
        /// Folder from which names count.
        base: String,
        /// Number of models.
        models: usize,
        /// Files that hold nothing to be drawn.
        without_mesh: usize,
        /// Models without a picture.
        missing: Vec<Without>,
        /// Models that were drawn more than once.
        drawn_twice: Vec<String>,
    },
}

/// A model without a picture.
#[derive(Debug, Serialize)]
pub struct Without {
    /// Name of the model.
    pub model: String,
    /// What the last attempt at it said.
    pub message: Option<String>,
}

/// The machine that asks for a status.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    /// Runs Slurm's programs.
    pub slurm: Slurm<'a>,
    /// Digest of this program, where its version does not identify the pixels.
    pub build: Option<&'a str>,
    /// Seconds since 1970, for where the clock of the disk cannot be read.
    pub now_s: f64,
}

impl Report {
    /// Looks at the disk, the queue and the records; also says whether it is worth to ask again for a queue that is not known.
    pub fn new(
        folder: &Path,
        submission: &Submission,
        machine: &Machine,
    ) -> Result<(Self, bool), SubmitError> {
        let Machine { slurm, build, now_s } = *machine;
        // 1. The queue, and then the records and the disk, so that what a task has drawn is seen when the task is gone.
        let queue = Queue::of(submission, slurm);
        let items = Items::of(&submission.job)?;
        let history = History::read(folder, &items, &queue.tasks);
        let stands = items.check(&history.models, build);
        let count = |wanted: ItemStatus| stands.iter().filter(|&&stand| stand == wanted).count();
        let (done, left) = (count(ItemStatus::Done), count(ItemStatus::Missing));

        // 2. What that means.
        let stuck = Diagnosis::of(&queue.tasks, &folder.display().to_string(), slurm);
        let state = queue.state(left == 0, &stuck);
        let jobs = submission.jobs.as_ref().map(|[check, array, verify]| Jobs {
            check: queue.job(check),
            array: queue.job(array),
            verify: queue.job(verify),
        });
        let (mut tasks, mut comments) = (BTreeMap::new(), BTreeMap::new());
        for task in queue.tasks.iter().filter(|task| task.task.is_some()) {
            *tasks.entry(task.state.clone()).or_default() += 1;
            if let Some(comment) = &task.comment {
                *comments.entry(comment.clone()).or_default() += 1;
            }
        }
        let may_know_later = queue.unknown.as_ref().is_some_and(SubmitError::is_temporary);
        let drawn = history.drawn.iter().filter(|&(_, &times)| times > 1);
        let drawn_twice: Vec<usize> = drawn.map(|(&place, _)| place).collect();
        let reasons = history
            .models
            .iter()
            .filter_map(|(name, model)| Some((items.of_model(name)?, model.message.clone()?)));
        let reasons: BTreeMap<usize, String> = reasons.collect();
        let (rate_per_s, left_s) = rate(&history.moments, left, folder, now_s);
        // Where nobody draws any more, no time is left.
        let is_over = matches!(state, State::Done | State::Incomplete | State::Stuck);
        let left_s = left_s.filter(|_| !is_over);
        let report = Self {
            version: 3,
            state,
            amount: Amount::of(submission, &items, &stands, &reasons, &drawn_twice),
            folder: folder.display().to_string(),
            done,
            jobs,
            tasks,
            stuck: stuck.tasks,
            advice: stuck.advice,
            comments,
            rate_per_s,
            left_s,
            attempts: history.attempts,
            running_attempts: history.running,
            failed_attempts: history.failed,
            nodes: history.nodes,
            queue_unknown: queue.unknown.as_ref().map(ToString::to_string),
            title: submission.job.title(),
            items,
            stands,
            times: history.times,
            drawn_twice,
            reasons,
        };
        Ok((report, may_know_later))
    }

    /// The number of missing frames or models, with its noun.
    #[must_use]
    pub fn missing_count(&self) -> String {
        counted(places(&self.stands, ItemStatus::Missing).len(), self.items.noun())
    }

    /// What is not there, in words.
    pub fn missing(&self) -> Option<String> {
        self.items.list(&places(&self.stands, ItemStatus::Missing))
    }
}

impl Amount {
    fn of(
        submission: &Submission,
        items: &Items,
        stands: &[ItemStatus],
        reasons: &BTreeMap<usize, String>,
        drawn_twice: &[usize],
    ) -> Self {
        let missing = places(stands, ItemStatus::Missing);
        let drawn_twice = drawn_twice.iter().map(|&place| items.label(place));
        match &submission.job {
            Job::Frames(frames) => Self::Frames {
                scene: frames.scene.display().to_string(),
                frames: items.len(),
                missing: items.list(&missing),
                drawn_twice: drawn_twice.filter_map(|number| number.parse().ok()).collect(),
            },
            Job::Models(models) => Self::Models {
                command: models.command.word(),
                base: models.base.display().to_string(),
                models: items.len(),
                without_mesh: places(stands, ItemStatus::PassedOver).len(),
                missing: missing
                    .into_iter()
                    .map(|place| Without {
                        model: items.label(place),
                        message: reasons.get(&place).cloned(),
                    })
                    .collect(),
                drawn_twice: drawn_twice.collect(),
            },
        }
    }
}

/// The places of those that stand so.
pub fn places(stands: &[ItemStatus], wanted: ItemStatus) -> Vec<usize> {
    let pairs = stands.iter().enumerate();
    pairs.filter(|&(_, &stand)| stand == wanted).map(|(place, _)| place).collect()
}
