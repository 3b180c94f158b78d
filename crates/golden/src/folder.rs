//! Assignment of the files of a golden folder to scenes.

use super::checked::Checked;
use super::discover::Discovery;
use super::error::GoldenError;
use super::paths::{entries, files_of, folder_of, is_part, mirrored};
use super::read_record::part_names;
use super::record_file::is_record;
use super::scene::GoldenScene;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tintype_base::path::ShowPath;
use tintype_formats::Files;
use tintype_render::asset::input::{Kind, kind};

/// Two scenes with the same golden files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}, {}: rename one of them", first.shown(), self.clause())]
pub struct Clash {
    /// One scene.
    pub first: PathBuf,
    /// The other scene.
    pub second: PathBuf,
    /// The folder of both.
    pub folder: PathBuf,
    /// The frame of the first scene whose alternative pictures would be in that folder. None if it
    /// is the folder of all frames of both.
    pub frame: Option<i64>,
}

impl Clash {
    fn clause(&self) -> String {
        let (second, folder) = (self.second.shown(), self.folder.shown());
        match self.frame {
            None => format!("{second} keeps its goldens in {folder} too"),
            Some(frame) => format!(
                "alternatives for its frame {frame} and the goldens of {second} are both in {folder}"
            ),
        }
    }
}

/// The path on the disk, through symbolic links.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.into())
}

/// The first two scenes with the same golden file, if any.
#[must_use]
pub fn clash(scenes: &[GoldenScene]) -> Option<Clash> {
    let mut folders: BTreeMap<PathBuf, &GoldenScene> = BTreeMap::new();
    for scene in scenes {
        let first = folders.insert(real(&scene.folder), scene);
        if let Some(first) = first.filter(|first| first.path != scene.path) {
            return Some(Clash {
                first: first.path.clone(),
                second: scene.path.clone(),
                folder: scene.folder.clone(),
                frame: None,
            });
        }
    }
    scenes.iter().find_map(|scene| {
        scene.frames().into_iter().find_map(|frame| {
            let folder = scene.file(frame).with_extension("");
            let second = folders.get(&real(&folder))?;
            Some(Clash {
                first: scene.path.clone(),
                second: second.path.clone(),
                folder,
                frame: Some(frame.0),
            })
        })
    })
}

/// A folder in which every file belongs to a golden, and the folder that its scenes would be in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    folder: PathBuf,
    /// `folder/a/b/0000.png` would belong to `a/b.toml` in one of these.
    scenes: Vec<PathBuf>,
}

/// Goldens below the folders of scenes that belong to no scene, sorted.
///
/// A whole folder of scenes owns the whole golden folder; a single scene owns only the folder of
/// its goldens. A golden does not count if its scene cannot be read, or was not among the paths.
///
/// # Errors
/// [`GoldenError::Read`] if a folder exists and cannot be read.
pub fn stray(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &Discovery,
) -> Result<Vec<Checked>, GoldenError> {
    let read: BTreeSet<PathBuf> = found.files().map(real).collect();
    let bad: Vec<PathBuf> = found.bad.iter().map(|bad| folder_of(&bad.path, root)).collect();
    let mut stray: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for place in places(paths, root, found)? {
        for one in dangling(&place.folder, &found.scenes)? {
            if !is_of_unread(&one.path, &place, &read)
                && !bad.iter().any(|bad| one.path.starts_with(bad))
            {
                stray.insert(
                    real(one.path.parent().unwrap_or(Path::new("")))
                        .join(one.path.file_name().unwrap_or_default()),
                    one.path,
                );
            }
        }
    }
    Ok(stray.into_values().map(Checked::dangling).collect())
}

/// Goldens without a scene, as files to be deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrayFiles {
    /// Number of the goldens.
    pub goldens: usize,
    /// Their files.
    pub files: Vec<PathBuf>,
    /// Parts of records that no record names without them.
    pub parts: Vec<PathBuf>,
}

