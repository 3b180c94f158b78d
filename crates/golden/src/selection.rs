//! Goldens and scenes selected by their paths, or by texts in them.

use super::paths::counterpart;
use super::scene::GoldenScene;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_base::extension::has_extension;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_scene::FrameNumber;

/// A path without `.` before it.
#[must_use]
pub fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_path_buf()
}

/// True if a text selects a path: a whole path selects itself, a pattern with `*` or `?` its
/// matches, any other text the paths that contain it.
#[must_use]
pub fn selects((text, is_whole): (&str, bool), path: &Path) -> bool {
    if is_whole {
        return is_path(path, text);
    }
    match glob::Pattern::new(text) {
        Ok(pattern) if text.contains(['*', '?']) => pattern.matches_path(&plain(path)),
        _ => path.shown().contains(text),
    }
}

/// True if a text is that path, however its beginning is written.
#[must_use]
pub fn is_path(path: &Path, text: &str) -> bool {
    plain(path) == plain(&path_of_text(text))
}

/// Patterns that select scenes and goldens: a whole path selects only itself, any other text every
/// path that contains it.
#[derive(Clone, Debug)]
pub struct Patterns {
    /// Each text, with true for a whole path.
    list: Vec<(String, bool)>,
}

impl Patterns {
    /// Patterns for scenes with goldens, among the files of all scenes.
    #[must_use]
    pub fn new<'f>(
        texts: &[String],
        scenes: &[GoldenScene],
        files: impl Iterator<Item = &'f Path>,
    ) -> Self {
        let goldens = scenes
            .iter()
            .flat_map(|scene| scene.frames().into_iter().map(|frame| scene.file(frame)));
        let paths: Vec<PathBuf> = files.map(Path::to_path_buf).chain(goldens).collect();
        let is_whole = |text: &str| paths.iter().any(|path| is_path(path, text));
        Self { list: texts.iter().map(|text| (text.clone(), is_whole(text))).collect() }
    }

    /// True if one of them selects a path.
    #[must_use]
    pub fn name(&self, path: &Path) -> bool {
        self.list.iter().any(|(text, is_whole)| selects((text, *is_whole), path))
    }

    /// True if one of them selects a golden or its scene.
    #[must_use]
    pub fn want(&self, scene: &GoldenScene, frame: FrameNumber) -> bool {
        self.name(&scene.path) || self.name(&scene.file(frame))
    }

    /// The first text that selects no golden of these scenes.
    #[must_use]
    pub fn without_golden(&self, scenes: &[GoldenScene]) -> Option<&str> {
        let selects_any = |(text, is_whole): &&(String, bool)| {
            let own = |path: &Path| selects((text, *is_whole), path);
            !scenes.iter().any(|scene| {
                own(&scene.path) || scene.frames().iter().any(|&frame| own(&scene.file(frame)))
            })
        };
        self.list.iter().find(selects_any).map(|(text, _)| text.as_str())
    }
}

/// Selection of scenes, and of those of their goldens that are named by path or contain a text.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Scenes and folders of scenes.
    pub paths: Vec<PathBuf>,
    /// The listed scenes, whose goldens are all tested.
    given: Vec<PathBuf>,
    /// Goldens, by path, pattern or folder.
    goldens: Vec<String>,
    filter: Option<String>,
    /// The folder of goldens of a revision, and that which names them.
    revision: Option<[PathBuf; 2]>,
    /// Goldens that failed in the last test, if only these are tested.
    pub failed: Option<BTreeSet<PathBuf>>,
}

