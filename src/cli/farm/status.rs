//! `tintype farm status`: how far a sequence is.
//!
//! Which frames are done is read from the disk alone, by a glance at each file: its size, its provenance, and that it has its end.
//! `verify` looks closer. Records tell who drew what in which time; the queue tells what runs, waits or is stuck.

use super::args::Status;
use super::console::{Console, duration_text};
use super::logs::sorted;
use super::present::Present;
use super::queue::{Job, Jobs, Queue, State};
use super::record::{Event, Line, now, seconds, tasks_in};
use super::slurm::Queued;
use super::stuck::{Advice, Stuck};
use super::ticket::{Ticket, log_folder};
use super::{Failure, counted, exit, load, page, write_stdout};
use crate::output::{Care, Standing, disk_now, write_atomic};
use crate::scene::{FrameList, FramePattern};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Seconds between two looks.
const WATCH_EVERY: Duration = Duration::from_secs(2);
/// Seconds of the past by which the rate is told.
const RATE_OVER_S: f64 = 60.0;
/// How many comments of tasks are shown.
const MOST_COMMENTS: usize = 6;
/// How many letters of a list of frames are shown.
const MOST_LIST: usize = 300;

/// How far a sequence is.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub version: u32,
    pub state: State,
    pub scene: String,
    pub folder: String,
    pub frames: usize,
    pub done: usize,
    /// As `render -f` takes them.
    pub missing: Option<String>,
    /// The jobs of the last submission.
    pub jobs: Option<Jobs>,
    /// Tasks in the queue by their state.
    pub tasks: BTreeMap<String, usize>,
    /// Tasks that will never start unless somebody does something.
    pub stuck: Vec<Queued>,
    /// What that is.
    pub advice: Vec<Advice>,
    /// What tasks said where their logs may not be seen, and how many said it.
    pub comments: BTreeMap<String, usize>,
    pub rate_per_s: Option<f64>,
    pub left_s: Option<f64>,
    pub attempts: usize,
    /// Attempts of tasks that run.
    pub running_attempts: usize,
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
    /// Seconds that its clock is ahead of that of the disk, if it is off.
    pub clock_ahead_s: Option<f64>,
}

/// One attempt that did not end well.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Attempt {
    pub node: String,
    pub job: Option<String>,
    pub task: Option<String>,
    /// None if it ended without a word.
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
        let (report, may_know_later) = Report::new(&folder, &ticket)?;
        if let Some(path) = &page_path {
            let html = page::page(&report, &folder, path);
            write_atomic(path, html.as_bytes()).map_err(|error| Failure::output(&error))?;
        }
        if options.json {
            let text = serde_json::to_string_pretty(&report)
                .map_err(|error| Failure::bad_input_chain(&error))?;
            write_stdout((text + "\n").as_bytes())?;
        } else {
            report.tell(console);
        }
        let goes_on = match report.state {
            State::Running | State::Waiting => true,
            State::Unknown => may_know_later,
            State::Done | State::Stuck | State::Incomplete => false,
        };
        if !(options.watch && goes_on) {
            return report.verdict(options.json);
        }
        std::thread::sleep(WATCH_EVERY);
    }
}

