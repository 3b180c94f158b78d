//! Pairs the models of two sides and compares each pair with all of its clips.

use super::diff::{ExportDiff, ExportError, ExportOptions, ModelPair, PairState, Part};
use super::pictures;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_golden::model_diff::{Finding, ModelDiff, Side, Stage, compare};
use tintype_host::job::discover::{DiscoverError, ModelSources, discover};
use tintype_host::job::{Character, CharacterClip, CharacterError, Characters};
use tintype_model::Clip;
use tintype_model::disk::text_of_path;
use tintype_render::asset::FileError;
use tintype_render::asset::regular::open_regular;

/// Models of one side, by name.
type Models = BTreeMap<String, PathBuf>;

/// Compares two model files, or all models below two folders, with every clip.
///
/// # Errors
/// [`ExportError`] if a side is absent or cannot be searched. A model that cannot be read is an entry of the result.
pub fn compare_exports(
    old: &Path,
    new: &Path,
    options: &ExportOptions,
) -> Result<ExportDiff, ExportError> {
    for side in [old, new] {
        std::fs::metadata(side).map_err(|error| FileError::new(side, &error))?;
    }
    if !old.is_dir() && !new.is_dir() {
        let name = text_of_path(new.file_name().unwrap_or_default().as_ref());
        let [a, b] = [old, new].map(|path| Some(path.to_path_buf()));
        return Ok(gather(compare_all(vec![(name, None, [a, b])], options)));
    }
    let [a, b] = [models_below(old)?, models_below(new)?];
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let mut list: Vec<Joined> = names
        .into_iter()
        .map(|name| (name.clone(), None, [a.get(name).cloned(), b.get(name).cloned()]))
        .collect();
    join_renamed(&mut list);
    Ok(gather(compare_all(list, options)))
}

/// The models below a folder, or the one file; none is no error.
fn models_below(side: &Path) -> Result<Models, ExportError> {
    let base = side.is_dir().then(|| side.to_path_buf());
    let sources = ModelSources { paths: vec![side.to_path_buf()], list: None, base };
    match discover(&sources) {
        Ok(found) => Ok(found.models.into_iter().map(|model| (model.name, model.path)).collect()),
        Err(DiscoverError::NoModel { .. }) => Ok(Models::new()),
        Err(error) => Err(ExportError::Discover(error)),
    }
}

/// Joins models that are gone with new ones of the same bytes, each once.
fn join_renamed(list: &mut Vec<Joined>) {
    let digest = |path: &PathBuf| {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(open_regular(path).ok()?).ok()?;
        Some(hasher.finalize())
    };
    let mut gone: Vec<(String, PathBuf, blake3::Hash)> = Vec::new();
    for (name, _, [old, new]) in list.iter() {
        if let (Some(old), None) = (old, new)
            && let Some(digest) = digest(old)
        {
            gone.push((name.clone(), old.clone(), digest));
        }
    }
    if gone.is_empty() {
        return;
    }
    let mut joined: BTreeSet<String> = BTreeSet::new();
    for (_, renamed_from, sides) in list.iter_mut() {
        let [None, Some(new)] = sides else { continue };
        let Some(own) = digest(new) else { continue };
        let Some(at) = gone.iter().position(|(.., digest)| *digest == own) else { continue };
        let (name, path, _) = gone.remove(at);
        joined.insert(name.clone());
        *renamed_from = Some(name);
        sides[0] = Some(path);
    }
    list.retain(|(name, _, sides)| sides[1].is_some() || !joined.contains(name));
}

/// The name of a model, its name on the old side where that is another, and its files.
type Joined = (String, Option<String>, [Option<PathBuf>; 2]);

/// A pair of models, and the files of both sides.
type Compared = (ModelPair, Vec<PathBuf>);

fn compare_all(list: Vec<Joined>, options: &ExportOptions) -> Vec<Compared> {
    let loader = Characters::new(options.load_options.clone());
    list.into_par_iter()
        .map(|(name, renamed_from, sides)| {
            let mut files: Vec<PathBuf> = sides.iter().flatten().cloned().collect();
            let loaded = sides.map(|path| path.map(|path| loader.load(&path)));
            files.extend(loaded.iter().flatten().flatten().flat_map(|side| side.files.clone()));
            let mut pair = pair_of(name, loaded, options);
            if let Some(from) = &renamed_from {
                pair.notes.insert(0, format!("renamed from {from}"));
                if pair.state.passes() {
                    pair.state = PairState::Different;
                }
            }
            pair.renamed_from = renamed_from;
            (pair, files)
        })
        .collect()
}

fn gather(all: Vec<Compared>) -> ExportDiff {
    let mut diff = ExportDiff::default();
    for (pair, files) in all {
        diff.models.push(pair);
        diff.files.extend(files);
    }
    diff
}

fn pair_of(
    name: String,
    loaded: [Option<Result<Character, CharacterError>>; 2],
    options: &ExportOptions,
) -> ModelPair {
    let mut pair = ModelPair {
        name,
        state: PairState::Same,
        renamed_from: None,
        error: None,
        is_temporary: false,
        notes: Vec::new(),
        parts: Vec::new(),
    };
    for error in loaded.iter().flatten().filter_map(|side| side.as_ref().err()) {
        pair.state = PairState::Unreadable;
        pair.is_temporary |= error.is_temporary;
        pair.error.get_or_insert_with(|| error.message.clone());
    }
    if pair.state == PairState::Unreadable {
        return pair;
    }
    match loaded {
        [Some(Ok(old)), Some(Ok(new))] => fill(&mut pair, [&old, &new], options),
        [Some(_), None] => pair.state = PairState::OnlyA,
        _ => pair.state = PairState::OnlyB,
    }
    pair
}

