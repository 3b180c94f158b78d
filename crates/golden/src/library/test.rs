//! Compares the goldens of a library with the current models.

use super::clip_record::{ClipRecord, ModelRecord, Unread};
use super::entry::{BIND, scenes_of};
use super::find::Library;
use super::stray::{self, Gone, Known};
use crate::checked::{Checked, CheckedScene};
use crate::discover::BadScene;
use crate::error::GoldenError;
use crate::newer::UPDATE;
use crate::record::Cause;
use crate::scene::GoldenScene;
use crate::verdict::Verdict;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use tintype_base::extension::has_extension;
use tintype_base::path::ShowPath;
use tintype_compare::finding::{Element, Finding, Kind, Stage};
use tintype_framing::{Character, Characters, ModelFile};
use tintype_output::PngError;

/// A clip of a model with its goldens.
#[derive(Debug)]
pub struct LibraryEntry {
    /// The scene that shows it, without its assets.
    pub scene: GoldenScene,
    /// Its goldens, or the reason why none could be checked.
    pub result: Result<CheckedScene, GoldenError>,
}

/// Results of a library.
#[derive(Debug, Default)]
pub struct LibraryRun {
    /// The clips of all models, by name.
    pub entries: Vec<LibraryEntry>,
    /// The models that could not be loaded.
    pub bad: Vec<BadScene>,
    /// Goldens of removed models and clips.
    pub stray: Vec<Checked>,
    /// Clip files below the models that no model uses, and clips that do not bind, in words.
    pub unused: Vec<String>,
}

/// Result of one model.
pub(super) struct OfModel {
    entries: Vec<LibraryEntry>,
    bad: Option<BadScene>,
    clips: Option<BTreeSet<String>>,
    files: Vec<PathBuf>,
    unbound: Vec<String>,
}

