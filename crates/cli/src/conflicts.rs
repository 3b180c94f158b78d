//! `bless --conflicts`: settles goldens that a merge left in conflict, by drawing them from the
//! merged scene.
//!
//! A merge driver cannot do this: git calls it for one file at a time, before scenes and models of
//! the merge are on the disk. Nothing is added to the index, so git lists each golden until
//! it has been reviewed.

use super::console::Console;
use super::exit;
use super::failure::Failure;
use super::git::{Git, GitError, bytes_of, real, scratch};
use super::goldens::failure;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tintype::builder::FrameNumber;
use tintype_base::amount::counted;
use tintype_base::diagnostic::chain;
use tintype_base::disk::{if_there, read_regular};
use tintype_base::path::{ShowPath, path_of_text, slashed, text_of_bytes};
use tintype_base::shell::path_word;
use tintype_golden::test_report::headline;
use tintype_golden::{BlessOptions, Checked, Discovery, GoldenScene, Verdict, is_part, record_of};
use tintype_host::temp_files::ScratchFolder;
use tintype_host::write_atomic;

/// The sides of a merge as `git checkout` names them, with their stages in the index.
const SIDES: [(&str, usize); 2] = [("ours", 2), ("theirs", 3)];
/// Used in place of a stage: the files in the working tree, which the user may have accepted since
/// the merge.
const HERE: usize = 0;

/// Most files that a command names one by one.
const MAX_NAMED: usize = 8;

/// Files in conflict, and the files of both sides beside each other.
struct Conflicts {
    git: Git,
    /// The top of the repository, without symbolic links.
    top: PathBuf,
    /// Absolute paths, each with its stages in the index: the base, ours, theirs.
    files: BTreeMap<PathBuf, BTreeSet<usize>>,
    held: ScratchFolder,
}

/// Settles the goldens in conflict for scenes that are `wanted`, which includes all if `is_whole`;
/// a dry run only prints what it would do.
pub(super) fn settle(
    found: &Discovery,
    wanted: impl Fn(&GoldenScene, FrameNumber) -> bool,
    (is_whole, dry_run): (bool, bool),
    console: &Console,
) -> Result<(), Failure> {
    let place = found.scenes.first().map_or(Path::new("."), |scene| &scene.folder);
    let conflicts = Conflicts::find(&real(place)).map_err(|error| error.failure("--conflicts"))?;
    for bad in &found.bad {
        console.error(&failure(&bad.error).message);
    }
    let (mut settled, mut left, mut seen) = (BTreeSet::new(), 0, BTreeSet::new());
    for scene in &found.scenes {
        let all = conflicts.of_scene(scene);
        seen.extend(all.iter().flat_map(|(_, files)| files.iter().cloned()));
        let own: Vec<_> = all.iter().filter(|(frame, _)| wanted(scene, *frame)).collect();
        if own.is_empty() {
            continue;
        }
        if let Some(why) = conflicts.hindrance(scene) {
            left += own.len();
            let count = counted(own.len(), "golden");
            console.error(&format!("{}: {count} not settled because {why}", scene.path.shown()));
            continue;
        }
        let sides = conflicts.sides(scene, &all)?;
        for (frame, files) in own {
            let golden = scene.file(*frame);
            match choose(&golden, *frame, &sides) {
                Ok((stage, words)) => {
                    let does = if dry_run { "would be settled" } else { "settled" };
                    console.info(&format!("{}: {does}: {words}", golden.shown()));
                    if !dry_run {
                        conflicts.take(stage, files)?;
                        refresh(scene, &golden)?;
                    }
                    settled.extend(files.iter().cloned());
                }
                Err(words) => {
                    left += 1;
                    console.error(&format!("{}: {words}", golden.shown()));
                }
            }
        }
    }
    // Git may take a new part for one that both sides pruned, under two names: the existing ones
    // are right.
    settled.extend(conflicts.files.keys().filter(|path| is_part(path)).cloned());
    // For an unreadable scene, it is unknown which goldens have no scene.
    let judges = is_whole && found.bad.is_empty();
    let lost = conflicts.files.keys().filter(|path| judges && is_golden(path));
    for path in lost.filter(|path| !seen.contains(*path) && !is_part(path)) {
        left += 1;
        let path = conflicts.shown(path);
        let word = path_word(&path);
        console.error(&format!(
            "{}: no scene uses it; if nothing else does, run `git rm {word}`",
            path.shown()
        ));
    }
    let all = conflicts.files.keys().filter(|path| is_golden(path)).count();
    console.info(&match (all, settled.len()) {
        (0, _) => "no golden is in conflict".to_owned(),
        (_, 0) => "no golden was settled".to_owned(),
        (_, count) if dry_run => format!("{} would be settled", counted(count, "file")),
        (_, count) => {
            let add = conflicts.words_to_add(&settled);
            format!("{} settled; review them, then run `git add {add}`", counted(count, "file"))
        }
    });
    let is_unread = all > 0 && !found.bad.is_empty();
    match left {
        0 if !is_unread => Ok(()),
        0 => Err(Failure::new(exit::BAD_INPUT, "")),
        left => {
            let message = format!("{} still in conflict", counted(left, "golden"));
            Err(Failure::new(exit::INCOMPLETE, message))
        }
    }
}

