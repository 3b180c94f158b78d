//! Accepts the current pictures and poses of a library.

use super::clip_record::{FILE, ModelRecord, Unread};
use super::entry::{BIND, scenes_of};
use super::find::{Library, LibraryError};
use super::stray::{self, Known};
use crate::bless::{BlessOptions, Blessed, PlannedFile, put};
use crate::checked::Checked;
use crate::discover::BadScene;
use crate::error::GoldenError;
use crate::folder::unused_parts_below;
use crate::paths::files_of;
use crate::record::Cause;
use crate::scene::GoldenScene;
use crate::verdict::Verdict;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tintype_base::disk::read_regular_text;
use tintype_framing::{Characters, ModelFile};

/// Result of accepting a library.
#[derive(Debug, Default)]
pub struct LibraryBless {
    /// The models, by name.
    pub models: Vec<BlessedModel>,
    /// The models that could not be loaded.
    pub bad: Vec<BadScene>,
    /// The files that a dry run would write.
    pub planned: Vec<PlannedFile>,
}

/// The goldens of a model that were accepted.
#[derive(Debug)]
pub struct BlessedModel {
    /// The model.
    pub path: PathBuf,
    /// Accepted and refused pictures, by clip.
    pub clips: Vec<Blessed>,
    /// The record of its clips, if it was written, or in a dry run would be.
    pub record: Option<PathBuf>,
    planned: Vec<PlannedFile>,
}

/// The requested goldens of a model.
struct Wanted<'a> {
    /// By model and clip.
    clip: &'a (dyn Fn(&str, &str) -> bool + Sync),
    /// By the golden file.
    golden: &'a (dyn Fn(&Path) -> bool + Sync),
    /// By the comparison.
    chosen: &'a (dyn Fn(&Checked) -> bool + Sync),
    /// True if all comparisons are chosen.
    is_all: bool,
}

impl Library {
    /// Accepts the goldens of models and clips selected by `wanted`, with files selected by
    /// `golden` and comparisons selected by `chosen`.
    ///
    /// # Errors
    /// [`LibraryError`] if the settings cannot be written. A model that cannot be loaded, or a
    /// golden that cannot be written, is an entry of the result.
    pub fn bless(
        &self,
        clip: &(dyn Fn(&str, &str) -> bool + Sync),
        golden: &(dyn Fn(&Path) -> bool + Sync),
        chosen: Option<&(dyn Fn(&Checked) -> bool + Sync)>,
        options: BlessOptions,
    ) -> Result<LibraryBless, LibraryError> {
        let mut found = LibraryBless::default();
        self.write_settings(options, &mut found.planned)?;
        let loader = Characters::new(self.load_options.clone());
        let every = |_: &Checked| true;
        let is_all = chosen.is_none();
        let wanted = Wanted { clip, golden, chosen: chosen.unwrap_or(&every), is_all };
        let all: Vec<Result<BlessedModel, GoldenError>> = self
            .models
            .par_iter()
            .map(|model| self.bless_model(model, &loader, &wanted, options))
            .collect();
        for (model, one) in self.models.iter().zip(all) {
            match one {
                Ok(mut blessed) => {
                    found.planned.append(&mut blessed.planned);
                    found.models.push(blessed);
                }
                Err(error) => found.bad.push(BadScene { path: model.path.clone(), error }),
            }
        }
        Ok(found)
    }

