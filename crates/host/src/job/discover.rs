//! Model files named by paths, folders, patterns and lists, each with the name of its picture.
//!
//! An archive is a folder. Names mirror the folders of the models: the path of each model relative
//! to the deepest folder that contains everything that was named. Therefore names are unique, and
//! other files of a folder do not affect them. With a base, paths are relative to it; then a list
//! of models, one per line, is used without opening any of them, so that it means the same on every
//! machine and at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use tintype_base::disk::{MAX_TEXT_BYTES, read_bounded};
use tintype_base::extension::{is_model, models_text};
use tintype_base::git::{MERGE_CONFLICT, merge_conflict_line};
use tintype_base::path::{ShowPath, list_lines, path_of_text, slashed, text_of_bytes};
use tintype_formats::{Files, quake};
use tintype_framing::ModelFile;
use tintype_render::asset::FileError;
use tintype_render::asset::archive::{self, archive_of, is_archive};
use tintype_render::asset::input::{Kind, is_folder, kind, names_in};

/// Paths, lists and patterns to search for models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSources {
    /// Model files, folders searched with all their subfolders, or patterns with `*`.
    pub paths: Vec<PathBuf>,
    /// A text file with a path in each line.
    pub list: Option<PathBuf>,
    /// The base folder of paths in the list and of names.
    pub base: Option<PathBuf>,
}

/// The models, sorted by name, and the skipped files and folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovered {
    /// At least one model.
    pub models: Vec<ModelFile>,
    /// The folder that names are relative to, in the form written by the caller.
    pub base: PathBuf,
    /// Number of files that are not models.
    pub ignored: usize,
    /// Folders that could not be read, and models in them that could not be checked, each with the
    /// reason.
    pub unread: Vec<String>,
}

/// Error of searching models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscoverError {
    /// A path cannot be read.
    File(FileError),
    /// None of the sources has a model.
    NoModel {
        /// The paths and the list.
        named: Vec<PathBuf>,
        /// Folders that could not be read, each with the reason.
        unread: Vec<String>,
    },
    /// A list contains 0 bytes: it is UTF-16, or not text.
    NotText {
        /// The list.
        list: PathBuf,
    },
    /// A list contains a merge conflict.
    Conflict {
        /// The list.
        list: PathBuf,
        /// The line of the first marker, from 1.
        number: usize,
    },
    /// A line of a list with a base is not a relative path below it.
    Line {
        /// The list.
        list: PathBuf,
        /// From 1.
        number: usize,
        /// The line.
        line: String,
    },
    /// A model is outside of the base.
    OutsideBase {
        /// The model.
        path: PathBuf,
        /// The base.
        base: PathBuf,
    },
    /// A pattern is malformed.
    Pattern {
        /// The pattern.
        pattern: String,
        /// The mistake.
        message: String,
    },
    /// No file matches a pattern.
    NoMatch {
        /// The pattern.
        pattern: String,
    },
}

impl DiscoverError {
    fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::File(FileError::of_file_or_folder(path, error))
    }

    /// True if another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::File(error) if error.is_temporary())
    }
}

impl fmt::Display for DiscoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::NoModel { named, unread } => {
                let named: Vec<String> = named.iter().map(|path| path.shown()).collect();
                write!(f, "no {} file in {}", models_text("or"), named.join(", "))?;
                unread.iter().try_for_each(|line| write!(f, "; {line}"))
            }
            Self::Conflict { list, number } => {
                write!(f, "{}:{number}: {MERGE_CONFLICT}", list.shown())
            }
            Self::NotText { list } => write!(
                f,
                "{}: not a model list: it contains null bytes; save it as UTF-8, one path per line",
                list.shown()
            ),
            Self::Line { list, number, line } => write!(
                f,
                "{}:{number}: {line:?}: each line must be a path relative to the base folder",
                list.shown()
            ),
            Self::OutsideBase { path, base } => {
                write!(f, "{}: not inside the base folder {}", path.shown(), base.shown())
            }
            Self::Pattern { pattern, message } => write!(f, "{pattern}: no pattern: {message}"),
            Self::NoMatch { pattern } => write!(f, "{pattern}: no file matches this pattern"),
        }
    }
}

impl std::error::Error for DiscoverError {}

/// A file with the folder that its name is relative to.
struct Seen {
    path: PathBuf,
    /// The canonical folder of the file.
    folder: PathBuf,
    /// The named folder, or the folder of the file.
    base: PathBuf,
    is_named: bool,
}

