//! `tintype farm status`: how far a submission is.
//!
//! What is done is read from the disk, by a glance at each file: its size, its provenance, and that it has its end. `verify` looks
//! closer. Records tell who drew what in which time; the queue tells what runs, waits or is stuck.

use super::console::{Console, duration_text};
use super::history::{Attempt, History, Node, described, rate};
use super::job::Job;
use super::queue::{Jobs, OneJob, Queue, State};
use super::slurm::Queued;
use super::stuck::{Advice, Stuck};
use super::ticket::{Ticket, log_folder};
use super::units::{Stand, Units};
use super::{Failure, counted, exit, load, page, write_stdout};
use crate::cli::args::farm::Status;
use crate::output::write_atomic;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Seconds between two looks.
const WATCH_EVERY: Duration = Duration::from_secs(2);
/// How many comments of tasks are shown.
const MOST_COMMENTS: usize = 6;
/// How many letters of a list of frames are shown.
const MOST_LIST: usize = 300;
/// Of how many models the reason is told.
const MOST_REASONS: usize = 10;

/// How far a submission is.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub version: u32,
    pub state: State,
    #[serde(flatten)]
    pub amount: Amount,
    pub folder: String,
    pub done: usize,
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
        // 1. The queue, and then the records and the disk, so that what a task has drawn is seen when the task is gone.
        let queue = Queue::of(ticket);
        let units = Units::of(&ticket.job)?;
        let history = History::read(folder, &units, &queue.tasks);
        let stands = units.look(&history.models);
        let count = |wanted: Stand| stands.iter().filter(|&&stand| stand == wanted).count();
        let (done, left) = (count(Stand::Done), count(Stand::Missing));

        // 2. What that means.
        let stuck = Stuck::of(&queue.tasks, &folder.display().to_string());
        let state = queue.state(left == 0, &stuck);
        let jobs = ticket.jobs.as_ref().map(|[check, array, verify]| Jobs {
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
        let may_know_later =
            queue.unknown.as_ref().is_some_and(|failure| failure.code == exit::TRY_AGAIN);
        let drawn = history.drawn.iter().filter(|&(_, &times)| times > 1);
        let drawn_twice: Vec<usize> = drawn.map(|(&place, _)| place).collect();
        let reasons = history
            .models
            .iter()
            .filter_map(|(name, model)| Some((units.of_model(name)?, model.message.clone()?)));
        let reasons: BTreeMap<usize, String> = reasons.collect();
        let (rate_per_s, left_s) = rate(&history.moments, left, folder);
        // Where nobody draws any more, no time is left.
        let is_over = matches!(state, State::Done | State::Incomplete | State::Stuck);
        let left_s = left_s.filter(|_| !is_over);
        let report = Self {
            version: 3,
            state,
            amount: Amount::of(ticket, &units, &stands, &reasons, &drawn_twice),
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
            queue_unknown: queue.unknown.as_ref().map(|failure| failure.message.clone()),
            title: ticket.job.title(),
            units,
            stands,
            times: history.times,
            drawn_twice,
            reasons,
        };
        Ok((report, may_know_later))
    }

    /// What the command ends with.
    fn verdict(&self, is_quiet: bool) -> Result<(), Failure> {
        let Some(list) = &self.missing() else { return Ok(()) };
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
        counted(places(&self.stands, Stand::Missing).len(), self.units.noun())
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
        if let (Some(rate), Some(left_s), true) =
            (self.rate_per_s, self.left_s, self.missing().is_some())
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
        if !self.stuck.is_empty() && self.missing().is_none() {
            console.info(&format!(
                "all {noun}s are there: tintype farm cancel {} takes such tasks out of the queue",
                self.folder
            ));
        }
        if let Some(why) = &self.queue_unknown {
            console.info(&format!("the queue is not known: {why}"));
        }
        if !matches!(self.state, State::Running | State::Waiting) {
            self.tell_the_end(console);
        }
    }

    /// Says who drew what, and what went wrong on the way.
    fn tell_the_end(&self, console: &Console) {
        for (name, node) in &self.nodes {
            console.info(&format!(
                "node {name}: {} in {:.1} s, at most {} MiB",
                counted(node.units, self.units.noun()),
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
        if let Some(list) = self.units.list(&self.drawn_twice) {
            console.info(&format!("drawn more than once: {}", shortened(&list)));
        }
        for (&place, why) in self.reasons.iter().take(MOST_REASONS) {
            console.info(&format!("{}: {why}", self.units.label(place)));
        }
        if self.reasons.len() > MOST_REASONS {
            let more = self.reasons.len() - MOST_REASONS;
            console.info(&format!("and {more} more; --json tells all"));
        }
    }

    /// Says of the jobs around the array what went wrong.
    fn tell_jobs(&self, console: &Console) {
        let Some(Jobs { check, array: _, verify }) = &self.jobs else { return };
        let has_failed = |job: &OneJob| {
            let state = job.state.as_deref().unwrap_or_default();
            ["FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL"].contains(&state)
        };
        let log = |job: &OneJob, what: &str| {
            log_folder(Path::new(&self.folder)).join(format!("{}-{what}.log", job.id))
        };
        if has_failed(check) {
            let why = check.comment.as_deref().unwrap_or("it does not say why");
            console.error(&format!(
                "job {}, which looks at a node first, failed, so no {} was begun: {why}; its log is {}",
                check.id,
                self.units.noun(),
                log(check, "check").display()
            ));
        }
        if has_failed(verify) && self.missing().is_none() {
            console.error(&format!(
                "job {}, which verifies, failed: {}",
                verify.id,
                log(verify, "verify").display()
            ));
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
