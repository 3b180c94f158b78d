//! `test --patch`: the changes that bless would make for the failures of a test, as a patch for
//! `git apply`.
//!
//! Git itself makes the patch, from a temporary index and object store, so paths, hash algorithms,
//! line endings and filters such as Git LFS are those of the repository, which is not modified.
//! Outside a repository, paths are relative to the working folder.

use super::args::Test;
use super::console::Console;
use super::failure::Failure;
use super::git::{Git, GitError, bytes_of, real, scratch};
use super::goldens::CHANGED_SINCE;
use super::library;
use super::report::write_file;
use super::standard_input::STREAM;
use super::stdout::write_stdout;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype_base::amount::counted;
use tintype_base::disk::{if_there, read_regular};
use tintype_base::path::{ShowPath, path_of_text, slashed, text_of_bytes};
use tintype_base::shell::path_word;
use tintype_golden::{BlessOptions, CheckedScene, PlannedFile, TestRun, Verdict, files_of};

/// The beginning of a patch of git.
const START: &[u8] = b"diff --git ";

/// Files that change: moved first, then written or removed.
#[derive(Debug, Default)]
struct Plan {
    moved: Vec<[PathBuf; 2]>,
    written: Vec<PlannedFile>,
    removed: Vec<PathBuf>,
}

/// Removes the patch of an earlier test, and refuses another file of its name, before anything is
/// drawn.
pub(super) fn prepare(options: &Test) -> Result<(), Failure> {
    let Some(file) = options.patch.as_deref().filter(|file| file.as_os_str() != STREAM) else {
        return Ok(());
    };
    let failed = |error: std::io::Error| Failure::bad_input(format!("{}: {error}", file.shown()));
    match if_there(read_regular(file)).map_err(failed)? {
        Some(bytes) if bytes.is_empty() || bytes.starts_with(START) => {
            std::fs::remove_file(file).map_err(failed)
        }
        Some(_) => Err(Failure::bad_input(format!(
            "{} is not a patch and would be overwritten: name another file",
            file.shown()
        ))),
        None => Ok(()),
    }
}

/// Writes the patch that accepts the failures of a run, if `options` requests it and any can be
/// accepted. An error here is only reported, because the test has failed anyway.
pub(super) fn write(options: &Test, run: &TestRun, console: &mut Console) {
    if let Some(file) = &options.patch
        && let Err(failure) = write_to(file, options, run, console)
    {
        console.error(&failure.message);
    }
}

fn write_to(
    file: &Path,
    options: &Test,
    run: &TestRun,
    console: &mut Console,
) -> Result<(), Failure> {
    let mut plan = if options.library.models.is_empty() {
        of_scenes(run, console)?
    } else {
        let written = library::planned(options, run, console)?;
        Plan { written, removed: removed(run)?, ..Plan::default() }
    };
    // Scenes and clips use common parts of records.
    plan.written.sort_unstable();
    plan.written.dedup();
    let here = Path::new(".")
        .canonicalize()
        .map_err(|error| Failure::bad_input(format!("--patch: the working folder: {error}")))?;
    let is_below = |path: &&Path| real(path).starts_with(&here);
    // Use the repository of a file below the working folder, if there is one.
    let first = plan.paths().find(is_below).or_else(|| plan.paths().next()).map(real);
    let (patch, top) = match first {
        Some(first) => {
            let mut odd = Vec::new();
            let found = plan.patch(&first).or_else(|reason| {
                plan = std::mem::take(&mut plan).without_odd(&first, reason.into(), &mut odd);
                plan.patch(&first)
            });
            for (path, reason) in odd {
                let reason = reason.replace('\n', "; ");
                console.warning(&format!("{}: not in the patch: {reason}", path.shown()));
            }
            found.map_err(|error| error.failure(&format!("--patch {}", file.shown())))?
        }
        None => Default::default(),
    };
    if patch.is_empty() {
        console.info("--patch: nothing to accept; no file written");
        return Ok(());
    }
    let files: BTreeSet<&Path> = plan.paths().collect();
    if file.as_os_str() == STREAM {
        return write_stdout(&patch);
    }
    write_file(file, &patch)?;
    let apply = if here.starts_with(&top) && files.iter().all(is_below) {
        format!("git apply {}", path_word(file))
    } else {
        // Git silently leaves out files that are not below its working folder: goldens of a project
        // above, in a submodule or in another repository.
        let top = top.strip_prefix(&here).unwrap_or(&top);
        format!("git -C {} apply {}", path_word(top), path_word(&real(file)))
    };
    console.info(&format!("patch of {}: {apply}", counted(files.len(), "file")));
    Ok(())
}

