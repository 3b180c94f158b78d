//! `Animation` objects: the motion of single frames, and their irregularities.

use super::axes::{our_point, our_transform};
use super::key::{Keys, read_keys, sorted, taken_apart};
use super::notes::Notes;
use super::part::{Budget, all, meant, parts};
use super::values::Values;
use crate::LoadOptions;
use crate::x::error::XError;
use crate::x::tree::{Child, Document, Object, ObjectIndex, label};
use std::collections::HashMap;
use tintype_model::math::{Affine3, Quat, Vec3};
use tintype_model::{ClipOptions, FileRepair, Warning, align_hemispheres};

/// The motion of one frame, in ticks and our axes.
#[derive(Default)]
pub(super) struct Motion {
    pub(super) name: String,
    pub(super) rotation: Keys<Quat>,
    pub(super) scale: Keys<Vec3>,
    pub(super) translation: Keys<Vec3>,
}

/// The motions of one animation set.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) motions: Vec<Motion>,
    pub(super) options: ClipOptions,
}

/// Reads all sets of a document, in file order. Animations outside of sets form another one after
/// them, and each compressed set becomes one that moves nothing.
pub(super) fn read_sets(
    document: &Document,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Set>, XError> {
    let mut budget = Budget::new(options);
    let mut sets: Vec<Set> = Vec::new();
    let mut unnamed = 0_usize;
    let mut is_in_set = vec![false; document.objects.len()];
    for index in all(document).filter(|&index| document.object(index).is("AnimationSet")) {
        let object = document.object(index);
        budget.spend(object)?;
        let name = name_of(object, &sets, &mut unnamed);
        let animations: Vec<ObjectIndex> = parts(document, index, &["Animation"]).collect();
        for part in &animations {
            if let Some(is_in_set) = is_in_set.get_mut(part.index()) {
                *is_in_set = true;
            }
        }
        sets.push(read_set(document, &animations, name, &label(object), &mut budget, warnings)?);
    }
    let is_stray = |index: &ObjectIndex| {
        document.object(*index).is("Animation") && is_in_set.get(index.index()) == Some(&false)
    };
    let strays: Vec<ObjectIndex> = all(document).filter(is_stray).collect();
    if !strays.is_empty() {
        let name = next_name(&sets, &mut unnamed);
        let label = "the animations outside of sets";
        sets.push(read_set(document, &strays, name, label, &mut budget, warnings)?);
    }
    // None of them can be played, so they come last and are never the default.
    for packed in document.objects.iter().filter(|object| object.is("CompressedAnimationSet")) {
        budget.spend(packed)?;
        let name = name_of(packed, &sets, &mut unnamed);
        sets.push(Set { name, motions: Vec::new(), options: ClipOptions::default() });
    }
    Ok(sets)
}

fn name_of(set: &Object, sets: &[Set], unnamed: &mut usize) -> String {
    if set.name.is_empty() { next_name(sets, unnamed) } else { set.name.clone() }
}

/// Names a set by its number among the unnamed ones, so that named sets do not affect it.
fn next_name(sets: &[Set], unnamed: &mut usize) -> String {
    loop {
        let name = format!("set {unnamed}");
        *unnamed += 1;
        if sets.iter().all(|set| set.name != name) {
            return name;
        }
    }
}

fn read_set(
    document: &Document,
    animations: &[ObjectIndex],
    name: String,
    label: &str,
    budget: &mut Budget,
    warnings: &mut Vec<Warning>,
) -> Result<Set, XError> {
    let mut set = Set { name, motions: Vec::new(), options: ClipOptions::default() };
    let mut notes = Notes::default();
    let mut known: HashMap<String, usize> = HashMap::new();
    for &part in animations {
        let object = document.object(part);
        budget.spend(object)?;
        let Some(frame) = target(document, part) else {
            notes.nameless.note(object.position);
            continue;
        };
        set.options.animations += 1;
        let motion = read_motion(document, part, frame, &mut set.options, budget, &mut notes)?;
        // A second animation of a frame sets the channels that the first leaves open.
        let known = known.entry(motion.name.clone()).or_insert(set.motions.len());
        match set.motions.get_mut(*known) {
            None => set.motions.push(motion),
            Some(known) => {
                notes.doubled.note(object.position);
                fill(&mut known.rotation, motion.rotation);
                fill(&mut known.scale, motion.scale);
                fill(&mut known.translation, motion.translation);
            }
        }
    }
    notes.warn(label, warnings);
    let ClipOptions { animations, open, .. } = set.options;
    if open > 0 && open < animations {
        warnings.push(FileRepair::MixedOptions.told(format!(
            "{label}: {open} of {animations} animations are open; all of them are repeated"
        )));
    }
    Ok(set)
}

/// The name of the frame that an animation moves: the one that it refers to, possibly in another
/// file, or one inside it.
fn target(document: &Document, animation: ObjectIndex) -> Option<&str> {
    let mut named = None;
    for child in &document.object(animation).children {
        // A GUID may replace the name of its frame.
        if let Some(frame) = meant(document, child, &["Frame"]) {
            named = Some(document.object(frame).name.as_str());
            break;
        }
        if let Child::Reference(reference) = child
            && !ANIMATION_PARTS.iter().any(|part| meant(document, child, &[part]).is_some())
        {
            named = named.or(Some(reference.name.as_str()));
        }
    }
    named.filter(|name| !name.is_empty())
}

/// Deviation of a quaternion's length from 1 above which it is counted; less is rounding.
const LENGTH_TOLERANCE: f64 = 1.0e-3;

/// Matrices between two checks of the deadline; a skewed one takes about a microsecond.
const MATRICES: u32 = 1 << 12;

/// Contents of an animation.
const ANIMATION_PARTS: [&str; 2] = ["AnimationKey", "AnimationOptions"];

fn fill<T>(known: &mut Keys<T>, more: Keys<T>) {
    if known.is_empty() {
        *known = more;
    }
}

fn read_motion(
    document: &Document,
    index: ObjectIndex,
    frame: &str,
    options: &mut ClipOptions,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Motion, XError> {
    let mut motion = Motion { name: frame.to_owned(), ..Motion::default() };
    let mut matrices: Keys<Affine3> = Vec::new();
    count_options(document, index, options);
    for part in parts(document, index, &["AnimationKey"]) {
        let object = document.object(part);
        budget.spend(object)?;
        let mut values = Values::new(document, object);
        if values.left() == 0 {
            continue;
        }
        match values.whole("the type of the keys").unwrap_or(usize::MAX) {
            0 => {
                for (time, key) in read_keys::<4>(&mut values, notes)? {
                    let (length, turn) = our_turn(key);
                    options.rotations[0] += 1;
                    options.rotations[1] += usize::from((length - 1.0).abs() > LENGTH_TOLERANCE);
                    match turn {
                        Some(turn) => motion.rotation.push((time, turn)),
                        None => notes.not_numbers.note(object.position),
                    }
                }
            }
            1 => {
                let keys = read_keys::<3>(&mut values, notes)?;
                motion.scale.extend(keys.into_iter().map(|(time, key)| (time, nearest(key))));
            }
            2 => {
                let keys = read_keys::<3>(&mut values, notes)?;
                let keys = keys.into_iter().map(|(time, key)| (time, our_point(key)));
                motion.translation.extend(keys);
            }
            3 | 4 => {
                let keys = read_keys::<16>(&mut values, notes)?;
                matrices.extend(keys.into_iter().map(|(time, key)| (time, our_matrix(key))));
            }
            _ => notes.unknown.note(object.position),
        }
    }
    if !matrices.is_empty() {
        if !(motion.rotation.is_empty() && motion.scale.is_empty() && motion.translation.is_empty())
        {
            notes.mixed.note(document.object(index).position);
        }
        motion = of_matrices(document, index, motion.name, matrices, notes)?;
    }
    let deadline = &document.deadline;
    motion.rotation = sorted(motion.rotation, deadline)?;
    motion.scale = sorted(motion.scale, deadline)?;
    motion.translation = sorted(motion.translation, deadline)?;
    align_hemispheres(motion.rotation.iter_mut().map(|(_, rotation)| rotation));
    Ok(motion)
}

/// Counts the options that an animation states.
fn count_options(document: &Document, animation: ObjectIndex, options: &mut ClipOptions) {
    for part in parts(document, animation, &["AnimationOptions"]).take(1) {
        let values = Values::new(document, document.object(part));
        let says = |index: usize, number: f64| values.peek(index) == Some(number);
        options.open += usize::from(says(0, 1.0));
        options.closed += usize::from(says(0, 0.0));
        options.spline += usize::from(says(1, 0.0));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn nearest(key: [f64; 3]) -> Vec3 {
    Vec3::from_array(key.map(|part| part as f32))
}

/// The transform of a matrix key, in our axes.
fn our_matrix(key: [f64; 16]) -> Affine3 {
    let mut rows = [[0.0; 4]; 4];
    for (to, from) in rows.iter_mut().flatten().zip(key) {
        *to = from;
    }
    our_transform(&rows)
}

/// The length of a rotation key, and the rotation in our axes. None for zeros.
fn our_turn(key: [f64; 4]) -> (f64, Option<Quat>) {
    // Members are 32-bit floats: text and binary must yield the same rotation.
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
    let key = key.map(|part| f64::from(part as f32));
    let length = key.iter().map(|part| part * part).sum::<f64>().sqrt();
    let [w, x, y, z] = key.map(|part| part / length);
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of -1..=1")]
    let ours = [x, y, -z, w].map(|part| part as f32);
    (length, (length > 1e-9).then(|| Quat::from_array(ours).normalize()))
}

/// The motion of keys that are matrices.
fn of_matrices(
    document: &Document,
    index: ObjectIndex,
    name: String,
    matrices: Keys<Affine3>,
    notes: &mut Notes,
) -> Result<Motion, XError> {
    let position = document.object(index).position;
    let mut motion = Motion { name, ..Motion::default() };
    let mut watch = document.deadline.watch("taking matrices apart", MATRICES);
    for (time, matrix) in sorted(matrices, &document.deadline)? {
        watch.step()?;
        let (scale, rotation, is_sheared) = taken_apart(matrix.matrix3);
        if is_sheared {
            notes.sheared.note(position);
        }
        motion.scale.push((time, scale));
        motion.rotation.push((time, rotation));
        motion.translation.push((time, matrix.translation));
    }
    Ok(motion)
}

pub(super) fn times(motion: &Motion) -> [Vec<f64>; 3] {
    fn of<T>(keys: &Keys<T>) -> Vec<f64> {
        keys.iter().map(|&(time, _)| time).collect()
    }
    [of(&motion.rotation), of(&motion.scale), of(&motion.translation)]
}
