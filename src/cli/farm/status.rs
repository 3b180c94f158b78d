//! `tintype farm status` and `farm logs`: how far a submission is.
//!
//! What is done is read from the disk, by a glance at each file: its size, its provenance, and that it has its end. `verify` looks
//! closer. Records tell who drew what in which time; the queue tells what runs, waits or is stuck.

use super::args::{Logs, Status};
use super::console::{Console, duration_text};
use super::job::Job;
use super::record::{Event, Line, Model as Recorded, attempts, now};
use super::slurm::{self, Queued};
use super::ticket::{Ticket, log_folder};
use super::units::{Stand, Units};
use super::{Failure, counted, exit, load, page, write_stdout};
use crate::output::write_atomic;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds between two looks.
const WATCH_EVERY: Duration = Duration::from_secs(2);
/// Seconds of the past by which the rate is told.
const RATE_OVER_S: f64 = 60.0;

/// How far a submission is.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub version: u32,
    #[serde(flatten)]
    pub amount: Amount,
    pub folder: String,
    pub done: usize,
    /// Tasks in the queue by their state.
    pub tasks: BTreeMap<String, usize>,
    /// Tasks that will never start unless somebody does something.
    pub stuck: Vec<Queued>,
    pub rate_per_s: Option<f64>,
    pub left_s: Option<f64>,
    pub attempts: usize,
    /// Attempts that ended otherwise than well, or without a word.
    pub failed_attempts: Vec<Attempt>,
    pub nodes: BTreeMap<String, Node>,
    /// Why the queue is not known.
    pub queue_unknown: Option<String>,
    #[serde(skip)]
    pub title: String,
    #[serde(skip)]
    pub units: Units,
    /// How each unit stands.
    #[serde(skip)]
    pub stands: Vec<Stand>,
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
pub(super) enum Amount {
    Frames {
        scene: String,
        frames: usize,
        /// As `render -f` takes them.
        missing: Option<String>,
        /// Frames that were drawn more than once.
        drawn_twice: Vec<i64>,
    },
    Models {
        command: &'static str,
        base: String,
        models: usize,
        /// Files that hold nothing to be drawn.
        without_mesh: usize,
        missing: Vec<Without>,
        drawn_twice: Vec<String>,
    },
}

/// A model without a picture.
#[derive(Debug, Serialize)]
pub(super) struct Without {
    pub model: String,
    /// What the last attempt at it said.
    pub message: Option<String>,
}

/// What one node did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    /// Frames or models.
    #[serde(rename = "pictures")]
    pub units: usize,
    pub seconds: f64,
    pub peak_bytes: u64,
}

/// One attempt that did not end well.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Attempt {
    pub node: String,
    pub job: Option<String>,
    pub task: Option<String>,
    /// None while it runs, or if it ended without a word.
    pub code: Option<u8>,
    pub message: String,
}

pub(super) fn status(options: &Status, console: &mut Console) -> Result<(), Failure> {
    let folder = std::path::absolute(&options.folder.folder)
        .map_err(|error| load::unreadable(&options.folder.folder, &error))?;
    // Before the folder is left.
    let page_path = options.report.as_deref().map(std::path::absolute);
    let page_path = page_path.transpose().map_err(|error| Failure::bad_input(error.to_string()))?;
    let ticket = Ticket::last_of(&folder)?;
    ticket.enter(console)?;
    loop {
        let report = Report::new(&folder, &ticket)?;
        if let Some(path) = &page_path {
            let html = page::page(&report, &folder, path);
            write_atomic(path, html.as_bytes()).map_err(|error| Failure::output(&error))?;
        }
        if options.json {
            let text = serde_json::to_string_pretty(&report)
                .map_err(|error| Failure::bad_input_chain(&error))?;
            return write_stdout((text + "\n").as_bytes());
        }
        report.tell(console);
        if !options.watch {
            return Ok(());
        }
        let runs = report.tasks.keys().any(|state| !has_ended(state));
        if !runs || !report.stuck.is_empty() {
            return match report.missing() {
                None => Ok(()),
                Some(list) => Err(Failure::new(
                    exit::INCOMPLETE,
                    format!(
                        "missing: {list}; tintype farm retry {} submits them",
                        folder.display()
                    ),
                )),
            };
        }
        std::thread::sleep(WATCH_EVERY);
    }
}

fn has_ended(state: &str) -> bool {
    Queued {
        job: String::new(),
        task: None,
        state: state.to_owned(),
        node: String::new(),
        reason: String::new(),
    }
    .has_ended()
}

