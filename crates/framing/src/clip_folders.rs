//! Clips in the folders of MD5 models: each folder is listed once, and the head of each clip is read once.

use crate::clip_choice::ClipIndex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tintype_base::deadline::TimedOut;
use tintype_base::disk::is_temporary;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_formats::md5::joint_names;
use tintype_formats::{Files, LoadOptions};
use tintype_render::asset::input::{names_in, read_head};

/// Bytes at the start of a file that are searched for joints.
const HEAD_BYTES: usize = 1 << 20;
/// Share of a model's joints, in percent, that a fitting clip must have.
const FITTING_PERCENT: usize = 90;
/// Most clips that are checked for the thumbnail of one model.
pub(crate) const MAX_CLIPS: usize = 256;

/// Most clips beside a model that are tried before the bind pose is taken.
pub(crate) const MAX_TRIED: usize = 3;

/// Folders that were listed.
#[derive(Default)]
pub struct ClipFolders {
    folders: Mutex<BTreeMap<PathBuf, Arc<ClipFolder>>>,
}

/// The clips of a folder.
struct ClipFolder {
    files: Vec<String>,
    index: ClipIndex,
    joints: Vec<OnceLock<Option<BTreeSet<String>>>>,
}

impl ClipFolders {
    /// Files of the clips that fit a model by its `joints`, which are read from its file where they are not known, in order of
    /// preference; of more than `most` only the first are checked.
    ///
    /// # Errors
    /// The error of the system if the folder cannot be listed, or a file in it cannot be read, for a temporary reason; [`TimedOut`] if the
    /// deadline passes.
    pub(crate) fn clips_of(
        &self,
        model: &Path,
        joints: Option<BTreeSet<String>>,
        most: usize,
        options: &LoadOptions,
    ) -> std::io::Result<Result<Vec<String>, TimedOut>> {
        let folder = model.parent().unwrap_or(Path::new(""));
        let clip_folder = self.clip_folder(folder, &options.files)?;
        let offered = clip_folder.index.of(&stem(&model.shown()));
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
        let mut names: Vec<String> = match names_in(from, folder) {
            Ok(names) => names.iter().map(|name| name.shown()).collect(),
            Err(error) if is_temporary(&error) => return Err(error),
            // In a sandbox the folder of a readable model may not be listed.
            Err(_) => Vec::new(),
        };
        names.sort_unstable();
        let with = |wanted: &str| -> Vec<String> {
            let fits = |name: &&String| {
                let extension = Path::new(name).extension();
                extension.is_some_and(|own| own.eq_ignore_ascii_case(wanted))
            };
            names.iter().filter(fits).cloned().collect()
        };
        let (models, files) = (with("md5mesh"), with("md5anim"));
        let stems = |names: &[String]| names.iter().map(|name| stem(name)).collect::<Vec<_>>();
        let (model_stems, clip_stems) = (stems(&models), stems(&files));
        let index = ClipIndex::new(
            &model_stems.iter().map(String::as_str).collect::<Vec<_>>(),
            &clip_stems.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        let joints = files.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { files, index, joints })
    }
}

/// The name of a file without its extension.
pub(crate) fn stem(name: &str) -> String {
    Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The names of the joints of a model or a clip; none of another file, or of one that cannot be read, which loading reports. A file that
/// another attempt can read is an error: a picture would be drawn without its clip.
fn joints_of(from: &Files, path: &Path) -> std::io::Result<Option<BTreeSet<String>>> {
    match read_head(from, path, HEAD_BYTES) {
        Ok(head) => Ok(joint_names(&head).map(|names| names.into_iter().collect())),
        Err(error) if is_temporary(&error) => Err(error),
        Err(_) => Ok(None),
    }
}
