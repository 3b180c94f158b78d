//! Preflight: checks whether this machine can run a task of a submission, before any picture is
//! drawn.
//!
//! Every task runs this check first, so that a node that lacks a file draws nothing rather than
//! something wrong. Files are identified by the digests of the submission; images are read and not
//! decoded. If there are many models, only their list and folder are checked; each model is read
//! when it is drawn.

use super::argv::paths_in;
use super::error::SubmitError;
use super::job::Models;
use super::sources::{Sources, other_program};
use super::submission::Submission;
use std::path::Path;
use std::time::SystemTime;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_host::{Operation, OutputError, disk_now};

/// Minimum difference between clocks that is reported, in seconds.
const CLOCKS_APART_S: i64 = 30;

/// Checks that this program is the one that wrote the submission.
///
/// # Errors
/// [`SubmitError`] that names both versions.
pub fn check_program(submission: &Submission) -> Result<(), SubmitError> {
    other_program(&submission.program).map_or(Ok(()), |other| Err(SubmitError::invalid(other)))
}

/// Checks that files can be written to a folder. Returns how many seconds the clock of this
/// machine, at `now`, is ahead of the disk's, if that is worth a message.
///
/// # Errors
/// [`SubmitError`] if no file can be written.
pub fn check_folder(folder: &Path, now: SystemTime) -> Result<Option<i64>, SubmitError> {
    let disk = disk_now(folder).map_err(|source| {
        let (path, operation) = (folder.join("frame"), Operation::Create);
        SubmitError::from(&OutputError { path, operation, source })
    })?;
    let ahead_s = seconds_between(now, disk);
    Ok((ahead_s.abs() >= CLOCKS_APART_S).then_some(ahead_s))
}

/// Checks the folder, the list and the options of models, and returns the sources as found on this
/// machine.
///
/// # Errors
/// [`SubmitError`] that names the first path that is missing here.
pub fn sources_of_models(
    models: &Models,
    list: &Path,
    build: Option<&str>,
) -> Result<Sources, SubmitError> {
    let hint = "all nodes must see the models and their list as the submitting machine does";
    let not_here = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| {
            SubmitError::unreadable(&path, &error).with_suffix(&format!(": {hint}"))
        }
    };
    std::fs::read_dir(&models.base).map_err(not_here(&models.base))?;
    for path in paths_in(&models.argv).map(path_of_text) {
        std::fs::metadata(&path).map_err(not_here(&path))?;
    }
    let is_here = |name: &str| models.base.join(path_of_text(name)).exists();
    let text = tintype_base::disk::read_regular_text(list).map_err(not_here(list))?;
    // An empty folder in place of the mounted models of others.
    if !text.lines().any(is_here) {
        return Err(SubmitError::invalid(format!(
            "{}: none of the models exist here: {hint}",
            models.base.shown()
        )));
    }
    Ok(Sources::of_list(&text, build))
}

/// Whole seconds from `b` to `a`; negative if `a` is before.
fn seconds_between(a: SystemTime, b: SystemTime) -> i64 {
    let whole = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
    match a.duration_since(b) {
        Ok(ahead) => whole(ahead.as_secs()),
        Err(error) => -whole(error.duration().as_secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn preflight_counts_seconds_in_both_directions() {
        let (early, late) =
            (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_secs(40));
        assert_eq!((seconds_between(late, early), seconds_between(early, late)), (40, -40));
    }

    #[test]
    fn preflight_of_a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let now = disk_now(folder.path()).unwrap();
        assert_eq!(check_folder(folder.path(), now), Ok(None));
        // The clock of the disk advances between the two checks.
        let ahead = check_folder(folder.path(), now + Duration::from_secs(60));
        assert!(matches!(ahead, Ok(Some(50..=60))), "{ahead:?}");
        assert!(check_folder(&folder.path().join("none"), now).is_err());
    }
}