impl Report {
    pub fn new(folder: &Path, ticket: &Ticket) -> Result<Self, Failure> {
        // 1. The queue.
        let jobs = ticket.jobs.clone().map(Vec::from).unwrap_or_default();
        let (queue, queue_unknown) = match slurm::queue(&jobs) {
            Ok(queue) => (queue, None),
            Err(failure) => (Vec::new(), Some(failure.message)),
        };
        let array = jobs.get(1);
        let mut tasks = BTreeMap::new();
        for task in queue.iter().filter(|task| Some(&task.job) == array) {
            *tasks.entry(task.state.clone()).or_default() += 1;
        }
        let stuck = queue.into_iter().filter(Queued::is_stuck).collect();

        // 2. The records, then the disk.
        let units = Units::of(&ticket.job)?;
        let mut history = History::default();
        history.read(folder, &units);
        let stands = units.look(&history.models);
        let History { models, drawn, moments, .. } = &history;
        let drawn_twice: Vec<usize> =
            drawn.iter().filter(|&(_, &times)| times > 1).map(|(&place, _)| place).collect();
        let reasons = models
            .iter()
            .filter_map(|(name, model)| Some((units.of_model(name)?, model.message.clone()?)));
        let reasons = reasons.collect();
        let done = stands.iter().filter(|&&stand| stand == Stand::Done).count();
        let left = stands.iter().filter(|&&stand| stand == Stand::Missing).count();
        let (rate_per_s, left_s) = rate(moments, left);
        Ok(Self {
            version: 2,
            amount: Amount::of(ticket, &units, &stands, &reasons, &drawn_twice),
            folder: folder.display().to_string(),
            done,
            tasks,
            stuck,
            rate_per_s,
            left_s,
            attempts: history.attempts,
            failed_attempts: history.failed,
            nodes: history.nodes,
            queue_unknown,
            title: ticket.job.title(),
            units,
            stands,
            times: history.times,
            drawn_twice,
            reasons,
        })
    }

    /// What is not there, in words.
    pub fn missing(&self) -> Option<String> {
        self.units.list(&places(&self.stands, Stand::Missing))
    }

    /// Says it in a few lines.
    fn tell(&self, console: &Console) {
        let noun = self.units.noun();
        let mut line = format!("{} of {} done", self.done, counted(self.units.len(), noun));
        let passed_over = places(&self.stands, Stand::PassedOver).len();
        if passed_over > 0 {
            line += &format!(", {} without a mesh", counted(passed_over, "file"));
        }
        for (state, count) in &self.tasks {
            line += &format!(", {count} {}", state.to_lowercase());
        }
        let missing = self.missing();
        if let (Some(rate), Some(left_s), true) = (self.rate_per_s, self.left_s, missing.is_some())
        {
            line += &format!(", {rate:.1}/s, {} left", duration_text(left_s));
        }
        console.info(&line);
        for task in &self.stuck {
            let place = task.task.map_or_else(String::new, |task| format!("_{task}"));
            console.error(&format!("job {}{place} is stuck: {}", task.job, task.reason));
        }
        if let Some(why) = &self.queue_unknown {
            console.info(&format!("the queue is not known: {why}"));
        }
        let is_over = self.tasks.keys().all(|state| has_ended(state));
        if is_over {
            self.tell_the_end(console);
        }
    }

    fn tell_the_end(&self, console: &Console) {
        const REASONS: usize = 10;
        for (name, node) in &self.nodes {
            console.info(&format!(
                "node {name}: {} in {:.1} s, at most {} MiB",
                counted(node.units, self.units.noun()),
                node.seconds,
                node.peak_bytes >> 20
            ));
        }
        for one in &self.failed_attempts {
            console.info(&format!("attempt {}", described(one)));
        }
        if let Some(list) = self.units.list(&self.drawn_twice) {
            console.info(&format!("drawn more than once: {list}"));
        }
        for (&place, why) in self.reasons.iter().take(REASONS) {
            console.info(&format!("{}: {why}", self.units.label(place)));
        }
        if self.reasons.len() > REASONS {
            let more = self.reasons.len() - REASONS;
            console.info(&format!("and {more} more; --json tells all"));
        }
        if let Some(list) = self.missing() {
            console.info(&format!("missing: {list}"));
        }
    }
}

impl Amount {
    fn of(
        ticket: &Ticket,
        units: &Units,
        stands: &[Stand],
        reasons: &BTreeMap<usize, String>,
        drawn_twice: &[usize],
    ) -> Self {
        let missing = places(stands, Stand::Missing);
        let drawn_twice = drawn_twice.iter().map(|&place| units.label(place));
        match &ticket.job {
            Job::Frames(frames) => Self::Frames {
                scene: frames.scene.display().to_string(),
                frames: units.len(),
                missing: units.list(&missing),
                drawn_twice: drawn_twice.filter_map(|number| number.parse().ok()).collect(),
            },
            Job::Models(models) => Self::Models {
                command: models.command.word(),
                base: models.base.display().to_string(),
                models: units.len(),
                without_mesh: places(stands, Stand::PassedOver).len(),
                missing: missing
                    .into_iter()
                    .map(|place| Without {
                        model: units.label(place),
                        message: reasons.get(&place).cloned(),
                    })
                    .collect(),
                drawn_twice: drawn_twice.collect(),
            },
        }
    }
}

/// The places of those that stand so.
pub(super) fn places(stands: &[Stand], wanted: Stand) -> Vec<usize> {
    let pairs = stands.iter().enumerate();
    pairs.filter(|&(_, &stand)| stand == wanted).map(|(place, _)| place).collect()
}

