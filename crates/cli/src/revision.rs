//! Goldens of another revision of a git repository, taken out into a temporary folder.

use super::args::Test;
use super::failure::Failure;
use super::git::{Git, GitError, bytes_of, scratch};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use tintype_base::amount::counted;
use tintype_base::path::{path_of_text, slashed, text_of_bytes};
use tintype_golden::ChangedFiles;
use tintype_host::temp_files::ScratchFolder;

/// The golden folder at a revision; the files are deleted when it is dropped.
#[derive(Debug)]
pub(super) struct RevisionGoldens {
    folder: PathBuf,
    revision: Revision,
    _held: ScratchFolder,
}

impl RevisionGoldens {
    /// Takes the files below `folder`, a path relative to the current folder, from a revision: a
    /// branch, a tag, a commit. For a folder in a submodule, the revision's commit of that
    /// submodule is used.
    ///
    /// The repository is not modified: neither its index nor its files are touched. Filters such as
    /// Git LFS apply.
    ///
    /// # Errors
    /// A message if git does not run, the revision does not exist, or it has no such folder.
    pub(super) fn take(revision: &str, folder: &Path) -> Result<Self, GitError> {
        let mut git = Git::default();
        let mut top = PathBuf::from(git.answer(&["rev-parse", "--show-toplevel"])?);
        let found = Revision::find(revision)?;
        let mut commit = found.commit.clone();
        let name = folder.display();
        let here = top.join(git.answer(&["rev-parse", "--show-prefix"])?);
        let absent = || format!("revision {revision} has no folder {name}");
        let mut below =
            plain(&here.join(folder)).strip_prefix(&top).map_err(|_| absent())?.to_owned();
        git.folder = Some(top.clone());
        while let Some((module, own)) = submodule(&git, &commit, &below)? {
            let inside = top.join(&module);
            if !inside.join(".git").exists() {
                let module = module.display();
                return Err(format!(
                    "submodule {module} is not checked out; run `git submodule update --init`"
                )
                .into());
            }
            below = below.strip_prefix(&module).unwrap_or(&below).to_owned();
            (top, commit) = (inside, own);
            git.folder = Some(top.clone());
        }
        let path = below.display().to_string().replace(std::path::MAIN_SEPARATOR, "/");
        git.answer(&[&VERIFY[..], &[&format!("{commit}:{path}")]].concat())
            .map_err(|_| absent())?;
        let failed = |error: std::io::Error| GitError::of_scratch(&error);
        let held = scratch().map_err(failed)?;
        let git = git.with_index(&held.path().join("index"));
        // The whole revision: the patterns of its `.gitattributes` refer to paths from the top
        // folder, and that file may not be on disk, as in a sparse checkout.
        git.run(&["read-tree", "--no-sparse-checkout", &commit], &[])?;
        let path = if path.is_empty() { "." } else { &path };
        let names = git.run(&["--literal-pathspecs", "ls-files", "-z", "--", path], &[])?;
        let whole = held.path().join("files");
        std::fs::create_dir_all(whole.join(&below)).map_err(failed)?;
        let prefix = format!("--prefix={}/", whole.display());
        let checkout = ["checkout-index", "--force", "-z", "--stdin", &prefix];
        // Uses the attributes of the revision if git supports it (2.43), otherwise the current
        // ones.
        let source = format!("--attr-source={commit}");
        git.run(&[&[source.as_str()][..], &checkout].concat(), &names)
            .or_else(|_| git.run(&checkout, &names))?;
        let folder = whole.join(below);
        Ok(Self { folder, revision: found, _held: held })
    }

    /// The folder with the files.
    #[must_use]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The commit that they are of, in words.
    #[must_use]
    pub(super) fn words(&self) -> String {
        let Revision { commit, name, is_merge_base } = &self.revision;
        let short = &commit[..commit.len().min(SHORT)];
        if *is_merge_base {
            return format!("{short}, the merge base with {name}");
        }
        match commits_since_merge_base(commit) {
            0 => format!("{short}, {name}"),
            count => format!(
                "{short}, {name}; {name} has {} since the merge base, and their changes are reported too; exclude them with --against {name}...",
                counted(count, "commit")
            ),
        }
    }
}

/// The files that differ from the revision; scenes without any of them are skipped. None if no
/// scene is skipped.
pub(super) fn changed_files(options: &Test) -> Result<Option<ChangedFiles>, Failure> {
    let Some(revision) = &options.only_changed else { return Ok(None) };
    let told = |error: GitError| error.failure(&format!("--only-changed={revision}"));
    changed_since(revision).map(Some).map_err(told)
}