/// A side of the merge: its word, its stage, and its goldens compared with the merged scene.
struct Side {
    word: &'static str,
    stage: usize,
    goldens: Vec<(FrameNumber, Checked)>,
}

/// Chooses the stage of the side whose golden matches the picture of the merged scene, with a
/// remark; otherwise explains why neither does.
fn choose(golden: &Path, frame: FrameNumber, sides: &[Side]) -> Result<(usize, String), String> {
    let of = |side: &Side| -> Option<(&'static str, usize, bool, String)> {
        let (_, own) = side.goldens.iter().find(|(number, _)| *number == frame)?;
        // A known change must be reviewed by the user.
        let passes = own.verdict.passes() && !matches!(own.verdict, Verdict::Known(_));
        Some((side.word, side.stage, passes, headline(own)))
    };
    let of_frame = sides.iter().flat_map(|side| &side.goldens).filter(|(own, _)| *own == frame);
    let mut newer =
        of_frame.filter(|(_, own)| !own.verdict.passes()).filter_map(|(_, own)| own.newer.as_ref());
    if let Some(revision) = newer.next() {
        return Err(format!(
            "still in conflict: one side is from a newer version ({revision}); update tintype"
        ));
    }
    let compared: Vec<_> = sides.iter().filter_map(of).collect();
    let mut right = compared.iter().filter(|(_, _, passes, _)| *passes);
    match (right.next(), right.next()) {
        (Some((_, HERE, ..)), _) => {
            Ok((HERE, "the file here was accepted later and matches the merged scene".to_owned()))
        }
        (Some((word, stage, ..)), None | Some((_, HERE, ..))) => {
            Ok((*stage, format!("{word} matches the merged scene")))
        }
        (Some((_, stage, ..)), Some(_)) => {
            Ok((*stage, "both sides match the merged scene".to_owned()))
        }
        _ => {
            let told = compared.iter().filter(|(_, stage, ..)| *stage != HERE);
            let lines = told.map(|(word, _, _, why)| format!("\n  {word}: {why}"));
            let word = path_word(golden);
            Err(format!(
                "still in conflict: neither side matches the merged scene; review it with `tintype test --report out/report`, then accept it with `tintype bless {word}`{}",
                lines.collect::<String>()
            ))
        }
    }
}

/// Writes the record of a golden whose picture is right; the picture's sources may be those of
/// neither side.
fn refresh(scene: &GoldenScene, golden: &Path) -> Result<(), Failure> {
    let passes = |one: &Checked| one.verdict.passes() && !matches!(one.verdict, Verdict::Known(_));
    let blessed = scene.bless(|own| own == golden, passes, BlessOptions::default());
    blessed.map(drop).map_err(|error| failure(&error))
}

