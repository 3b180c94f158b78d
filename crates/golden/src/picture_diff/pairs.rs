//! Pairs of pictures: two files, equal names in two folders, or equal numbers of two patterns.

use super::error::PictureDiffError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_base::extension::has_extension;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_scene::FramePattern;

/// A pair of pictures; one of them may be missing.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Name of the frame: its file name, or its path below both folders.
    pub name: String,
    /// Its number, for patterns.
    pub frame: Option<i64>,
    /// The picture of the first side.
    pub a: Option<PathBuf>,
    /// The picture of the second side.
    pub b: Option<PathBuf>,
}

/// All pairs of two sides.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// In the order of numbers, or of names.
    pub list: Vec<Pair>,
    /// True if folders or patterns were given, whatever the number of pictures.
    pub is_sequence: bool,
}

/// Kind of one side.
enum Side {
    File,
    Folder,
    Pattern(FramePattern),
}

impl Side {
    fn of(path: &Path) -> Self {
        if path.is_dir() {
            return Self::Folder;
        }
        match FramePattern::parse(&path.shown()) {
            Ok(pattern) if pattern.has_number() && !path.exists() => Self::Pattern(pattern),
            _ => Self::File,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::File => "one file",
            Self::Folder => "a folder",
            Self::Pattern(_) => "a pattern",
        }
    }
}

/// True for a pattern of several files, such as `walk.####.png`.
#[must_use]
pub fn is_pattern(path: &Path) -> bool {
    matches!(Side::of(path), Side::Pattern(_))
}

impl Pairs {
    /// Finds the pictures of both sides.
    ///
    /// # Errors
    /// [`PictureDiffError`] if the sides are of different kinds, contain no picture, or cannot be
    /// read.
    pub fn find(a: &Path, b: &Path) -> Result<Self, PictureDiffError> {
        match (Side::of(a), Side::of(b)) {
            (Side::File, Side::File) => {
                let pair =
                    Pair { name: b.shown(), frame: None, a: Some(a.into()), b: Some(b.into()) };
                Ok(Self { list: vec![pair], is_sequence: false })
            }
            (Side::Folder, Side::Folder) => {
                let pair = |name: &String, a, b| Pair { name: name.clone(), frame: None, a, b };
                let pictures = [in_folder(a)?, in_folder(b)?];
                // There may be only other files.
                if pictures.iter().all(BTreeMap::is_empty) {
                    Ok(Self { list: Vec::new(), is_sequence: true })
                } else {
                    joined(&pictures[0], &pictures[1], pair, [a, b])
                }
            }
            (Side::Pattern(first), Side::Pattern(second)) => {
                let pair = |&frame: &i64, a, b| Pair {
                    name: second.file_name(frame),
                    frame: Some(frame),
                    a,
                    b,
                };
                joined(&of_pattern(&first)?, &of_pattern(&second)?, pair, [a, b])
            }
            (first, second) => Err(PictureDiffError::invalid(format!(
                "{} is {} and {} is {}: give two files, two folders or two patterns such as walk.####.png",
                a.shown(),
                first.word(),
                b.shown(),
                second.word()
            ))),
        }
    }

