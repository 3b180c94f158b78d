//! `AnimationSet` objects become clips, and ticks become seconds.
//!
//! # Time
//! Keys are in ticks. How many there are in a second the file says, or else the distance of its keys: 3ds Max writes 4800 a
//! second and so keys far apart, all others write frames. Of keys at one time the last in the file holds.

use super::frame::{Frames, all, objects_in};
use super::values::{Values, label};
use crate::formats::x::error::{Place, XError};
use crate::formats::x::tree::{Child, Document, ObjectIndex};
use crate::math::{Affine3, Mat3, Quat, Vec3, func, unit_or};
use crate::model::{Clip, NamedClip, Track, Tracks, Warning};
use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

/// Ticks a second of files by 3ds Max.
const MAX_TICKS: f64 = 4800.0;
/// Ticks a second where keys are frames.
const FRAME_TICKS: f64 = 30.0;
/// Keys that are, by the median, at least this far apart are in ticks of 3ds Max.
const FAR_APART: f64 = 80.0;
/// Positions that differ by less than this share of the diagonal are the same pose.
const SAME_POSITION_SHARE: f32 = 1.0e-4;
/// Rotations that differ by less than this are the same pose.
const SAME_ROTATION_DEG: f32 = 0.05;
/// Gaps between keys that differ by less than this share are even.
const EVEN_SHARE: f64 = 1.0e-3;
/// Axes of a matrix key whose cosine is beyond this are no right angle.
const SHEAR_COSINE: f32 = 1.0e-3;
/// Times beyond this are no times.
const LONGEST_TICKS: f64 = 1.0e12;

/// How many ticks a second has, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickRate {
    /// Above 0.
    pub per_second: f64,
    /// How it is known.
    pub rule: TickRule,
}

/// How it is known how many ticks a second has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TickRule {
    /// The caller said it.
    Given,
    /// The file says it.
    File,
    /// The keys are so far apart, by the median, that they must be ticks of 3ds Max.
    FarKeys {
        /// Ticks from one key to the next.
        median_gap: f64,
    },
    /// The keys are so near each other, by the median, that they must be frames.
    NearKeys {
        /// Ticks from one key to the next.
        median_gap: f64,
    },
    /// There are not two keys at different times.
    NoKeys,
}

impl fmt::Display for TickRate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ticks a second, ", self.per_second)?;
        match self.rule {
            TickRule::Given => out.write_str("as the scene says"),
            TickRule::File => out.write_str("as the file says"),
            TickRule::FarKeys { median_gap } => {
                write!(
                    out,
                    "because the file says nothing and its keys are {median_gap} apart, {FAR_APART} or more"
                )
            }
            TickRule::NearKeys { median_gap } => {
                write!(
                    out,
                    "because the file says nothing and its keys are {median_gap} apart, under {FAR_APART}"
                )
            }
            TickRule::NoKeys => out.write_str("because the file says nothing"),
        }
    }
}

/// Values at times in ticks, in file order, then sorted.
type Keys<T> = Vec<(f64, T)>;

/// The motion of one frame, in ticks and our axes.
#[derive(Default)]
struct Motion {
    name: String,
    rotation: Keys<Quat>,
    scale: Keys<Vec3>,
    translation: Keys<Vec3>,
}

struct Set {
    name: String,
    motions: Vec<Motion>,
    is_closed: Option<bool>,
}

/// Makes a clip of each set.
///
/// # Errors
/// [`XError`] where a value that should be a number is none.
pub(super) fn build_clips(
    document: &Document,
    frames: &Frames,
    given: Option<f64>,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<NamedClip>, TickRate), XError> {
    let mut sets = Vec::new();
    for index in all(document).filter(|&index| document.object(index).is("AnimationSet")) {
        sets.push(read_set(document, index, sets.len(), warnings)?);
    }
    warn_unknown_frames(document, frames, &sets, warnings);
    let ticks = tick_rate(document, &sets, given, warnings);
    let clips = sets.into_iter().map(|set| {
        let clip = build_clip(&set, frames, ticks.per_second);
        NamedClip { name: set.name, clip, is_closed: set.is_closed }
    });
    Ok((clips.collect(), ticks))
}