impl Selection {
    /// Selects scenes, folders of scenes, and goldens, of which those are tested whose path or
    /// whose scene's path contains `filter`. `golden` is the golden folder, if it is not beside the
    /// scenes; `revision` is the folder of goldens of a revision, and that which names them.
    #[must_use]
    pub fn new(
        named: &[PathBuf],
        golden: Option<&Path>,
        filter: Option<String>,
        revision: Option<[PathBuf; 2]>,
    ) -> Self {
        let root = golden.map(plain);
        let is_golden = |path: &&PathBuf| {
            let is_below = || root.as_ref().is_some_and(|root| plain(path).starts_with(root));
            is_picture(path) || is_below() || golden_folder(path).is_some() && is_of_goldens(path)
        };
        let (goldens, given): (Vec<&PathBuf>, Vec<&PathBuf>) = named.iter().partition(is_golden);
        let given: Vec<PathBuf> = given.into_iter().cloned().collect();
        let mut paths = given.clone();
        for golden in &goldens {
            // Beside `a/golden` there is `a/scenes`, or the scenes are in `a`.
            let beside =
                golden_folder(golden).map(|folder| match folder.with_file_name("scenes") {
                    scenes if scenes.is_dir() => scenes,
                    scenes => folder
                        .parent()
                        .filter(|above| above.is_dir())
                        .map_or(scenes, Path::to_owned),
                });
            let scenes = beside.unwrap_or_else(|| PathBuf::from("scenes"));
            if !paths.contains(&scenes) {
                paths.push(scenes);
            }
        }
        let goldens = goldens.into_iter().map(|path| golden_of(path).shown()).collect();
        Self { paths, given, goldens, filter, revision, failed: None }
    }

    /// True if a scene or a golden of this path is tested.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        let of_revision =
            self.revision.as_ref().and_then(|[held, named]| counterpart(path, held, named));
        let path = of_revision.as_deref().unwrap_or(path);
        let is_named = |text: &String| {
            let named = path_of_text(text);
            if named.is_dir() {
                plain(path).starts_with(plain(&named))
            } else {
                selects((text, named.is_file()), path)
            }
        };
        let is_given = || self.given.iter().any(|given| path.starts_with(given));
        self.filter.as_ref().is_none_or(|text| path.shown().contains(text.as_str()))
            && self.failed.as_ref().is_none_or(|failed| failed.contains(path))
            && (self.goldens.is_empty() || self.goldens.iter().any(is_named) || is_given())
    }

    /// True if a frame of a scene is tested.
    #[must_use]
    pub fn wants(&self, scene: &GoldenScene, frame: FrameNumber) -> bool {
        self.has(&scene.path) || self.has(&scene.file(frame))
    }

    /// True if some of the goldens are left out.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.text().is_some() || self.failed.is_some()
    }

    /// The text that selects some of the goldens. None if there is none.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.filter.as_deref().or(self.goldens.first().map(String::as_str))
    }
}

fn is_picture(path: &Path) -> bool {
    has_extension(path, &["png"])
}

/// The folder called `golden` in a path that leads to no folder of scenes below it.
fn golden_folder(path: &Path) -> Option<&Path> {
    let named =
        |name: &'static str| move |one: &&Path| one.file_name().is_some_and(|own| own == name);
    let folder = path.ancestors().find(named("golden"))?;
    let is_of_scenes =
        path.ancestors().take_while(|one| *one != folder).any(|one| named("scenes")(&one));
    (!is_of_scenes).then_some(folder)
}

/// True if a path is a record with its picture, a folder of these, or does not exist.
fn is_of_goldens(path: &Path) -> bool {
    /// Maximum number of parent folders of a folder of scenes.
    const DEEPEST: usize = 8;
    fn holds_goldens(folder: &Path, depth: usize) -> bool {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths = entries.map(|entry| entry.path());
        depth > 0 && paths.any(|path| is_record(&path) || holds_goldens(&path, depth - 1))
    }
    fn is_record(path: &Path) -> bool {
        is_toml(path) && path.with_extension("png").is_file()
    }
    // A folder of scenes may also have this name, with its goldens below it.
    let holds_scenes = || {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|own| is_toml(&own) && !is_record(&own))
    };
    !path.exists() || is_record(path) || !holds_scenes() && holds_goldens(path, DEEPEST)
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|own| own == "toml")
}

/// The picture of a record.
fn golden_of(path: &Path) -> PathBuf {
    if is_toml(path) { path.with_extension("png") } else { path.to_path_buf() }
}
