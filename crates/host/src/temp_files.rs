//! Temporary files left by killed processes: their writers, and their removal.
//!
//! A temporary name ends in `.HOST.PROCESS.RANDOM.partial`: the host with its process namespace,
//! the process, and letters that separate two writers. A file is removed if its process ran on this
//! host and has ended, or if it has not been written for longer than any frame takes. Its age is
//! measured by the clock of the disk, which is common to all nodes. Removing a file by mistake is
//! harmless, because its writer writes it again. Temporary folders have such names too, and are
//! removed only by process.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

/// Start of the name of a temporary folder.
const FOLDER_PREFIX: &str = "tintype-";

/// End of a temporary name.
pub const PARTIAL_SUFFIX: &str = ".partial";

/// Age from which a temporary file counts as abandoned: no frame takes this long to write.
pub const STALE_AFTER: Duration = Duration::from_secs(3600);

/// Letters of the host name in a temporary name.
const HOST_LETTERS: usize = 24;

/// Tag of this writer: `HOST.PROCESS`, without other dots.
pub(super) fn writer_tag() -> String {
    format!("{}.{}", host_tag(), process())
}

/// Host and process namespace of this process: containers may have the same host name.
fn host_tag() -> String {
    let host: String = host_name()
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
        .take(HOST_LETTERS)
        .collect();
    let link = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let space: String = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("{host}-{space}")
}

/// Host name of this machine.
#[must_use]
pub fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return "host".to_owned();
}

/// Number of this process.
#[must_use]
pub fn process() -> i32 {
    #[cfg(unix)]
    return rustix::process::getpid().as_raw_nonzero().get();
    #[cfg(not(unix))]
    return i32::try_from(std::process::id()).unwrap_or(i32::MAX);
}

/// True if the writer of a temporary file, a process of this host, still runs, or if that cannot be
/// determined.
#[cfg(unix)]
fn is_running(_: &Path, process: i32) -> bool {
    let Some(id) = rustix::process::Pid::from_raw(process) else { return false };
    rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH)
}

/// True if the writer of a temporary file still runs: it holds the file open until the final
/// renaming, and the system then refuses exclusive access.
#[cfg(windows)]
fn is_running(path: &Path, _: i32) -> bool {
    use std::os::windows::fs::OpenOptionsExt;
    std::fs::File::options().read(true).share_mode(0).open(path).is_err()
}

/// The system cannot report processes, so the age of the file decides.
#[cfg(not(any(unix, windows)))]
fn is_running(_: &Path, _: i32) -> bool {
    true
}

/// Host tag and process number in a temporary name.
fn writer_of(name: &str) -> Option<(&str, i32)> {
    let is_ours = name.starts_with('.') || name.starts_with(FOLDER_PREFIX);
    let own = name.strip_suffix(PARTIAL_SUFFIX).filter(|_| is_ours)?;
    let mut parts = own.strip_prefix('.').unwrap_or(own).rsplitn(4, '.');
    let (_random, process, host_tag) = (parts.next()?, parts.next()?, parts.next()?);
    parts.next()?;
    Some((host_tag, process.parse().ok()?))
}

/// Temporary files in a folder with their writers; empty if the folder cannot be read.
fn temporaries(folder: &Path) -> Vec<(PathBuf, String, i32)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let (host_tag, process) = writer_of(&name)?;
            Some((entry.path(), host_tag.to_owned(), process))
        })
        .collect();
    found.sort();
    found
}

/// Removes temporary files of ended processes of this host, and those older than `age`; returns the
/// number of removed and of remaining files.
///
/// Files that cannot be read or removed are left; that is not an error.
pub fn remove_stale(folder: &Path, age: Duration) -> (usize, usize) {
    let found = temporaries(folder);
    let here = host_tag();
    let is_dead =
        |path: &Path, host_tag: &str, process: i32| host_tag == here && !is_running(path, process);
    let count = found.len();
    // The clock of the disk is read only if an age matters.
    let now = if found.iter().all(|(path, host_tag, process)| is_dead(path, host_tag, *process)) {
        None
    } else {
        disk_now(folder).ok()
    };
    let removed = found.iter().filter(|(path, host_tag, process)| {
        let is_old = || {
            let touched = std::fs::metadata(path).and_then(|data| data.modified());
            let since = touched.ok().and_then(|touched| now?.duration_since(touched).ok());
            since.is_some_and(|since| since >= age)
        };
        (is_dead(path, host_tag, *process) || is_old()) && remove(path).is_ok()
    });
    let removed = removed.count();
    (removed, count - removed)
}

fn remove(path: &Path) -> io::Result<()> {
    std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path))
}

/// Folders that this process has cleared.
static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes files left by killed processes in a folder, before this process writes its first file
/// there; see [`remove_stale`].
pub(super) fn clear_once(folder: &Path) {
    if CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        remove_stale(folder, STALE_AFTER);
    }
}

