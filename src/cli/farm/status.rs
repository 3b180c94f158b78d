//! `tintype farm status` and `farm logs`: how far a sequence is.
//!
//! Which frames are done is read from the disk alone, by a glance at each file: its size, its provenance, and that it has its end.
//! `verify` looks closer. Records tell who drew what in which time; the queue tells what runs, waits or is stuck.

use super::args::{Logs, Status};
use super::console::{Console, duration_text};
use super::present::this_build;
use super::record::{Event, Line, now, tasks_in};
use super::slurm::{self, Queued};
use super::ticket::{Ticket, log_folder};
use super::{Failure, counted, exit, load, page, write_stdout};
use crate::output::{Care, Provenance, Standing, WantedFile, write_atomic};
use crate::scene::{FrameList, FramePattern};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds between two looks.
const WATCH_EVERY: Duration = Duration::from_secs(2);
/// Seconds of the past by which the rate is told.
const RATE_OVER_S: f64 = 60.0;

/// How far a sequence is.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub version: u32,
    pub scene: String,
    pub folder: String,
    pub frames: usize,
    pub done: usize,
    /// As `render -f` takes them.
    pub missing: Option<String>,
    /// Tasks in the queue by their state.
    pub tasks: BTreeMap<String, usize>,
    /// Tasks that will never start unless somebody does something.
    pub stuck: Vec<Queued>,
    pub rate_per_s: Option<f64>,
    pub left_s: Option<f64>,
    pub attempts: usize,
    /// Attempts that ended otherwise than well, or without a word.
    pub failed_attempts: Vec<Attempt>,
    /// Frames that were drawn more than once.
    pub drawn_twice: Vec<i64>,
    pub nodes: BTreeMap<String, Node>,
    /// Why the queue is not known.
    pub queue_unknown: Option<String>,
    #[serde(skip)]
    pub times: BTreeMap<i64, (f64, String)>,
    #[serde(skip)]
    pub pattern: Option<FramePattern>,
    #[serde(skip)]
    pub present: Vec<i64>,
}

/// What one node did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    pub frames: usize,
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
            return match &report.missing {
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
        // 1. The disk.
        let (pattern, all) = (ticket.pattern()?, ticket.all_frames()?);
        let numbers: Vec<i64> = all.iter().collect();
        let is_there: Vec<bool> = numbers
            .par_iter()
            .map(|&number| {
                let provenance: Provenance = this_build(number, &ticket.digest);
                let wanted = WantedFile { size: ticket.size, provenance: &provenance, view: None };
                let path = pattern.path(number);
                matches!(wanted.look_at(Path::new(&path), Care::Ends), Ok(Standing::Current { .. }))
            })
            .collect();
        let by = |there: bool| {
            let pairs = numbers.iter().zip(&is_there);
            pairs.filter(move |(_, is)| **is == there).map(|(number, _)| *number)
        };
        let missing = FrameList::from_rising(by(false)).map(|list| list.to_string());
        let present: Vec<i64> = by(true).collect();

        // 2. The queue.
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

        let mut report = Self {
            version: 1,
            scene: ticket.scene.display().to_string(),
            folder: folder.display().to_string(),
            frames: numbers.len(),
            done: present.len(),
            missing,
            tasks,
            stuck,
            rate_per_s: None,
            left_s: None,
            attempts: 0,
            failed_attempts: Vec::new(),
            drawn_twice: Vec::new(),
            nodes: BTreeMap::new(),
            queue_unknown,
            times: BTreeMap::new(),
            pattern: Some(pattern),
            present,
        };
        report.read_records(folder);
        Ok(report)
    }

    /// What the attempts wrote down; lines that were cut off when a node died are passed over.
    fn read_records(&mut self, folder: &Path) {
        let mut drawn: BTreeMap<i64, usize> = BTreeMap::new();
        let mut moments: Vec<f64> = Vec::new();
        for path in sorted(&tasks_in(folder)) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
            let Some(Line { event: Event::Start(start), .. }) = lines.next() else { continue };
            self.attempts += 1;
            let node = self.nodes.entry(start.node.clone()).or_default();
            let mut end = None;
            for Line { at, event } in lines {
                match event {
                    Event::Frame { frame, seconds, peak_bytes, .. } => {
                        node.frames += 1;
                        node.seconds += seconds;
                        node.peak_bytes = node.peak_bytes.max(peak_bytes.unwrap_or(0));
                        *drawn.entry(frame).or_default() += 1;
                        self.times.insert(frame, (seconds, start.node.clone()));
                        moments.push(at);
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
                self.failed_attempts.push(Attempt { node, job, task, code, message });
            }
        }
        self.drawn_twice =
            drawn.into_iter().filter(|&(_, times)| times > 1).map(|(frame, _)| frame).collect();
        let now = now();
        let recent: Vec<f64> = moments.into_iter().filter(|at| now - at < RATE_OVER_S).collect();
        let first = recent.iter().copied().chain([now]).min_by(f64::total_cmp).unwrap_or(now);
        if recent.len() > 1 && now - first > 0.5 {
            #[expect(clippy::cast_precision_loss, reason = "estimates")]
            let (count, left) = (recent.len() as f64, (self.frames - self.done) as f64);
            let rate = count / (now - first);
            self.rate_per_s = Some(rate);
            self.left_s = Some(left / rate);
        }
    }

    /// Says it in a few lines.
    fn tell(&self, console: &Console) {
        let mut line = format!("{} of {} done", self.done, counted(self.frames, "frame"));
        for (state, count) in &self.tasks {
            line += &format!(", {count} {}", state.to_lowercase());
        }
        if let (Some(rate), Some(left_s), true) =
            (self.rate_per_s, self.left_s, self.missing.is_some())
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
            for (name, node) in &self.nodes {
                console.info(&format!(
                    "node {name}: {} in {:.1} s, at most {} MiB",
                    counted(node.frames, "frame"),
                    node.seconds,
                    node.peak_bytes >> 20
                ));
            }
            for one in &self.failed_attempts {
                console.info(&format!("attempt {}", described(one)));
            }
            if let Some(list) = FrameList::from_rising(self.drawn_twice.iter().copied()) {
                console.info(&format!("drawn more than once: {list}"));
            }
            if let Some(list) = &self.missing {
                console.info(&format!("missing: {list}"));
            }
        }
    }
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
