//! History of a submission: machines, times and ends of all attempts.
//!
//! Input: the journals beside the pictures. They never affect the pictures.

use super::progress::{Items, Recorded};
use super::slurm::queue::QueuedTask;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;
use tintype_host::disk_now;
use tintype_host::job::journal::{Event, Line, Start, each_attempt, seconds, tasks_in};

/// Number of items that the rate counts even if they took longer than its time window.
const FEW: usize = 8;
/// Without a queue, an attempt counts as running for this many times the median of an item after
/// its last line, within these bounds in seconds: an attempt given up too early may be drawn twice.
const SILENT_TIMES: f64 = 100.0;
const SILENT_S: [f64; 2] = [120.0, 600.0];
/// Maximum number of characters of a message that are shown.
const MAX_MESSAGE: usize = 600;
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
    /// Seconds that its clock is ahead of the disk's, if it is off.
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
    /// True if it was stopped, or its node was lost, and a later attempt at the task did its work.
    pub is_made_good: bool,
}

/// Exit code of a temporary failure, and of a task that the engine stopped.
const TRY_AGAIN: u8 = 75;

impl Attempt {
    /// True if another attempt at the same task continues where this one was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self.code, None | Some(TRY_AGAIN))
    }
}

/// `12_3 on n2: exit 75: terminated`
pub fn described(attempt: &Attempt) -> String {
    let Attempt { node, job, task, code, message, .. } = attempt;
    let job = job.as_deref().unwrap_or("of no job");
    let task = task.as_ref().map_or_else(String::new, |task| format!("_{task}"));
    let code = code.map_or_else(String::new, |code| format!("exit {code}: "));
    let message = match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{} ...", &message[..end]),
        None => message.clone(),
    };
    one_line(&format!("{job}{task} on {node}: {code}{message}"))
}

/// Failures that differ only in their task, its node or a number, as the first of them and the
/// count of the others; the most frequent first.
pub fn grouped(failed: &[Attempt]) -> Vec<(&Attempt, usize)> {
    let mut groups: BTreeMap<(Option<u8>, String), (&Attempt, usize)> = BTreeMap::new();
    for attempt in failed {
        let kind = without_numbers(&attempt.message);
        groups
            .entry((attempt.code, kind))
            .and_modify(|(_, more)| *more += 1)
            .or_insert((attempt, 0));
    }
    let mut groups: Vec<(&Attempt, usize)> = groups.into_values().collect();
    groups.sort_by_key(|(_, more)| std::cmp::Reverse(*more));
    groups
}

/// A message with numbers replaced by a mark, so that messages about different frames compare
/// equal.
pub(super) fn without_numbers(text: &str) -> String {
    let mut kind = String::with_capacity(text.len());
    for letter in text.chars() {
        if !letter.is_ascii_digit() {
            kind.push(letter);
        } else if !kind.ends_with('#') {
            kind.push('#');
        }
    }
    kind
}

/// An attempt that has not ended.
#[derive(Clone, Debug)]
pub struct Open {
    /// Machine and task.
    pub attempt: Attempt,
    /// Time of its last line, in seconds since 1970.
    pub last_at: f64,
}

/// Contents of all journals of a submission.
#[derive(Default)]
pub struct History {
    /// Number of attempts.
    pub attempts: usize,
    /// Attempts of tasks that run.
    pub running: Vec<Open>,
    /// Attempts that failed, or ended without a last line.
    pub failed: Vec<Attempt>,
    /// Machines by name.
    pub nodes: BTreeMap<String, Node>,
    /// Work on each drawn item, by its index.
    pub drawn: BTreeMap<usize, Drawn>,
    /// Times at which items were drawn, in seconds since 1970.
    pub moments: Vec<f64>,
    /// Last result of each model, by its index.
    pub results: BTreeMap<usize, Recorded>,
    /// Journals that cannot be read, each with the reason.
    pub unread: Vec<String>,
}

/// Work on an item.
#[derive(Debug)]
pub struct Drawn {
    /// Seconds that it took the last time.
    pub seconds: f64,
    /// Machine of the last time.
    pub node: Arc<str>,
    /// Number of times.
    pub times: u32,
}

