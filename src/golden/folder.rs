//! Which files of a golden folder belong to which scene.

use super::{Checked, GoldenError, GoldenScene};
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

/// The file with the record of the stages behind a golden picture.
#[must_use]
pub fn record_of(golden: &Path) -> PathBuf {
    golden.with_extension("toml")
}

/// The accepted pictures beside the golden itself, sorted.
///
/// # Errors
/// [`GoldenError::Read`] if their folder is there and cannot be read.
pub(super) fn alternatives(golden: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let mut found = entries(&golden.with_extension(""))?;
    found.retain(|path| path.extension() == Some(OsStr::new("png")));
    found.sort();
    Ok(found)
}

/// What a folder holds but hidden files; nothing if it is not there.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let failed = |source| GoldenError::Read { path: folder.into(), source };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The folder of a scene's goldens.
pub(super) fn folder_of(scene: &Path, root: Option<&Path>) -> PathBuf {
    let stem = scene.with_extension("");
    let name = stem.file_name().map(PathBuf::from).unwrap_or_default();
    let parts: Vec<_> = stem.components().collect();
    let scenes = parts.iter().rposition(|part| part.as_os_str() == "scenes");
    match (scenes, root) {
        (Some(at), Some(root)) => root.join(parts[at + 1..].iter().collect::<PathBuf>()),
        (Some(at), None) => {
            let beside: PathBuf = parts[..at].iter().collect();
            beside.join("golden").join(parts[at + 1..].iter().collect::<PathBuf>())
        }
        (None, Some(root)) => root.join(name),
        (None, None) => scene.with_file_name("golden").join(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_folder_mirrors_the_scenes() {
        for (scene, root, folder) in [
            ("scenes/walk.toml", None, "golden/walk"),
            ("/a/scenes/raster/edge.toml", None, "/a/golden/raster/edge"),
            ("scenes/raster/edge.toml", Some("/g"), "/g/raster/edge"),
            ("b/mine.toml", None, "b/golden/mine"),
            ("mine.toml", Some("g"), "g/mine"),
        ] {
            assert_eq!(
                folder_of(Path::new(scene), root.map(Path::new)),
                Path::new(folder),
                "{scene}"
            );
        }
    }
}