fn read_set(
    document: &Document,
    index: ObjectIndex,
    number: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Set, XError> {
    let object = document.object(index);
    let name = if object.name.is_empty() { format!("set {number}") } else { object.name.clone() };
    let mut set = Set { name, motions: Vec::new(), is_closed: None };
    let mut notes = Notes::default();
    let mut known: HashMap<String, usize> = HashMap::new();
    for part in objects_in(document, index) {
        if !document.object(part).is("Animation") {
            continue;
        }
        let target = document.object(part).children.iter().find_map(|child| match child {
            Child::Reference(reference) => Some(reference),
            Child::Object(_) => None,
        });
        let Some(target) = target else {
            notes.nameless.note(document.object(part).place);
            continue;
        };
        // A GUID stands for the name of the frame that has it.
        let frame = target.guid.and_then(|_| document.resolve(target));
        let frame = frame.map_or(&target.name, |frame| &document.object(frame).name);
        let motion = read_motion(document, part, frame, &mut set.is_closed, &mut notes)?;
        // A second animation of a frame moves what the first leaves open.
        let known = known.entry(motion.name.clone()).or_insert(set.motions.len());
        match set.motions.get_mut(*known) {
            None => set.motions.push(motion),
            Some(known) => {
                notes.doubled.note(document.object(part).place);
                fill(&mut known.rotation, motion.rotation);
                fill(&mut known.scale, motion.scale);
                fill(&mut known.translation, motion.translation);
            }
        }
    }
    notes.tell(&label(object), warnings);
    Ok(set)
}

fn fill<T>(known: &mut Keys<T>, more: Keys<T>) {
    if known.is_empty() {
        *known = more;
    }
}

fn read_motion(
    document: &Document,
    index: ObjectIndex,
    frame: &str,
    is_closed: &mut Option<bool>,
    notes: &mut Notes,
) -> Result<Motion, XError> {
    let mut motion = Motion { name: frame.to_owned(), ..Motion::default() };
    let mut matrices: Keys<Affine3> = Vec::new();
    for part in objects_in(document, index) {
        let object = document.object(part);
        let mut values = Values::new(document, object);
        if object.is("AnimationOptions") {
            let is_open = values.peek(0).is_some_and(|value| value != 0.0);
            *is_closed = Some(is_closed.unwrap_or(true) && !is_open);
        }
        if !object.is("AnimationKey") || values.left() == 0 {
            continue;
        }
        match values.whole("the type of the keys")? {
            0 => {
                let keys = read_keys::<4>(&mut values, notes)?;
                motion.rotation.extend(keys.into_iter().filter_map(|(time, key)| {
                    // Members are floats of 32 bits: text and binary must give the same turn.
                    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
                    let key = key.map(|part| f64::from(part as f32));
                    let length = key.iter().map(|part| part * part).sum::<f64>().sqrt();
                    let [w, x, y, z] = key.map(|part| part / length);
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "the nearest f32 of -1..=1"
                    )]
                    let ours = [x, y, -z, w].map(|part| part as f32);
                    let is_turn = length > 1e-9;
                    if !is_turn {
                        notes.not_numbers.note(object.place);
                    }
                    is_turn.then(|| (time, Quat::from_array(ours).normalize()))
                }));
            }
            1 => {
                let keys = read_keys::<3>(&mut values, notes)?;
                #[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
                motion.scale.extend(
                    keys.into_iter()
                        .map(|(time, key)| (time, Vec3::from_array(key.map(|part| part as f32)))),
                );
            }
            2 => {
                let keys = read_keys::<3>(&mut values, notes)?;
                motion
                    .translation
                    .extend(keys.into_iter().map(|(time, key)| (time, super::our_point(key))));
            }
            3 | 4 => {
                let keys = read_keys::<16>(&mut values, notes)?;
                matrices.extend(keys.into_iter().map(|(time, key)| {
                    let mut rows = [[0.0; 4]; 4];
                    for (to, from) in rows.iter_mut().flatten().zip(key) {
                        *to = from;
                    }
                    (time, super::our_transform(&rows))
                }));
            }
            _ => notes.unknown.note(object.place),
        }
    }
    if !matrices.is_empty() {
        if !(motion.rotation.is_empty() && motion.scale.is_empty() && motion.translation.is_empty())
        {
            notes.mixed.note(document.object(index).place);
        }
        let place = document.object(index).place;
        motion = Motion { name: motion.name, ..Motion::default() };
        for (time, matrix) in sorted(matrices) {
            let (scale, rotation, is_sheared) = taken_apart(matrix.matrix3);
            if is_sheared {
                notes.sheared.note(place);
            }
            motion.scale.push((time, scale));
            motion.rotation.push((time, rotation));
            motion.translation.push((time, matrix.translation));
        }
    }
    motion.rotation = sorted(motion.rotation);
    motion.scale = sorted(motion.scale);
    motion.translation = sorted(motion.translation);
    let mut before: Option<Quat> = None;
    for (_, rotation) in &mut motion.rotation {
        // Neighbours on one hemisphere are blended the shorter way.
        if before.is_some_and(|before| before.dot(*rotation) < 0.0) {
            *rotation = -*rotation;
        }
        before = Some(*rotation);
    }
    Ok(motion)
}

