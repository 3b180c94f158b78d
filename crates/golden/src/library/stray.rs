//! Goldens of removed models and clips, and their new places.

use super::clip_record::{ClipRecord, FILE as CLIPS, ModelRecord};
use super::find::{FILE as SETTINGS, Library};
use crate::checked::Checked;
use crate::error::GoldenError;
use crate::folder::goldens_among;
use crate::paths::{entries, is_part};
use crate::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_base::path::{ShowPath, slashed};

/// Names of the clips of a model, with the bind pose for one without clips. None for a model that
/// could not be loaded.
pub(super) type Known = BTreeMap<String, Option<BTreeSet<String>>>;

/// Goldens of a removed model or clip.
#[derive(Debug)]
pub(super) struct Gone {
    /// The folder of the model or of the clip.
    pub folder: PathBuf,
    /// The name of the model.
    pub model: String,
    /// The name of the clip. None for the whole model.
    pub clip: Option<String>,
    /// The record of the model.
    pub record: Option<ModelRecord>,
}

impl Gone {
    pub(super) fn checked(&self) -> Checked {
        let what = match &self.clip {
            Some(clip) => format!("clip {clip:?} of {} no longer exists", self.model),
            None => format!("model {} no longer exists", self.model),
        };
        Checked::new(self.folder.clone(), Verdict::Gone(what))
    }

    /// The record of its clip.
    pub(super) fn clip_record(&self) -> Option<&ClipRecord> {
        self.record.as_ref()?.clip(self.clip.as_deref()?)
    }
}

/// The folders of removed models and clips, sorted. Models not selected by `is_asked` are left
/// alone.
pub(super) fn find(
    library: &Library,
    known: &Known,
    is_asked: &dyn Fn(&str) -> bool,
) -> Result<Vec<Gone>, GoldenError> {
    let mut found = Vec::new();
    search(&library.folder, Path::new(""), known, is_asked, &mut found)?;
    found.sort_by(|a: &Gone, b| a.folder.cmp(&b.folder));
    Ok(found)
}

fn search(
    root: &Path,
    below: &Path,
    known: &Known,
    is_asked: &dyn Fn(&str) -> bool,
    found: &mut Vec<Gone>,
) -> Result<(), GoldenError> {
    let folder = root.join(below);
    let name = slashed(below);
    if folder.join(CLIPS).is_file() {
        let record = ModelRecord::read(&folder).ok();
        let gone = |folder: PathBuf, clip: Option<String>| Gone {
            folder,
            model: name.clone(),
            clip,
            record: record.clone(),
        };
        match known.get(&name) {
            None if is_asked(&name) => found.push(gone(folder, None)),
            Some(Some(clips)) => {
                for path in entries(&folder)? {
                    let file = path.file_name().unwrap_or_default().shown();
                    if file != CLIPS && !clips.contains(&file) {
                        found.push(gone(path, Some(file)));
                    }
                }
            }
            _ => {}
        }
        return Ok(());
    }
    for path in goldens_among(entries(&folder)?) {
        let file = path.file_name().unwrap_or_default();
        let next = below.join(file);
        if path.is_dir() {
            search(root, &next, known, is_asked, found)?;
        } else if !(below.as_os_str().is_empty() && file == SETTINGS) && is_golden(&path) {
            // A file of no model.
            let model = slashed(&next);
            if !known.keys().any(|known| model.starts_with(&format!("{known}/")))
                && is_asked(&model)
            {
                found.push(Gone { folder: path, model, clip: None, record: None });
            }
        }
    }
    Ok(())
}

fn is_golden(path: &Path) -> bool {
    path.extension().is_some_and(|own| own == "png" || own == "toml") && !is_part(path)
}
