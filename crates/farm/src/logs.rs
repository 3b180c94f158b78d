//! Logs of tasks: those that report a failure, and their last lines.

use super::folders::log_folder;
use super::history::without_numbers;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use tintype_base::disk::open_regular;
use tintype_base::path::ShowPath;

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

/// Number of bytes read at the end of a log: a log may have any length.
const MAX_BYTES: u64 = 256 << 10;

/// The log of a failed task, for all tasks with the same ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedLog {
    /// Path of the first of them.
    pub path: String,
    /// Its last lines.
    pub text: String,
    /// Number of the others.
    pub more: usize,
}

/// The end of a file as text.
fn end_of(path: &Path) -> Option<String> {
    let mut file = open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_BYTES))).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Logs of failed tasks, grouped if their last errors differ only in numbers; the most frequent
/// first.
pub fn failed_logs(folder: &Path, lines: usize) -> Vec<FailedLog> {
    let is_failed_end =
        |line: &str| line.contains("== ") && line.contains(" exit ") && !line.ends_with(" exit 0");
    let failed = |text: &str| text.contains("error: ") || text.lines().any(is_failed_end);
    let mut groups: BTreeMap<String, FailedLog> = BTreeMap::new();
    for path in sorted(&log_folder(folder)) {
        let Some(text) = end_of(&path).filter(|text| failed(text)) else { continue };
        let error = text.lines().rev().find(|line| line.contains("error: "));
        let error = error.or_else(|| text.lines().rev().find(|line| is_failed_end(line)));
        let kind = without_numbers(error.unwrap_or_default());
        let log = FailedLog { path: path.shown(), text: tail(&text, lines), more: 0 };
        groups.entry(kind).and_modify(|known| known.more += 1).or_insert(log);
    }
    let mut logs: Vec<FailedLog> = groups.into_values().collect();
    logs.sort_by(|a, b| b.more.cmp(&a.more).then_with(|| a.path.cmp(&b.path)));
    logs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_that_end_alike_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let logs = log_folder(folder.path());
        std::fs::create_dir_all(&logs).unwrap();
        for task in 0..1000 {
            let text = format!("start\nerror: frame {task}: No space left on device\n== exit 75\n");
            std::fs::write(logs.join(format!("9_{task:04}.log")), text).unwrap();
        }
        std::fs::write(logs.join("9_1000.log"), "error: another\n").unwrap();
        std::fs::write(logs.join("9_1001.log"), "== 2026 exit 0\n").unwrap();
        let found = failed_logs(folder.path(), 2);
        assert_eq!(found.iter().map(|log| log.more).collect::<Vec<_>>(), [999, 0]);
        assert_eq!(found[0].text, "error: frame 0: No space left on device\n== exit 75");
        assert!(found[1].path.ends_with("9_1000.log"));
    }
}
