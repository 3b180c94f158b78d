//! What `test` and `bless` share: the scenes of paths, and the folders of their goldens.

use super::{Failure, chain, exit};
use crate::formats::LoadOptions;
use crate::golden::{GoldenError, GoldenScene, clash};
use std::path::{Path, PathBuf};

/// A scene that cannot be tested.
pub(super) struct BadScene {
    /// Its path.
    pub path: PathBuf,
    /// Why, with the exit code that it ends with.
    pub failure: Failure,
}

/// The failure that an error of a golden ends with.
pub(super) fn failure(error: &GoldenError) -> Failure {
    let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
    Failure::new(code, chain(error))
}

/// The scenes of the paths that list goldens, sorted, and those that cannot be read.
///
/// A scene that is named must list goldens; one that a folder holds need not.
pub(super) fn read_scenes(
    paths: &[PathBuf],
    root: Option<&Path>,
    load_options: &LoadOptions,
) -> Result<(Vec<GoldenScene>, Vec<BadScene>), Failure> {
    let (mut scenes, mut bad) = (Vec::new(), Vec::new());
    for path in paths {
        if let Err(error) = std::fs::metadata(path) {
            bad.push(BadScene {
                path: path.clone(),
                failure: super::load::unreadable(path, &error),
            });
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
                Err(error) => bad.push(BadScene { path: file, failure: failure(&error) }),
            }
        }
    }
    if scenes.is_empty() && bad.is_empty() {
        return Err(Failure::new(exit::DIFFERENT, "no scene with a [golden] table was found"));
    }
    match clash(&scenes) {
        Some(clash) => Err(Failure::bad_input(clash.to_string())),
        None => Ok((scenes, bad)),
    }
}

/// All `.toml` files below a folder, sorted.
fn scene_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| super::load::unreadable(&folder, &error);
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
/// A whole folder of scenes owns the whole golden folder; a scene alone owns its own.
pub(super) fn golden_folders(
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