/// Compares two characters: the models, then their clips by name.
fn fill(pair: &mut ModelPair, sides: [&Character; 2], options: &ExportOptions) {
    for (side, word) in sides.iter().zip(["A", "B"]) {
        let notes = side.unbound.iter();
        pair.notes.extend(
            notes.map(|(clip, why)| format!("clip {clip:?} of {word} does not bind: {why}")),
        );
    }
    let model = part(sides, None, &[], options);
    let of_model = model.findings.clone();
    pair.parts.push(model);
    let mut clips: BTreeMap<&str, [Option<&CharacterClip>; 2]> = BTreeMap::new();
    for (k, side) in sides.iter().enumerate() {
        for clip in &side.clips {
            clips.entry(&clip.name).or_default()[k] = Some(clip);
        }
    }
    for (name, both) in clips {
        pair.parts.push(match both {
            [Some(old), Some(new)] => part(sides, Some([old, new]), &of_model, options),
            [old, _] => {
                let (state, word) = match old {
                    Some(_) => (PairState::OnlyA, "gone"),
                    None => (PairState::OnlyB, "new"),
                };
                let text = format!("clip {name:?} is {word}");
                Part {
                    clip: Some(name.to_owned()),
                    state,
                    findings: vec![Finding { stage: Stage::Structure, text }],
                    diff: None,
                    at_s: 0.0,
                    pictures: None,
                }
            }
        });
    }
    let has = |wanted: &dyn Fn(PairState) -> bool| pair.parts.iter().any(|part| wanted(part.state));
    pair.state = if has(&|state| !state.passes()) {
        PairState::Different
    } else if has(&|state| state == PairState::Within) {
        PairState::Within
    } else {
        PairState::Same
    };
}

/// Compares the models in their bind poses, or moved by a clip; differences of the model are not repeated.
fn part(
    sides: [&Character; 2],
    clips: Option<[&CharacterClip; 2]>,
    of_model: &[Finding],
    options: &ExportOptions,
) -> Part {
    let clip_of = |k: usize| -> Option<&Clip> {
        let index = clips?[k].index;
        Some(&sides[k].assets.models[0].clips[index].clip)
    };
    let name = clips.map(|clips| clips[1].name.clone());
    let [old, new] =
        [0, 1].map(|k| Side { model: &sides[k].assets.models[0].model, clip: clip_of(k) });
    let diff = match compare(old, new) {
        Ok(diff) => diff,
        // The clips of a character bind to it.
        Err((_, error)) => {
            let text = format!("the clip does not fit: {error}");
            let findings = vec![Finding { stage: Stage::Structure, text }];
            let state = PairState::Different;
            return Part { clip: name, state, findings, diff: None, at_s: 0.0, pictures: None };
        }
    };
    let findings = findings(&diff, clips.is_some(), of_model, options);
    let is_within = diff.is_within(options.tolerance);
    let state = match (is_within, findings.is_empty()) {
        (false, false) => PairState::Different,
        (true, false) => PairState::Within,
        // What differs is told with the model.
        (_, true) => PairState::Same,
    };
    let (at_s, turned) = moment(&diff);
    let mut part = Part { clip: name, state, findings, diff: Some(diff), at_s, pictures: None };
    if options.draws && !part.state.passes() {
        let shown = clips.map(|clips| clips.map(|clip| clip.index));
        match pictures::draw(sides, shown, [at_s, turned]) {
            Ok(drawn) => part.pictures = Some(drawn),
            Err(error) => part.findings.push(Finding {
                stage: Stage::Material,
                text: format!("no picture could be drawn: {error}"),
            }),
        }
    }
    part
}

/// The differences of a part. Meshes and materials are those of the model, and weights differ in every clip: a clip has its time base
/// and its joints.
fn findings(
    diff: &ModelDiff,
    is_clip: bool,
    of_model: &[Finding],
    options: &ExportOptions,
) -> Vec<Finding> {
    let all = diff.findings(options.most_joints);
    if !is_clip {
        return all;
    }
    let is_own = |finding: &Finding| matches!(finding.stage, Stage::Time | Stage::Pose);
    let mut own: Vec<Finding> = all.iter().filter(|one| is_own(one)).cloned().collect();
    // Vertices that moved and that neither the model nor a joint explains.
    if own.is_empty() && of_model.is_empty() {
        own = all;
    } else if !own.is_empty() {
        own.extend(all.into_iter().filter(|one| !is_own(one) && !of_model.contains(one)));
    }
    own
}

/// The moment of the largest difference in both clips, in seconds from their starts.
fn moment(diff: &ModelDiff) -> (f64, f64) {
    let of_joint = diff.joints.first().map(|joint| joint.at_s);
    let of_mesh = || diff.meshes.first().and_then(|mesh| Some(mesh.worst?.at_s));
    let at_s = of_joint.or_else(of_mesh).unwrap_or(0.0);
    (at_s, at_s * diff.pace)
}