/// Finds all models.
///
/// # Errors
/// [`DiscoverError`] if there are none, or a source cannot be read.
pub fn discover(asked: &ModelSources) -> Result<Discovered, DiscoverError> {
    let mut discovered = Discovered::default();
    let mut seen: Vec<Seen> = Vec::new();
    let lines = asked.list.as_deref().map(read_list).transpose()?.unwrap_or_default();
    if let (Some(base), Some(list)) = (&asked.base, &asked.list) {
        discovered.models = listed(&lines, base, list)?;
    }
    let folder = asked.list.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let of_list = lines.iter().filter(|_| asked.base.is_none());
    let of_list = of_list.map(|(_, line)| from_here_or(folder, path_of_text(line)));
    for path in asked.paths.iter().cloned().chain(of_list) {
        if archive_of(&path).is_some() {
            let failed = |error| DiscoverError::unreadable(&path, &error);
            match kind(&Files::Disk, &path).map_err(failed)? {
                Kind::Folder => walk(&path, &mut seen, &mut discovered)?,
                Kind::File => seen.push(named(path)?),
                Kind::Other => return Err(failed(std::io::ErrorKind::NotFound.into())),
            }
            continue;
        }
        match std::fs::metadata(&path) {
            Ok(data) if data.is_dir() => walk(&path, &mut seen, &mut discovered)?,
            Ok(_) => seen.push(named(path)?),
            Err(error) => match pattern(&path) {
                Some(pattern) => expand(pattern, &mut seen, &mut discovered)?,
                None => return Err(DiscoverError::unreadable(&path, &error)),
            },
        }
    }
    let common = match (&asked.base, seen.first()) {
        (Some(base), _) => canonical(base)?,
        (None, Some(first)) => common_base(&first.base, &seen),
        (None, None) => PathBuf::new(),
    };
    add_seen(seen, &common, &mut discovered)?;
    if discovered.models.is_empty() {
        let named = asked.paths.iter().chain(&asked.list).cloned().collect();
        return Err(DiscoverError::NoModel { named, unread: discovered.unread });
    }
    discovered.models.sort_by(|a, b| a.name.cmp(&b.name));
    discovered.base = base_as_written(asked, &common);
    Ok(discovered)
}

/// A path of a list: relative to the working folder or, if nothing is there, to the folder of the
/// list.
fn from_here_or(folder: &Path, path: PathBuf) -> PathBuf {
    let beside = folder.join(&path);
    if !path.exists() && beside.exists() { beside } else { path }
}

/// The deepest folder that contains all.
fn common_base(first: &Path, seen: &[Seen]) -> PathBuf {
    let mut common = first.to_owned();
    for one in seen {
        while !one.base.starts_with(&common) {
            common.pop();
        }
    }
    common
}

/// Names the models, each once.
fn add_seen(
    seen: Vec<Seen>,
    common: &Path,
    discovered: &mut Discovered,
) -> Result<(), DiscoverError> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (place, found) in discovered.models.iter().enumerate() {
        places.insert(found.name.clone(), place);
    }
    for Seen { path, folder, is_named, .. } in seen {
        let Some(file) = path.file_name() else { continue };
        let below = folder.strip_prefix(common).map_err(|_| DiscoverError::OutsideBase {
            path: path.clone(),
            base: common.to_owned(),
        })?;
        let name = slashed(&below.join(file));
        // A model named both as a file and by its folder is one model.
        match places.get(&name) {
            Some(&place) => discovered.models[place].is_named |= is_named,
            None => {
                places.insert(name.clone(), discovered.models.len());
                discovered.models.push(ModelFile { path, name, is_named });
            }
        }
    }
    Ok(())
}

/// The base as written, otherwise relative to the working folder, otherwise absolute.
fn base_as_written(asked: &ModelSources, common: &Path) -> PathBuf {
    if let Some(base) = &asked.base {
        return base.clone();
    }
    let one = asked.paths.first().filter(|_| asked.paths.len() == 1 && asked.list.is_none());
    if let Some(folder) = one.filter(|path| is_folder(&Files::Disk, path)) {
        return folder.clone();
    }
    let here = Path::new(".").canonicalize();
    match here.ok().and_then(|here| common.strip_prefix(here).ok().map(Path::to_owned)) {
        Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Some(below) => below,
        None => common.to_owned(),
    }
}

/// The entries of a list, each with its line number.
fn read_list(path: &Path) -> Result<Vec<(usize, String)>, DiscoverError> {
    let bytes = read_bounded(path, MAX_TEXT_BYTES)
        .map_err(|error| DiscoverError::unreadable(path, &error))?;
    // A name may contain any byte except zero, which occurs only in UTF-16 lists.
    if bytes.contains(&0) {
        return Err(DiscoverError::NotText { list: path.to_owned() });
    }
    let text = text_of_bytes(&bytes);
    if let Some(number) = merge_conflict_line(&text) {
        return Err(DiscoverError::Conflict { list: path.to_owned(), number });
    }
    Ok(list_lines(&text).map(|(number, line)| (number, line.to_owned())).collect())
}

