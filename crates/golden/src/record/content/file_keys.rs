//! Differences of a file's keys for its joints, where the reader made others from them.

use super::finding::{in_key, in_keys};
use super::model_content::{CHANNELS, ClipContent, KeysContent};
use super::skeleton_findings::{movement, scaled};
use super::sums::{Change, Sums};
use std::collections::{BTreeMap, BTreeSet};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_compare::model_diff::course;
use tintype_model::math::larger;

/// The joints with changed keys, each with the size of its change, for comparison with others, and
/// the findings.
pub(super) type OfJoints = BTreeMap<String, (f64, Vec<Finding>)>;

/// Compares the keys of two clips; `partner` maps a joint to its old name.
pub(super) fn findings(
    [old, new]: [&ClipContent; 2],
    partner: &dyn Fn(&str) -> Option<String>,
    size: f64,
) -> OfJoints {
    let clip = Subject::named(Element::Clip, &new.name);
    let mut found = OfJoints::new();
    let mut left: Vec<&KeysContent> = old.file_keys.iter().collect();
    let mut add = |joint: &str, weight: f64, told: Finding| {
        let (most, all) = found.entry(joint.to_owned()).or_default();
        *most = larger(*most, weight);
        merge(all, told.within(clip.clone()));
    };
    for now in &new.file_keys {
        let known = partner(&now.joint);
        let place = left.iter().position(|keys| {
            Some(&keys.joint) == known.as_ref()
                && keys.place().1 == now.channel
                && keys.axis == now.axis
        });
        let before = place.map(|place| left.remove(place));
        for (weight, told) in of_keys(before, Some(now), size) {
            add(&now.joint, weight, told);
        }
    }
    for before in left {
        let now =
            new.file_keys.iter().find(|now| partner(&now.joint).as_ref() == Some(&before.joint));
        if let Some(now) = now {
            for (weight, told) in of_keys(Some(before), None, size) {
                add(&now.joint, weight, told);
            }
        }
    }
    found
}

/// The joints for which a clip has keys of its file.
pub(super) fn joints(clip: &ClipContent) -> BTreeSet<&str> {
    clip.file_keys.iter().map(|keys| keys.joint.as_str()).collect()
}

/// Adds a finding; amounts of several axes at one place are combined.
fn merge(all: &mut Vec<Finding>, told: Finding) {
    let is_alike = |known: &&mut Finding| {
        let amounts = [&**known, &told].map(|one| !one.by.is_empty());
        known.within == told.within
            && known.count == told.count
            && amounts == [true, true]
            && (known.property == told.property || known.kind != told.kind)
    };
    if let Some(known) = all.iter_mut().find(is_alike) {
        for amount in told.by {
            match known.by.iter_mut().find(|one| one.unit == amount.unit) {
                Some(one) => one.value = libm::hypot(one.value, amount.value),
                None => known.by.push(amount),
            }
        }
        known.kind = movement(known);
    } else if !all.contains(&told) {
        all.push(told);
    }
}

/// Changes of the keys of one number: of their count, otherwise of their times, values,
/// interpolation and tangents.
fn of_keys(old: Option<&KeysContent>, new: Option<&KeysContent>, size: f64) -> Vec<(f64, Finding)> {
    let Some(of) = new.or(old) else { return Vec::new() };
    let say = |kind| Finding::new(Stage::Pose, kind, Subject::joint(&of.joint));
    let channel = CHANNELS[of.channel];
    let none = KeysContent { values: Sums::default(), ..of.clone() };
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    if old.values.count != new.values.count {
        let [was, is] = [old, new].map(|keys| Value::count(keys.values.count as usize));
        let keys = Finding::new(Stage::Pose, Kind::CountChanged, Subject::all(Element::Key));
        let mut keys = keys.property(channel).from_to(was, is).within(Subject::joint(&of.joint));
        keys.at_s = lone_time(old, new);
        return vec![(1.0, keys)];
    }
    let mut found = Vec::new();
    let longest = larger(new.times.total(0).first().copied().unwrap_or(0.0).abs(), 1e-3);
    if !new.times.is_same(&old.times) && !new.times.is_rounded(&old.times, longest, None) {
        let moved = say(Kind::KeysMoved);
        found.push((
            0.5,
            match new.times.change_since(&old.times, None) {
                Change::One { index, by } => {
                    in_key(moved, index, new.times.count).by(by[0], Unit::Seconds)
                }
                _ => moved,
            },
        ));
    }
    if !new.values.is_same(&old.values) {
        let unit = if of.channel == 0 { size } else { 1.0 };
        if !new.values.is_rounded(&old.values, unit, None) {
            found.push(of_values(say(Kind::Moved), of.channel, [&old.values, &new.values], size));
        }
        return found;
    }
    if old.courses != new.courses {
        found.push((1.0, of_courses(old, new)));
    } else if found.is_empty()
        && !new.tangents.is_same(&old.tangents)
        && !new.tangents.is_rounded(&old.tangents, 1.0, None)
    {
        let tangents = say(Kind::TangentsChanged).property(channel);
        found.push((
            0.0,
            match new.tangents.change_since(&old.tangents, None) {
                Change::One { index, .. } => in_key(tangents, index, new.tangents.count),
                _ => tangents,
            },
        ));
    }
    found
}

