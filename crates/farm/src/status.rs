//! The status of a submission: pictures on the disk, tasks in the queue, and the journals of the
//! attempts, in one report.
//!
//! A picture counts as done after a quick check of its file: size, provenance, and the end of the
//! file. `verify` checks more.

use super::diagnosis::{Advice, Diagnosis};
use super::error::SubmitError;
use super::history::{Attempt, Drawn, History, Node, Open, rate};
use super::job::Job;
use super::progress::{ItemStatus, Items};
use super::queue::{Jobs, Queue, State};
use super::slurm::LEFT_OUT;
use super::slurm::client::Slurm;
use super::slurm::queue::QueuedTask;
use super::submission::Submission;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_host::disk_now;
use tintype_host::job::journal::{seconds, tasks_in};

/// Status of a submission.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Version of this format.
    pub version: u32,
    /// State of the submission.
    pub state: State,
    #[serde(flatten)]
    /// Items of the job, and the missing ones.
    pub amount: Amount,
    /// Folder of the pictures.
    pub folder: String,
    /// Items that are done.
    pub done: usize,
    /// Jobs of the last submission.
    pub jobs: Option<Jobs>,
    /// Tasks in the queue by their state.
    pub tasks: BTreeMap<String, usize>,
    /// Tasks that need a person to start.
    pub stuck: Vec<QueuedTask>,
    /// Problems of these tasks, with remedies.
    pub advice: Vec<Advice>,
    /// Comments of task scripts in the queue, each with its number of tasks.
    pub comments: BTreeMap<String, usize>,
    /// Nodes excluded from tasks because they lack something, and the reason of the first task.
    pub left_out: BTreeMap<String, String>,
    /// Items a second during the last minute.
    pub rate_per_s: Option<f64>,
    /// Estimated seconds until all are done.
    pub left_s: Option<f64>,
    /// Number of attempts.
    pub attempts: usize,
    /// Number of attempts of running tasks.
    pub running_attempts: usize,
    /// Running tasks that have finished nothing for many times the typical duration.
    pub stalled: Vec<Stalled>,
    /// Attempts that failed, or ended without a last line.
    pub failed_attempts: Vec<Attempt>,
    /// Machines by name.
    pub nodes: BTreeMap<String, Node>,
    /// Error of reading the queue.
    pub queue_unknown: Option<String>,
    /// Journals of attempts that cannot be read, each with the reason.
    #[serde(skip)]
    pub unread_journals: Vec<String>,
    /// Title of the job.
    #[serde(skip)]
    pub title: String,
    /// All items of the job.
    #[serde(skip)]
    pub items: Items,
    /// Status of each item.
    #[serde(skip)]
    pub statuses: Vec<ItemStatus>,
    /// Work on each drawn item, by its index.
    #[serde(skip)]
    pub drawn: BTreeMap<usize, Drawn>,
    /// Indices of items drawn more than once.
    #[serde(skip)]
    pub drawn_twice: Vec<usize>,
    /// Last messages about models without a picture, by index.
    #[serde(skip)]
    pub reasons: BTreeMap<usize, String>,
}

/// Items of a job, and the missing ones.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// Frames of a scene.
    Frames {
        /// Path of the scene.
        scene: String,
        /// Number of frames.
        frames: usize,
        /// Missing frames, as `render -f` takes them.
        missing: Option<String>,
        /// Frames that were drawn more than once.
        drawn_twice: Vec<i64>,
    },
    /// Pictures of models.
    Models {
        /// The command of each task.
        command: &'static str,
        /// Folder that names are relative to.
        base: String,
        /// Number of models.
        models: usize,
        /// Number of files without a mesh.
        without_mesh: usize,
        /// Models without a picture.
        missing: Vec<MissingFrame>,
        /// Models that were drawn more than once.
        drawn_twice: Vec<String>,
    },
}

/// A model without a picture.
#[derive(Debug, Serialize)]
pub struct MissingFrame {
    /// Name of the model.
    pub model: String,
    /// Message of the last attempt.
    pub message: Option<String>,
}

