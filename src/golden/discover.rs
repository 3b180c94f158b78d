//! Scenes with goldens below paths, and the folders of their goldens.

use super::error::GoldenError;
use super::scene::GoldenScene;
use crate::asset::FileError;
use crate::formats::LoadOptions;
use std::path::{Path, PathBuf};

/// A scene that cannot be read.
#[derive(Debug)]
pub struct BadScene {
    /// Its path.
    pub path: PathBuf,
    /// The reason.
    pub error: GoldenError,
}

/// Reads the scenes of files and folders, sorted, each followed by its views; and those that cannot be read.
///
/// A file that is named must list goldens; one that a folder holds need not.
///
/// # Errors
/// [`GoldenError`] if a folder cannot be read.
pub fn read_scenes(
    paths: &[PathBuf],
    root: Option<&Path>,
    load_options: &LoadOptions,
) -> Result<(Vec<GoldenScene>, Vec<BadScene>), GoldenError> {
    let (mut scenes, mut bad) = (Vec::new(), Vec::new());
    for path in paths {
        if let Err(error) = std::fs::metadata(path) {
            bad.push(BadScene { path: path.clone(), error: FileError::new(path, &error).into() });
            continue;
        }
        let files = if path.is_dir() { scene_files(path)? } else { vec![path.clone()] };
        for file in files {
            match GoldenScene::read(&file, root) {
                Ok(scene) if scenes.iter().any(|known: &GoldenScene| known.path == file) => {
                    drop(scene);
                }
                Ok(mut scene) => {
                    scene.load_options = load_options.clone();
                    scenes.extend(scene.with_views());
                }
                Err(GoldenError::NoGolden { .. }) if path.is_dir() => {}
                Err(error) => bad.push(BadScene { path: file, error }),
            }
        }
    }
    Ok((scenes, bad))
}

/// All `.toml` files below a folder, sorted.
fn scene_files(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| FileError::new(&folder, &error);
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The folders in which every file must belong to a golden of one of the scenes.
///
/// A whole folder of scenes has the whole golden folder; a single scene has only the folder of its goldens.
#[must_use]
pub fn golden_folders(
    paths: &[PathBuf],
    root: Option<&Path>,
    scenes: &[GoldenScene],
) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = scenes.iter().map(|scene| scene.folder.clone()).collect();
    for path in paths.iter().filter(|path| path.is_dir() && path.ends_with("scenes")) {
        folders.push(root.map_or_else(|| path.with_file_name("golden"), Path::to_path_buf));
    }
    folders.sort();
    // A folder inside another one is looked through with that.
    let mut whole: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if !whole.last().is_some_and(|last| folder.starts_with(last)) {
            whole.push(folder);
        }
    }
    whole
}
