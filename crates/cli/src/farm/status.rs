//! `tintype farm status`: the report of a submission in words, as JSON and as a page.

use super::enter::enter;
use super::slurm::slurm;
use crate::args::farm::Status;
use crate::build_digest::build_digest;
use crate::console::Console;
use crate::failure::Failure;
use crate::journal::now;
use crate::stdout::write_json;
use crate::{exit, load};
use std::time::Duration;
use tintype_base::amount::{bytes_text, counted, duration_text, rest_text};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::printable::one_line;
use tintype_base::shell::quoted;
use tintype_farm::diagnosis::Advice;
use tintype_farm::folders::log_folder;
use tintype_farm::history::{described, grouped};
use tintype_farm::page;
use tintype_farm::progress::ItemStatus;
use tintype_farm::queue::{Jobs, OneJob, State};
use tintype_farm::status::{Machine, Report, Stalled, indices_of};
use tintype_farm::submission::Submission;
use tintype_host::write_atomic;

/// Time between two checks of `--watch`.
const WATCH_EVERY: Duration = Duration::from_secs(2);
/// Maximum number of comments that are listed.
const MAX_COMMENTS: usize = 6;
/// Maximum number of kinds of failures that are listed.
const MAX_GROUPS: usize = 10;
/// Maximum number of characters in a list of frames.
const MAX_LIST: usize = 300;
/// Maximum number of models listed with their reason.
const MAX_REASONS: usize = 10;

pub(super) fn status(options: &Status, console: &mut Console) -> Result<(), Failure> {
    let folder = std::path::absolute(&options.folder.folder)
        .map_err(|error| load::unreadable(&options.folder.folder, &error))?;
    // Before the folder is left.
    let page_path = options.report.as_deref().map(std::path::absolute);
    let page_path = page_path.transpose().map_err(|error| Failure::bad_input(error.to_string()))?;
    let submission = Submission::together(&folder)?;
    enter(&submission, console)?;
    loop {
        let (report, may_know_later) = Report::new(&folder, &submission, &machine())?;
        if let Some(path) = &page_path {
            let html = page::page(&report, &folder, path);
            write_atomic(path, html.as_bytes()).map_err(|error| Failure::output(&error))?;
        }
        if options.json {
            let text = serde_json::to_string_pretty(&report)
                .map_err(|error| Failure::bad_input_chain(&error))?;
            write_json(&(text + "\n"))?;
        } else {
            tell(&report, console);
        }
        let goes_on = match report.state {
            State::Running | State::Waiting => true,
            State::Unknown => may_know_later,
            State::Done | State::Stuck | State::Incomplete => false,
        };
        if !(options.watch && goes_on) {
            return verdict(&report, options.json);
        }
        std::thread::sleep(WATCH_EVERY);
    }
}

/// This machine, for the status.
pub(super) fn machine() -> Machine<'static> {
    Machine { slurm: slurm(), build: build_digest(), now_s: now() }
}

/// Result of the command.
fn verdict(report: &Report, is_quiet: bool) -> Result<(), Failure> {
    let Some(list) = &report.missing() else { return Ok(()) };
    let message = match report.state {
        State::Done | State::Running | State::Waiting => return Ok(()),
        State::Stuck => format!("stuck, with {} missing", report.missing_count()),
        State::Incomplete => format!(
            "missing: {}; submit them with `tintype farm retry {}`{}",
            shortened(list),
            quoted(&report.folder),
            if report.jobs.is_some() { "" } else { "; for other engines, list them with --list" }
        ),
        State::Unknown => {
            format!("{} missing, and the queue's state is unknown", report.missing_count())
        }
    };
    let code = if report.state == State::Unknown { exit::TRY_AGAIN } else { exit::INCOMPLETE };
    Err(Failure::new(code, if is_quiet { String::new() } else { message }))
}

/// Prints the status in a few lines.
fn tell(report: &Report, console: &Console) {
    let noun = report.items.noun();
    let mut line = format!("{} of {} done", report.done, counted(report.items.count(), noun));
    let no_mesh = indices_of(&report.statuses, ItemStatus::NoMesh).len();
    if no_mesh > 0 {
        line += &format!(", {} without a mesh", counted(no_mesh, "file"));
    }
    for (state, count) in &report.tasks {
        line += &format!(", {count} {}", state.to_lowercase());
    }
    if let (Some(rate), Some(left_s), true) =
        (report.rate_per_s, report.left_s, report.missing().is_some())
    {
        line += &format!(", {}", rest_text(rate, left_s));
    }
    console.info(&line);
    // Comments of tasks describe trouble that no longer matters once all is done.
    if report.missing().is_some() {
        tell_comments(report, console);
    }
    tell_jobs(report, console);
    for Advice { problem, remedy } in &report.advice {
        console.error(&format!("stuck: {problem}"));
        console.info(&format!("    {remedy}"));
    }
    for one in &report.stalled {
        let Stalled { node, job, task, silent_s, usual_s } = one;
        let [name, number] = [job.as_deref(), task.as_deref()].map(Option::unwrap_or_default);
        let separator = if number.is_empty() { "" } else { "_" };
        console.error(&format!(
            "task {name}{separator}{number} on {node} has finished nothing for {}; elsewhere a {noun} took {usual_s:.*} s",
            duration_text(*silent_s),
            if *usual_s < 1.0 { 3 } else { 1 }
        ));
        if !number.is_empty() && report.jobs.is_some() {
            console.info(&format!(
                "    see its log: tintype farm logs {} --task {number}; restart it: scontrol requeue {name}_{number}",
                quoted(&report.folder)
            ));
        }
    }
    if !report.stuck.is_empty() && report.missing().is_none() {
        console.info(&format!(
            "all {noun}s are done: remove these tasks from the queue with `tintype farm cancel {}`",
            quoted(&report.folder)
        ));
    }
    if let Some(why) = &report.queue_unknown {
        console.info(&format!("the queue cannot be read: {why}"));
    }
    if let Some(first) = report.unread_journals.first() {
        let count = counted(report.unread_journals.len(), "journal");
        console.info(&format!("{count} cannot be read; the first is {first}"));
    }
    if !matches!(report.state, State::Running | State::Waiting) {
        tell_the_end(report, console);
    }
}