    /// Paths of the difference picture of each pair: a file for one pair; for a sequence, files in
    /// a folder named like the frames, or named by a pattern.
    ///
    /// # Errors
    /// [`PictureDiffError`] if the output does not fit the pairs, or would replace one of the
    /// pictures.
    pub fn targets(&self, output: &Path) -> Result<Vec<PathBuf>, PictureDiffError> {
        let targets: Vec<PathBuf> = match Side::of(output) {
            Side::Folder if self.is_sequence => {
                self.list.iter().map(|pair| output.join(path_of_text(&pair.name))).collect()
            }
            Side::Folder => {
                let message =
                    format!("{} is a folder; name a file for the picture", output.shown());
                return Err(PictureDiffError::invalid(message));
            }
            Side::Pattern(pattern) if self.list.iter().all(|pair| pair.frame.is_some()) => {
                let numbers = self.list.iter().filter_map(|pair| pair.frame);
                numbers.map(|frame| path_of_text(&pattern.path(frame))).collect()
            }
            Side::Pattern(_) => {
                let message = format!(
                    "{}: only frames of patterns have numbers; name a folder for the pictures",
                    output.shown()
                );
                return Err(PictureDiffError::invalid(message));
            }
            Side::File if self.is_sequence => {
                if has_extension(output, &["png"]) {
                    let message = format!(
                        "{} is one file for {} frames; name a folder or a pattern such as diff.####.png",
                        output.shown(),
                        self.list.len()
                    );
                    return Err(PictureDiffError::invalid(message));
                }
                self.list.iter().map(|pair| output.join(path_of_text(&pair.name))).collect()
            }
            Side::File => vec![output.into()],
        };
        let inputs = self.list.iter().flat_map(|pair| [&pair.a, &pair.b]).flatten();
        let inputs: BTreeSet<PathBuf> = inputs.map(|path| real(path)).collect();
        match targets.iter().find(|target| inputs.contains(&real(target))) {
            Some(target) => Err(PictureDiffError::invalid(format!(
                "{} is one of the pictures to compare and would be overwritten; name another file",
                target.shown()
            ))),
            None => Ok(targets),
        }
    }
}

/// The canonical path, if the file exists.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.into())
}

/// Pairs of everything on either side.
fn joined<K: Ord + Clone>(
    a: &BTreeMap<K, PathBuf>,
    b: &BTreeMap<K, PathBuf>,
    pair: impl Fn(&K, Option<PathBuf>, Option<PathBuf>) -> Pair,
    sides: [&Path; 2],
) -> Result<Pairs, PictureDiffError> {
    let keys: BTreeSet<&K> = a.keys().chain(b.keys()).collect();
    if keys.is_empty() {
        let [a, b] = sides.map(ShowPath::shown);
        return Err(PictureDiffError::invalid(format!("neither {a} nor {b} contains a picture")));
    }
    let list = keys.into_iter().map(|key| pair(key, a.get(key).cloned(), b.get(key).cloned()));
    Ok(Pairs { list: list.collect(), is_sequence: true })
}

/// PNG files below a folder, by their relative paths; hidden files are skipped.
fn in_folder(folder: &Path) -> Result<BTreeMap<String, PathBuf>, PictureDiffError> {
    below(folder, &|path| has_extension(path, &["png"]))
}

/// The wanted files below a folder, by their relative paths; hidden files are skipped.
pub(super) fn below(
    folder: &Path,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> Result<BTreeMap<String, PathBuf>, PictureDiffError> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(folder.to_path_buf(), String::new())];
    // A symbolic link may lead back up.
    let mut seen = BTreeSet::new();
    while let Some((folder, way)) = folders.pop() {
        if !seen.insert(real(&folder)) {
            continue;
        }
        for (name, path) in entries(&folder)? {
            let name = format!("{way}{name}");
            if path.is_dir() {
                folders.push((path, name + "/"));
            } else if is_wanted(&path) {
                found.insert(name, path);
            }
        }
    }
    Ok(found)
}

/// The files of a pattern, by their numbers.
fn of_pattern(pattern: &FramePattern) -> Result<BTreeMap<i64, PathBuf>, PictureDiffError> {
    let folder = match pattern.folder() {
        "" => ".",
        folder => folder,
    };
    let entries = entries(&path_of_text(folder))?;
    let numbered = entries.into_iter().filter_map(|(name, _)| {
        let frame = pattern.frame_of(&name)?;
        Some((frame.0, path_of_text(&pattern.path(frame))))
    });
    Ok(numbered.collect())
}

/// Names and paths in a folder.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, PictureDiffError> {
    let failed = |error: std::io::Error| PictureDiffError::unreadable(folder, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().shown();
        if !name.starts_with('.') {
            found.push((name, entry.path()));
        }
    }
    Ok(found)
}