/// Keys of `N` numbers: a count, then for each its time, `N`, and the numbers.
///
/// Where a value stands between keys that belongs to none, it is passed over.
fn read_keys<const N: usize>(
    values: &mut Values<'_>,
    notes: &mut Notes,
) -> Result<Keys<[f64; N]>, XError> {
    let place = values.place();
    let declared = if values.left() > 0 { values.whole("the count of keys")? } else { 0 };
    let mut keys = Vec::new();
    let mut strays = 0_usize;
    while values.left() >= N + 2 {
        #[expect(clippy::cast_precision_loss, reason = "a small count")]
        let fits = values.peek(1) == Some(N as f64);
        if !fits {
            strays += 1;
            values.skip(1);
            continue;
        }
        let time = values.peek(0);
        let mut key = [0.0; N];
        let mut is_good = time.is_some_and(|time| time.abs() <= LONGEST_TICKS);
        for (number, part) in key.iter_mut().enumerate() {
            match values.peek(2 + number).filter(|value| value.abs() <= 1e9) {
                Some(value) => *part = value,
                None => is_good = false,
            }
        }
        values.skip(2 + N);
        match time.filter(|_| is_good) {
            Some(time) => keys.push((time, key)),
            None => notes.not_numbers.note(place),
        }
    }
    if strays + values.left() > 0 {
        notes.strays.note(place);
    }
    if declared != keys.len() {
        notes.miscounted.note(place);
    }
    Ok(keys)
}

/// By time; of equal times the last in the file.
fn sorted<T>(mut keys: Keys<T>) -> Keys<T> {
    keys.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable
    let mut kept: Keys<T> = Vec::with_capacity(keys.len());
    for key in keys {
        match kept.last_mut() {
            #[expect(clippy::float_cmp, reason = "the same number is meant")]
            Some(last) if last.0 == key.0 => *last = key,
            _ => kept.push(key),
        }
    }
    kept
}

