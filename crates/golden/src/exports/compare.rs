//! Pairs the models of two sides and compares each pair with all its clips.

use super::diff::{ExportDiff, ExportError};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_base::disk::open_regular;
use tintype_base::path::ShowPath;
use tintype_compare::character::{ExportOptions, ModelPair, PairState, compare_characters};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Value};
use tintype_framing::{Character, CharacterError, Characters};
use tintype_host::job::discover::{DiscoverError, ModelSources, discover};
use tintype_render::asset::FileError;

/// Models of one side, by name.
type Models = BTreeMap<String, PathBuf>;

/// Compares two model files, or all models below two folders, with every clip.
///
/// # Errors
/// [`ExportError`] if a side is absent or cannot be searched. An unreadable model is an entry of
/// the result.
pub fn compare_exports(
    old: &Path,
    new: &Path,
    options: &ExportOptions,
) -> Result<ExportDiff, ExportError> {
    for side in [old, new] {
        std::fs::metadata(side).map_err(|error| FileError::new(side, &error))?;
    }
    if !old.is_dir() && !new.is_dir() {
        let name = new.file_name().unwrap_or_default().shown();
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

/// The models below a folder, or the single file; finding none is not an error.
fn models_below(side: &Path) -> Result<Models, ExportError> {
    let base = side.is_dir().then(|| side.to_path_buf());
    let sources = ModelSources { paths: vec![side.to_path_buf()], list: None, base };
    match discover(&sources) {
        Ok(found) => Ok(found.models.into_iter().map(|model| (model.name, model.path)).collect()),
        Err(DiscoverError::NoModel { .. }) => Ok(Models::new()),
        Err(error) => Err(ExportError::Discover(error)),
    }
}

/// Joins removed models with added ones of the same bytes, each once.
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

/// The name of a model, its name on the old side if different, and its files.
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
                let model = Subject::named(Element::Model, pair.name.as_str());
                let told = Finding::new(Stage::Structure, Kind::Renamed, model);
                pair.notes.insert(0, told.from_to(Value::from(from.as_str()), None));
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
    let mut pair = ModelPair::new(name);
    for error in loaded.iter().flatten().filter_map(|side| side.as_ref().err()) {
        pair.state = PairState::Unreadable;
        pair.is_temporary |= error.is_temporary;
        pair.error.get_or_insert_with(|| error.message.clone());
    }
    if pair.state == PairState::Unreadable {
        return pair;
    }
    match loaded {
        [Some(Ok(old)), Some(Ok(new))] => {
            return compare_characters(pair.name, [&old, &new], options);
        }
        [Some(_), None] => pair.state = PairState::OnlyA,
        _ => pair.state = PairState::OnlyB,
    }
    pair
}