impl Conflicts {
    /// The conflicts of the repository of a folder.
    fn find(folder: &Path) -> Result<Self, GitError> {
        let folder = folder.ancestors().find(|own| own.is_dir()).unwrap_or(Path::new("."));
        let mut git = Git { folder: Some(folder.to_path_buf()), ..Git::default() };
        let top = git.answer(&["rev-parse", "--show-toplevel"])?;
        let failed = |error: std::io::Error| format!("{top}: {error}");
        let top = Path::new(&top).canonicalize().map_err(failed)?;
        git.folder = Some(top.clone());
        let listed = git.run(&["ls-files", "--unmerged", "-z"], &[])?;
        let mut files: BTreeMap<PathBuf, BTreeSet<usize>> = BTreeMap::new();
        for line in listed.split(|byte| *byte == 0) {
            // `mode object stage`, a tab, the path.
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let stage = line[..tab].last().map_or(0, |digit| usize::from(digit - b'0'));
            let path = top.join(path_of_text(&text_of_bytes(&line[tab + 1..])));
            files.entry(path).or_default().insert(stage);
        }
        let failed = |error: std::io::Error| GitError::of_scratch(&error);
        let held = scratch().map_err(failed)?;
        Ok(Self { git, top, files, held })
    }

    /// The frames of a scene whose golden, record or accepted alternative is among these
    /// conflicting files.
    fn of_scene(&self, scene: &GoldenScene) -> Vec<(FrameNumber, Vec<PathBuf>)> {
        let of_frame = |frame: FrameNumber| {
            let golden = real(&scene.file(frame));
            let (record, beside) = (record_of(&golden), golden.with_extension(""));
            let is_own = |path: &&PathBuf| {
                **path == golden || **path == record || path.parent() == Some(&beside)
            };
            let files: Vec<PathBuf> = self.files.keys().filter(is_own).cloned().collect();
            (!files.is_empty()).then_some((frame, files))
        };
        if self.files.is_empty() {
            Vec::new()
        } else {
            scene.frames().into_iter().filter_map(of_frame).collect()
        }
    }

    /// The reason why the goldens of a scene cannot be compared: one of its files.
    fn hindrance(&self, scene: &GoldenScene) -> Option<String> {
        let files = match scene.files() {
            Ok(files) => files,
            Err(error) => return Some(format!("its files cannot be read: {}", chain(&error))),
        };
        let path = files.into_iter().find(|path| self.files.contains_key(&real(path)))?;
        let (shown, word) = (path.shown(), path_word(&path));
        Some(format!("{shown} is itself in conflict: resolve it, then run `git add {word}`"))
    }

    /// The folder of goldens of a scene on one side, in a temporary folder.
    fn folder(&self, stage: usize, path: &Path) -> PathBuf {
        let below = path.strip_prefix(&self.top).unwrap_or(path);
        self.held.path().join(stage.to_string()).join(below)
    }