impl Report {
    /// Looks at the disk, the queue and the records; also says whether it is worth to ask again for a queue that is not known.
    pub fn new(folder: &Path, ticket: &Ticket) -> Result<(Self, bool), Failure> {
        // 1. The disk; asked after the queue, so that what a task has drawn is seen when the task is gone.
        let queue = Queue::of(ticket);
        let (pattern, all, views) = (ticket.pattern()?, ticket.all_frames()?, ticket.views()?);
        let wanted =
            Present { pattern: &pattern, views: &views, size: ticket.size, digest: &ticket.digest };
        let numbers: Vec<i64> = all.iter().collect();
        let is_there: Vec<bool> = numbers
            .par_iter()
            .map(|&number| {
                matches!(wanted.look_with(number, Care::Ends).0, Standing::Current { .. })
            })
            .collect();
        let by = |there: bool| {
            let pairs = numbers.iter().zip(&is_there);
            pairs.filter(move |(_, is)| **is == there).map(|(number, _)| *number)
        };
        let missing = FrameList::from_rising(by(false)).map(|list| list.to_string());
        let present: Vec<i64> = by(true).collect();

        // 2. The queue.
        let stuck = Stuck::of(&queue.tasks, &folder.display().to_string());
        let state = queue.state(missing.is_none(), &stuck);
        let jobs = ticket.jobs.as_ref().map(|[check, frames, verify]| Jobs {
            check: queue.job(check),
            frames: queue.job(frames),
            verify: queue.job(verify),
        });
        let mut tasks = BTreeMap::new();
        let mut comments = BTreeMap::new();
        for task in queue.tasks.iter().filter(|task| task.task.is_some()) {
            *tasks.entry(task.state.clone()).or_default() += 1;
            if let Some(comment) = &task.comment {
                *comments.entry(comment.clone()).or_default() += 1;
            }
        }
        let may_know_later =
            queue.unknown.as_ref().is_some_and(|failure| failure.code == exit::TRY_AGAIN);
        let mut report = Self {
            version: 2,
            state,
            scene: ticket.scene.display().to_string(),
            folder: folder.display().to_string(),
            frames: numbers.len(),
            done: present.len(),
            missing,
            jobs,
            tasks,
            stuck: stuck.tasks,
            advice: stuck.advice,
            comments,
            rate_per_s: None,
            left_s: None,
            attempts: 0,
            running_attempts: 0,
            failed_attempts: Vec::new(),
            drawn_twice: Vec::new(),
            nodes: BTreeMap::new(),
            queue_unknown: queue.unknown.as_ref().map(|failure| failure.message.clone()),
            times: BTreeMap::new(),
            pattern: Some(pattern),
            present,
        };
        report.read_records(folder, &queue);
        Ok((report, may_know_later))
    }

    /// What the command ends with.
    fn verdict(&self, is_quiet: bool) -> Result<(), Failure> {
        let Some(list) = &self.missing else { return Ok(()) };
        let message = match self.state {
            State::Done | State::Running | State::Waiting => return Ok(()),
            State::Stuck => format!("stuck, with {} missing", self.missing_count()),
            State::Incomplete => format!(
                "missing: {}; tintype farm retry {} submits them",
                shortened(list),
                self.folder
            ),
            State::Unknown => {
                format!("{} missing, and whether anything runs is not known", self.missing_count())
            }
        };
        let code = if self.state == State::Unknown { exit::TRY_AGAIN } else { exit::INCOMPLETE };
        Err(Failure::new(code, if is_quiet { String::new() } else { message }))
    }

    fn missing_count(&self) -> String {
        counted(self.frames - self.done, "frame")
    }

