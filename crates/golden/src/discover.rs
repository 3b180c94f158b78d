//! Scenes with goldens below paths, and scenes that cannot be read.

use super::error::GoldenError;
use super::paths::{entries, folder_of};
use super::record_file::is_record;
use super::scene::GoldenScene;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_formats::LoadOptions;
use tintype_render::asset::{FileError, SharedFiles};

/// A scene that cannot be read.
#[derive(Debug)]
pub struct BadScene {
    /// Its path.
    pub path: PathBuf,
    /// The reason.
    pub error: GoldenError,
}

impl BadScene {
    /// True if the folder of its goldens contains a file that `is_wanted`, or cannot be read.
    #[must_use]
    pub fn has_golden(&self, root: Option<&Path>, is_wanted: impl Fn(&Path) -> bool) -> bool {
        let folder = folder_of(&self.path, root);
        match entries(&folder) {
            Ok(files) => files.iter().any(|file| is_wanted(file)),
            Err(_) => true,
        }
    }
}

/// The scenes below some paths.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Scenes with goldens, each followed by its views.
    pub scenes: Vec<GoldenScene>,
    /// Scenes that cannot be read.
    pub bad: Vec<BadScene>,
    /// Scenes without a `[golden]` table.
    pub others: Vec<PathBuf>,
    /// The folders that were searched.
    pub folders: Vec<PathBuf>,
}

impl Discovery {
    /// Paths of all scene files, readable or not.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let scenes = self.scenes.iter().map(|scene| scene.path.as_path());
        let bad = self.bad.iter().map(|scene| scene.path.as_path());
        scenes.chain(bad).chain(self.others.iter().map(PathBuf::as_path))
    }
}

/// Reads the scenes of files and folders, sorted.
///
/// A named file must list goldens; a file found in a folder may have none. Records of goldens are
/// not scenes, in whichever folder they lie.
///
/// # Errors
/// [`GoldenError`] if a folder cannot be read.
pub fn read_scenes(
    paths: &[PathBuf],
    root: Option<&Path>,
    load_options: &LoadOptions,
) -> Result<Discovery, GoldenError> {
    let mut found = Discovery::default();
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    let shared = Arc::new(SharedFiles::default());
    for path in paths {
        if let Err(error) = std::fs::metadata(path) {
            let error = FileError::new(path, &error).into();
            found.bad.push(BadScene { path: path.clone(), error });
            continue;
        }
        let is_folder = path.is_dir();
        let files = if is_folder {
            let (files, folders) = scene_files(path)?;
            found.folders.extend(folders);
            files
        } else {
            vec![path.clone()]
        };
        for file in files {
            // `./a.toml` and `a.toml` are one.
            if !known.insert(std::path::absolute(&file).unwrap_or_else(|_| file.clone())) {
                continue;
            }
            match GoldenScene::read(&file, root) {
                Ok(mut scene) => {
                    scene.load_options = load_options.clone();
                    scene.shared = Arc::clone(&shared);
                    found.scenes.extend(scene.with_views());
                }
                Err(GoldenError::NoGolden { .. }) if is_folder => found.others.push(file),
                Err(error) => found.bad.push(BadScene { path: file, error }),
            }
        }
    }
    Ok(found)
}

/// All `.toml` files below a folder except records of goldens, and all folders; both sorted.
fn scene_files(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), GoldenError> {
    let (mut found, mut all) = (Vec::new(), Vec::new());
    let mut folders = vec![folder.to_path_buf()];
    // A symbolic link may lead back up.
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| FileError::new(&folder, &error);
        if !seen.insert(folder.canonicalize().map_err(failed)?) {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "toml") && !is_record(&path) {
                found.push(path);
            }
        }
        all.push(folder);
    }
    found.sort();
    all.sort();
    Ok((found, all))
}
