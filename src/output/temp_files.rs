//! Temporary files that a killed process left: whose they are, and when they may go.
//!
//! A temporary name ends in `.PLACE.PROCESS.RANDOM.partial`: the machine with its space of process numbers, the process, and
//! letters that keep two writers apart. A file is removed if its process was in this place and lives no more, or if nobody has
//! written to it for a time that no frame takes; by the clock of the disk itself, which nodes share, and not by that of a node.
//! Removing the file of somebody who lives does no harm: they write it again.

use super::write::PARTIAL_SUFFIX;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Nobody writes that long to a frame.
pub const STALE_AFTER: Duration = Duration::from_secs(3600);

/// How many letters of the machine's name are kept.
const HOST_LETTERS: usize = 24;

/// Who writes: `PLACE.PROCESS`, without other dots.
pub(super) fn writer_tag() -> String {
    format!("{}.{}", place(), process())
}

/// The machine, and the space in which its process numbers mean something: containers share names.
fn place() -> String {
    let host: String = host_name()
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
        .take(HOST_LETTERS)
        .collect();
    let link = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let space: String = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("{host}-{space}")
}

/// The name of this machine, as it calls itself.
#[must_use]
pub fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return "host".to_owned();
}

/// The number of this process.
#[must_use]
pub fn process() -> i32 {
    #[cfg(unix)]
    return rustix::process::getpid().as_raw_nonzero().get();
    #[cfg(not(unix))]
    return 0;
}

/// Whether there is such a process in this place; true where nobody can tell.
fn lives(process: i32) -> bool {
    #[cfg(unix)]
    {
        let Some(id) = rustix::process::Pid::from_raw(process) else { return false };
        rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH)
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        true
    }
}

/// A temporary file by its name: where it was written, and by whom.
fn writer_of(name: &str) -> Option<(&str, i32)> {
    let mut parts = name.strip_prefix('.')?.strip_suffix(PARTIAL_SUFFIX)?.rsplitn(4, '.');
    let (_random, process, place) = (parts.next()?, parts.next()?, parts.next()?);
    parts.next()?;
    Some((place, process.parse().ok()?))
}

/// The temporary files in a folder, with their writers; none where the folder cannot be read.
fn temporaries(folder: &Path) -> Vec<(PathBuf, String, i32)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let (place, process) = writer_of(&name)?;
            Some((entry.path(), place.to_owned(), process))
        })
        .collect();
    found.sort();
    found
}

/// Removes what was left in a folder by processes of this place that live no more, and what nobody has touched for `age`; gives
/// how many files that were, and how many stay.
///
/// What cannot be read or removed is left: litter is no failure.
pub fn remove_stale(folder: &Path, age: Duration) -> (usize, usize) {
    let found = temporaries(folder);
    let here = place();
    let is_dead = |place: &str, process: i32| place == here && !lives(process);
    let count = found.len();
    // Asked only where it matters.
    let now = match found.iter().all(|(_, place, process)| is_dead(place, *process)) {
        true => None,
        false => disk_now(folder).ok(),
    };
    let removed = found.iter().filter(|(path, place, process)| {
        let is_old = || {
            let touched = std::fs::metadata(path).and_then(|data| data.modified());
            let since = touched.ok().and_then(|touched| now?.duration_since(touched).ok());
            since.is_some_and(|since| since >= age)
        };
        (is_dead(place, *process) || is_old()) && std::fs::remove_file(path).is_ok()
    });
    let removed = removed.count();
    (removed, count - removed)
}

/// Removes the temporary files of this very process, which is about to end.
pub fn remove_of_process(folder: &Path) {
    let here = place();
    for (path, place, process) in temporaries(folder) {
        if place == here && process == self::process() {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The time on the clock that stamps the files of a folder: machines that share a disk share it, whatever their own clocks say.
///
/// # Errors
/// What the system answers, if no file can be made there.
pub fn disk_now(folder: &Path) -> io::Result<SystemTime> {
    let file = tempfile::tempfile_in(folder)?;
    file.metadata()?.modified()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::PendingFile;

    fn names_in(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn litter_names_say_who_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let pending = PendingFile::create(&folder.path().join("walk.0001.png")).unwrap();
        let names = names_in(folder.path());
        assert_eq!(writer_of(&names[0]), Some((place().as_str(), process())));
        assert_eq!(remove_stale(folder.path(), STALE_AFTER), (0, 1), "its writer lives");
        remove_of_process(folder.path());
        assert!(names_in(folder.path()).is_empty());
        drop(pending);
        for name in
            ["0001.png", ".0001.png.partial", ".partial", ".a.b.c.d.partial", "a.h.1.r.partial"]
        {
            assert_eq!(writer_of(name), None, "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn litter_goes_when_its_writer_is_dead_here_or_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let here = place();
        // No system numbers processes so high.
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
}
