//! Which models are meant by files, folders and patterns, and where the picture of each goes.
//!
//! Pictures mirror the folders of the models: each has the path of its model below the deepest folder that holds everything that
//! was named, and the whole name of the model's file, `.png` behind it. So two models never share a picture, and what else is in
//! a folder changes no name.

use crate::cli::{Failure, load};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// One model file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// As the user would write it.
    pub path: PathBuf,
    /// Below the deepest folder that holds all, with `/` between the parts.
    pub name: String,
    /// Whether it was named itself, and not found in a folder.
    pub is_named: bool,
}

/// All models, sorted by name, and what else there was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gathered {
    pub models: Vec<Found>,
    /// Files that are no models.
    pub ignored: usize,
    /// Folders that could not be read, each with the reason.
    pub unread: Vec<String>,
}

/// Whether a file is a model by its name.
fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .is_some_and(|own| own.eq_ignore_ascii_case("md5mesh") || own.eq_ignore_ascii_case("x"))
}

/// A file with the folder that its layout counts from.
struct Seen {
    path: PathBuf,
    /// The folder of the file without links in its path.
    folder: PathBuf,
    /// The folder that was named, or the file's own.
    base: PathBuf,
    is_named: bool,
}

/// Finds all models.
pub(super) fn gather(paths: &[PathBuf]) -> Result<Gathered, Failure> {
    let mut gathered = Gathered::default();
    let mut seen: Vec<Seen> = Vec::new();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(data) if data.is_dir() => walk(path, &mut seen, &mut gathered)?,
            Ok(_) => seen.push(named(path.clone())?),
            Err(error) => {
                let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
                match pattern {
                    Some(pattern) => expand(pattern, &mut seen, &mut gathered)?,
                    None => return Err(load::unreadable(path, &error)),
                }
            }
        }
    }
    let Some(first) = seen.first() else {
        let named: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let unread: String = gathered.unread.iter().map(|line| format!("; {line}")).collect();
        return Err(Failure::bad_input(format!(
            "no .md5mesh or .x file in {}{unread}",
            named.join(", ")
        )));
    };
    let mut common = first.base.clone();
    for one in &seen {
        while !one.base.starts_with(&common) {
            common.pop();
        }
    }
    let mut taken = BTreeSet::new();
    for Seen { path, folder, is_named, .. } in seen {
        let Some(file) = path.file_name() else { continue };
        let name = slashed(folder.strip_prefix(&common).unwrap_or(&folder), file);
        // Named twice, as a file and by its folder, it is one model.
        match taken.insert(name.clone()) {
            true => gathered.models.push(Found { path, name, is_named }),
            false if is_named => {
                let known = gathered.models.iter_mut().find(|found| found.name == name);
                known.into_iter().for_each(|found| found.is_named = true);
            }
            false => {}
        }
    }
    gathered.models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(gathered)
}

/// A relative folder and a file name as one text.
fn slashed(folder: &Path, file: &std::ffi::OsStr) -> String {
    let parts = folder.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy()),
        _ => None,
    });
    parts.chain([file.to_string_lossy()]).collect::<Vec<_>>().join("/")
}

fn canonical(path: &Path) -> Result<PathBuf, Failure> {
    let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    here.canonicalize().map_err(|error| load::unreadable(here, &error))
}

fn named(path: PathBuf) -> Result<Seen, Failure> {
    let folder = canonical(path.parent().unwrap_or(Path::new("")))?;
    Ok(Seen { path, base: folder.clone(), folder, is_named: true })
}

/// Everything below a folder; links to folders are not followed, so that no way leads round in a circle.
fn walk(root: &Path, seen: &mut Vec<Seen>, gathered: &mut Gathered) -> Result<(), Failure> {
    let base = canonical(root)?;
    let mut folders = vec![(root.to_path_buf(), base.clone())];
    while let Some((shown, folder)) = folders.pop() {
        let listed = std::fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) if shown == root => return Err(load::unreadable(&shown, &error)),
            Err(error) => {
                gathered.unread.push(format!("{}: {error}", shown.display()));
                continue;
            }
        };
        for entry in entries {
            let shown = shown.join(entry.file_name());
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder {
                folders.push((shown, folder.join(entry.file_name())));
            } else if is_model(&shown) && shown.is_file() {
                let (base, folder) = (base.clone(), folder.clone());
                seen.push(Seen { path: shown, folder, base, is_named: false });
            } else {
                gathered.ignored += 1;
            }
        }
    }
    Ok(())
}

