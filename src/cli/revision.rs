//! Goldens of another revision of a git repository, taken out into a temporary folder.

use std::path::{Component, Path, PathBuf};
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
            .map_err(|_| unknown(revision))?;
        let name = folder.display();
        // With `./` it is a path from the current folder, not from the top of the repository.
        let tree =
            git(&["rev-parse", "--verify", "--quiet", &format!("{revision}:./{name}")], None)
                .map_err(|_| format!("revision {revision} has no folder {name} here"))?;
        let below = git(&["rev-parse", "--show-prefix"], None)? + &format!("{name}/");
        let failed = |error: std::io::Error| format!("a temporary folder: {error}");
        let held = tempfile::Builder::new().prefix("tintype-").tempdir().map_err(failed)?;
        let index = held.path().join("index");
        let inside = |arguments: &[&str]| git(&[&["-C", &top], arguments].concat(), Some(&index));
        // Under the whole path from the top: the patterns of `.gitattributes` are about it.
        inside(&["read-tree", &format!("--prefix={below}"), &tree])?;
        // Messages name files below this folder, so that it is named for the revision.
        let word: String = revision
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' })
            .collect();
        let whole = held.path().join(word.trim_start_matches('.'));
        std::fs::create_dir_all(&whole).map_err(failed)?;
        inside(&["checkout-index", "--all", &format!("--prefix={}/", whole.display())])?;
        let folder = whole.join(below);
        Ok(Self { folder, _held: held })
    }

    /// The folder with the files.
    #[must_use]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Files of a revision beside each other, as they lie below the current folder; they are deleted when it is dropped.
#[derive(Debug)]
pub(super) struct RevisionFiles {
    folder: PathBuf,
    _held: TempDir,
}

impl RevisionFiles {
    /// Takes those of the files that a revision has; `files` are paths from the current folder. The repository stays as it is.
    ///
    /// # Errors
    /// A sentence, if git does not run or knows no such revision.
    pub(super) fn take(revision: &str, files: &[PathBuf]) -> Result<Self, String> {
        let top = git(&["rev-parse", "--show-toplevel"], None)?;
        let prefix = git(&["rev-parse", "--show-prefix"], None)?;
        let failed = |error: std::io::Error| format!("a temporary folder: {error}");
        let held = tempfile::Builder::new().prefix("tintype-").tempdir().map_err(failed)?;
        let index = held.path().join("index");
        let inside = |arguments: &[&str]| git(&[&["-C", &top], arguments].concat(), Some(&index));
        inside(&["read-tree", &format!("{revision}^{{tree}}")])?;
        let whole = held.path().join("files");
        let target = format!("--prefix={}/", whole.display());
        for file in files {
            // From the top, without `..`: git knows no other names. Files that the revision does not have are told by those who need them.
            let Some(name) = plain(&Path::new(&prefix).join(file)) else { continue };
            let _ = inside(&["checkout-index", "--force", "--quiet", &target, "--", &name]);
        }
        let folder = whole.join(prefix);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        Ok(Self { folder, _held: held })
    }

    /// The current folder as the revision has it.
    #[must_use]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// A path without `.` and `..`; none if it leads out of the folder.
fn plain(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// Reason why a revision is not known: a clone without its history may lack it.
fn unknown(revision: &str) -> String {
    let is_shallow = git(&["rev-parse", "--is-shallow-repository"], None);
    match is_shallow.is_ok_and(|answer| answer == "true") {
        true => format!(
            "{revision} is not in this shallow clone, which has no history: run git fetch --unshallow (actions/checkout: fetch-depth: 0), and git fetch origin for another branch"
        ),
        false => {
            let remote = format!("origin/{revision}");
            let is_known = git(&["rev-parse", "--verify", "--quiet", &remote], None).is_ok();
            let hint = if is_known { format!("; {remote} is one") } else { String::new() };
            format!("neither a folder nor a revision that git knows{hint}")
        }
    }
}

/// Runs git and returns its answer without the end of the line; what it says of a failure is handed on in full.
fn git(arguments: &[&str], index: Option<&Path>) -> Result<String, String> {
    let mut command = Command::new("git");
    command.args(arguments);
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| format!("git does not run: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let text = if text.trim().is_empty() { "it failed without a word" } else { text.trim() };
        return Err(format!("git: {text}"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