/// Prints messages of task scripts in the queue, and the excluded nodes.
fn tell_comments(report: &Report, console: &Console) {
    for (comment, count) in report.comments.iter().take(MAX_COMMENTS) {
        console.info(&one_line(&format!("{}: {comment}", counted(*count, "task"))));
    }
    if report.comments.len() > MAX_COMMENTS {
        let more = counted(report.comments.len() - MAX_COMMENTS, "more comment");
        console.info(&format!("and {more}"));
    }
    if let (Some((_, why)), Some(jobs)) = (report.left_out.first_key_value(), &report.jobs) {
        let nodes: Vec<&str> = report.left_out.keys().map(String::as_str).collect();
        console.error(&one_line(&format!(
            "no more tasks go to {} ({}): {why}",
            counted(nodes.len(), "node"),
            nodes.join(", ")
        )));
        console.info(&format!(
            "    once fixed, allow waiting tasks there again: scontrol update JobId={} ExcNodeList= Comment=",
            jobs.array.id
        ));
    }
}

/// Prints the work of each node, and failures.
fn tell_the_end(report: &Report, console: &Console) {
    for (name, node) in &report.nodes {
        console.info(&format!(
            "node {name}: {} in {:.1} s, peak memory {}",
            counted(node.items, report.items.noun()),
            node.seconds,
            bytes_text(node.peak_bytes)
        ));
        if let Some(ahead_s) = node.clock_ahead_s {
            let side = if ahead_s > 0.0 { "ahead of" } else { "behind" };
            console.info(&format!(
                "node {name}: clock is {:.0} s {side} the disk's clock, which records use",
                ahead_s.abs()
            ));
        }
    }
    let groups = grouped(&report.failed_attempts);
    for (first, more) in groups.iter().take(MAX_GROUPS) {
        let others = match more {
            0 => String::new(),
            more => format!(" (and {more} more like it)"),
        };
        console.info(&format!("attempt {}{others}", described(first)));
    }
    if groups.len() > MAX_GROUPS {
        let more = groups.len() - MAX_GROUPS;
        console.info(&format!("and {more} more kinds of failures (--json lists all)"));
    }
    if let Some(list) = report.items.list(&report.drawn_twice) {
        console.info(&format!("drawn more than once: {}", shortened(&list)));
    }
    for (&index, why) in report.reasons.iter().take(MAX_REASONS) {
        console.info(&format!("{}: {why}", report.items.label(index)));
    }
    if report.reasons.len() > MAX_REASONS {
        let more = report.reasons.len() - MAX_REASONS;
        console.info(&format!("and {more} more (--json lists all)"));
    }
}

/// Prints failures of the preflight check and of the verification.
fn tell_jobs(report: &Report, console: &Console) {
    let Some(Jobs { check, array: _, verify }) = &report.jobs else { return };
    let has_failed = |job: &OneJob| {
        let state = job.state.as_deref().unwrap_or_default();
        ["FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL"].contains(&state)
    };
    let log = |job: &OneJob, what: &str| {
        log_folder(&path_of_text(&report.folder)).join(format!("{}-{what}.log", job.id))
    };
    if has_failed(check) && report.missing().is_some() {
        let why = check.comment.as_deref().unwrap_or("no reason recorded");
        console.error(&format!(
            "job {}, the preflight check, failed: {why}; tasks check their nodes and move elsewhere; log: {}",
            check.id,
            log(check, "check").shown()
        ));
    }
    if has_failed(verify) && report.missing().is_none() {
        console.error(&format!(
            "job {}, the verification, failed: {}",
            verify.id,
            log(verify, "verify").shown()
        ));
    }
}

/// The start of a long list.
pub(super) fn shortened(list: &str) -> String {
    match list.char_indices().nth(MAX_LIST) {
        None => list.to_owned(),
        Some((at, _)) => {
            let whole = list[..at].rfind(',').unwrap_or(at);
            format!("{} and more (--json has all)", &list[..whole])
        }
    }
}