/// The plan for scenes: failing goldens are drawn again and encoded as in bless.
fn of_scenes(run: &TestRun, console: &mut Console) -> Result<Plan, Failure> {
    let mut plan = Plan { removed: removed(run)?, ..Plan::default() };
    plan.moved.extend(run.moves.iter().flat_map(|one| one.files.iter().cloned()));
    plan.written.extend(run.moves.iter().flat_map(|one| one.parts.iter().cloned()));
    for tested in &run.tested {
        let Ok(CheckedScene { goldens, .. }) = &tested.result else { continue };
        let is_moved =
            |verdict: &Verdict| matches!(verdict, Verdict::Elsewhere { is_equal: true, .. });
        let failed = goldens.iter().filter(|one| !one.verdict.passes() && !is_moved(&one.verdict));
        let files: BTreeSet<PathBuf> = failed
            .filter_map(|one| one.frame.map(|frame| tested.scene.file(frame.into())))
            .collect();
        if files.is_empty() {
            continue;
        }
        let options = BlessOptions { dry_run: true, ..BlessOptions::default() };
        let blessed = tested.scene.bless(
            |golden| files.contains(golden),
            |now| goldens.iter().any(|one| one.frame == now.frame && one.basis == now.basis),
            options,
        );
        let blessed = match blessed {
            Ok(blessed) => blessed,
            // The goldens of other scenes are in the patch.
            Err(error) => {
                let reason = super::goldens::failure(&error).message;
                let path = tested.scene.path.shown();
                console.warning(&format!("{path}: not in the patch: {reason}"));
                continue;
            }
        };
        for path in &blessed.left {
            console.warning(&format!("{}: not in the patch: {CHANGED_SINCE}", path.shown()));
        }
        for one in blessed.refused {
            let path = one.path.shown();
            console.warning(&format!("{path}: not in the patch: {}", one.refusal));
        }
        plan.written.extend(blessed.planned);
    }
    Ok(plan)
}

/// Goldens without a scene; if a scene cannot be read, none is known to be without one.
fn removed(run: &TestRun) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    if run.bad.is_empty() {
        for one in &run.stray {
            files_of(&one.path).iter().try_for_each(|path| add_files_below(path, &mut files))?;
        }
    }
    Ok(files)
}

/// Adds a file, or all files of a folder.
fn add_files_below(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::bad_input(format!("--patch: {}: {error}", path.shown()));
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            files.push(path.to_path_buf());
            return Ok(());
        }
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        add_files_below(&entry.map_err(failed)?.path(), files)?;
    }
    Ok(())
}

impl Plan {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        let moved = self.moved.iter().flatten();
        let written = self.written.iter().map(|(path, _)| path);
        moved.chain(written).chain(&self.removed).map(PathBuf::as_path)
    }

    /// The number of changes.
    fn len(&self) -> usize {
        self.moved.len() + self.written.len() + self.removed.len()
    }

    /// Keeps the changes that git can put in a patch; the others are added to `odd` with the
    /// reasons. `reason` explains why a batch failed as a whole.
    fn without_odd(
        mut self,
        first: &Path,
        reason: String,
        odd: &mut Vec<(PathBuf, String)>,
    ) -> Self {
        if self.len() < 2 {
            odd.extend(self.paths().last().map(|path| (path.to_path_buf(), reason)));
            return Self::default();
        }
        // Half of all: from the end of each list, as far as needed.
        let mut left = self.len() / 2;
        let mut take = |count: usize| {
            let taken = count.min(left);
            left -= taken;
            count - taken
        };
        let half = Self {
            moved: self.moved.split_off(take(self.moved.len())),
            written: self.written.split_off(take(self.written.len())),
            removed: self.removed.split_off(take(self.removed.len())),
        };
        let mut kept = Self::default();
        for part in [half, self] {
            let part = match part.patch(first) {
                Ok(_) => part,
                Err(reason) => part.without_odd(first, reason.into(), odd),
            };
            kept.moved.extend(part.moved);
            kept.written.extend(part.written);
            kept.removed.extend(part.removed);
        }
        kept
    }

    /// Runs git to make the patch, which is empty if no byte changes. Also returns the top folder
    /// of the repository that contains the file `first`.
    fn patch(&self, first: &Path) -> Result<(Vec<u8>, PathBuf), GitError> {
        let failed = |error: std::io::Error| GitError::of_scratch(&error);
        let held = scratch().map_err(failed)?;
        let (git, top) = repository(first, held.path())?;
        let name = |path: &Path| -> Result<String, String> {
            let real = real(path);
            let below = real.strip_prefix(&top).map_err(|_| {
                format!("{} is not below {}, the top of the repository", path.shown(), top.shown())
            })?;
            // Git writes `/` on every system.
            Ok(slashed(below))
        };
        let names =
            |paths: &mut dyn Iterator<Item = &PathBuf>| -> Result<BTreeSet<String>, String> {
                paths.map(|path| name(path)).collect()
            };
        // The files as they are.
        let written = || self.written.iter().map(|(path, _)| path);
        let is_there = |path: &&PathBuf| path.symlink_metadata().is_ok();
        let moved = || self.moved.iter().map(|[from, _]| from);
        let before = names(&mut written().filter(is_there).chain(moved()).chain(&self.removed))?;
        git.run(&["update-index", "--add", "-z", "--stdin"], &listed(&before))?;
        let old = git.answer(&["write-tree"])?;
        let entries = entries(&git)?;
        all_in(&entries, before.iter())?;
        // Files as they would be after the patch. New ones keep their bytes, because a filter such
        // as Git LFS would replace them by a pointer that only this machine could resolve.
        let gone = names(&mut moved().chain(&self.removed))?;
        git.run(&["update-index", "--force-remove", "-z", "--stdin"], &listed(&gone))?;
        let mut added = Vec::new();
        for [from, to] in &self.moved {
            if let Some(entry) = entries.get(&bytes_of(&name(from)?)) {
                added.push((entry.clone(), name(to)?));
            }
        }
        let mut files = Vec::new();
        for (number, (_, bytes)) in self.written.iter().enumerate() {
            let file = held.path().join(number.to_string());
            std::fs::write(&file, bytes).map_err(failed)?;
            files.extend([bytes_of(&file.shown()), b"\n".to_vec()].concat());
        }
        let objects = git.run(&["hash-object", "-w", "--no-filters", "--stdin-paths"], &files)?;
        let objects = String::from_utf8_lossy(&objects).into_owned();
        for ((path, _), object) in self.written.iter().zip(objects.lines()) {
            let name = name(path)?;
            let mode = entries.get(&bytes_of(&name)).and_then(|entry| entry.split(' ').next());
            added.push((format!("{} {object}", mode.unwrap_or("100644")), name));
        }
        let mut lines = Vec::new();
        for (entry, name) in &added {
            lines.extend([entry.as_bytes(), b"\t", &bytes_of(name), &[0]].concat());
        }
        git.run(&["update-index", "-z", "--index-info"], &lines)?;
        all_in(&self::entries(&git)?, added.iter().map(|(_, name)| name))?;
        let new = git.answer(&["write-tree"])?;
        let options = ["--binary", "--full-index", "-M100%", "--no-color"];
        let plain = ["--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"];
        let words = [&["diff-tree", "-r", "-p"][..], &options, &plain, &[&old, &new]].concat();
        Ok((git.run(&words, &[])?, top))
    }
}

