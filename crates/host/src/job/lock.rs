//! The lock of a sequence during drawing: two processes that draw different pictures into files of
//! the same names would mix them.
//!
//! The system releases the lock when the process ends, so a killed process leaves nothing behind.
//! Processes that draw the same frames, such as shards, share it. If the disk does not support
//! locks, or the file cannot be created, there is none.

use super::error::JobError;
use super::journal::STATE_DIR;
use super::sinks::folder_of;
use std::fs::{File, OpenOptions, TryLockError, create_dir_all, remove_dir, remove_file};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tintype_scene::FramePattern;

/// Number of attempts at a file that another process removes at the same time.
const ATTEMPTS: usize = 100;
/// Pause before another attempt.
const PAUSE: Duration = Duration::from_millis(2);

/// A held lock; a process that ends or drops it releases it.
#[derive(Debug)]
pub(super) struct SequenceLock {
    held: Option<(File, PathBuf)>,
}

impl SequenceLock {
    /// Takes the lock of these file names for frames with this digest.
    ///
    /// # Errors
    /// [`JobError::InUse`] if a process holds it for frames of another digest.
    pub(super) fn take(pattern: &FramePattern, digest: &str) -> Result<Self, JobError> {
        let text = pattern.text();
        // Without the folder, which may be written in several ways.
        let name = text.strip_prefix(pattern.folder()).unwrap_or(&text);
        let name = &blake3::hash(name.as_bytes()).to_hex()[..16];
        let path = folder_of(pattern).join(STATE_DIR).join(format!("{name}.lock"));
        for _ in 0..ATTEMPTS {
            let Ok(mut file) = open(&path) else { break };
            // The first process writes its digest, and then shares the lock with processes of the
            // same digest.
            match file.try_lock() {
                Ok(()) => {
                    let is_written =
                        file.set_len(0).and_then(|()| file.write_all(digest.as_bytes()));
                    if is_written.is_err() || file.unlock().is_err() {
                        drop(Self { held: Some((file, path)) });
                        break;
                    }
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(_)) => break,
            }
            match file.try_lock_shared() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    // Another one is writing its digest.
                    std::thread::sleep(PAUSE);
                    continue;
                }
                Err(TryLockError::Error(_)) => break,
            }
            let mut found = String::new();
            let read = file.rewind().and_then(|()| file.read_to_string(&mut found));
            if read.is_err() {
                break;
            }
            if !is_at(&file, &path) {
                continue;
            }
            return if found == digest {
                Ok(Self { held: Some((file, path)) })
            } else {
                Err(JobError::InUse { files: text })
            };
        }
        Ok(Self { held: None })
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// True if a file still has its name; otherwise the last holder has removed it.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |data: &std::fs::Metadata| (data.dev(), data.ino());
        matches!((file.metadata(), path.metadata()), (Ok(own), Ok(named)) if id(&own) == id(&named))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

impl Drop for SequenceLock {
    fn drop(&mut self) {
        let Some((file, path)) = &self.held else { return };
        // The last process removes the file; an error here has no effect.
        if file.unlock().is_ok() && file.try_lock().is_ok() && is_at(file, path) {
            let _ = remove_file(path);
            let _ = path.parent().map(remove_dir);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_one_digest_share_a_lock_and_others_are_refused_while_it_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().display();
        let [pattern, same, other] =
            [format!("{at}/####.png"), format!("{at}/./####.png"), format!("{at}/b.####.png")]
                .map(|name| FramePattern::parse(&name).unwrap());
        let first = SequenceLock::take(&pattern, "a").unwrap();
        let shared = SequenceLock::take(&same, "a").unwrap();
        assert!(matches!(SequenceLock::take(&same, "b"), Err(JobError::InUse { .. })));
        let beside = SequenceLock::take(&other, "b").unwrap();
        drop(first);
        assert!(matches!(SequenceLock::take(&pattern, "b"), Err(JobError::InUse { .. })));
        drop((shared, beside));
        // The lock is released, and no file is left.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let edited = SequenceLock::take(&pattern, "b").unwrap();
        assert!(edited.held.is_some());
        // A file that a killed process left is not a lock.
        let left = edited.held.as_ref().unwrap().1.clone();
        drop(edited);
        create_dir_all(left.parent().unwrap()).unwrap();
        std::fs::write(&left, "a longer digest of another scene").unwrap();
        assert!(SequenceLock::take(&pattern, "b").unwrap().held.is_some());
    }

    #[test]
    fn folders_that_take_no_lock_are_drawn_into_without_one() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(STATE_DIR), "").unwrap();
        let pattern = format!("{}/####.png", folder.path().display());
        let pattern = FramePattern::parse(&pattern).unwrap();
        assert!(SequenceLock::take(&pattern, "a").unwrap().held.is_none());
    }
}