/// The files that differ from a revision in the working folder, untracked ones included.
///
/// # Errors
/// A message if git does not run, or the revision does not exist.
fn changed_since(revision: &str) -> Result<ChangedFiles, GitError> {
    let top = PathBuf::from(Git::default().answer(&["rev-parse", "--show-toplevel"])?);
    let commit = Revision::find(revision)?.commit;
    let git = Git { folder: Some(top.clone()), ..Git::default() };
    let mut names = git.run(&["diff", "--name-only", "--no-renames", "-z", &commit, "--"], &[])?;
    names.extend(git.run(&["ls-files", "--others", "--exclude-standard", "-z"], &[])?);
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let paths = names.map(|name| top.join(path_of_text(&text_of_bytes(name))));
    Ok(ChangedFiles::new(paths))
}

/// Digits of a commit in messages.
const SHORT: usize = 10;
const VERIFY: [&str; 4] = ["rev-parse", "--verify", "--quiet", "--end-of-options"];

/// A commit that a word names.
#[derive(Debug)]
struct Revision {
    commit: String,
    /// The branch, tag or commit of the word.
    name: String,
    /// True if the commit is the merge base of that branch and the working copy.
    is_merge_base: bool,
}

impl Revision {
    /// The commit of a branch, a tag, or a digest; for `main...` the merge base with `main`, as in
    /// `git diff main...`.
    fn find(word: &str) -> Result<Self, GitError> {
        let git = Git::default();
        let (name, end) = word.split_once("...").map_or((word, None), |(a, b)| (a, Some(b)));
        let commit = |name: &str| {
            let peeled = format!("{name}^{{commit}}");
            git.answer(&[&VERIFY[..], &[&peeled]].concat()).map_err(|_| unknown(name))
        };
        let (own, name) = (commit(name)?, name.to_owned());
        let head = match end {
            None => return Ok(Self { commit: own, name, is_merge_base: false }),
            Some("") => "HEAD".to_owned(),
            Some(end) => commit(end)?,
        };
        let base = git.answer(&["merge-base", &own, &head]);
        let base = base.map_err(|_| {
            let place = if is_shallow(&git) { SHALLOW } else { "this repository" };
            format!("{name} and {head} have no common commit in {place}")
        })?;
        Ok(Self { commit: base, name, is_merge_base: true })
    }
}

/// The number of commits of a branch since its merge base with the working copy; 0 if git finds
/// none, as in a clone without history.
fn commits_since_merge_base(commit: &str) -> usize {
    let git = Git::default();
    let base = git.answer(&["merge-base", commit, "HEAD"]);
    let count =
        base.and_then(|base| git.answer(&["rev-list", "--count", &format!("{base}..{commit}")]));
    count.ok().and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// A clone without its history, and the advice for it.
const SHALLOW: &str = "this shallow clone, which has no history: run `git fetch --unshallow` (actions/checkout: fetch-depth: 0)";

fn is_shallow(git: &Git) -> bool {
    git.answer(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|answer| answer == "true")
}

/// Files of a revision, in the same layout as below the current folder; they are deleted on drop.
#[derive(Debug)]
pub(super) struct RevisionFiles {
    folder: PathBuf,
    _held: ScratchFolder,
}

impl RevisionFiles {
    /// Takes from a revision those of the files that it has; `files` are paths relative to the
    /// current folder. The repository is not modified.
    ///
    /// # Errors
    /// A message if git does not run, the revision does not exist, or a file that the revision has
    /// cannot be written.
    pub(super) fn take(revision: &str, files: &[PathBuf]) -> Result<Self, GitError> {
        let git = Git::default();
        let top = PathBuf::from(git.answer(&["rev-parse", "--show-toplevel"])?);
        let prefix = git.answer(&["rev-parse", "--show-prefix"])?;
        let failed = |error: std::io::Error| GitError::of_scratch(&error);
        let held = scratch().map_err(failed)?;
        let git = Git { folder: Some(top.clone()), ..git };
        let git = git.with_index(&held.path().join("index"));
        let commit = Revision::find(revision)?.commit;
        git.run(&["read-tree", "--no-sparse-checkout", &commit], &[])?;
        let whole = held.path().join("files");
        let folder = whole.join(&prefix);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let listed = git.run(&["ls-files", "-z"], &[])?;
        let known: BTreeSet<&[u8]> = listed.split(|byte| *byte == 0).collect();
        let mut names = Vec::new();
        for file in files {
            // Relative to the top folder and without `..`, the only names that git accepts. Callers
            // report files that the revision does not have.
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

    /// The current folder in the revision.
    #[must_use]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The submodule that contains a path at a commit, and its commit. None if there is none.
fn submodule(git: &Git, commit: &str, path: &Path) -> Result<Option<(PathBuf, String)>, GitError> {
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

/// Reason why a revision is unknown: a clone without its history may lack it.
fn unknown(revision: &str) -> String {
    let git = Git::default();
    if is_shallow(&git) {
        format!("{revision} is not in {SHALLOW}, and `git fetch origin` for another branch")
    } else {
        let remote = format!("origin/{revision}");
        let is_known = git.answer(&["rev-parse", "--verify", "--quiet", &remote]).is_ok();
        let hint = if is_known { format!("; {remote} is one") } else { String::new() };
        format!("neither a folder nor a git revision{hint}")
    }
}
