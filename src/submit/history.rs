//! History of a submission: machines, times and ends of all attempts.
//!
//! Input: the journals beside the pictures. They never decide what is drawn.

use super::progress::Items;
use super::slurm::queue::QueuedTask;
use crate::job::journal::{Event, Line, Model as Recorded, Start, attempts, seconds, tasks_in};
use crate::output::disk_now;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Length of the time window of the rate, in seconds.
const RATE_OVER_S: f64 = 60.0;

/// Work of one node.
#[derive(Debug, Default, Serialize)]
pub struct Node {
    /// Frames or models.
    #[serde(rename = "pictures")]
    pub items: usize,
    /// Seconds of all pictures together.
    pub seconds: f64,
    /// Largest peak memory of its processes.
    pub peak_bytes: u64,
    /// Seconds that its clock is ahead of that of the disk, if it is off.
    pub clock_ahead_s: Option<f64>,
}

/// An attempt that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// Machine.
    pub node: String,
    /// The engine's job.
    pub job: Option<String>,
    /// Task within the job.
    pub task: Option<String>,
    /// Exit code; `None` if the journal has no last line.
    pub code: Option<u8>,
    /// Last message of the attempt.
    pub message: String,
}

/// `12_3 on n2: exit 75: terminated`
pub fn described(attempt: &Attempt) -> String {
    let Attempt { node, job, task, code, message } = attempt;
    let job = job.as_deref().unwrap_or("of no job");
    let task = task.as_ref().map_or_else(String::new, |task| format!("_{task}"));
    let code = code.map_or_else(String::new, |code| format!("exit {code}: "));
    format!("{job}{task} on {node}: {code}{message}")
}

/// Contents of all journals of a submission.
#[derive(Default)]
pub struct History {
    /// Number of attempts.
    pub attempts: usize,
    /// Attempts of tasks that run.
    pub running: usize,
    /// Attempts that failed, or ended without a last line.
    pub failed: Vec<Attempt>,
    /// Machines by name.
    pub nodes: BTreeMap<String, Node>,
    /// Seconds and machine of each item that was drawn, by its index.
    pub times: BTreeMap<usize, (f64, String)>,
    /// Number of times that each item was drawn, by its index.
    pub drawn: BTreeMap<usize, usize>,
    /// Times at which items were drawn, in seconds since 1970.
    pub moments: Vec<f64>,
    /// Last result of each model, by name.
    pub models: BTreeMap<String, Recorded>,
}

impl History {
    /// Reads the journals beside the pictures in `folder`.
    pub fn read(folder: &Path, items: &Items, queue: &[QueuedTask]) -> Self {
        let mut history = Self::default();
        // The last attempt of each task, if its journal has no end.
        let mut open: BTreeMap<(Option<String>, Option<String>), Attempt> = BTreeMap::new();
        for attempt in attempts(folder) {
            let mut lines = attempt.into_iter();
            let Some(Line { event: Event::Start(start), .. }) = lines.next() else { continue };
            let end = history.read_one(&start, lines, items);
            let Start { node, job, task, .. } = start;
            let key = (job.clone(), task.clone());
            history.failed.extend(open.remove(&key));
            match end {
                Some((0, _)) => {}
                Some((code, message)) => {
                    history.failed.push(Attempt { node, job, task, code: Some(code), message });
                }
                None => {
                    let message = "ended without a word: killed, or its node was lost".to_owned();
                    open.insert(key, Attempt { node, job, task, code: None, message });
                }
            }
        }
        for ((job, task), attempt) in open {
            let runs = queue.iter().any(|queued| {
                Some(&queued.job) == job.as_ref()
                    && queued.task.map(|task| task.to_string()) == task
                    && ["RUNNING", "COMPLETING", "SUSPENDED"].contains(&queued.state.as_str())
            });
            match runs {
                true => history.running += 1,
                false => history.failed.push(attempt),
            }
        }
        history
    }

    /// Reads the lines of an attempt after its start; returns exit code and message if there is a last line.
    fn read_one(
        &mut self,
        start: &Start,
        lines: impl Iterator<Item = Line>,
        items: &Items,
    ) -> Option<(u8, String)> {
        self.attempts += 1;
        let node = self.nodes.entry(start.node.clone()).or_default();
        node.clock_ahead_s = start.clock_ahead_s.or(node.clock_ahead_s);
        let mut end = None;
        for Line { at, event } in lines {
            match event {
                Event::Frame { frame, seconds, peak_bytes, .. } => {
                    self.drew(items.of_frame(frame), at, seconds, peak_bytes, &start.node);
                }
                Event::Model(model) => {
                    if model.status == "drawn" {
                        let index = items.of_model(&model.model);
                        self.drew(index, at, model.seconds, model.peak_bytes, &start.node);
                    }
                    self.models.insert(model.model.clone(), model);
                }
                Event::End { code, message } => end = Some((code, message)),
                Event::Start(_) | Event::Present { .. } | Event::Failed { .. } => {}
            }
        }
        end
    }

    fn drew(
        &mut self,
        index: Option<usize>,
        at: f64,
        seconds: f64,
        peak_bytes: Option<u64>,
        name: &str,
    ) {
        let node = self.nodes.entry(name.to_owned()).or_default();
        node.items += 1;
        node.seconds += seconds;
        node.peak_bytes = node.peak_bytes.max(peak_bytes.unwrap_or(0));
        self.moments.push(at);
        if let Some(index) = index {
            *self.drawn.entry(index).or_default() += 1;
            self.times.insert(index, (seconds, name.to_owned()));
        }
    }
}

/// Items per second during the last minute, and the estimated seconds of `left` further items.
pub fn rate(moments: &[f64], left: usize, folder: &Path, now_s: f64) -> (Option<f64>, Option<f64>) {
    // Journals have times of the clock of the disk.
    let now = disk_now(&tasks_in(folder)).map_or(now_s, seconds);
    let recent: Vec<f64> = moments.iter().copied().filter(|at| now - at < RATE_OVER_S).collect();
    let first = recent.iter().copied().chain([now]).min_by(f64::total_cmp).unwrap_or(now);
    if recent.len() < 2 || now - first <= 0.5 {
        return (None, None);
    }
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    let (count, left) = (recent.len() as f64, left as f64);
    let rate = count / (now - first);
    (Some(rate), Some(left / rate))
}