/// The models of a list relative to a base, without opening any of them.
fn listed(
    lines: &[(usize, String)],
    base: &Path,
    list: &Path,
) -> Result<Vec<ModelFile>, DiscoverError> {
    let mut names = BTreeSet::new();
    for (number, line) in lines {
        let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        let path = path_of_text(line);
        if path.file_name().is_none() || !path.components().all(plain) {
            return Err(DiscoverError::Line {
                list: list.to_owned(),
                number: *number,
                line: line.clone(),
            });
        }
        let parts = path.components().filter(|part| *part != Component::CurDir);
        names.insert(slashed(&parts.collect::<PathBuf>()));
    }
    let found =
        |name: String| ModelFile { path: base.join(path_of_text(&name)), name, is_named: false };
    Ok(names.into_iter().map(found).collect())
}

fn canonical(path: &Path) -> Result<PathBuf, DiscoverError> {
    let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    archive::canonical(here).map_err(|error| DiscoverError::unreadable(here, &error))
}

fn named(path: PathBuf) -> Result<Seen, DiscoverError> {
    let folder = canonical(path.parent().unwrap_or(Path::new("")))?;
    Ok(Seen { path, base: folder.clone(), folder, is_named: true })
}

/// Names in a folder or an archive, each with true for a folder or archive. A link to a folder is
/// not one, because links could form a cycle.
fn entries_of(folder: &Path) -> std::io::Result<Vec<(OsString, bool)>> {
    if archive_of(folder).is_some() {
        let names = names_in(&Files::Disk, folder)?;
        let told = |name: OsString| {
            let is_folder = is_folder(&Files::Disk, &folder.join(&name));
            (name, is_folder)
        };
        return Ok(names.into_iter().map(told).collect());
    }
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        entries.push((entry.file_name(), is_dir || is_archive(&entry.path())));
    }
    Ok(entries)
}

/// Everything below a folder, also in archives.
fn walk(
    root: &Path,
    seen: &mut Vec<Seen>,
    discovered: &mut Discovered,
) -> Result<(), DiscoverError> {
    let base = canonical(root)?;
    let mut folders = vec![(root.to_path_buf(), base.clone())];
    while let Some((shown, folder)) = folders.pop() {
        let entries = match entries_of(&folder) {
            Ok(entries) => entries,
            Err(error) if shown == root => return Err(DiscoverError::unreadable(&shown, &error)),
            Err(error) => {
                discovered.unread.push(format!("{}: {error}", shown.shown()));
                continue;
            }
        };
        let is_named =
            |is_meant: fn(&str) -> bool, name: &OsString| name.to_str().is_some_and(is_meant);
        let has_player = entries.iter().any(|(name, _)| is_named(quake::is_player, name));
        for (name, is_folder) in entries {
            if has_player && is_named(quake::hangs_on_player, &name) {
                continue;
            }
            let shown = shown.join(&name);
            if is_folder {
                folders.push((shown, folder.join(name)));
                continue;
            }
            match is_model(&shown).then(|| kind(&Files::Disk, &shown)) {
                Some(Ok(Kind::File)) => {
                    let (base, folder) = (base.clone(), folder.clone());
                    seen.push(Seen { path: shown, folder, base, is_named: false });
                }
                Some(Err(error)) => discovered.unread.push(format!("{}: {error}", shown.shown())),
                _ => discovered.ignored += 1,
            }
        }
    }
    Ok(())
}

/// Expands a pattern not expanded by a shell: models, and everything below folders.
fn expand(
    pattern: &str,
    seen: &mut Vec<Seen>,
    discovered: &mut Discovered,
) -> Result<(), DiscoverError> {
    let paths = glob::glob(pattern).map_err(|error| DiscoverError::Pattern {
        pattern: pattern.to_owned(),
        message: error.to_string(),
    })?;
    let (mut any, before) = (false, seen.len());
    for found in paths {
        any = true;
        match found {
            Err(error) => {
                discovered.unread.push(format!("{}: {}", error.path().shown(), error.error()));
            }
            Ok(path) if is_folder(&Files::Disk, &path) => walk(&path, seen, discovered)?,
            Ok(path) if is_model(&path) => {
                seen.push(Seen { is_named: false, ..named(path)? });
            }
            Ok(_) => discovered.ignored += 1,
        }
    }
    if !any {
        return Err(DiscoverError::NoMatch { pattern: pattern.to_owned() });
    }
    // Names do not depend on the files that match: they are relative to the folder before the first
    // star.
    let fixed: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !part.as_os_str().to_string_lossy().contains(WILDCARDS))
        .collect();
    let base = canonical(&fixed)?;
    for one in seen.iter_mut().skip(before) {
        if one.base.starts_with(&base) {
            one.base.clone_from(&base);
        }
    }
    Ok(())
}

