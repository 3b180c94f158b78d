//! Clips beside MD5 models, in their folders and in clip folders below and beside these: each
//! folder is listed once, and the head of each clip is read once.

use crate::clip_choice::{ClipIndex, is_suited};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tintype_base::deadline::TimedOut;
use tintype_base::disk::is_temporary;
use tintype_base::extension::is_md5_model;
use tintype_base::path::{ShowPath, path_of_text, slashed};
use tintype_formats::md5::joint_names;
use tintype_formats::{Files, LoadOptions};
use tintype_render::asset::input::{names_in, read_head};
use tintype_render::asset::{ClipPlace, clip_places};
use tintype_scene::{ClipWord, ClipWordError, find_clip_name, read_clip_word};

/// Number of bytes at the start of a file searched for joints.
const HEAD_BYTES: usize = 1 << 20;
/// Percentage of a model's joints that a fitting clip must have.
const FITTING_PERCENT: usize = 90;
/// Maximum number of clips that are checked for the thumbnail of one model.
pub(crate) const MAX_CLIPS: usize = 256;

/// Maximum number of clips beside a model that are tried before the bind pose is used.
pub(crate) const MAX_TRIED: usize = 3;

/// Folders that were listed.
#[derive(Default)]
pub struct ClipFolders {
    folders: Mutex<BTreeMap<PathBuf, Arc<ClipFolder>>>,
}

/// The clips of the models of a folder.
struct ClipFolder {
    /// Paths relative to the folder, in the order of their places.
    files: Vec<String>,
    /// Each with the number of its first file, and its clips by their models.
    places: Vec<(ClipPlace, usize, ClipIndex)>,
    joints: Vec<OnceLock<Option<BTreeSet<String>>>>,
}

impl ClipFolders {
    /// Files of the clips that fit a model by its `joints` (read from its file if not given), as
    /// paths relative to its folder, in order of preference: those in its folder first. If there
    /// are more than `most`, only the first are checked.
    ///
    /// # Errors
    /// The error of the system if the folder cannot be listed, or a file in it cannot be read, for
    /// a temporary reason; [`TimedOut`] if the deadline passes.
    pub(crate) fn clips_of(
        &self,
        model: &Path,
        joints: Option<BTreeSet<String>>,
        most: usize,
        options: &LoadOptions,
    ) -> std::io::Result<Result<Vec<String>, TimedOut>> {
        let folder = model.parent().unwrap_or(Path::new(""));
        let clip_folder = self.clip_folder(folder, &options.files)?;
        let offered = clip_folder.of(&stem(&model.shown()));
        if offered.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let wanted = match joints {
            Some(known) => Some(known),
            None => joints_of(&options.files, model)?,
        };
        let Some(wanted) = wanted else { return Ok(Ok(Vec::new())) };
        let fits = |k: usize| -> std::io::Result<bool> {
            let joints = match clip_folder.joints[k].get() {
                Some(known) => known,
                None => {
                    let file = folder.join(path_of_text(&clip_folder.files[k]));
                    let found = joints_of(&options.files, &file)?;
                    clip_folder.joints[k].get_or_init(|| found)
                }
            };
            Ok(joints.as_ref().is_some_and(|joints| {
                wanted.intersection(joints).count() * 100 >= wanted.len() * FITTING_PERCENT
            }))
        };
        let mut fitting = Vec::new();
        for k in offered.into_iter().take(most) {
            if let Err(late) = options.deadline.check("looking for clips") {
                return Ok(Err(late));
            }
            if fits(k)? {
                fitting.push(clip_folder.files[k].clone());
            }
        }
        Ok(Ok(fitting))
    }

    fn clip_folder(&self, folder: &Path, files: &Files) -> std::io::Result<Arc<ClipFolder>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clip_folder) = folders.get(folder) {
            return Ok(Arc::clone(clip_folder));
        }
        let clip_folder = Arc::new(ClipFolder::read(folder, files)?);
        folders.insert(folder.to_path_buf(), Arc::clone(&clip_folder));
        Ok(clip_folder)
    }
}

