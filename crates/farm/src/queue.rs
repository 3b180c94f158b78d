//! Jobs of a submission in the queue, and the state of the submission.

use super::diagnosis::Diagnosis;
use super::error::SubmitError;
use super::slurm::client::Slurm;
use super::slurm::queue::QueuedTask;
use super::submission::Submission;
use serde::Serialize;

/// State of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All items are done, and no task is left.
    Done,
    /// Tasks run.
    Running,
    /// Tasks wait for their turn.
    Waiting,
    /// No task runs, and waiting tasks require intervention.
    Stuck,
    /// No task is left, and items are missing.
    Incomplete,
    /// Items are missing, and Slurm does not answer.
    Unknown,
}

/// Jobs of a submission.
#[derive(Clone, Debug, Serialize)]
pub struct Jobs {
    /// The preflight check.
    pub check: OneJob,
    /// The array.
    pub array: OneJob,
    /// The verification.
    pub verify: OneJob,
}

/// One job.
#[derive(Clone, Debug, Serialize)]
pub struct OneJob {
    /// Slurm's number of the job.
    pub id: String,
    /// State reported by Slurm; `None` for an array, and for a job that Slurm has forgotten.
    pub state: Option<String>,
    /// Comment of the job, set by its script.
    pub comment: Option<String>,
}

/// Tasks of a submission in the queue.
#[derive(Default)]
pub struct Queue {
    /// All tasks that Slurm lists.
    pub tasks: Vec<QueuedTask>,
    /// Error of reading the queue.
    pub unknown: Option<SubmitError>,
}

impl Queue {
    /// Queries Slurm for the jobs of a submission.
    pub fn of(submission: &Submission, slurm: Slurm) -> Self {
        let mut jobs = submission.jobs.clone().map(Vec::from).unwrap_or_default();
        jobs.extend(submission.other_jobs.iter().cloned());
        match slurm.queue(&jobs) {
            Ok(tasks) => Self { tasks, unknown: None },
            Err(failure) => Self { tasks: Vec::new(), unknown: Some(failure) },
        }
    }

    /// The job of that number.
    pub fn job(&self, id: &str) -> OneJob {
        let found = self.tasks.iter().find(|task| task.job == id && task.task.is_none());
        OneJob {
            id: id.to_owned(),
            state: found.map(|job| job.state.clone()),
            comment: found.and_then(|job| job.comment.clone()),
        }
    }

    /// State of the submission; `is_whole` means that all items are done.
    pub fn state(&self, is_whole: bool, diagnosis: &Diagnosis) -> State {
        let mut live = self.tasks.iter().filter(|task| !task.has_ended()).peekable();
        let is_idle = live.peek().is_none();
        let is_stuck =
            |task: &QueuedTask| diagnosis.tasks.iter().any(|other| other.name() == task.name());
        let (mut runs, mut waits) = (false, false);
        for task in live {
            if !["PENDING", "REQUEUE_HOLD", "SPECIAL_EXIT"].contains(&task.state.as_str()) {
                runs = true;
            } else if !is_stuck(task) && task.reason != "Dependency" {
                waits = true;
            }
        }
        match (is_whole, &self.unknown) {
            (false, Some(_)) => State::Unknown,
            _ if runs => State::Running,
            _ if waits => State::Waiting,
            (true, _) if is_idle || !diagnosis.tasks.is_empty() => State::Done,
            _ if !diagnosis.tasks.is_empty() => State::Stuck,
            _ if is_idle => State::Incomplete,
            // A task waits for another that Slurm no longer lists.
            _ => State::Waiting,
        }
    }
}