/// The time of the only added or removed key.
fn lone_time(old: &KeysContent, new: &KeysContent) -> Option<f64> {
    let [before, now] = [old, new].map(|keys| keys.times.total(0).first().copied());
    let (by, count) = (now? - before?, old.values.count.abs_diff(new.values.count));
    let mean = now? / f64::from(new.values.count.max(1));
    let is_within = (-1e-6..=larger(mean * 3.0, 1e-6)).contains(&by.abs());
    (count == 1 && old.values.count > 0 && is_within).then(|| by.abs())
}

fn of_courses(old: &KeysContent, new: &KeysContent) -> Finding {
    let letter = |keys: &KeysContent, at: usize| {
        keys.courses.chars().nth(at).or_else(|| keys.courses.chars().next())
    };
    let count = new.values.count as usize;
    let differ: Vec<usize> =
        (0..count.max(2) - 1).filter(|&at| letter(old, at) != letter(new, at)).collect();
    let first = differ.first().copied().unwrap_or(0);
    let [was, is] =
        [old, new].map(|keys| letter(keys, first).and_then(course::word).map(Value::from));
    let course =
        Finding::new(Stage::Pose, Kind::InterpolationChanged, Subject::all(Element::Track));
    let course = course.elements([Subject::joint(&new.joint)]).property(CHANNELS[new.channel]);
    let course = course.from_to(was, is);
    if differ.len() == 1 && count > 2 { in_key(course, first, new.values.count) } else { course }
}

/// The change of values, and its size.
fn of_values(joint: Finding, channel: usize, [old, new]: [&Sums; 2], size: f64) -> (f64, Finding) {
    let say = |joint: Finding, by: f64| match channel {
        0 => joint.by(by.abs(), Unit::Distance),
        1 => joint.by(by.abs(), Unit::Degrees),
        _ if new.count == 1 => {
            let [from, to] = [old, new].map(|sums| sums.total(0)[0]);
            scaled(joint, &[if from == 0.0 { 1.0 } else { to / from }])
        }
        _ => joint.by(by, Unit::Number),
    };
    let weight = |by: f64| by.abs() / [larger(size, f64::MIN_POSITIVE), 90.0, 1.0][channel];
    let all: Vec<usize> = (0..new.count as usize).collect();
    let (by, told) = match (new.change_since(old, None), new.change_since(old, Some(&all))) {
        (Change::One { index, by }, _) => (by[0], say(in_key(joint, index, new.count), by[0])),
        (_, Change::Each { by, indices }) if indices.len() == all.len() => {
            (by[0], say(in_keys(joint, new, true), by[0]))
        }
        _ => {
            let sum = new.total(0)[0] - old.total(0)[0];
            let kind = [Kind::Moved, Kind::Turned, Kind::Scaled][channel];
            let joint = in_keys(joint, new, false);
            return (weight(sum / f64::from(new.count.max(1))), Finding { kind, ..joint });
        }
    };
    (weight(by), Finding { kind: movement(&told), ..told })
}
