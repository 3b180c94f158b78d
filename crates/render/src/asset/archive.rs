//! Archives on the disk as folders: a path that continues after a `.pk4` or `.zip` file leads to a
//! file in it.
//!
//! In a folder of a game, the files of its `.pk4` archives are searched as if they were in the
//! folder itself (`of_folder`).

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tintype_base::disk::open_regular;
use tintype_base::extension::{ARCHIVES, GAME_ARCHIVE, has_extension};
use tintype_base::path::{slashed, without_detours};
use tintype_formats::archive::Archive;

/// An archive's list, with the length and the time of its file when read.
type Kept = (u64, Option<SystemTime>, Arc<Archive>);

/// Lists of read archives: each is searched for thousands of textures. A list is read again when
/// its file changes.
static LISTS: Mutex<BTreeMap<PathBuf, Kept>> = Mutex::new(BTreeMap::new());
/// Most lists that are kept.
const MAX_LISTS: usize = 64;

/// A path in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Within {
    /// The file of the archive.
    pub(super) archive: PathBuf,
    /// The path in it, with `/` between its parts; empty for the archive itself.
    pub(super) inside: String,
}

/// True if a path is a file with the extension of an archive.
#[must_use]
pub fn is_archive(path: &Path) -> bool {
    has_extension(path, &ARCHIVES) && path.is_file()
}

/// The archive that a path is or leads through. None for all other paths.
#[must_use]
pub fn archive_of(path: &Path) -> Option<PathBuf> {
    within(path).map(|within| within.archive)
}

/// The archive that a path leads into, and the path inside it.
fn entered(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut archive = PathBuf::new();
    let mut parts = path.components();
    loop {
        archive.push(parts.next()?);
        if is_archive(&archive) {
            return Some((archive, without_detours(parts.as_path())));
        }
    }
}

/// The archive that a path leads through, and the path inside it.
pub(super) fn within(path: &Path) -> Option<Within> {
    let (archive, rest) = entered(path)?;
    let is_inside = rest.components().all(|part| matches!(part, Component::Normal(_)));
    is_inside.then(|| Within { archive, inside: slashed(&rest) })
}

/// True if a path leads into an archive and out of it again, which no system allows.
pub(super) fn leaves(path: &Path) -> bool {
    entered(path).is_some_and(|(_, rest)| rest.starts_with(".."))
}

impl Within {
    /// The list of the archive.
    ///
    /// # Errors
    /// The error of the system, or the fault of the archive.
    pub(super) fn list(&self) -> io::Result<Arc<Archive>> {
        let data = std::fs::metadata(&self.archive)?;
        let (length, time) = (data.len(), data.modified().ok());
        let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, at, list)) = lists.get(&self.archive)
            && (*known, *at) == (length, time)
        {
            return Ok(Arc::clone(list));
        }
        let list = Archive::read(&mut open_regular(&self.archive)?);
        let list = Arc::new(list.map_err(|error| self.named(error.into()))?);
        if lists.len() >= MAX_LISTS {
            lists.clear();
        }
        lists.insert(self.archive.clone(), (length, time, Arc::clone(&list)));
        Ok(list)
    }

    /// The bytes of the file, at most `most`.
    ///
    /// # Errors
    /// The error of the system, or the fault of the archive or the file in it.
    pub(super) fn read(&self, most: u64) -> io::Result<Vec<u8>> {
        let list = self.list()?;
        if list.is_folder(&self.inside) {
            let message = "it is a folder, not a file";
            return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
        }
        Ok(list.bytes(&mut open_regular(&self.archive)?, &self.inside, most)?)
    }

    /// An error of the archive as a whole, with its name: the requested path may lead far into it.
    fn named(&self, error: io::Error) -> io::Error {
        let name = self.archive.file_name().unwrap_or_default().to_string_lossy();
        io::Error::new(error.kind(), format!("the archive {name:?} cannot be read: {error}"))
    }
}

/// The archives of a game among the names in a folder, in the order of their search: by name, the
/// last first.
pub(super) fn of_folder(folder: &Path, names: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        names.filter(|name| has_extension(name, &[GAME_ARCHIVE])).collect();
    found.sort_by_key(|name| std::cmp::Reverse(name.to_string_lossy().to_lowercase()));
    found.into_iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
}

/// The folder that the files of a game archive belong to, which is the archive's folder; other
/// folders are unchanged.
pub(super) fn game_folder(folder: &Path) -> &Path {
    if has_extension(folder, &[GAME_ARCHIVE]) && folder.is_file() {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    }
}

/// The canonical path; for a file in an archive, based on that of the archive.
///
/// # Errors
/// The error of the system.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    match within(path) {
        Some(Within { archive, inside }) => Ok(archive.canonicalize()?.join(inside)),
        None => path.canonicalize(),
    }
}