    /// Both sides of the goldens of a scene, compared with its pictures.
    fn sides(
        &self,
        scene: &GoldenScene,
        frames: &[(FrameNumber, Vec<PathBuf>)],
    ) -> Result<Vec<Side>, Failure> {
        let numbers: BTreeSet<FrameNumber> = frames.iter().map(|(frame, _)| *frame).collect();
        let mut sides = Vec::new();
        let mut compare = |word, stage, side: GoldenScene| -> Result<(), Failure> {
            let checked = side.check(|frame| numbers.contains(&frame));
            let checked = checked.map_err(|error| failure(&error))?.goldens;
            let number = |one: Checked| Some((FrameNumber(one.frame?), one));
            let goldens = checked.into_iter().filter_map(number).collect();
            sides.push(Side { word, stage, goldens });
            Ok(())
        };
        for (word, stage) in SIDES {
            let here = real(&scene.folder);
            let folder = self.folder(stage, &here);
            let failed = |error: std::io::Error| {
                Failure::bad_input(format!("--conflicts: {}: {error}", folder.shown()))
            };
            // Files without a conflict belong to both sides: pictures whose record alone is in
            // conflict, accepted alternatives, parts of records.
            copy_files(&here, &folder).map_err(failed)?;
            let parts = real(&scene.root.join("content"));
            copy_files(&parts, &self.folder(stage, &parts)).map_err(failed)?;
            for (frame, files) in frames {
                let beside = real(&scene.file(*frame)).with_extension("");
                copy_files(&beside, &self.folder(stage, &beside)).map_err(failed)?;
                for file in files {
                    if_there(std::fs::remove_file(self.folder(stage, file))).map_err(failed)?;
                }
            }
            let files = frames.iter().flat_map(|(_, files)| files);
            let has = |file: &&PathBuf| self.files[*file].contains(&stage);
            let names: Vec<u8> = files.filter(has).flat_map(|file| self.name(file)).collect();
            // Filters such as Git LFS apply, by the path in the index.
            let target = self.folder(stage, &self.top);
            let Some(target) = target.to_str() else {
                let path = target.shown();
                return Err(Failure::bad_input(format!("--conflicts: {path}: not UTF-8")));
            };
            let prefix = format!("--prefix={target}/");
            let stage_word = format!("--stage={stage}");
            let words = ["checkout-index", "--force", "-z", "--stdin", &stage_word, &prefix];
            self.git
                .run(&words, &names)
                .map_err(|reason| Failure::bad_input(format!("--conflicts: {reason}")))?;
            let mut side = scene.clone();
            side.folder = folder;
            compare(word, stage, side)?;
        }
        compare("the file here", HERE, scene.clone())?;
        Ok(sides)
    }

    /// Writes the files of one side to the working folder, and removes those that it does not have.
    fn take(&self, stage: usize, files: &[PathBuf]) -> Result<(), Failure> {
        if stage == HERE {
            return Ok(());
        }
        for file in files {
            let failed =
                |error: std::io::Error| Failure::bad_input(format!("{}: {error}", file.shown()));
            if !self.files[file].contains(&stage) {
                if_there(std::fs::remove_file(file)).map_err(failed)?;
                continue;
            }
            let bytes = read_regular(&self.folder(stage, file)).map_err(failed)?;
            write_atomic(file, &bytes).map_err(|error| Failure::output(&error))?;
        }
        Ok(())
    }

    /// A file in the form of git's lists.
    fn name(&self, file: &Path) -> Vec<u8> {
        let below = file.strip_prefix(&self.top).unwrap_or(file);
        [bytes_of(&slashed(below)), vec![0]].concat()
    }

    /// A path from the working folder, if it is below it.
    fn shown(&self, path: &Path) -> PathBuf {
        let here = real(Path::new("."));
        let here = here.canonicalize().unwrap_or(here);
        path.strip_prefix(here).unwrap_or(path).to_path_buf()
    }

    /// Arguments for `git add`: files or, if there are many, the folders that have no conflicts
    /// left.
    fn words_to_add(&self, settled: &BTreeSet<PathBuf>) -> String {
        let is_left = |folder: &Path| {
            let mut files = self.files.keys();
            files.any(|file| file.parent() == Some(folder) && !settled.contains(file))
        };
        let place = |file: &PathBuf| match file.parent() {
            Some(folder) if settled.len() > MAX_NAMED && !is_left(folder) => folder.to_path_buf(),
            _ => file.clone(),
        };
        let places: BTreeSet<PathBuf> = settled.iter().map(place).collect();
        let words: Vec<String> = places.iter().map(|one| path_word(&self.shown(one))).collect();
        words.join(" ")
    }
}

/// True if a file in conflict is a picture or a record in a folder of goldens.
fn is_golden(path: &Path) -> bool {
    let is_kind = path.extension().is_some_and(|own| own == "png" || own == "toml");
    is_kind
        && path.ancestors().skip(1).any(|own| own.file_name().is_some_and(|own| own == "golden"))
}

/// Copies the files of a folder without its subfolders; does nothing if the folder does not exist.
fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    let entries = match std::fs::read_dir(from) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(());
        }
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