/// What fits a pattern that no shell has expanded: models, and everything below folders.
fn expand(pattern: &str, seen: &mut Vec<Seen>, gathered: &mut Gathered) -> Result<(), Failure> {
    let paths = glob::glob(pattern)
        .map_err(|error| Failure::bad_input(format!("{pattern}: no pattern: {error}")))?;
    let (mut any, before) = (false, seen.len());
    for found in paths {
        any = true;
        match found {
            Err(error) => {
                gathered.unread.push(format!("{}: {}", error.path().display(), error.error()));
            }
            Ok(path) if path.is_dir() => walk(&path, seen, gathered)?,
            Ok(path) if is_model(&path) => {
                seen.push(Seen { is_named: false, ..named(path)? });
            }
            Ok(_) => gathered.ignored += 1,
        }
    }
    if !any {
        return Err(Failure::bad_input(format!("{pattern}: no file fits this pattern")));
    }
    // The layout does not depend on what fits today: it counts from the folder before the first star.
    let fixed: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']))
        .collect();
    let base = canonical(&fixed)?;
    for one in seen.iter_mut().skip(before) {
        if one.base.starts_with(&base) {
            one.base.clone_from(&base);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, b"").unwrap();
        }
        root
    }

    fn names(root: &Path, paths: &[&str]) -> Vec<String> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
        gather(&paths).unwrap().models.into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn models_of_a_folder_keep_their_places() {
        let root = tree(&["a/imp.md5mesh", "a/imp.X", "a/b/imp.x", "a/skin.png", "a/imp.md5anim"]);
        assert_eq!(names(root.path(), &["a"]), ["b/imp.x", "imp.X", "imp.md5mesh"]);
        assert_eq!(gather(&[root.path().join("a")]).unwrap().ignored, 2);
    }

    #[test]
    fn models_of_two_folders_never_meet() {
        let root = tree(&["x/models/imp.x", "y/models/imp.x"]);
        let both = ["x/models/imp.x", "y/models/imp.x"];
        assert_eq!(names(root.path(), &["x/models", "y/models"]), both);
        assert_eq!(names(root.path(), &both), both);
        assert_eq!(names(root.path(), &["x/models"]), ["imp.x"]);
        assert_eq!(names(root.path(), &["x/models/imp.x"]), ["imp.x"]);
    }

    #[test]
    fn model_named_twice_is_one() {
        let root = tree(&["a/imp.x", "a/b/dog.x"]);
        let paths = [root.path().join("a"), root.path().join("a/b/../imp.x")];
        let found = gather(&paths).unwrap().models;
        assert_eq!(found.len(), 2);
        assert!(found[1].is_named && found[1].name == "imp.x", "{found:?}");
    }

    #[test]
    fn pattern_counts_from_the_folder_before_its_star() {
        let root = tree(&["m/imp/imp.x", "m/dog/dog.x", "m/dog/bone.png", "m/[a]/odd.x"]);
        assert_eq!(names(root.path(), &["m/*/*"]), ["[a]/odd.x", "dog/dog.x", "imp/imp.x"]);
        assert_eq!(names(root.path(), &["m/d*/*.x"]), ["dog/dog.x"]);
        assert_eq!(names(root.path(), &["m/[a]"]), ["odd.x"], "what is there is no pattern");
        let failure = gather(&[root.path().join("m/*.fbx")]).unwrap_err();
        assert!(failure.message.contains("no file fits this pattern"), "{}", failure.message);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_not_followed() {
        let root = tree(&["a/imp.x"]);
        std::os::unix::fs::symlink(root.path(), root.path().join("a/again")).unwrap();
        assert_eq!(names(root.path(), &["a"]), ["imp.x"]);
    }
}