/// A running task that has finished nothing for a long time.
#[derive(Debug, Serialize)]
pub struct Stalled {
    /// Machine.
    pub node: String,
    /// The engine's job.
    pub job: Option<String>,
    /// Task within the job.
    pub task: Option<String>,
    /// Seconds since its last line.
    pub silent_s: f64,
    /// Median of the seconds of an item.
    pub usual_s: f64,
}

/// A task is reported after this many times the median of an item, but not before this many
/// seconds.
const STALLED_TIMES: f64 = 20.0;
const STALLED_LEAST_S: f64 = 60.0;

impl Stalled {
    /// The running tasks that have finished nothing for a long time, by the clock of the disk.
    fn of(history: &History, folder: &Path, now_s: f64) -> Vec<Self> {
        let Some(usual_s) = history.median_s() else { return Vec::new() };
        let now = disk_now(&tasks_in(folder)).map_or(now_s, seconds);
        let most = tintype_model::math::larger(STALLED_TIMES * usual_s, STALLED_LEAST_S);
        let silent = history.running.iter().map(|one| (one, now - one.last_at));
        let stalled = silent.filter(|(_, silent_s)| *silent_s > most);
        let of = |(one, silent_s): (&Open, f64)| {
            let Attempt { node, job, task, .. } = one.attempt.clone();
            Self { node, job, task, silent_s, usual_s }
        };
        stalled.map(of).collect()
    }
}

/// The machine that queries a status.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    /// Runs Slurm's programs.
    pub slurm: Slurm<'a>,
    /// Digest of this program, if its version does not identify the pixels.
    pub build: Option<&'a str>,
    /// Seconds since 1970, used if the clock of the disk cannot be read.
    pub now_s: f64,
}

impl Report {
    /// Reads the disk, the queue and the journals; also returns true if an unreadable queue may be
    /// readable later.
    ///
    /// # Errors
    /// [`SubmitError`] if the list of models cannot be read.
    pub fn new(
        folder: &Path,
        submission: &Submission,
        machine: &Machine,
    ) -> Result<(Self, bool), SubmitError> {
        let Machine { slurm, build, now_s } = *machine;
        // 1. The queue is read before journals and disk, so that all pictures of a task that has
        //    just ended are seen.
        let queue = Queue::of(submission, slurm);
        let items = Items::of(&submission.job)?;
        let disk_s =
            submission.jobs.is_none().then(|| disk_now(&tasks_in(folder)).map_or(now_s, seconds));
        let history = History::read(folder, &items, &queue.tasks, disk_s);
        let statuses: Vec<ItemStatus> = (0..items.count())
            .into_par_iter()
            .map(|index| items.look(index, history.results.get(&index), build))
            .collect();
        let count =
            |wanted: ItemStatus| statuses.iter().filter(|&&status| status == wanted).count();
        let (done, left) = (count(ItemStatus::Done), count(ItemStatus::Missing));

        // 2. The state, and all contents of the report.
        let diagnosis = Diagnosis::of(&queue.tasks, &folder.shown(), slurm);
        let state = match queue.state(left == 0, &diagnosis) {
            State::Incomplete if !history.running.is_empty() => State::Running,
            state => state,
        };
        let jobs = submission.jobs.as_ref().map(|[check, array, verify]| Jobs {
            check: queue.job(check),
            array: queue.job(array),
            verify: queue.job(verify),
        });
        let (mut tasks, mut comments) = (BTreeMap::new(), BTreeMap::new());
        for task in queue.tasks.iter().filter(|task| task.task.is_some()) {
            *tasks.entry(task.state.clone()).or_default() += 1;
            // A task that continued elsewhere and is done is not a problem; a node that lacks
            // something still is, unless its tasks were allowed back by the user.
            let is_past = |comment: &str| match node_left_out(comment) {
                Some((node, _)) => queue.tasks.iter().any(|task| task.may_come_to(node)),
                None => task.state == "COMPLETED",
            };
            if let Some(comment) = task.comment.as_ref().filter(|comment| !is_past(comment)) {
                *comments.entry(comment.clone()).or_default() += 1;
            }
        }
        let mut left_out = BTreeMap::new();
        for comment in comments.keys().filter(|_| left > 0) {
            if let Some((node, why)) = node_left_out(comment) {
                left_out.entry(node.to_owned()).or_insert_with(|| why.to_owned());
            }
        }
        let may_know_later = queue.unknown.as_ref().is_some_and(SubmitError::is_temporary);
        let drawn = history.drawn.iter().filter(|(_, drawn)| drawn.times > 1);
        let drawn_twice: Vec<usize> = drawn.map(|(&index, _)| index).collect();
        let reasons = history
            .results
            .iter()
            // A model may have been drawn since, by a command without a journal.
            .filter(|(index, _)| statuses.get(**index) == Some(&ItemStatus::Missing))
            .filter_map(|(&index, result)| Some((index, result.message.as_deref()?.to_owned())));
        let reasons: BTreeMap<usize, String> = reasons.collect();
        let (rate_per_s, left_s) = rate(&history.moments, left, folder, now_s);
        // There is no estimate once no task draws.
        let is_over = matches!(state, State::Done | State::Incomplete | State::Stuck);
        let left_s = left_s.filter(|_| !is_over);
        let stalled = match left {
            0 => Vec::new(),
            _ => Stalled::of(&history, folder, now_s),
        };
        let report = Self {
            version: 3,
            state,
            amount: Amount::of(submission, &items, &statuses, &reasons, &drawn_twice),
            folder: folder.shown(),
            done,
            jobs,
            tasks,
            stuck: diagnosis.tasks,
            advice: diagnosis.advice,
            comments,
            left_out,
            rate_per_s,
            left_s,
            attempts: history.attempts,
            running_attempts: history.running.len(),
            stalled,
            failed_attempts: history.failed,
            nodes: history.nodes,
            queue_unknown: queue.unknown.as_ref().map(ToString::to_string),
            unread_journals: history.unread,
            title: submission.job.title(),
            items,
            statuses,
            drawn: history.drawn,
            drawn_twice,
            reasons,
        };
        Ok((report, may_know_later))
    }

