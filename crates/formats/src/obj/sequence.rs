//! Numbered OBJ files as one model; a clip shows its meshes one after the other.
//!
//! Input: the files in one text, each after a line with its number and its length. Output: a model
//! with the meshes of all files, each shown by a weight of its file, and a clip that animates these
//! weights in steps. Files may differ in everything.

use super::parse_model;
use crate::{FilePlace, LoadOptions, Loaded, ModelFormatError};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tintype_model::clip::{Interpolation, MorphTrack, Track};
use tintype_model::math::{Quat, Vec3};
use tintype_model::{Clip, ClipOptions, JointIndex, Model, MorphWeight, NamedClip, Tracks};

/// The first line of files in one text.
const MARK: &[u8] = b"# numbered OBJ files\n";
/// Default number of files per second.
pub const FILES_PER_SECOND: f64 = 24.0;

/// Fraction of a file's duration by which it is shown early.
const EARLY: f64 = 1e-6;

/// Joins files, each with the digits of its name.
#[must_use]
pub fn join_files(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut joined = MARK.to_vec();
    for (number, bytes) in files {
        joined.extend(format!("# file {number} {}\n", bytes.len()).bytes());
        joined.extend(bytes);
    }
    joined
}

/// Recognizes joined files by their first line.
#[must_use]
pub fn is_joined(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// The files, each with its number and its bytes.
fn files(bytes: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let mut rest = bytes.strip_prefix(MARK)?;
    let mut files = Vec::new();
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(&rest[..end]).ok()?.strip_prefix("# file ")?;
        let (number, length) = line.split_once(' ')?;
        let (file, after) = rest[end + 1..].split_at_checked(length.parse().ok()?)?;
        files.push((number, file));
        rest = after;
    }
    (!files.is_empty()).then_some(files)
}

/// Builds the model of joined files, with the clip `sequence` of `rate_hz` files per second;
/// `fetch` is that of [`parse_model`], and is called once for each name.
///
/// # Errors
/// [`ModelFormatError`] of the first faulty file, or for a file that is not joined files.
pub fn parse_files(
    bytes: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    rate_hz: f64,
    options: &LoadOptions,
) -> Result<Loaded<(Model, NamedClip)>, ModelFormatError> {
    let wrong = |found: String, expected| {
        Err(ModelFormatError::value(FilePlace::Line(1), "the files", found, expected))
    };
    let Some(files) = files(bytes) else {
        return wrong("truncated text".to_owned(), "whole files");
    };
    if !(rate_hz.is_finite() && rate_hz > 0.0) {
        return wrong(format!("{rate_hz} a second"), "a rate above 0");
    }
    let known: RefCell<BTreeMap<String, Result<Vec<u8>, String>>> = RefCell::default();
    let fetch_once = |name: &str| {
        let found = known.borrow().get(name).cloned();
        found.unwrap_or_else(|| {
            let read = fetch(name);
            known.borrow_mut().insert(name.to_owned(), read.clone());
            read
        })
    };
    let (mut whole, mut told, mut warnings) = (None::<Model>, BTreeSet::new(), Vec::new());
    for (index, (number, bytes)) in files.iter().enumerate() {
        let read = parse_model(bytes, &fetch_once, options);
        let Loaded { value: mut model, warnings: own } = read.map_err(|error| {
            let file = format!("file {number}: {error}");
            ModelFormatError::value(FilePlace::Line(1), "the files", file, "OBJ files")
        })?;
        for mut warning in own {
            // A warning common to all files is reported for the first.
            if told.insert(warning.message.clone()) {
                warning.message = format!("file {number}: {}", warning.message);
                warnings.push(warning);
            }
        }
        for mesh in &mut model.meshes {
            mesh.shown_by = vec![index];
        }
        match &mut whole {
            None => whole = Some(model),
            Some(whole) => join(whole, model),
        }
    }
    let mut model = whole.expect("there is a file");
    let joint = model.skeleton.joints()[0].name.clone();
    let weight = |(target, (number, _)): (usize, &(&str, &[u8]))| MorphWeight {
        name: (*number).to_owned(),
        joint: JointIndex(0),
        target,
        rest: if target == 0 { 1.0 } else { 0.0 },
    };
    let weights: Vec<MorphWeight> = files.iter().enumerate().map(weight).collect();
    let clip = clip(&joint, &weights, rate_hz);
    model.skeleton = model.skeleton.with_morphs(weights);
    let clip = NamedClip { name: "sequence".to_owned(), clip, options: ClipOptions::default() };
    Ok(Loaded { value: (model, clip), warnings })
}

