//! Paths of goldens: the folder of a scene, the record of a picture, accepted alternatives.

use super::error::GoldenError;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

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

/// Entries of a folder without hidden files; none if it does not exist.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
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