impl History {
    /// Reads the journals beside the pictures in `folder`.
    ///
    /// Without a queue, but with the time of the disk's clock (`now_s`), attempts without an end
    /// count as running until they have been silent for many times the usual interval.
    pub fn read(folder: &Path, items: &Items, queue: &[QueuedTask], now_s: Option<f64>) -> Self {
        let mut history = Self::default();
        // The last attempt of each task, if its journal has no end.
        let mut open: BTreeMap<(Option<String>, Option<String>), Open> = BTreeMap::new();
        let unread = each_attempt(folder, |attempt| {
            let mut lines = attempt.into_iter();
            let Some(Line { event: Event::Start(start), at }) = lines.next() else { return };
            let (end, last_at) = history.read_one(&start, at, lines, items);
            let Start { node, job, task, .. } = start;
            let key = (job.clone(), task.clone());
            history.failed.extend(open.remove(&key).map(|open| open.attempt));
            match end {
                Some((0, _)) if job.is_some() => {
                    let before = history.failed.iter_mut();
                    before
                        .filter(|one| (&one.job, &one.task) == (&job, &task) && one.is_stopped())
                        .for_each(|one| one.is_made_good = true);
                }
                Some((0, _)) => {}
                Some((code, message)) => {
                    let (code, is_made_good) = (Some(code), false);
                    history.failed.push(Attempt { node, job, task, code, message, is_made_good });
                }
                None => {
                    let message =
                        "ended without a message: killed, or its node was lost".to_owned();
                    let attempt =
                        Attempt { node, job, task, code: None, message, is_made_good: false };
                    open.insert(key, Open { attempt, last_at });
                }
            }
        });
        let unread = unread.iter().map(|(path, error)| format!("{}: {error}", path.shown()));
        history.unread = unread.collect();
        let silence_s = history.longest_silence_s();
        for ((job, task), one) in open {
            let runs = queue.iter().any(|queued| {
                Some(&queued.job) == job.as_ref()
                    && queued.task.map(|task| task.to_string()) == task
                    && ["RUNNING", "COMPLETING", "SUSPENDED"].contains(&queued.state.as_str())
            });
            let runs = runs || now_s.is_some_and(|now_s| now_s - one.last_at < silence_s);
            if runs { history.running.push(one) } else { history.failed.push(one.attempt) }
        }
        history
    }

    /// Reads the lines of an attempt after its start; returns exit code and message if there is a
    /// last line, and the time of the last line of any kind.
    fn read_one(
        &mut self,
        start: &Start,
        began_at: f64,
        lines: impl Iterator<Item = Line>,
        items: &Items,
    ) -> (Option<(u8, String)>, f64) {
        self.attempts += 1;
        let name = Arc::from(start.node.as_str());
        let node = self.nodes.entry(start.node.clone()).or_default();
        node.clock_ahead_s = start.clock_ahead_s.or(node.clock_ahead_s);
        let (mut end, mut last_at, mut cause) = (None, began_at, None::<String>);
        for Line { at, event } in lines {
            last_at = tintype_model::math::larger(last_at, at);
            match event {
                Event::Frame { frame, seconds, peak_bytes, .. } => {
                    self.drew(items.of_frame(frame), at, seconds, peak_bytes, &name);
                }
                Event::Model(model) => {
                    let index = items.of_model(&model.model);
                    if model.status == "drawn" {
                        self.drew(index, at, model.seconds, model.peak_bytes, &name);
                    }
                    if let Some(index) = index {
                        self.results.insert(index, Recorded::from(model));
                    }
                }
                Event::Failed { message, .. } => drop(cause.get_or_insert(message)),
                Event::End { code, message } => end = Some((code, message)),
                Event::Start(_)
                | Event::Scene { .. }
                | Event::Models { .. }
                | Event::Present { .. } => {}
            }
        }
        // The last line of an attempt counts the failed frames; a separate line gives the reason of
        // the first.
        if let (Some((1.., message)), Some(cause)) = (&mut end, cause)
            && !message.contains(&cause)
        {
            *message += &format!("; {cause}");
        }
        (end, last_at)
    }

    /// Seconds after its last line for which an attempt counts as running if there is no queue.
    fn longest_silence_s(&self) -> f64 {
        let [least, most] = SILENT_S;
        let usual_s = self.median_s().unwrap_or(most);
        tintype_model::math::larger(
            tintype_model::math::smaller(SILENT_TIMES * usual_s, most),
            least,
        )
    }