/// Scale, rotation, and whether the axes are so far from right angles that these two are only the nearest.
///
/// A mirror turns the sign of the scale along x, always, so that neighbouring keys agree.
fn taken_apart(linear: Mat3) -> (Vec3, Quat, bool) {
    let mirrored = linear.determinant() < 0.0;
    let axes = Mat3::from_cols(
        if mirrored { -linear.x_axis } else { linear.x_axis },
        linear.y_axis,
        linear.z_axis,
    );
    let lengths = Vec3::new(axes.x_axis.length(), axes.y_axis.length(), axes.z_axis.length());
    // Directions of axes without a length follow from the others.
    let mut x = unit_or(axes.x_axis, Vec3::ZERO);
    let mut y = unit_or(axes.y_axis, Vec3::ZERO);
    let mut z = unit_or(axes.z_axis, Vec3::ZERO);
    if x == Vec3::ZERO {
        x = unit_or(
            y.cross(z),
            if y == Vec3::ZERO { Vec3::X } else { crate::math::any_perpendicular(y) },
        );
    }
    if y == Vec3::ZERO {
        y = unit_or(z.cross(x), crate::math::any_perpendicular(x));
    }
    if z == Vec3::ZERO {
        z = unit_or(x.cross(y), crate::math::any_perpendicular(x));
    }
    let mut rotation = Mat3::from_cols(x, y, z);
    let cosines = [x.dot(y).abs(), y.dot(z).abs(), z.dot(x).abs()];
    let is_sheared = cosines.iter().any(|&cosine| cosine > SHEAR_COSINE);
    if is_sheared {
        // Towards the nearest rotation: the mean with its own inverse transpose, again and again (Higham, 1986).
        for _ in 0..24 {
            let next = (rotation + rotation.inverse().transpose()) * 0.5;
            if !next.is_finite() {
                break;
            }
            rotation = next;
        }
    }
    let quat = Quat::from_mat3(&rotation).normalize();
    let quat = if quat.is_finite() { quat } else { Quat::IDENTITY };
    let scale = if is_sheared {
        Vec3::new(
            rotation.x_axis.dot(axes.x_axis),
            rotation.y_axis.dot(axes.y_axis),
            rotation.z_axis.dot(axes.z_axis),
        )
    } else {
        lengths
    };
    (if mirrored { Vec3::new(-scale.x, scale.y, scale.z) } else { scale }, quat, is_sheared)
}

fn times(motion: &Motion) -> [Vec<f64>; 3] {
    fn of<T>(keys: &Keys<T>) -> Vec<f64> {
        keys.iter().map(|&(time, _)| time).collect()
    }
    [of(&motion.rotation), of(&motion.scale), of(&motion.translation)]
}

fn tick_rate(
    document: &Document,
    sets: &[Set],
    given: Option<f64>,
    warnings: &mut Vec<Warning>,
) -> TickRate {
    if let Some(per_second) = given {
        return TickRate { per_second, rule: TickRule::Given };
    }
    let mut said: Option<f64> = None;
    for index in all(document).filter(|&index| document.object(index).is("AnimTicksPerSecond")) {
        let object = document.object(index);
        let value = Values::new(document, object).peek(0);
        let Some(per_second) = value.filter(|value| *value > 0.0 && *value <= 1e9) else {
            warnings
                .push(object.place.warning("AnimTicksPerSecond is not above 0 and says nothing"));
            continue;
        };
        #[expect(clippy::float_cmp, reason = "the same number is meant")]
        if let Some(before) = said.filter(|&before| before != per_second) {
            warnings.push(object.place.warning(&format!(
                "AnimTicksPerSecond is {per_second} here and was {before} before; the last one counts"
            )));
        }
        said = Some(per_second);
    }
    if let Some(per_second) = said {
        return TickRate { per_second, rule: TickRule::File };
    }
    let tracks = sets.iter().flat_map(|set| &set.motions).flat_map(times);
    let gaps: Vec<f64> = tracks.flat_map(|times| gaps(&times)).collect();
    match median(gaps) {
        None => TickRate { per_second: FRAME_TICKS, rule: TickRule::NoKeys },
        Some(median_gap) if median_gap >= FAR_APART => {
            TickRate { per_second: MAX_TICKS, rule: TickRule::FarKeys { median_gap } }
        }
        Some(median_gap) => {
            TickRate { per_second: FRAME_TICKS, rule: TickRule::NearKeys { median_gap } }
        }
    }
}

