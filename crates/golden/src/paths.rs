//! Paths of goldens: the folder of a scene, the record of a picture, accepted alternatives.

use super::error::GoldenError;
use crate::record::CONTENT;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tintype_base::disk::if_there;

/// The file with the record of the stages of a golden picture.
#[must_use]
pub fn record_of(golden: &Path) -> PathBuf {
    golden.with_extension("toml")
}

/// The path in `to` that corresponds to `path` in `from`. None if `path` is not in `from`.
#[must_use]
pub fn counterpart(path: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    Some(to.join(path.strip_prefix(from).ok()?))
}

/// Replaces the first of two folders by the second, if a path is in the first.
pub(super) fn rename(path: &mut PathBuf, [from, to]: &[PathBuf; 2]) {
    if let Some(renamed) = counterpart(path, from, to) {
        *path = renamed;
    }
}

/// The files of an existing golden: a picture and the record beside it, or the only file or folder.
#[must_use]
pub fn files_of(golden: &Path) -> Vec<PathBuf> {
    let record = record_of(golden);
    let is_more = record != golden && !golden.is_dir() && record.is_file();
    core::iter::once(golden.to_path_buf()).chain(is_more.then_some(record)).collect()
}

/// The accepted pictures beside the golden itself, sorted.
///
/// # Errors
/// [`GoldenError::Read`] if their folder exists and cannot be read.
pub(super) fn alternatives(golden: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let mut found = entries(&golden.with_extension(""))?;
    found.retain(|path| path.extension() == Some(OsStr::new("png")));
    found.sort();
    Ok(found)
}

/// The target of a symbolic link, even if it does not exist; otherwise the path itself. A file
/// written to that path does not replace the link.
pub(super) fn through_links(path: &Path) -> PathBuf {
    /// The limit of Linux.
    const MOST: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST {
        match std::fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    path
}

/// Entries of a folder without hidden files; empty if it does not exist.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let failed = |source| GoldenError::Read { path: folder.into(), source };
    let entries = if_there(std::fs::read_dir(folder)).map_err(failed)?;
    let mut found = Vec::new();
    for entry in entries.into_iter().flatten() {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The golden folder of a folder of scenes, which is named `scenes` or lies in one of that name.
/// None for other folders.
pub(super) fn mirrored(folder: &Path, root: Option<&Path>) -> Option<PathBuf> {
    let parts: Vec<_> = folder.components().collect();
    let at = parts.iter().rposition(|part| part.as_os_str() == "scenes")?;
    let root = match root {
        Some(root) => root.to_path_buf(),
        None => parts[..at].iter().collect::<PathBuf>().join("golden"),
    };
    Some(root.join(parts[at + 1..].iter().collect::<PathBuf>()))
}

/// True if a file has the name and location of a part used by several records:
/// `golden/content/0123456789abcdef.toml`.
#[must_use]
pub fn is_part(path: &Path) -> bool {
    let is_name = |stem: &OsStr| stem.to_str().is_some_and(is_part_name);
    path.parent().is_some_and(|folder| folder.ends_with(CONTENT))
        && path.extension() == Some(OsStr::new("toml"))
        && path.file_stem().is_some_and(is_name)
}

/// True if a text can be the name of a part: a digest.
pub(super) fn is_part_name(text: &str) -> bool {
    text.len() == 16 && text.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c))
}

/// The golden folder of all scenes beside a scene.
pub(super) fn root_of(scene: &Path, root: Option<&Path>) -> PathBuf {
    let is_of_scenes = |folder: &&Path| folder.file_name() == Some(OsStr::new("scenes"));
    let beside = || {
        let scenes = scene.ancestors().skip(1).find(is_of_scenes).unwrap_or(scene);
        scenes.with_file_name("golden")
    };
    root.map_or_else(beside, Path::to_path_buf)
}

/// The folder of a scene's goldens.
pub(super) fn folder_of(scene: &Path, root: Option<&Path>) -> PathBuf {
    let stem = scene.with_extension("");
    let name = stem.file_name().map(PathBuf::from).unwrap_or_default();
    let folder = scene.parent().and_then(|folder| mirrored(folder, root));
    folder.unwrap_or_else(|| root_of(scene, root)).join(name)
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
            ("scenes.toml", None, "golden/scenes"),
        ] {
            assert_eq!(
                folder_of(Path::new(scene), root.map(Path::new)),
                Path::new(folder),
                "{scene}"
            );
            let all = root_of(Path::new(scene), root.map(Path::new));
            assert!(folder.starts_with(all.to_str().unwrap()), "{scene}: {all:?}");
        }
    }
}
