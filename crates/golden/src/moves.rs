//! Goldens of scenes that moved: missing at their new place, and present under the scene's old
//! name.
//!
//! A move is recognized by pixels: a golden without a scene equals the current frame of a scene
//! whose golden is missing. If everything changed as well, it is recognized by the name of the
//! folder, if that is unique.

use super::bless::PlannedFile;
use super::checked::Checked;
use super::discover::Discovery;
use super::error::GoldenError;
use super::folder::{left_behind, stray};
use super::paths::{counterpart, files_of, rename};
use super::read_record::{part_names, part_text};
use super::scene::GoldenScene;
use super::verdict::Verdict;
use crate::record::CONTENT;
use crate::test_report::scene_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use tintype_base::amount::counted;
use tintype_base::disk::read_regular;
use tintype_base::path::{ShowPath, slashed};
use tintype_compare::compare;
use tintype_host::{OutputError, write_atomic};
use tintype_model::frame::Frame;
use tintype_output::decode_any_png;
use tintype_scene::FrameNumber;

/// A scene that moved, and the files of its goldens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The current name of the scene.
    pub scene: String,
    /// The folder of its goldens, before and after the move.
    pub folders: [PathBuf; 2],
    /// Each file: its path before and after the move.
    pub files: Vec<[PathBuf; 2]>,
    /// Parts of records that are missing from the new golden folder.
    pub parts: Vec<PlannedFile>,
    /// New paths of the equal goldens.
    equal: BTreeSet<PathBuf>,
    /// Number of goldens that were compared.
    compared: usize,
}

impl Move {
    /// The current path of the golden with a new path, and true if it is equal.
    #[must_use]
    pub fn present(&self, golden: &Path) -> Option<(&Path, bool)> {
        let [from, _] = self.files.iter().find(|[_, to]| to == golden)?;
        Some((from.as_path(), self.equal.contains(golden)))
    }

    /// Names goldens by the second of two folders, if they are in the first.
    pub(super) fn rename(&mut self, folders: &[PathBuf; 2]) {
        let paths = self.folders.iter_mut().chain(self.files.iter_mut().flatten());
        paths.for_each(|path| rename(path, folders));
    }

    /// Moves the files, and removes the folders that become empty. Parts of records stay if others
    /// may need them.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn apply(&self) -> std::io::Result<()> {
        let source = |error: OutputError| error.source;
        self.parts.iter().try_for_each(|(path, text)| write_atomic(path, text).map_err(source))?;
        for [from, to] in &self.files {
            if let Some(folder) = to.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::rename(from, to)?;
        }
        let folders: BTreeSet<&Path> =
            self.files.iter().filter_map(|[from, _]| from.parent()).collect();
        // Others stay for the files in them.
        folders.into_iter().rev().for_each(|folder| drop(std::fs::remove_dir(folder)));
        Ok(())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scene, folders: [from, to], equal, compared, .. } = self;
        let before = name_of(from);
        if before == *scene {
            write!(
                f,
                "scene {scene} now has its goldens in {}, not in {}",
                to.shown(),
                from.shown()
            )?;
        } else {
            write!(f, "scene {before} is now {scene}")?;
        }
        if equal.len() == *compared {
            write!(f, ": {} equal", counted(*compared, "golden"))
        } else {
            write!(f, ": {} of {} equal", equal.len(), counted(*compared, "golden"))
        }
    }
}

/// The name of the scene with its goldens in a folder.
fn name_of(folder: &Path) -> String {
    let parts: Vec<_> = folder.components().collect();
    let below = parts.iter().rposition(|part| part.as_os_str() == "golden");
    let start = below.map_or(parts.len().saturating_sub(1), |at| at + 1);
    slashed(&parts.iter().skip(start).collect::<PathBuf>())
}

/// The moves of the scenes found below paths, whose goldens are in the folder `root` if it is
/// named.
///
/// # Errors
/// [`GoldenError`] if a golden folder cannot be read, or a scene cannot be drawn.
pub fn find_moves(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &mut Discovery,
) -> Result<Vec<Move>, GoldenError> {
    let mut stray = stray(paths, root, found)?;
    stray.extend(left_behind(paths, root, found)?);
    GoldenScene::tell_left(&mut found.scenes, stray.iter().map(|one| one.path.as_path()));
    let mut checked = Vec::new();
    for scene in found.scenes.iter().filter(|_| !stray.is_empty()) {
        let is_missing = |frame: FrameNumber| !scene.file(frame).exists();
        if scene.frames().into_iter().any(is_missing) {
            checked.push((scene, scene.check(is_missing)?));
        }
    }
    let checked = checked.iter().map(|(scene, own)| (*scene, own.goldens.as_slice()));
    Ok(moves_of(checked, stray.iter()))
}