impl StrayFiles {
    /// Finds the goldens as [`stray`] does.
    ///
    /// # Errors
    /// As [`stray`] and [`unused_parts`].
    pub fn find(
        paths: &[PathBuf],
        root: Option<&Path>,
        found: &Discovery,
    ) -> Result<Self, GoldenError> {
        let stray = stray(paths, root, found)?;
        let files: Vec<PathBuf> = stray.iter().flat_map(|one| files_of(&one.path)).collect();
        let parts = unused_parts(&found.scenes, &files)?;
        Ok(Self { goldens: stray.len(), files, parts })
    }

    /// All files to be deleted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().chain(&self.parts).map(PathBuf::as_path)
    }
}

/// Goldens beside folders of scenes, if their folder `scenes` has been renamed or removed.
///
/// # Errors
/// As [`stray`].
pub fn left_behind(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &Discovery,
) -> Result<Vec<Checked>, GoldenError> {
    let mut left = Vec::new();
    for path in paths.iter().filter(|path| path.is_dir() && mirrored(path, root).is_none()) {
        let (scenes, golden) = (path.with_file_name("scenes"), path.with_file_name("golden"));
        if root.is_none() && !scenes.exists() && path.file_name().is_some() {
            left.extend(
                dangling(&golden, &found.scenes)?.into_iter().filter(|one| is_ours(&one.path)),
            );
        }
    }
    Ok(left)
}

/// True if the scene of a file exists and was not read in this run.
fn is_of_unread(file: &Path, place: &Place, read: &BTreeSet<PathBuf>) -> bool {
    let Some(below) = file.parent().and_then(|folder| folder.strip_prefix(&place.folder).ok())
    else {
        return false;
    };
    // The folder of the frames, or its parent: the file is one of several pictures of a frame.
    let candidates = [Some(below), below.parent()].into_iter().flatten();
    let mut scenes = candidates.flat_map(|below| {
        place.scenes.iter().map(move |scenes| {
            if below.as_os_str().is_empty() {
                scenes.with_added_extension("toml")
            } else {
                scenes.join(below).with_added_extension("toml")
            }
        })
    });
    // An unreadable one may exist.
    let is_there =
        |scene: &Path| !matches!(kind(&Files::Disk, scene), Ok(Kind::Folder | Kind::Other));
    scenes.any(|scene| is_there(&scene) && !is_record(&scene) && !read.contains(&real(&scene)))
}

/// The golden folders of the paths of a run.
fn places(
    paths: &[PathBuf],
    root: Option<&Path>,
    found: &Discovery,
) -> Result<Vec<Place>, GoldenError> {
    let mut places: Vec<Place> = Vec::new();
    for scene in &found.scenes {
        let scenes = vec![scene.path.with_extension("")];
        places.push(Place { folder: scene.folder.clone(), scenes });
    }
    let is_folder = |path: &&PathBuf| path.is_dir();
    for path in paths.iter().filter(is_folder) {
        let below = found.folders.iter().filter(|folder| folder.starts_with(path));
        match (mirrored(path, root), root) {
            (Some(folder), _) => places.push(Place { folder, scenes: vec![path.clone()] }),
            (None, Some(root)) => {
                let named = below.filter(|folder| folder.ends_with("scenes")).cloned();
                let scenes = core::iter::once(path.clone()).chain(named).collect();
                places.push(Place { folder: root.to_path_buf(), scenes });
            }
            (None, None) => {
                for folder in below {
                    let golden = folder.join("golden");
                    if golden.is_dir() && holds_goldens(folder, &golden, found)? {
                        let scenes = vec![folder.clone(), folder.join("scenes")];
                        places.push(Place { folder: golden, scenes });
                    }
                }
            }
        }
    }
    places.sort();
    places.dedup();
    Ok(places)
}