    /// The number of missing frames or models, with its noun.
    #[must_use]
    pub fn missing_count(&self) -> String {
        counted(indices_of(&self.statuses, ItemStatus::Missing).len(), self.items.noun())
    }

    /// Missing items as a list; `None` if all are done.
    pub fn missing(&self) -> Option<String> {
        self.items.list(&indices_of(&self.statuses, ItemStatus::Missing))
    }
}

/// The excluded node, and the reason, from the comment of a task script.
fn node_left_out(comment: &str) -> Option<(&str, &str)> {
    let [before, after] = LEFT_OUT;
    comment.strip_prefix(before)?.split_once(after)
}

impl Amount {
    fn of(
        submission: &Submission,
        items: &Items,
        statuses: &[ItemStatus],
        reasons: &BTreeMap<usize, String>,
        drawn_twice: &[usize],
    ) -> Self {
        let missing = indices_of(statuses, ItemStatus::Missing);
        let drawn_twice = drawn_twice.iter().map(|&index| items.label(index));
        match &submission.job {
            Job::Frames(frames) => Self::Frames {
                scene: frames.scene.shown(),
                frames: items.count(),
                missing: items.list(&missing),
                drawn_twice: drawn_twice.filter_map(|number| number.parse().ok()).collect(),
            },
            Job::Models(models) => Self::Models {
                command: models.command.word(),
                base: models.base.shown(),
                models: items.count(),
                without_mesh: indices_of(statuses, ItemStatus::NoMesh).len(),
                missing: missing
                    .into_iter()
                    .map(|index| MissingFrame {
                        model: items.label(index),
                        message: reasons.get(&index).cloned(),
                    })
                    .collect(),
                drawn_twice: drawn_twice.collect(),
            },
        }
    }
}

/// Indices of the items with a status.
pub fn indices_of(statuses: &[ItemStatus], wanted: ItemStatus) -> Vec<usize> {
    let pairs = statuses.iter().enumerate();
    pairs.filter(|&(_, &status)| status == wanted).map(|(index, _)| index).collect()
}