impl ClipFolder {
    fn read(folder: &Path, from: &Files) -> std::io::Result<Self> {
        let names = match names_in(from, folder) {
            Err(error) if is_temporary(&error) => return Err(error),
            names => names.unwrap_or_default(),
        };
        let models = names.iter().filter(|name| is_md5_model(name));
        let mut models: Vec<String> = models.map(|name| stem(&name.shown())).collect();
        models.sort_unstable();
        let of_models: Vec<&str> = models.iter().map(String::as_str).collect();
        let mut read = Self { files: Vec::new(), places: Vec::new(), joints: Vec::new() };
        for place in clip_places(folder, &models, from)? {
            let stems: Vec<String> = place.clips.iter().map(|name| stem(name)).collect();
            let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
            let (first, index) = (read.files.len(), ClipIndex::new(&of_models, &stems));
            let file = |name: &String| slashed(&place.path.join(path_of_text(name)));
            read.files.extend(place.clips.iter().map(file));
            read.places.push((place, first, index));
        }
        read.joints = read.files.iter().map(|_| OnceLock::new()).collect();
        Ok(read)
    }

    /// Clips that may belong to a model, as indices, in order of preference; only the first of each
    /// name.
    fn of(&self, model: &str) -> Vec<usize> {
        let of_place = |(place, first, index): &(ClipPlace, usize, ClipIndex)| {
            let is_open = place.model.as_ref().is_none_or(|own| own == model);
            let found = if is_open { index.of(model) } else { Vec::new() };
            found.into_iter().map(|k| first + k).collect::<Vec<_>>()
        };
        let mut taken = BTreeSet::new();
        let mut found: Vec<usize> = self.places.iter().flat_map(of_place).collect();
        found.retain(|&k| taken.insert(stem(&self.files[k])));
        found
    }
}

/// The clips beside an MD5 model that fit it.
#[derive(Clone, Debug, Default)]
pub struct ClipsBeside {
    /// Their files, in order of preference.
    pub files: Vec<PathBuf>,
    /// The requested one.
    pub asked: Option<usize>,
}

impl ClipsBeside {
    /// Finds the clips; empty for a model of another format. `word` requests one, or a part of one,
    /// in the form of [`read_clip_word`].
    ///
    /// # Errors
    /// The error of the system if a folder cannot be listed, or a file in it cannot be read, for a
    /// temporary reason; [`TimedOut`] if the deadline passes.
    pub fn find(
        model: &Path,
        word: Option<&str>,
        options: &LoadOptions,
    ) -> std::io::Result<Result<Self, TimedOut>> {
        if !is_md5_model(model) {
            return Ok(Ok(Self::default()));
        }
        let found = match ClipFolders::default().clips_of(model, None, MAX_CLIPS, options)? {
            Ok(found) => found,
            Err(late) => return Ok(Err(late)),
        };
        let folder = model.parent().unwrap_or(Path::new(""));
        let files = found.iter().map(|file| folder.join(path_of_text(file))).collect();
        let mut beside = Self { files, asked: None };
        let names = beside.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        beside.asked = word.and_then(|word| match read_clip_word(word, &names) {
            Ok(ClipWord::Clip { index, .. }) => Some(index),
            Err(ClipWordError::Range { name, .. }) => find_clip_name(&name, &names),
            _ => None,
        });
        Ok(Ok(beside))
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| stem(&file.shown())).collect()
    }

    /// The first of those that may be shown without being requested.
    pub fn suited(&self) -> impl Iterator<Item = &Path> {
        let suited = self.files.iter().filter(|file| is_suited(&stem(&file.shown())));
        suited.take(MAX_TRIED).map(PathBuf::as_path)
    }
}

/// The name of a file without its extension.
pub(crate) fn stem(name: &str) -> String {
    Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The joint names of a model or a clip. None for another file, or for one that cannot be read,
/// which loading reports. A temporary read failure is an error, because otherwise a picture would
/// be drawn without its clip.
fn joints_of(from: &Files, path: &Path) -> std::io::Result<Option<BTreeSet<String>>> {
    match read_head(from, path, HEAD_BYTES) {
        Ok(head) => Ok(joint_names(&head).map(|names| names.into_iter().collect())),
        Err(error) if is_temporary(&error) => Err(error),
        Err(_) => Ok(None),
    }
}