/// Git in the repository of a file, with a separate index and object store in `held`, and the top
/// folder of that repository.
fn repository(file: &Path, held: &Path) -> Result<(Git, PathBuf), GitError> {
    let failed = |error: std::io::Error| format!("a folder: {error}");
    let folder = file.ancestors().skip(1).find(|folder| folder.is_dir());
    let folder = folder.unwrap_or(Path::new(".")).to_path_buf();
    let is_inside = folder.ancestors().any(|folder| folder.join(".git").exists());
    let git = Git { folder: Some(folder), variables: Vec::new() };
    let (mut git, top) = if is_inside || std::env::var_os("GIT_DIR").is_some() {
        let top = git.run(&["rev-parse", "--show-toplevel"], &[])?;
        let top = path_of_text(text_of_bytes(&top).trim_end_matches(['\r', '\n']));
        (git, top.canonicalize().map_err(failed)?)
    } else {
        let (own, top) = (held.join("git"), Path::new(".").canonicalize().map_err(failed)?);
        let above = Git { folder: Some(held.to_path_buf()), variables: Vec::new() };
        above.run(&["init", "-q", "--bare", "git"], &[])?;
        let variables =
            vec![("GIT_DIR", OsString::from(own)), ("GIT_WORK_TREE", OsString::from(&top))];
        (Git { variables, ..git }, top)
    };
    git.folder = Some(top.clone());
    let objects = held.join("objects");
    std::fs::create_dir(&objects).map_err(|error| GitError::of_scratch(&error))?;
    git.variables.push(("GIT_OBJECT_DIRECTORY", objects.into()));
    Ok((git.with_index(&held.join("index")), top))
}

/// The entries of the index, `mode object`, by name.
fn entries(git: &Git) -> Result<BTreeMap<Vec<u8>, String>, GitError> {
    let listed = git.run(&["ls-files", "-s", "-z"], &[])?;
    let of_line = |line: &[u8]| {
        let tab = line.iter().position(|byte| *byte == b'\t')?;
        let words = String::from_utf8_lossy(&line[..tab]).into_owned();
        let (entry, _stage) = words.rsplit_once(' ')?;
        Some((line[tab + 1..].to_vec(), entry.to_owned()))
    };
    Ok(listed.split(|byte| *byte == 0).filter_map(of_line).collect())
}

/// Refuses names that git leaves out of its index, such as those of a folder `.git`, which it
/// reports only on standard error.
fn all_in<'n>(
    entries: &BTreeMap<Vec<u8>, String>,
    mut names: impl Iterator<Item = &'n String>,
) -> Result<(), String> {
    if names.all(|name| entries.contains_key(&bytes_of(name))) {
        Ok(())
    } else {
        Err("git does not accept this file name".to_owned())
    }
}

/// Names in git's notation.
fn listed(names: &BTreeSet<String>) -> Vec<u8> {
    names.iter().flat_map(|name| [bytes_of(name), vec![0]].concat()).collect()
}
