//! Goldens of another revision of a git repository, taken out into a temporary folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The golden folder as a revision has it; the files are deleted when it is dropped.
#[derive(Debug)]
pub(super) struct RevisionGoldens {
    folder: PathBuf,
    _held: TempDir,
}

impl RevisionGoldens {
    /// Takes the files below `folder`, a path from the current folder, out of a revision: a branch, a tag, a commit.
    ///
    /// The repository stays as it is: neither its index nor its files are touched. Filters such as Git LFS apply.
    ///
    /// # Errors
    /// A sentence, if git does not run, knows no such revision, or the revision has no such folder.
    pub(super) fn take(revision: &str, folder: &Path) -> Result<Self, String> {
        let top = git(&["rev-parse", "--show-toplevel"], None)?;
        let commit = format!("{revision}^{{commit}}");
        git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit], None)
            .map_err(|_| "neither a folder nor a revision that git knows".to_owned())?;
        let name = folder.display();
        // With `./` it is a path from the current folder, not from the top of the repository.
        let tree =
            git(&["rev-parse", "--verify", "--quiet", &format!("{revision}:./{name}")], None)
                .map_err(|_| format!("revision {revision} has no folder {name} here"))?;
        let failed = |error: std::io::Error| format!("a temporary folder: {error}");
        let held = tempfile::Builder::new().prefix("tintype-").tempdir().map_err(failed)?;
        let index = held.path().join("index");
        let inside = |arguments: &[&str]| git(&[&["-C", &top], arguments].concat(), Some(&index));
        inside(&["read-tree", &tree])?;
        // Messages name files below this folder, so that it is named for the revision.
        let word: String = revision
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' })
            .collect();
        let folder = held
            .path()
            .join(word.trim_start_matches('.'))
            .join(folder.file_name().unwrap_or_default());
        std::fs::create_dir_all(&folder).map_err(failed)?;
        inside(&["checkout-index", "--all", &format!("--prefix={}/", folder.display())])?;
        Ok(Self { folder, _held: held })
    }

    /// The folder with the files.
    #[must_use]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Runs git and returns its answer without the end of the line.
fn git(arguments: &[&str], index: Option<&Path>) -> Result<String, String> {
    let mut command = Command::new("git");
    command.args(arguments);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| format!("git does not run: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("git: {}", text.lines().next().unwrap_or("it failed without a word")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
