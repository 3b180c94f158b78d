//! Logs of tasks: which of them tell of a failure, and their last lines.

use super::folders::log_folder;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths: BTreeSet<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.into_iter().collect()
}

/// The last lines of a text.
pub fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Logs of failed tasks: their paths and last lines.
pub fn failed_logs(folder: &Path, lines: usize) -> Vec<(String, String)> {
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