impl Library {
    /// Compares the goldens of all models and clips that `wanted` selects by model and clip.
    /// Pictures are kept for a report if `keeps_pictures` is set. With `fail_fast` no further model
    /// is started after a failure.
    ///
    /// # Errors
    /// [`GoldenError`] if the golden folder cannot be read. A model that cannot be loaded is a part
    /// of the result.
    pub fn test(
        &self,
        wanted: &(dyn Fn(&str, &str) -> bool + Sync),
        keeps_pictures: bool,
        fail_fast: bool,
    ) -> Result<LibraryRun, GoldenError> {
        let loader = Characters::new(self.load_options.clone());
        let stop = AtomicBool::new(false);
        let all: Vec<Option<OfModel>> = self
            .models
            .par_iter()
            .map(|model| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let found = self.test_model(model, &loader, wanted, keeps_pictures);
                let fails = |entry: &LibraryEntry| match &entry.result {
                    Ok(checked) => checked.goldens.iter().any(|one| !one.verdict.passes()),
                    Err(_) => true,
                };
                if fail_fast && (found.bad.is_some() || found.entries.iter().any(fails)) {
                    stop.store(true, Ordering::Relaxed);
                }
                Some(found)
            })
            .collect();
        let is_whole = all.iter().all(Option::is_some);
        let mut run = LibraryRun::default();
        let mut known = Known::new();
        let mut used: BTreeSet<PathBuf> = BTreeSet::new();
        for (model, found) in self.models.iter().zip(all) {
            let Some(found) = found else { continue };
            let OfModel { entries, bad, clips, files, unbound } = found;
            known.insert(model.name.clone(), clips);
            used.extend(files);
            run.entries.extend(entries);
            run.bad.extend(bad);
            run.unused.extend(unbound);
        }
        if is_whole {
            let is_asked = |name: &str| self.is_gone(name) && wanted(name, "");
            let gone = stray::find(self, &known, &is_asked)?;
            name_renamed(&mut run.entries, &gone, self);
            run.stray = gone.iter().map(Gone::checked).collect();
            // Clips of a model that does not load belong to it, and others may belong to models
            // elsewhere.
            if run.bad.is_empty() && !self.is_share {
                run.unused.extend(self.unused_clips(&used));
            }
        }
        run.unused.extend(self.unread.iter().map(|folder| format!("not searched: {folder}")));
        Ok(run)
    }

    fn test_model(
        &self,
        model: &ModelFile,
        loader: &Characters,
        wanted: &(dyn Fn(&str, &str) -> bool + Sync),
        keeps_pictures: bool,
    ) -> OfModel {
        let mut found = OfModel {
            entries: Vec::new(),
            bad: None,
            clips: None,
            files: Vec::new(),
            unbound: Vec::new(),
        };
        let character = match loader.load(&model.path) {
            Ok(character) => character,
            Err(error) => {
                let error = GoldenError::Character(error);
                found.bad = Some(BadScene { path: model.path.clone(), error });
                return found;
            }
        };
        let why = |(clip, why): &(String, String)| {
            format!("{}: clip {clip:?} does not fit the model; skipped: {why}", model.name)
        };
        found.unbound = character.unbound.iter().map(why).collect();
        found.files.clone_from(&character.files);
        let folder = self.folder_of(model);
        let record = ModelRecord::of(&character);
        let before = ModelRecord::read(&folder);
        let scenes = scenes_of(model, [&self.folder, &folder], &character, self.settings);
        let names = scenes.iter().map(|(clip, _)| clip.clone().unwrap_or_else(|| BIND.to_owned()));
        found.clips = Some(names.collect());
        found.entries = scenes
            .into_par_iter()
            .filter(|(clip, _)| wanted(&model.name, clip.as_deref().unwrap_or(BIND)))
            .map(|(clip, mut scene)| {
                let mut result = scene.check(|_| true);
                if let Ok(checked) = &mut result {
                    let of_clip = OfClip { clip: clip.as_deref(), character: &character };
                    of_clip.add_record(&scene, &record, &before, &mut checked.goldens);
                    if !keeps_pictures {
                        for one in &mut checked.goldens {
                            (one.golden, one.live, one.through_golden_camera) = (None, None, None);
                        }
                    }
                }
                scene.assets = None;
                LibraryEntry { scene, result }
            })
            .collect();
        // A model is above a limit once, whatever clips it has.
        if let Some(first) = found.entries.iter_mut().find_map(|entry| entry.result.as_mut().ok()) {
            first.goldens.extend(self.settings.limits.check(&character, folder));
        }
        found
    }

    /// Clip files in the folders of the models that no model uses.
    fn unused_clips(&self, used: &BTreeSet<PathBuf>) -> Vec<String> {
        let folders: BTreeSet<PathBuf> = self
            .models
            .iter()
            .filter_map(|model| Some(model.path.parent()?.to_path_buf()))
            .collect();
        let mut found = Vec::new();
        for folder in folders {
            let here =
                if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.clone() };
            let Ok(entries) = std::fs::read_dir(here) else { continue };
            let mut files: Vec<PathBuf> =
                entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
            files.retain(|path| has_extension(path, &["md5anim"]) && !used.contains(path));
            files.sort();
            found.extend(
                files.iter().map(|path| format!("{}: it fits no model; skipped", path.shown())),
            );
        }
        found
    }
}

/// A clip of a loaded model. None for its bind pose.
struct OfClip<'a> {
    clip: Option<&'a str>,
    character: &'a Character,
}