fn gaps(times: &[f64]) -> Vec<f64> {
    times
        .windows(2)
        .map(|pair| pair.last().unwrap_or(&0.0) - pair.first().unwrap_or(&0.0))
        .collect()
}

/// The upper one of the two in the middle.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

fn build_clip(set: &Set, frames: &Frames, per_second: f64) -> Clip {
    let mut all: Vec<f64> = set.motions.iter().flat_map(times).flatten().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    let (start, end) = (all.first().copied().unwrap_or(0.0), all.last().copied().unwrap_or(0.0));
    let gaps = gaps(&all);
    let step = median(gaps.clone()).unwrap_or(0.0);
    let is_even = gaps.iter().all(|gap| (gap - step).abs() <= step * EVEN_SHARE);
    let closes = closes(&set.motions, frames);
    let length_s = (end - start) / per_second;
    let mut share: Vec<Arc<[f64]>> = Vec::new();
    let joints = set.motions.iter().map(|motion| Tracks {
        name: motion.name.clone(),
        parent: None,
        translation: track(&motion.translation, per_second, &mut share),
        rotation: track(&motion.rotation, per_second, &mut share),
        scale: track(&motion.scale, per_second, &mut share),
    });
    Clip {
        joints: joints.collect(),
        is_local: true,
        start_s: start / per_second,
        end_s: start / per_second + length_s,
        period_s: match all.len() {
            0 | 1 => 0.0,
            _ if closes => length_s,
            _ => length_s + step / per_second,
        },
        key_rate_hz: (is_even && step > 0.0).then(|| per_second / step),
        key_count: all.len(),
    }
}

/// A track in seconds; of one key if its value never changes. Tracks with the same times share them.
fn track<T: Copy + PartialEq>(
    keys: &Keys<T>,
    per_second: f64,
    share: &mut Vec<Arc<[f64]>>,
) -> Track<T> {
    /// Tracks that are looked at for the same times.
    const MOST_COMPARED: usize = 4;
    let Some(&(_, first)) = keys.first() else { return Track::unset() };
    if keys.iter().all(|&(_, value)| value == first) {
        return Track::constant(first);
    }
    let times: Vec<f64> = keys.iter().map(|&(time, _)| time / per_second).collect();
    let known = share.iter().rev().take(MOST_COMPARED).find(|known| ***known == *times).cloned();
    let times_s = known.unwrap_or_else(|| {
        let times: Arc<[f64]> = Arc::from(times);
        share.push(Arc::clone(&times));
        times
    });
    Track { times_s, values: keys.iter().map(|&(_, value)| value).collect() }
}

/// Whether the pose at the end is the pose at the start.
///
/// Positions are compared in the space of the model, rotations on the parent. What a file without the frames moves is
/// compared on its parent altogether.
fn closes(motions: &[Motion], frames: &Frames) -> bool {
    let cosine = func::cos(func::radians(SAME_ROTATION_DEG) * 0.5);
    let turns_back =
        motions.iter().all(|motion| match (motion.rotation.first(), motion.rotation.last()) {
            (Some(&(_, first)), Some(&(_, last))) => first.dot(last).abs() >= cosine,
            _ => true,
        });
    if !turns_back {
        return false;
    }
    let mut first: Vec<Affine3> = Vec::new();
    let mut last: Vec<Affine3> = Vec::new();
    let joints = frames.skeleton.joints();
    let mut by_joint: Vec<Option<&Motion>> = vec![None; joints.len()];
    for motion in motions {
        match frames.named(&motion.name).and_then(|joint| by_joint.get_mut(joint.index())) {
            Some(slot) => *slot = Some(motion),
            None => {
                first.push(placed(motion, Affine3::IDENTITY, false));
                last.push(placed(motion, Affine3::IDENTITY, true));
            }
        }
    }
    let lost = first.len();
    for ((joint, &rest), motion) in
        joints.iter().zip(frames.skeleton.parent_from_joint()).zip(by_joint)
    {
        for (pose, at_end) in [(&mut first, false), (&mut last, true)] {
            let local = motion.map_or(rest, |motion| placed(motion, rest, at_end));
            let parent = joint.parent.and_then(|parent| pose.get(lost + parent.index()).copied());
            pose.push(parent.unwrap_or(Affine3::IDENTITY) * local);
        }
    }
    let bounds: crate::math::Aabb = first.iter().map(|joint| joint.translation).collect();
    let reach = bounds.diagonal() * SAME_POSITION_SHARE;
    first.iter().zip(&last).all(|(a, b)| (a.translation - b.translation).length() <= reach)
}