/// A temporary folder of this process, which is removed when it is dropped or a signal ends the
/// process. After a kill, the next run removes it.
#[derive(Debug)]
pub struct ScratchFolder {
    folder: tempfile::TempDir,
    _unfinished: Unfinished,
}

impl ScratchFolder {
    /// Makes a folder in another one, and removes those of ended processes.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create(within: &Path) -> io::Result<Self> {
        remove_stale(within, Duration::MAX);
        let prefix = format!("{FOLDER_PREFIX}.{}.", writer_tag());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(PARTIAL_SUFFIX);
        let (folder, _unfinished) = Unfinished::make(|| builder.tempdir_in(within))?;
        Ok(Self { folder, _unfinished })
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Unfinished temporary files and folders of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Held while a temporary file is made, and permanently by the end of the process.
static MAKING: RwLock<()> = RwLock::new(());

/// A temporary file or folder of this process until it has its final name or is removed.
#[derive(Debug)]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a temporary file or folder and remembers it.
    pub(super) fn make<T: AsRef<Path>>(
        make: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<(T, Self)> {
        let _making = MAKING.read().unwrap_or_else(PoisonError::into_inner);
        let temporary = make()?;
        let path = temporary.as_ref().to_path_buf();
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        Ok((temporary, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Removes the unfinished files of this process, just before it ends: a thread that creates another
/// one after this waits until the process is gone.
pub fn remove_unfinished() {
    std::mem::forget(MAKING.write().unwrap_or_else(PoisonError::into_inner));
    for path in &*UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) {
        let _ = remove(path);
    }
}

/// Time on the clock that stamps the files of a folder. Machines with a common disk have this clock
/// in common.
///
/// # Errors
/// The error of the system, if files cannot be made there.
pub fn disk_now(folder: &Path) -> io::Result<SystemTime> {
    let file = tempfile::tempfile_in(folder)?;
    file.metadata()?.modified()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PendingFile;

    fn names_in(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn temporary_names_identify_their_writer() {
        let folder = tempfile::tempdir().unwrap();
        let pending = PendingFile::create(&folder.path().join("walk.0001.png")).unwrap();
        let names = names_in(folder.path());
        assert_eq!(writer_of(&names[0]), Some((host_tag().as_str(), process())));
        assert_eq!(remove_stale(folder.path(), STALE_AFTER), (0, 1), "its writer is running");
        drop(pending);
        assert!(names_in(folder.path()).is_empty());
        for name in
            ["0001.png", ".0001.png.partial", ".partial", ".a.b.c.d.partial", "a.h.1.r.partial"]
        {
            assert_eq!(writer_of(name), None, "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn temporary_file_is_removed_when_its_writer_has_ended_or_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let here = host_tag();
        // No system has a process of that number.
        let dead = format!(".1.png.{here}.2147483646.abc.partial");
        let elsewhere = ".1.png.other-1.2147483646.abc.partial".to_owned();
        let living = format!(".1.png.{here}.{}.abc.partial", process());
        for name in [&dead, &elsewhere, &living, &"1.png".to_owned(), &".hidden".to_owned()] {
            std::fs::write(folder.path().join(name), b"x").unwrap();
        }
        assert_eq!(remove_stale(folder.path(), STALE_AFTER), (1, 2));
        let mut left = vec![elsewhere.clone(), living, ".hidden".to_owned(), "1.png".to_owned()];
        left.sort();
        assert_eq!(names_in(folder.path()), left);
        let old = SystemTime::now() - 2 * STALE_AFTER;
        let file = std::fs::File::options().write(true).open(folder.path().join(&elsewhere));
        file.unwrap().set_modified(old).unwrap();
        assert_eq!(remove_stale(folder.path(), STALE_AFTER), (1, 1));
        assert!(!folder.path().join(elsewhere).exists());
        assert_eq!(remove_stale(&folder.path().join("nowhere"), STALE_AFTER), (0, 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn leftovers_go_with_the_first_file_that_is_written_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let dead = folder.path().join(format!(".1.png.{}.2147483646.abc.partial", host_tag()));
        std::fs::write(&dead, b"x").unwrap();
        crate::write_atomic(&folder.path().join("2.png"), b"y").unwrap();
        assert_eq!(names_in(folder.path()), ["2.png"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn scratch_folder_of_a_process_that_has_ended_is_removed() {
        let name = format!("tintype-.{}.2147483646.abc.partial", host_tag());
        let within = tempfile::tempdir().unwrap();
        let dead = within.path().join(name);
        std::fs::create_dir_all(dead.join("files")).unwrap();
        let [one, other] = [(); 2].map(|()| ScratchFolder::create(within.path()).unwrap());
        assert!(!dead.exists() && one.path().is_dir());
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists() && other.path().is_dir());
    }
}