/// A path as a pattern, if it has a wildcard and is not the path of a file or a folder.
#[must_use]
pub fn pattern(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.contains(WILDCARDS) && !path.exists())
}

const WILDCARDS: [char; 3] = ['*', '?', '['];

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
        discover(&models(&paths)).unwrap().models.into_iter().map(|found| found.name).collect()
    }

    fn models(paths: &[PathBuf]) -> ModelSources {
        ModelSources { paths: paths.to_vec(), ..ModelSources::default() }
    }

    #[test]
    fn models_of_a_folder_keep_their_paths() {
        let root = tree(&["a/imp.md5mesh", "a/imp.X", "a/b/imp.x", "a/skin.png", "a/imp.md5anim"]);
        assert_eq!(names(root.path(), &["a"]), ["b/imp.x", "imp.X", "imp.md5mesh"]);
        assert_eq!(discover(&models(&[root.path().join("a")])).unwrap().ignored, 2);
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
        let found = discover(&models(&paths)).unwrap().models;
        assert_eq!(found.len(), 2);
        assert!(found[1].is_named && found[1].name == "imp.x", "{found:?}");
    }

    #[test]
    fn pattern_counts_from_the_folder_before_its_star() {
        let root = tree(&["m/imp/imp.x", "m/dog/dog.x", "m/dog/bone.png", "m/[a]/odd.x"]);
        assert_eq!(names(root.path(), &["m/*/*"]), ["[a]/odd.x", "dog/dog.x", "imp/imp.x"]);
        assert_eq!(names(root.path(), &["m/d*/*.x"]), ["dog/dog.x"]);
        assert_eq!(names(root.path(), &["m/[a]"]), ["odd.x"], "an existing path is no pattern");
        let failure = discover(&models(&[root.path().join("m/*.fbx")])).unwrap_err();
        assert!(failure.to_string().contains("no file matches this pattern"), "{failure}");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_not_followed() {
        let root = tree(&["a/imp.x"]);
        std::os::unix::fs::symlink(root.path(), root.path().join("a/again")).unwrap();
        assert_eq!(names(root.path(), &["a"]), ["imp.x"]);
    }

    #[test]
    fn list_with_a_base_names_models_without_opening_them() {
        let root = tree(&["m/b.x"]);
        let list = root.path().join("list.txt");
        fs::write(&list, "b.x\n\nsub/./a.x\r\nb.x\n").unwrap();
        let base = Some(root.path().join("m"));
        let asked = ModelSources {
            list: Some(list.clone()),
            base: base.clone(),
            ..ModelSources::default()
        };
        let found = discover(&asked).unwrap();
        let named: Vec<&str> = found.models.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(named, ["b.x", "sub/a.x"]);
        assert_eq!(found.models[1].path, root.path().join("m/sub/a.x"));
        for line in ["/a.x", "../a.x", "a/.."] {
            fs::write(&list, format!("b.x\n{line}\n")).unwrap();
            let failure = discover(&asked).unwrap_err();
            assert!(failure.to_string().contains("list.txt:2: "), "{failure}");
        }
        // Without a base the lines are paths, and all must exist.
        fs::write(&list, root.path().join("m/b.x").display().to_string()).unwrap();
        let asked = ModelSources { base: None, ..asked };
        assert_eq!(discover(&asked).unwrap().models[0].name, "b.x");
        fs::write(&list, "nowhere.x").unwrap();
        assert!(discover(&asked).unwrap_err().to_string().contains("nowhere.x"));
    }

    #[test]
    fn models_outside_of_the_base_are_refused() {
        let root = tree(&["a/imp.x", "b/dog.x"]);
        let paths = vec![root.path().join("a")];
        let asked =
            ModelSources { paths, base: Some(root.path().join("b")), ..ModelSources::default() };
        assert!(discover(&asked).unwrap_err().to_string().contains("not inside the base folder"));
        let asked = ModelSources { base: Some(root.path().to_owned()), ..asked };
        assert_eq!(discover(&asked).unwrap().models[0].name, "a/imp.x");
    }
}
