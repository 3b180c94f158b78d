//! Where the files of submissions are kept, beside the pictures, and the names of submissions.

use crate::job::journal::HIDDEN;
use crate::output::temp_files;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A name for a submission.
pub fn new_id(now_s: f64) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:.0}-{}-{count}", now_s * 1000.0, temp_files::process())
}

/// The folder of submissions and scripts.
pub fn farm_folder(frames: &Path) -> PathBuf {
    frames.join(HIDDEN).join("farm")
}

/// The folder of logs.
pub fn log_folder(frames: &Path) -> PathBuf {
    frames.join(HIDDEN).join("log")
}
