//! `tintype farm logs`: what tasks said, and of those that failed the end of it.

use super::console::Console;
use super::ticket::{Ticket, log_folder};
use super::{Failure, load, write_stdout};
use crate::cli::args::farm::Logs;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
