//! Folders of submissions beside the pictures, and names of submissions.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tintype_host::job::journal::STATE_DIR;
use tintype_host::temp_files;

/// A unique name for a submission at `now_s`, seconds since 1970.
pub fn new_id(now_s: f64) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:.0}-{}-{count}", now_s * 1000.0, temp_files::process())
}

/// Folder of submissions and scripts.
pub fn farm_folder(frames: &Path) -> PathBuf {
    frames.join(STATE_DIR).join("farm")
}

/// Folder of logs.
pub fn log_folder(frames: &Path) -> PathBuf {
    frames.join(STATE_DIR).join("log")
}
