//! Goldens that failed in the last test of a folder. The list is kept in git's folder of this
//! checkout.

use super::failure::Failure;
use super::git::Git;
use std::path::PathBuf;
use tintype_base::disk::{if_there, read_regular_text};
use tintype_base::path::{ShowPath, path_of_text, slashed};
use tintype_golden::TestRun;
use tintype_host::write_kept;

/// The file of the list for the current folder; models have a separate one from scenes.
fn file(of_models: bool) -> Result<PathBuf, String> {
    let git = Git::default();
    let below = git.answer(&["rev-parse", "--show-prefix"])?;
    let name = if of_models { "models" } else { "scenes" };
    let path = format!("tintype/{below}last-failed-{name}.json");
    Ok(PathBuf::from(git.answer(&["rev-parse", "--git-path", &path])?))
}

/// Stores the failures of a run. Outside a repository nothing is stored, and the next reader is
/// warned.
pub(super) fn keep(run: &TestRun, of_models: bool) {
    if let Ok(file) = file(of_models) {
        let failed: Vec<String> = run.failed_paths().iter().map(|path| slashed(path)).collect();
        write_kept(&file, serde_json::json!(failed).to_string().as_bytes());
    }
}

/// The paths that failed in the last run.
pub(super) fn read(of_models: bool) -> Result<Vec<PathBuf>, Failure> {
    let failed = |why: String| Failure::bad_input(format!("--last-failed: {why}"));
    let file = file(of_models).map_err(failed)?;
    let told = |why: String| failed(format!("{}: {why}", file.shown()));
    let text = if_there(read_regular_text(&file)).map_err(|error| told(error.to_string()))?;
    let text = text.ok_or_else(|| failed("no earlier test in this folder".to_owned()))?;
    let paths: Vec<String> = serde_json::from_str(&text).map_err(|_| {
        told(
            "not a list of paths; run `tintype test` without --last-failed to rewrite it"
                .to_owned(),
        )
    })?;
    Ok(paths.iter().map(|path| path_of_text(path)).collect())
}