/// The transform of a motion at its first or last key.
fn placed(motion: &Motion, rest: Affine3, at_end: bool) -> Affine3 {
    fn end<T: Copy>(keys: &Keys<T>, at_end: bool) -> Option<T> {
        let key = if at_end { keys.last() } else { keys.first() };
        key.map(|&(_, value)| value)
    }
    let (scale, rotation, translation) = rest.to_scale_rotation_translation();
    Affine3::from_scale_rotation_translation(
        end(&motion.scale, at_end).unwrap_or(scale),
        end(&motion.rotation, at_end).unwrap_or(rotation),
        end(&motion.translation, at_end).unwrap_or(translation),
    )
}

/// Tells of frames that a file with frames moves but does not have.
fn warn_unknown_frames(
    document: &Document,
    frames: &Frames,
    sets: &[Set],
    warnings: &mut Vec<Warning>,
) {
    if !document.objects.iter().any(|object| object.is("Frame")) {
        return;
    }
    for set in sets {
        let mut lost = set.motions.iter().filter(|motion| frames.named(&motion.name).is_none());
        if let Some(first) = lost.next() {
            let message = format!(
                "AnimationSet {:?} moves {} that the file does not have (first: {:?})",
                set.name,
                super::counted(lost.count() + 1, "frame", "frames"),
                first.name
            );
            warnings.push(Warning::new(0, message));
        }
    }
}

/// How often something was seen, and where first.
#[derive(Default)]
struct Note {
    count: usize,
    first: Option<Place>,
}

impl Note {
    fn note(&mut self, place: Place) {
        self.count += 1;
        self.first = self.first.or(Some(place));
    }
}

/// What is odd about the animations of one set, for one warning of each kind.
#[derive(Default)]
struct Notes {
    nameless: Note,
    doubled: Note,
    unknown: Note,
    strays: Note,
    miscounted: Note,
    not_numbers: Note,
    mixed: Note,
    sheared: Note,
}

impl Notes {
    fn tell(self, set: &str, warnings: &mut Vec<Warning>) {
        for (note, one, many, what) in [
            (self.nameless, "animation", "animations", "without a frame; left out"),
            (
                self.doubled,
                "animation",
                "animations",
                "of a frame that has one already; they move what that leaves open",
            ),
            (self.unknown, "key list", "key lists", "of an unknown type; left out"),
            (
                self.strays,
                "key list",
                "key lists",
                "with numbers that belong to no key; passed over",
            ),
            (self.miscounted, "key list", "key lists", "with another number of keys than they say"),
            (self.not_numbers, "key", "keys", "that are not numbers, or no turn; left out"),
            (
                self.mixed,
                "animation",
                "animations",
                "with matrix keys and others; the matrices count",
            ),
            (
                self.sheared,
                "matrix key",
                "matrix keys",
                "with skewed axes; the nearest scale and rotation are taken",
            ),
        ] {
            if let Some(place) = note.first {
                let count = super::counted(note.count, one, many);
                warnings.push(place.warning(&format!("{set}: {count} {what}")));
            }
        }
    }
}