impl OfClip<'_> {
    /// Adds differences found in the record of the model: another time base, or poses at keys that
    /// no sampled time shows.
    fn add_record(
        &self,
        scene: &GoldenScene,
        record: &ModelRecord,
        before: &Result<ModelRecord, Unread>,
        goldens: &mut Vec<Checked>,
    ) {
        if goldens.iter().all(|one| matches!(one.verdict, Verdict::Missing)) {
            let what = match (self.clip, before) {
                (Some(clip), Ok(_)) => format!("clip {clip:?} is new"),
                (None, Ok(_)) => "its bind pose has no golden".to_owned(),
                (_, Err(_)) => "the model is new".to_owned(),
            };
            goldens.truncate(1);
            for one in goldens.iter_mut() {
                one.verdict = Verdict::New(what.clone());
                one.path.clone_from(&scene.folder);
            }
            return;
        }
        let add = |verdict: Verdict, cause: Option<Cause>| Checked {
            cause,
            ..Checked::new(scene.folder.clone(), verdict)
        };
        let before = match before {
            Ok(before) => before,
            Err(Unread::Missing) => return goldens.push(add(Verdict::NoRecord, None)),
            Err(Unread::Newer(found)) => {
                let what = format!("clips.toml is from a newer version ({found}): {UPDATE}");
                let verdict = Verdict::Unreadable(PngError::Malformed { what });
                return goldens.push(Checked { newer: Some(found.clone()), ..add(verdict, None) });
            }
            Err(Unread::Bad(message)) => {
                let what = format!("clips.toml: {message}");
                return goldens.push(add(Verdict::Unreadable(PngError::Malformed { what }), None));
            }
            Err(Unread::Read(error)) => {
                let what = format!("clips.toml: {error}");
                return goldens.push(add(Verdict::Unreadable(PngError::Malformed { what }), None));
            }
        };
        let Some(name) = self.clip else { return };
        let (Some(now), Some(old)) = (record.clip(name), before.clip(name)) else {
            return goldens.push(add(Verdict::NoRecord, None));
        };
        let time = now.time_change(old);
        // The record of a golden may know the keys that changed the number of times.
        let is_of_clip = |one: &Finding| {
            let clip = Some(Element::Clip);
            one.stage == Stage::Pose
                && (one.of.element == Element::Clip
                    || one.within.last().map(|owner| owner.element) == clip)
        };
        let causes = goldens.iter().filter_map(|one| one.cause.as_ref());
        let is_told = time.iter().all(|one| one.kind == Kind::CountChanged)
            && causes.flat_map(|cause| &cause.findings).any(is_of_clip);
        if !time.is_empty() && !is_told {
            goldens.insert(0, add(Verdict::Clip, Some(Cause::whole_of(time))));
        } else if time.is_empty()
            && goldens.iter().all(|one| one.verdict.passes() || !one.is_of_frame())
        {
            let clips = &self.character.clips;
            let index = clips.iter().find(|clip| clip.name == name).map_or(0, |clip| clip.index);
            let clip = &self.character.assets.models[0].clips[index].clip;
            if let Some(poses) = now.pose_change(old, clip) {
                goldens.push(add(Verdict::Clip, Some(Cause::whole_of(vec![poses]))));
            }
        }
    }
}

/// Adds to new models and clips the names that their goldens have.
fn name_renamed(entries: &mut [LibraryEntry], gone: &[Gone], library: &Library) {
    let loader = Characters::new(library.load_options.clone());
    for entry in entries {
        let Ok(checked) = &mut entry.result else { continue };
        let Some(one) =
            checked.goldens.iter_mut().find(|one| matches!(one.verdict, Verdict::New(_)))
        else {
            continue;
        };
        // Few models are new where any was removed, so they are read a second time.
        if gone.is_empty() {
            continue;
        }
        let Ok(character) = loader.load(&entry.scene.path) else { continue };
        let record = ModelRecord::of(&character);
        let name = entry.scene.folder.file_name().unwrap_or_default().shown();
        let own = record.clip(&name);
        let of_clip = |gone: &Gone, is_alike: &dyn Fn(&ClipRecord, &ClipRecord) -> bool| {
            let (clip, old) = (gone.clip.as_ref()?, gone.clip_record()?);
            let is_here = entry.scene.folder.parent() == gone.folder.parent();
            (is_here && is_alike(old, own?)).then(|| format!("clip {clip:?}"))
        };
        let of_model = |gone: &Gone| {
            let old = gone.record.as_ref().filter(|_| gone.clip.is_none())?;
            let has_poses =
                |old: &ClipRecord| record.clip(&old.name).is_none_or(|new| new.has_poses_of(old));
            let is_alike = old.mesh == record.mesh && old.clips.iter().all(has_poses);
            is_alike.then(|| format!("model {}", gone.model))
        };
        // Poses and time base first, then the same poses at another rate.
        let from = gone
            .iter()
            .find_map(|gone| of_clip(gone, &ClipRecord::is_same_motion))
            .or_else(|| gone.iter().find_map(|gone| of_clip(gone, &ClipRecord::has_poses_of)))
            .or_else(|| gone.iter().find_map(of_model));
        if let (Some(from), Verdict::New(what)) = (from, &mut one.verdict) {
            what.push_str(&format!(": {from} was renamed"));
        }
    }
}
