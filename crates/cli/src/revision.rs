//! Goldens of another revision of a git repository, taken out into a temporary folder.

use super::git::{Git, bytes_of};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;
use tintype_base::path::slashed;

/// The golden folder as a revision has it; the files are deleted when it is dropped.
#[derive(Debug)]
pub(super) struct RevisionGoldens {
    folder: PathBuf,
    _held: TempDir,
}

impl RevisionGoldens {
    /// Takes the files below `folder`, a path from the current folder, out of a revision: a branch, a tag, a commit. A folder in a
    /// submodule is that of the commit that the revision has of it.
    ///
    /// The repository stays as it is: neither its index nor its files are touched. Filters such as Git LFS apply.
    ///
    /// # Errors
    /// A sentence, if git does not run, knows no such revision, or the revision has no such folder.
    pub(super) fn take(revision: &str, folder: &Path) -> Result<Self, String> {
        let mut git = Git::default();
        let mut top = PathBuf::from(git.answer(&["rev-parse", "--show-toplevel"])?);
        let peeled = format!("{revision}^{{commit}}");
        let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        let mut commit =
            git.answer(&[&verify[..], &[&peeled]].concat()).map_err(|_| unknown(revision))?;
        let name = folder.display();
        let here = top.join(git.answer(&["rev-parse", "--show-prefix"])?);
        let absent = || format!("revision {revision} has no folder {name} here");
        let mut below =
            plain(&here.join(folder)).strip_prefix(&top).map_err(|_| absent())?.to_owned();
        git.folder = Some(top.clone());
        while let Some((module, own)) = submodule(&git, &commit, &below)? {
            let inside = top.join(&module);
            if !inside.join(".git").exists() {
                let module = module.display();
                return Err(format!("submodule {module} is not here: git submodule update --init"));
            }
            below = below.strip_prefix(&module).unwrap_or(&below).to_owned();
            (top, commit) = (inside, own);
            git.folder = Some(top.clone());
        }
        let path = below.display().to_string().replace(std::path::MAIN_SEPARATOR, "/");
        git.answer(&[&verify[..], &[&format!("{commit}:{path}")]].concat())
            .map_err(|_| absent())?;
        let failed = |error: std::io::Error| format!("a temporary folder: {error}");
        let held = tempfile::Builder::new().prefix("tintype-").tempdir().map_err(failed)?;
        let git = git.with_index(&held.path().join("index"));
        // The whole revision: the patterns of its `.gitattributes` are about paths from the top, and that file may be on no disk, as in a
        // sparse checkout.
        git.run(&["read-tree", "--no-sparse-checkout", &commit], &[])?;
        let path = if path.is_empty() { "." } else { &path };
        let names = git.run(&["--literal-pathspecs", "ls-files", "-z", "--", path], &[])?;
        // Messages name files below this folder, so that it is named for the revision.
        let word: String = revision
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' })
            .collect();
        let whole = held.path().join(word.trim_start_matches('.'));
        std::fs::create_dir_all(whole.join(&below)).map_err(failed)?;
        let prefix = format!("--prefix={}/", whole.display());
        let checkout = ["checkout-index", "--force", "-z", "--stdin", &prefix];
        // With the attributes of the revision, where git can (2.43), else with those of today.
        let source = format!("--attr-source={commit}");
        git.run(&[&[source.as_str()][..], &checkout].concat(), &names)
            .or_else(|_| git.run(&checkout, &names))?;
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
    /// A sentence, if git does not run, knows no such revision, or cannot write a file that the revision has.
    pub(super) fn take(revision: &str, files: &[PathBuf]) -> Result<Self, String> {
        let git = Git::default();
        let top = PathBuf::from(git.answer(&["rev-parse", "--show-toplevel"])?);
        let prefix = git.answer(&["rev-parse", "--show-prefix"])?;
        let failed = |error: std::io::Error| format!("a temporary folder: {error}");
        let held = tempfile::Builder::new().prefix("tintype-").tempdir().map_err(failed)?;
        let git = Git { folder: Some(top.clone()), ..git };
        let git = git.with_index(&held.path().join("index"));
        let tree = format!("{revision}^{{tree}}");
        git.run(&["read-tree", "--no-sparse-checkout", &tree], &[])?;
        let whole = held.path().join("files");
        let folder = whole.join(&prefix);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let listed = git.run(&["ls-files", "-z"], &[])?;
        let known: BTreeSet<&[u8]> = listed.split(|byte| *byte == 0).collect();
        let mut names = Vec::new();
        for file in files {
            // From the top, without `..`: git knows no other names. Files that the revision does not have are told by those who need them.
            let path = plain(&top.join(&prefix).join(file));
            let Ok(below) = path.strip_prefix(&top) else { continue };
            let name = bytes_of(&slashed(below));
            if known.contains(name.as_slice()) {
                names.extend([name, vec![0]].concat());
            }
        }
        if !names.is_empty() {
            let target = format!("--prefix={}/", whole.display());
            git.run(&["checkout-index", "--force", "-z", "--stdin", &target], &names)?;
        }
        Ok(Self { folder, _held: held })
    }

    /// The current folder as the revision has it.
    #[must_use]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The submodule of a commit that a path is in, and the commit of it; none if there is none.
fn submodule(git: &Git, commit: &str, path: &Path) -> Result<Option<(PathBuf, String)>, String> {
    let names: Vec<String> = path.ancestors().map(|path| path.display().to_string()).collect();
    let names = names.iter().filter(|name| !name.is_empty()).map(String::as_str);
    let command = ["--literal-pathspecs", "ls-tree", "-z", commit, "--"];
    let listed = git.answer(&command.into_iter().chain(names).collect::<Vec<_>>())?;
    Ok(listed.split('\0').find_map(|line| {
        let (entry, name) = line.strip_prefix("160000 commit ")?.split_once('\t')?;
        Some((PathBuf::from(name), entry.to_owned()))
    }))
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Reason why a revision is not known: a clone without its history may lack it.
fn unknown(revision: &str) -> String {
    let git = Git::default();
    let is_shallow = git.answer(&["rev-parse", "--is-shallow-repository"]);
    if is_shallow.is_ok_and(|answer| answer == "true") {
        format!(
            "{revision} is not in this shallow clone, which has no history: run git fetch --unshallow (actions/checkout: fetch-depth: 0), and git fetch origin for another branch"
        )
    } else {
        let remote = format!("origin/{revision}");
        let is_known = git.answer(&["rev-parse", "--verify", "--quiet", &remote]).is_ok();
        let hint = if is_known { format!("; {remote} is one") } else { String::new() };
        format!("neither a folder nor a revision that git knows{hint}")
    }
}