    /// Median seconds per item. None before the first.
    pub fn median_s(&self) -> Option<f64> {
        let mut seconds: Vec<f64> = self.drawn.values().map(|drawn| drawn.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        seconds.get(seconds.len() / 2).copied()
    }

    fn drew(
        &mut self,
        index: Option<usize>,
        at: f64,
        seconds: f64,
        peak_bytes: Option<u64>,
        name: &Arc<str>,
    ) {
        let node = self.nodes.entry(name.to_string()).or_default();
        node.items += 1;
        node.seconds += seconds;
        node.peak_bytes = node.peak_bytes.max(peak_bytes.unwrap_or(0));
        self.moments.push(at);
        if let Some(index) = index {
            let times = self.drawn.get(&index).map_or(0, |before| before.times) + 1;
            self.drawn.insert(index, Drawn { seconds, node: Arc::clone(name), times });
        }
    }
}

/// Items per second during the last minute, or since the last few if they take longer, and the
/// estimated seconds for `left` further items. The time since the last one counts, so that the
/// estimate grows while slow ones are drawn.
pub fn rate(moments: &[f64], left: usize, folder: &Path, now_s: f64) -> (Option<f64>, Option<f64>) {
    // Journals have times of the clock of the disk.
    let now = disk_now(&tasks_in(folder)).map_or(now_s, seconds);
    let mut moments = moments.to_vec();
    moments.sort_by(f64::total_cmp);
    let few = moments.len().saturating_sub(FEW);
    let of_minute = moments.partition_point(|at| now - at >= RATE_OVER_S);
    let recent = moments.split_off(few.min(of_minute));
    let first = recent.iter().copied().chain([now]).min_by(f64::total_cmp).unwrap_or(now);
    if recent.len() < 2 || now - first <= 0.5 {
        return (None, None);
    }
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    let (count, left) = (recent.len() as f64, left as f64);
    let rate = count / (now - first);
    (Some(rate), Some(left / rate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::File;

    #[test]
    fn attempts_that_a_later_one_made_good_are_marked() {
        let folder = tempfile::tempdir().unwrap();
        let tasks = tasks_in(folder.path());
        std::fs::create_dir_all(&tasks).unwrap();
        let write = |name: &str, task: u32, end: Option<u8>| {
            let mut text = format!(
                r#"{{"at":100.0,"event":"start","version":1,"program":"p","shard":null,"node":"n","process":1,"job":"7","task":"{task}"}}"#
            );
            if let Some(code) = end {
                text += &format!(
                    "\n{{\"at\":102.0,\"event\":\"end\",\"code\":{code},\"message\":\"m\"}}\n"
                );
            }
            std::fs::write(tasks.join(name), text).unwrap();
        };
        // Preempted, lost and done; wrong and done; preempted and not done.
        write("1.jsonl", 1, Some(75));
        write("2.jsonl", 1, None);
        write("3.jsonl", 1, Some(0));
        write("4.jsonl", 2, Some(3));
        write("5.jsonl", 2, Some(0));
        write("6.jsonl", 3, Some(75));
        let file = File::Picture;
        let items = Items::Models { names: Vec::new(), folder: folder.path().to_owned(), file };
        let failed = History::read(folder.path(), &items, &[], Some(1e6)).failed;
        let mut told: Vec<_> = failed
            .iter()
            .map(|one| (one.task.clone().unwrap(), one.code, one.is_made_good))
            .collect();
        told.sort();
        let task = |task: &str, code, is| (task.to_owned(), code, is);
        let wanted = [
            task("1", None, true),
            task("1", Some(75), true),
            task("2", Some(3), false),
            task("3", Some(75), false),
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn attempts_tell_the_cause_and_run_while_they_are_not_silent_for_long() {
        let folder = tempfile::tempdir().unwrap();
        let tasks = tasks_in(folder.path());
        std::fs::create_dir_all(&tasks).unwrap();
        let start = |node: &str, task: u32| {
            format!(
                r#"{{"at":100.0,"event":"start","version":1,"program":"p","shard":null,"node":"{node}","process":1,"job":"7","task":"{task}"}}"#
            )
        };
        let failed = r#"{"at":101.0,"event":"failed","frame":3,"message":"disk full"}"#;
        let end = r#"{"at":102.0,"event":"end","code":3,"message":"1 frame of 2 could not be written: 3"}"#;
        let drawn = r#"{"at":103.0,"event":"model","model":"a","status":"drawn","seconds":0.5,"peak_bytes":null}"#;
        let write = |name: &str, lines: &[&str]| {
            std::fs::write(tasks.join(name), lines.join("\n") + "\n").unwrap();
        };
        write("1.jsonl", &[&start("n1", 1), failed, end]);
        write("2.jsonl", &[&start("n2", 2)]);
        let items = Items::Models {
            names: vec!["a".to_owned()],
            folder: folder.path().to_owned(),
            file: File::Picture,
        };
        let read = |now_s: f64| History::read(folder.path(), &items, &[], Some(now_s));
        let history = read(150.0);
        let told = described(&history.failed[0]);
        assert_eq!(told, "7_1 on n1: exit 3: 1 frame of 2 could not be written: 3; disk full");
        // Ten minutes while nothing is known; then a hundred times half a second, but at least two
        // minutes.
        let running = |now_s: f64| read(now_s).running.len();
        assert_eq!([running(690.0), running(710.0)], [1, 0]);
        write("3.jsonl", &[&start("n3", 3), drawn]);
        assert_eq!([running(210.0), running(221.0), running(224.0)], [2, 1, 0]);
    }
}