/// True if a folder named `golden` contains goldens: it is beside scenes, or contains records, and
/// has no scene.
fn holds_goldens(beside: &Path, golden: &Path, found: &Discovery) -> Result<bool, GoldenError> {
    if found.files().any(|scene| scene.starts_with(golden)) {
        return Ok(false);
    }
    let has_scenes = found
        .files()
        .any(|scene| scene.parent() == Some(beside) || scene.starts_with(beside.join("scenes")));
    Ok(has_scenes
        || files_below(golden)?
            .iter()
            .any(|path| path.extension() == Some(OsStr::new("toml")) && is_record(path)))
}

/// All files below a folder without hidden ones, through symbolic links.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, GoldenError> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        // A symbolic link may lead back up.
        if !seen.insert(real(&folder)) {
            continue;
        }
        for path in entries(&folder)? {
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

/// Files below `folder` that no golden frame of `scenes` uses, sorted, except hidden files and
/// parts of records. A picture and its record count as one golden. A missing folder contains none.
///
/// # Errors
/// [`GoldenError::Read`] if a folder exists and cannot be read.
pub fn dangling(folder: &Path, scenes: &[GoldenScene]) -> Result<Vec<Checked>, GoldenError> {
    let goldens =
        scenes.iter().flat_map(|scene| scene.frames().into_iter().map(|frame| scene.file(frame)));
    let wanted: BTreeSet<PathBuf> = goldens.collect();
    let is_wanted = |path: &PathBuf| {
        // A folder of alternatives: its pictures belong to the golden beside it.
        let beside = path.parent().map(|folder| folder.with_added_extension("png"));
        // A scene without pictures has records alone.
        let is_named = wanted.contains(path)
            || picture_beside(path).is_some_and(|picture| wanted.contains(&picture));
        is_part(path)
            || is_ours(path) && (is_named || beside.is_some_and(|own| wanted.contains(&own)))
    };
    let mut found = files_below(folder)?;
    found.retain(|path| !is_wanted(path));
    found.sort();
    Ok(goldens_among(found).into_iter().map(Checked::dangling).collect())
}

/// Files without the records whose pictures are in the list.
pub(super) fn goldens_among(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let all: BTreeSet<PathBuf> = files.iter().cloned().collect();
    let is_beside =
        |path: &PathBuf| picture_beside(path).is_some_and(|picture| all.contains(&picture));
    files.into_iter().filter(|path| !is_beside(path)).collect()
}

/// The picture of a record with this file name. None if it is not the name of a record.
fn picture_beside(path: &Path) -> Option<PathBuf> {
    (path.extension() == Some(OsStr::new("toml"))).then(|| path.with_extension("png"))
}

/// Unused parts of records in the golden folders of scenes, sorted; records that are `gone` do not
/// count.
///
/// # Errors
/// [`GoldenError::Read`] if a folder or a record cannot be read, because it might name any part.
pub fn unused_parts(scenes: &[GoldenScene], gone: &[PathBuf]) -> Result<Vec<PathBuf>, GoldenError> {
    let roots: BTreeSet<&Path> = scenes.iter().map(|scene| scene.root.as_path()).collect();
    let parts = roots.into_iter().map(|root| unused_parts_below(root, gone));
    Ok(parts.collect::<Result<BTreeSet<_>, _>>()?.into_iter().flatten().collect())
}

/// As [`unused_parts`], for one golden folder.
pub(super) fn unused_parts_below(
    root: &Path,
    gone: &[PathBuf],
) -> Result<Vec<PathBuf>, GoldenError> {
    let (mut parts, others): (Vec<_>, Vec<_>) =
        files_below(root)?.into_iter().partition(|path| is_part(path));
    let is_record = |path: &&PathBuf| {
        path.extension() == Some(OsStr::new("toml"))
            && !gone.iter().any(|gone| path.starts_with(gone))
    };
    let mut named = BTreeSet::new();
    for path in others.iter().filter(is_record) {
        let failed = |source| GoldenError::Read { path: path.clone(), source };
        named.extend(part_names(path).map_err(failed)?);
    }
    let name = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    parts.retain(|path| name(path).is_none_or(|name| !named.contains(&name)));
    parts.sort();
    Ok(parts)
}

/// True if a file can be a golden picture, or its record.
fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "png" || extension == "toml")
}