    /// What the attempts wrote down; lines that were cut off when a node died are passed over.
    fn read_records(&mut self, folder: &Path, queue: &Queue) {
        // The last attempt of each task of which the end is not told.
        let mut open: BTreeMap<(Option<String>, Option<String>), Attempt> = BTreeMap::new();
        let mut drawn: BTreeMap<i64, usize> = BTreeMap::new();
        let mut moments: Vec<f64> = Vec::new();
        for path in sorted(&tasks_in(folder)) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
            let Some(Line { event: Event::Start(start), .. }) = lines.next() else { continue };
            self.attempts += 1;
            let node = self.nodes.entry(start.node.clone()).or_default();
            node.clock_ahead_s = start.clock_ahead_s.or(node.clock_ahead_s);
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
            let (node, job, task) = (start.node, start.job, start.task);
            let key = (job.clone(), task.clone());
            if let Some(lost) = open.remove(&key) {
                self.failed_attempts.push(lost);
            }
            match end {
                Some((exit::DONE, _)) => {}
                Some((code, message)) => {
                    self.failed_attempts.push(Attempt {
                        node,
                        job,
                        task,
                        code: Some(code),
                        message,
                    });
                }
                None => {
                    let message = "ended without a word: killed, or its node was lost".to_owned();
                    open.insert(key, Attempt { node, job, task, code: None, message });
                }
            }
        }
        for ((job, task), attempt) in open {
            let runs = queue.tasks.iter().any(|queued| {
                Some(&queued.job) == job.as_ref()
                    && queued.task.map(|task| task.to_string()) == task
                    && ["RUNNING", "COMPLETING", "SUSPENDED"].contains(&queued.state.as_str())
            });
            match runs {
                true => self.running_attempts += 1,
                false => self.failed_attempts.push(attempt),
            }
        }
        self.drawn_twice =
            drawn.into_iter().filter(|&(_, times)| times > 1).map(|(frame, _)| frame).collect();
        // Records are stamped by the clock of the disk.
        let now = disk_now(&tasks_in(folder)).map_or_else(|_| now(), seconds);
        let recent: Vec<f64> = moments.into_iter().filter(|at| now - at < RATE_OVER_S).collect();
        let first = recent.iter().copied().fold(now, f64::min);
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
        for (comment, count) in self.comments.iter().take(MOST_COMMENTS) {
            console.info(&format!("{}: {comment}", counted(*count, "task")));
        }
        if self.comments.len() > MOST_COMMENTS {
            console.info(&format!("and {} more such words", self.comments.len() - MOST_COMMENTS));
        }
        self.tell_jobs(console);
        for Advice { problem, remedy } in &self.advice {
            console.error(&format!("stuck: {problem}"));
            console.info(&format!("    {remedy}"));
        }
        if !self.stuck.is_empty() && self.missing.is_none() {
            console.info(&format!(
                "all frames are there: tintype farm cancel {} takes such tasks out of the queue",
                self.folder
            ));
        }
        if let Some(why) = &self.queue_unknown {
            console.info(&format!("the queue is not known: {why}"));
        }
        if !matches!(self.state, State::Running | State::Waiting) {
            for (name, node) in &self.nodes {
                console.info(&format!(
                    "node {name}: {} in {:.1} s, at most {} MiB",
                    counted(node.frames, "frame"),
                    node.seconds,
                    node.peak_bytes >> 20
                ));
                if let Some(ahead_s) = node.clock_ahead_s {
                    let side = if ahead_s > 0.0 { "ahead of" } else { "behind" };
                    console.info(&format!(
                        "node {name}: its clock is {:.0} s {side} that of the disk, by which records go",
                        ahead_s.abs()
                    ));
                }
            }
            for one in &self.failed_attempts {
                console.info(&format!("attempt {}", described(one)));
            }
            if let Some(list) = FrameList::from_rising(self.drawn_twice.iter().copied()) {
                console.info(&format!("drawn more than once: {list}"));
            }
        }
    }

    /// Says of the jobs around the array what went wrong.
    fn tell_jobs(&self, console: &Console) {
        let Some(Jobs { check, frames: _, verify }) = &self.jobs else { return };
        let has_failed = |job: &Job| {
            let state = job.state.as_deref().unwrap_or_default();
            ["FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL"].contains(&state)
        };
        let log = |job: &Job, what: &str| {
            log_folder(Path::new(&self.folder)).join(format!("{}-{what}.log", job.id))
        };
        if has_failed(check) {
            let why = check.comment.as_deref().unwrap_or("it does not say why");
            console.error(&format!(
                "job {}, which looks at a node first, failed, so no frame was begun: {why}; its log is {}",
                check.id,
                log(check, "check").display()
            ));
        }
        if has_failed(verify) && self.missing.is_none() {
            console.error(&format!(
                "job {}, which verifies, failed: {}",
                verify.id,
                log(verify, "verify").display()
            ));
        }
    }
}

/// The start of a long list.
pub(super) fn shortened(list: &str) -> String {
    match list.char_indices().nth(MOST_LIST) {
        None => list.to_owned(),
        Some((at, _)) => {
            let whole = list[..at].rfind(',').unwrap_or(at);
            format!("{} and more (--json has all)", &list[..whole])
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