/// The moves of scenes with missing goldens, among goldens without a scene.
#[expect(clippy::type_complexity, reason = "missing goldens by their folder, used here alone")]
pub(super) fn moves_of<'a>(
    checked: impl Iterator<Item = (&'a GoldenScene, &'a [Checked])>,
    stray: impl Iterator<Item = &'a Checked>,
) -> Vec<Move> {
    let stray: Vec<&Checked> = stray.collect();
    let mut missing: BTreeMap<&Path, (&GoldenScene, Vec<(&Path, &Frame)>)> = BTreeMap::new();
    for (scene, goldens) in checked {
        let drawn = goldens.iter().filter(|one| matches!(one.verdict, Verdict::Missing));
        let drawn = drawn.filter_map(|one| Some((one.path.as_path(), one.live.as_ref()?)));
        let of_scene = missing.entry(&scene.folder).or_insert((scene, Vec::new()));
        of_scene.1.extend(drawn);
    }
    let mut folders: BTreeSet<&Path> = stray.iter().filter_map(|one| one.path.parent()).collect();
    let mut found = Vec::new();
    missing.retain(|_, (_, goldens)| !goldens.is_empty());
    // Scenes that moved and changed may take the remaining ones.
    let all = missing.iter().map(|one| (one, true)).chain(missing.iter().map(|one| (one, false)));
    for ((to, (scene, goldens)), is_equal) in all {
        if found.iter().any(|one: &Move| one.folders[1] == *to) {
            continue;
        }
        // The folder with the most equal goldens; of several the first.
        let by_pixels = || {
            let candidates = folders.iter().map(|folder| (*folder, equal_in(folder, goldens)));
            let best = candidates.filter(|(_, equal)| !equal.is_empty());
            best.reduce(|best, next| if next.1.len() > best.1.len() { next } else { best })
        };
        let by_name =
            || Some((named_alike(to, goldens, &folders, missing.keys())?, BTreeSet::new()));
        let Some((from, equal)) = (if is_equal { by_pixels() } else { by_name() }) else {
            continue;
        };
        let path = |file: PathBuf| {
            let target = counterpart(&file, from, to)?;
            (!target.exists()).then_some([file, target])
        };
        let files: Vec<[PathBuf; 2]> =
            stray.iter().flat_map(|one| files_of(&one.path)).filter_map(path).collect();
        let compared =
            goldens.iter().filter(|(golden, _)| files.iter().any(|[_, to]| to == golden));
        let (root, folders_of_move) = (scene.root.clone(), [from.to_path_buf(), to.to_path_buf()]);
        let scene = scene_name(&scene.path);
        let compared = compared.count();
        folders.remove(from);
        let parts = files.iter().flat_map(|file| parts_to_bring(file, &root)).collect();
        found.push(Move { scene, folders: folders_of_move, files, parts, equal, compared });
    }
    found
}

/// The folder with the same name as a scene's folder and all of its goldens, if both are unique.
fn named_alike<'a>(
    to: &Path,
    goldens: &[(&Path, &Frame)],
    folders: &BTreeSet<&'a Path>,
    scenes: impl Iterator<Item = impl AsRef<Path>>,
) -> Option<&'a Path> {
    let is_alike = |other: &Path| other.file_name() == to.file_name();
    let has = |folder: &Path| {
        let mut names = goldens.iter().filter_map(|(golden, _)| golden.file_name());
        !goldens.is_empty() && names.all(|name| folder.join(name).is_file())
    };
    let mut alike = folders.iter().copied().filter(|folder| is_alike(folder) && has(folder));
    let only = alike.next().filter(|_| alike.next().is_none())?;
    (scenes.filter(|scene| is_alike(scene.as_ref())).count() == 1).then_some(only)
}

/// The parts of a record that cannot be found from its new path.
fn parts_to_bring([from, to]: &[PathBuf; 2], root: &Path) -> Vec<PlannedFile> {
    let is_record = from.extension().is_some_and(|own| own == "toml");
    let names = if is_record { part_names(from).unwrap_or_default() } else { Vec::new() };
    let names = names.into_iter().filter(|name| part_text(to, name).is_err());
    let part = |name: String| {
        let text = part_text(from, &name).ok()?;
        Some((root.join(CONTENT).join(name + ".toml"), text.into_bytes()))
    };
    names.filter_map(part).collect()
}

/// The goldens that equal a file of their name in a folder.
fn equal_in(folder: &Path, goldens: &[(&Path, &Frame)]) -> BTreeSet<PathBuf> {
    let is_equal = |(golden, live): &&(&Path, &Frame)| {
        let file = golden.file_name().map(|name| folder.join(name));
        let bytes = file.and_then(|file| read_regular(&file).ok());
        bytes
            .and_then(|bytes| decode_any_png(&bytes).ok())
            .is_some_and(|(picture, _)| compare(&picture, live).is_none())
    };
    goldens.iter().filter(is_equal).map(|(golden, _)| golden.to_path_buf()).collect()
}
