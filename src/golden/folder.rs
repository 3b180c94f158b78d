//! Assignment of the files of a golden folder to scenes.

use super::check::Checked;
use super::error::GoldenError;
use super::paths::entries;
use super::scene::GoldenScene;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Two scenes whose goldens would be the same files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} and {} both keep their goldens in {}: rename one of them", first.display(), second.display(), folder.display())]
pub struct Clash {
    /// One scene.
    pub first: PathBuf,
    /// The other scene.
    pub second: PathBuf,
    /// The folder of both.
    pub folder: PathBuf,
}

/// The first two scenes that share a golden folder, if any do.
#[must_use]
pub fn clash(scenes: &[GoldenScene]) -> Option<Clash> {
    let mut seen: BTreeMap<&Path, &Path> = BTreeMap::new();
    scenes.iter().find_map(|scene| {
        let first = seen.insert(&scene.folder, &scene.path).filter(|first| *first != scene.path)?;
        Some(Clash {
            first: first.into(),
            second: scene.path.clone(),
            folder: scene.folder.clone(),
        })
    })
}

/// Files below `folder` that no golden frame of `scenes` asks for, sorted; hidden ones are left out. No folder holds none.
///
/// # Errors
/// [`GoldenError::Read`] if a folder is there and cannot be read.
pub fn dangling(folder: &Path, scenes: &[GoldenScene]) -> Result<Vec<Checked>, GoldenError> {
    let goldens =
        scenes.iter().flat_map(|scene| scene.frames().into_iter().map(|frame| scene.file(frame)));
    let wanted: BTreeSet<PathBuf> = goldens.collect();
    let is_wanted = |path: &Path| wanted.contains(path);
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // A folder of alternatives: its pictures belong to the golden beside it.
        let golden = folder.with_added_extension("png");
        let has_alternatives = is_wanted(&golden);
        for path in entries(&folder)? {
            let own = if has_alternatives { golden.clone() } else { path.clone() };
            let own = if own.extension() == Some(OsStr::new("toml")) {
                own.with_extension("png")
            } else {
                own
            };
            if path.is_dir() {
                folders.push(path);
            } else if !(is_ours(&path) && is_wanted(&own)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found.into_iter().map(Checked::dangling).collect())
}

/// Whether a file can be a golden picture, or the record of one.
fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "png" || extension == "toml")
}