/// Adds the meshes of a further file, and its materials with new names.
fn join(whole: &mut Model, mut more: Model) {
    whole.meshes.append(&mut more.meshes);
    more.materials.retain(|own| !whole.materials.iter().any(|one| one.name == own.name));
    whole.materials.append(&mut more.materials);
}

/// The clip that shows the meshes of each file at its time.
#[expect(clippy::cast_precision_loss, reason = "files are counted in far fewer bits")]
fn clip(joint: &str, weights: &[MorphWeight], rate_hz: f64) -> Clip {
    let count = weights.len();
    let times: Arc<[f64]> = (0..count).map(|file| file as f64 / rate_hz).collect();
    let track = |weight: &MorphWeight| {
        let at = weight.target;
        let keys = [(0, if at == 0 { 1.0 } else { 0.0 }), (at, 1.0), (at + 1, 0.0)];
        let keys = keys.into_iter().skip(usize::from(at == 0)).filter(|(key, _)| *key < count);
        // Slightly early, so that a time that was rounded down shows the right file.
        let early = |key: usize| if key == 0 { 0.0 } else { (key as f64 - EARLY) / rate_hz };
        let (own, values): (Vec<f64>, Vec<f32>) = keys.map(|(key, on)| (early(key), on)).unzip();
        MorphTrack {
            joint: joint.to_owned(),
            target: at,
            name: weight.name.clone(),
            weight: Track { times_s: own.into(), values, interpolation: Interpolation::Step },
        }
    };
    let root = Tracks {
        name: joint.to_owned(),
        parent: None,
        translation: Track::constant(Vec3::ZERO),
        rotation: Track::constant(Quat::IDENTITY),
        scale: Track::constant(Vec3::ONE),
    };
    Clip::of_even_keys(
        vec![root],
        weights.iter().map(track).collect(),
        (times, rate_hz),
        count <= 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(height: u32, more: &str) -> Vec<u8> {
        format!("mtllib a.mtl\n{more}v 0 0 0\nv 1 0 0\nv 0 {height} 0\nusemtl m\nf 1 2 3\n").into()
    }

    #[test]
    fn files_are_shown_one_after_the_other() {
        let asked = RefCell::new(0);
        let fetch = |_: &str| {
            *asked.borrow_mut() += 1;
            Ok(b"newmtl m\n".to_vec())
        };
        let names = ["0007", "0008", "0009"];
        let more = ["", "v 9 9 9\n", ""];
        let files: Vec<(String, Vec<u8>)> = (1..)
            .zip(names.iter().zip(more))
            .map(|(height, (name, more))| ((*name).to_owned(), triangle(height, more)))
            .collect();
        let joined = join_files(&files);
        assert!(is_joined(&joined) && !is_joined(&files[0].1));
        let options = LoadOptions::default();
        let (model, clip) = parse_files(&joined, &fetch, 2.0, &options).unwrap().value;
        assert_eq!((model.meshes.len(), model.materials.len(), *asked.borrow()), (3, 1, 1));
        let clip = &clip.clip;
        assert_eq!((clip.period_s, clip.key_rate_hz, clip.key_count()), (1.5, Some(2.0), 3));
        assert_eq!(model.skeleton.morphs()[2].name, "0009");
        for (track, keys) in clip.morphs.iter().zip([
            vec![(0.0, 1.0), (0.5, 0.0)],
            vec![(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)],
            vec![(0.0, 0.0), (1.0, 1.0)],
        ]) {
            let times = track.weight.times_s.iter().map(|time| (time * 1e3).round() / 1e3);
            let found = times.zip(track.weight.values.clone());
            assert_eq!(found.collect::<Vec<_>>(), keys, "{}", track.name);
        }
        for mesh in 0..3 {
            let rest: Vec<f32> = model.skeleton.morphs().iter().map(|one| one.rest).collect();
            assert_eq!(model.meshes[mesh].is_shown(&rest), mesh == 0);
        }
    }

    #[test]
    fn files_that_are_cut_or_wrong_are_refused_with_their_number() {
        let fetch = |_: &str| Err("no such file".to_owned());
        let options = LoadOptions::default();
        let good = join_files(&[("1".to_owned(), triangle(1, ""))]);
        let said = |bytes: &[u8]| {
            parse_files(bytes, &fetch, FILES_PER_SECOND, &options)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        assert_eq!(said(&good), Ok(()));
        for end in MARK.len()..good.len() {
            assert!(said(&good[..end]).is_err(), "{end}");
        }
        let bad = join_files(&[
            ("0001".to_owned(), triangle(1, "")),
            ("0002".into(), b"\x89PNG\r\n\x1a\n".to_vec()),
        ]);
        assert!(said(&bad).unwrap_err().contains("file 0002"), "{:?}", said(&bad));
    }
}