/// What the attempts wrote down.
#[derive(Default)]
struct History {
    attempts: usize,
    failed: Vec<Attempt>,
    nodes: BTreeMap<String, Node>,
    times: BTreeMap<usize, (f64, String)>,
    /// How often each was drawn.
    drawn: BTreeMap<usize, usize>,
    /// When something was drawn.
    moments: Vec<f64>,
    /// What was said last of each model.
    models: BTreeMap<String, Recorded>,
}

impl History {
    fn read(&mut self, folder: &Path, units: &Units) {
        for attempt in attempts(folder) {
            let mut lines = attempt.into_iter();
            let Some(Line { event: Event::Start(start), .. }) = lines.next() else { continue };
            self.attempts += 1;
            self.nodes.entry(start.node.clone()).or_default();
            let mut end = None;
            for Line { at, event } in lines {
                match event {
                    Event::Frame { frame, seconds, peak_bytes, .. } => {
                        self.drew(units.of_frame(frame), at, seconds, peak_bytes, &start.node);
                    }
                    Event::Model(model) => {
                        if model.status == "drawn" {
                            let place = units.of_model(&model.model);
                            self.drew(place, at, model.seconds, model.peak_bytes, &start.node);
                        }
                        self.models.insert(model.model.clone(), model);
                    }
                    Event::End { code, message } => end = Some((code, message)),
                    Event::Start(_) | Event::Present { .. } | Event::Failed { .. } => {}
                }
            }
            if !matches!(end, Some((exit::DONE, _))) {
                let (code, message) = match end {
                    Some((code, message)) => (Some(code), message),
                    None => (None, "runs, or ended without a word".to_owned()),
                };
                let (node, job, task) = (start.node, start.job, start.task);
                self.failed.push(Attempt { node, job, task, code, message });
            }
        }
    }

    fn drew(
        &mut self,
        place: Option<usize>,
        at: f64,
        seconds: f64,
        peak_bytes: Option<u64>,
        name: &str,
    ) {
        let node = self.nodes.entry(name.to_owned()).or_default();
        node.units += 1;
        node.seconds += seconds;
        node.peak_bytes = node.peak_bytes.max(peak_bytes.unwrap_or(0));
        self.moments.push(at);
        if let Some(place) = place {
            *self.drawn.entry(place).or_default() += 1;
            self.times.insert(place, (seconds, name.to_owned()));
        }
    }
}

/// How many a second, by the last minute, and the seconds that so many more take by that.
fn rate(moments: &[f64], left: usize) -> (Option<f64>, Option<f64>) {
    let now = now();
    let recent: Vec<f64> = moments.iter().copied().filter(|at| now - at < RATE_OVER_S).collect();
    let first = recent.iter().copied().fold(now, f64::min);
    if recent.len() < 2 || now - first <= 0.5 {
        return (None, None);
    }
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    let (count, left) = (recent.len() as f64, left as f64);
    let rate = count / (now - first);
    (Some(rate), Some(left / rate))
}

/// `12_3 on n2: exit 75: terminated`
pub(super) fn described(attempt: &Attempt) -> String {
    let Attempt { node, job, task, code, message } = attempt;
    let job = job.as_deref().unwrap_or("of no job");
    let task = task.as_ref().map_or_else(String::new, |task| format!("_{task}"));
    let code = code.map_or_else(String::new, |code| format!("exit {code}: "));
    format!("{job}{task} on {node}: {code}{message}")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths: BTreeSet<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.into_iter().collect()
}

/// The end of a text.
pub(super) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// The logs of tasks that failed: their names, and the ends of them.
pub(super) fn failed_logs(folder: &Path, lines: usize) -> Vec<(String, String)> {
    let failed = |text: &str| {
        text.contains("error: ")
            || text.lines().any(|line| {
                line.contains("== ") && line.contains(" exit ") && !line.ends_with(" exit 0")
            })
    };
    let logs = sorted(&log_folder(folder)).into_iter().filter_map(|path| {
        let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
        failed(&text).then(|| (path.display().to_string(), tail(&text, lines)))
    });
    logs.collect()
}

pub(super) fn logs(options: &Logs, console: &Console) -> Result<(), Failure> {
    let folder = &options.folder.folder;
    let ticket = Ticket::last_of(folder)?;
    let Some(task) = options.task else {
        let logs = failed_logs(folder, options.lines);
        if logs.is_empty() {
            console
                .info(&format!("no task failed; all logs are in {}", log_folder(folder).display()));
        }
        for (path, text) in logs {
            write_stdout(format!("==> {path} <==\n{text}\n\n").as_bytes())?;
        }
        return Ok(());
    };
    let array = ticket.jobs.as_ref().map_or("", |jobs| jobs[1].as_str());
    let path = log_folder(folder).join(format!("{array}_{task}.log"));
    let bytes = std::fs::read(&path).map_err(|error| load::unreadable(&path, &error))?;
    write_stdout(&bytes)
}