    fn bless_model(
        &self,
        model: &ModelFile,
        loader: &Characters,
        wanted: &Wanted,
        options: BlessOptions,
    ) -> Result<BlessedModel, GoldenError> {
        let character = loader.load(&model.path)?;
        let folder = self.folder_of(model);
        let record = ModelRecord::of(&character);
        let before = match ModelRecord::read(&folder) {
            Err(Unread::Newer(found)) if !options.overwrite_newer => {
                return Err(GoldenError::Newer { path: folder.join(FILE), found });
            }
            // The data of clips that were not requested would be lost.
            Err(Unread::Read(source)) => {
                return Err(GoldenError::Read { path: folder.join(FILE), source });
            }
            read => read.ok(),
        };
        let scenes = scenes_of(model, [&self.folder, &folder], &character, self.settings);
        let path = model.path.clone();
        let mut blessed =
            BlessedModel { path, clips: Vec::new(), record: None, planned: Vec::new() };
        let mut of_record: BTreeSet<&str> = BTreeSet::new();
        for (clip, scene) in &scenes {
            let name = clip.as_deref().unwrap_or(BIND);
            let is_wanted = (wanted.clip)(&model.name, name);
            let has_golden =
                scene.frames().into_iter().any(|frame| (wanted.golden)(&scene.file(frame)));
            if !is_wanted || !has_golden && !(wanted.golden)(&scene.folder) {
                continue;
            }
            let mut one = scene.bless(
                |golden| (wanted.golden)(golden) || (wanted.golden)(&scene.folder),
                |before| (wanted.chosen)(before),
                options,
            )?;
            let is_of_clip = clip.as_ref().is_none_or(|clip| {
                let changed = |known: &ModelRecord| known.clip(clip) != record.clip(clip);
                let is_changed = before.as_ref().is_none_or(changed);
                if wanted.is_all {
                    return one.left.is_empty();
                }
                // In a choice by cause, only with a golden of the clip, or if the record itself is
                // the cause.
                is_changed
                    && (!one.accepted.is_empty()
                        || self.is_chosen(scene, &record, before.as_ref(), clip, wanted))
            });
            if is_of_clip && one.refused.is_empty() && one.newer.is_empty() {
                of_record.insert(name);
            }
            blessed.planned.append(&mut one.planned);
            blessed.clips.push(one);
        }
        if !of_record.is_empty() {
            let text = record.clone().only(&of_record, before.as_ref()).to_text();
            let path = folder.join(FILE);
            if read_regular_text(&path).ok().as_deref() != Some(&text) {
                put(&path, text.as_bytes(), options, &mut blessed.planned)?;
                blessed.record = Some(path);
            }
        }
        Ok(blessed)
    }

    /// True if the change of the time base of a clip is chosen.
    fn is_chosen(
        &self,
        scene: &GoldenScene,
        record: &ModelRecord,
        before: Option<&ModelRecord>,
        clip: &str,
        wanted: &Wanted,
    ) -> bool {
        let change = match (record.clip(clip), before.and_then(|before| before.clip(clip))) {
            (Some(now), Some(old)) => now.time_change(old),
            _ => Vec::new(),
        };
        let cause = Cause::whole_of(change);
        let checked =
            Checked { cause: Some(cause), ..Checked::new(scene.folder.clone(), Verdict::Clip) };
        (wanted.chosen)(&checked)
    }

    /// Deletes the goldens of removed models and clips, and parts of records that are then unused.
    /// Returns the deleted folders and files, or those that a dry run would delete.
    ///
    /// # Errors
    /// [`GoldenError`] if a model cannot be loaded, so that none of its clips is known to be
    /// removed, or a folder cannot be read or deleted.
    pub fn prune(&self, dry_run: bool) -> Result<Vec<PathBuf>, GoldenError> {
        let loader = Characters::new(self.load_options.clone());
        let load = |model: &ModelFile| {
            let character = loader.load(&model.path)?;
            let names = scenes_of(model, [Path::new(""); 2], &character, self.settings).into_iter();
            let names = names.map(|(clip, _)| clip.unwrap_or_else(|| BIND.to_owned()));
            Ok::<_, GoldenError>((model.name.clone(), Some(names.collect())))
        };
        let known: Known = self.models.par_iter().map(load).collect::<Result<_, _>>()?;
        let is_gone = |name: &str| self.is_gone(name);
        let mut removed = Vec::new();
        for gone in stray::find(self, &known, &is_gone)? {
            for path in files_of(&gone.folder) {
                let result = match path.is_dir() && !path.is_symlink() {
                    _ if dry_run => Ok(()),
                    true => std::fs::remove_dir_all(&path),
                    false => std::fs::remove_file(&path),
                };
                result.map_err(|source| GoldenError::Read { path, source })?;
            }
            removed.push(gone.folder);
        }
        for path in unused_parts_below(&self.folder, &removed)? {
            let result = if dry_run { Ok(()) } else { std::fs::remove_file(&path) };
            result.map_err(|source| GoldenError::Read { path: path.clone(), source })?;
            removed.push(path);
        }
        Ok(removed)
    }
}
