//! Differences of joints: the one that turned on its parent, not those that it carries.

use super::morph;
use super::words::instance_name;
use crate::record::amounts::{DEGREES, degrees, distance};
use crate::record::frame_record::FrameRecord;
use crate::record::rigid::{Rigid, length, turn_deg, unit};
use crate::record::stages::{InstanceRecord, JointRecord};
use tintype_model::math::{Quat, Vec3};

/// Angles below this come from the rounding of the record, in degrees.
const ROUNDING_DEG: f64 = 2e-3;
/// Distances below this come from the rounding of the record, as a share of the size of the model.
const ROUNDING: f64 = 8e-6;

/// The joints of the first instance of which any moved, and whether that is less than anything shows; none if all are unchanged, to the
/// last bit.
pub(in crate::record) fn differences(
    old: &FrameRecord,
    new: &FrameRecord,
    is_harmless: bool,
) -> Option<(String, bool)> {
    let pairs = old.instances.iter().zip(&new.instances).enumerate();
    let moved: Vec<(usize, (&InstanceRecord, &InstanceRecord))> =
        pairs.filter(|(_, (old, new))| old.pose != new.pose).collect();
    let others = match moved.len().saturating_sub(1) {
        0 => String::new(),
        1 => "; 1 other instance moved too".to_owned(),
        more => format!("; {more} other instances moved too"),
    };
    let sentence = |&(n, (before, now)): &(usize, (&InstanceRecord, &InstanceRecord))| {
        let of = instance_name(new, n);
        let morphs = morph::difference(before, now);
        if let Some(morphs) = &morphs
            && before.marks == now.marks
            && other_names(&before.joints, &now.joints).is_none()
        {
            return (format!("{of}{morphs}{others}"), false);
        }
        let others = morphs.clone().map_or(others.clone(), |morphs| format!("; {morphs}{others}"));
        let (what, is_little) = if before.joints.is_empty() || now.joints.is_empty() {
            (of_crowd(new, before, now), is_harmless)
        } else {
            of_instance(before, now, is_harmless)
        };
        (format!("{of}{what}{others}"), is_little && morphs.is_none())
    };
    // One whose joints are kept tells more, and one that moved visibly.
    let is_kept = |(_, (old, new)): &&(usize, (&InstanceRecord, &InstanceRecord))| {
        !old.joints.is_empty() && !new.joints.is_empty()
    };
    let (told, rest): (Vec<_>, Vec<_>) = moved.iter().partition(|one| is_kept(one));
    let all: Vec<(String, bool)> = told.into_iter().chain(rest).map(sentence).collect();
    all.iter().find(|(_, is_little)| !is_little).or(all.first()).cloned()
}

/// Per joint, whether it changed in model space, to the last bit; none if there are other joints.
fn changed_joints(old: &InstanceRecord, new: &InstanceRecord) -> Option<Vec<bool>> {
    let (before, now) = (old.marks.as_bytes(), new.marks.as_bytes());
    let pairs = before.chunks(2).zip(now.chunks(2));
    (before.len() == now.len()).then(|| pairs.map(|(before, now)| before != now).collect())
}

/// The name of a model or of a crowd: that of a member ends in a dot and its number.
fn crowd_of(instance: &InstanceRecord) -> &str {
    let number = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    match instance.model.rsplit_once('.') {
        Some((crowd, member)) if number(member) => crowd,
        _ => &instance.model,
    }
}

/// An instance of which only marks are kept: the joints whose parents stay moved by themselves.
fn of_crowd(print: &FrameRecord, old: &InstanceRecord, new: &InstanceRecord) -> String {
    if old.marks == new.marks {
        return "names of joints or weights of morph targets changed; which of them is not kept of so many instances"
            .to_owned();
    }
    let joints = new.marks.len();
    let is_alike =
        |one: &&InstanceRecord| crowd_of(one) == crowd_of(new) && one.marks.len() == joints;
    let known = print.instances.iter().filter(is_alike).find(|one| !one.joints.is_empty());
    let changed = changed_joints(old, new);
    let (Some(known), Some(changed)) = (known, changed) else {
        return "joints moved; which of them is not kept of so many instances".to_owned();
    };
    let parent = |index: usize| usize::try_from(known.joints[index].parent).ok();
    let has_moved = |index: usize| changed.get(index) == Some(&true);
    let is_top = |index: &usize| has_moved(*index) && !parent(*index).is_some_and(has_moved);
    let tops: Vec<usize> = (0..known.joints.len()).filter(is_top).collect();
    let Some(&top) = tops.first() else {
        return "joints moved; which of them cannot be told".to_owned();
    };
    let is_below = |index: &usize| {
        let mut above = parent(*index);
        while let Some(joint) = above.filter(|&joint| joint != top) {
            above = parent(joint);
        }
        above.is_some()
    };
    let below = (0..known.joints.len()).filter(|&index| has_moved(index)).filter(is_below).count();
    let name = &known.joints[top].name;
    let more = match tops.len() - 1 {
        0 => String::new(),
        more => format!("; so did {more} that do not hang on it"),
    };
    let text = format!("joint {name} moved, by how much is not kept of so many instances");
    format!("{text}{}{more}", follow(below))
}

fn follow(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (1 joint below it follows)".to_owned(),
        count => format!(" ({count} joints below it follow)"),
    }
}

/// The joint that moved most by itself, and whether that is less than the record keeps. Where the content changed in names and orders
/// alone, so did the joints.
fn of_instance(old: &InstanceRecord, new: &InstanceRecord, is_harmless: bool) -> (String, bool) {
    if let Some(sentence) = other_names(&old.joints, &new.joints) {
        return (sentence, is_harmless);
    }
    let size = old.joints.iter().map(|joint| f64::from(joint.translation.length()));
    let size = size.fold(0.0, |most: f64, one| if one > most { one } else { most });

    // 1. Joints that changed relative to their parents.
    let changed = changed_joints(old, new).filter(|changed| changed.len() == new.joints.len());
    let mut own: Vec<Option<(f64, f64)>> = Vec::new();
    for index in 0..new.joints.len() {
        let [before, now] = [&old.joints, &new.joints].map(|joints| local(joints, index));
        let turned_deg = turn_deg(before.rotation, now.rotation);
        let slid = length(core::array::from_fn(|k| now.translation[k] - before.translation[k]));
        let [before_scale, scale] =
            [&old.joints, &new.joints].map(|joints| own_scale(joints, index));
        // On a parent that is scaled to nothing, its rounding would be a large share.
        let in_model = (new.joints[index].scale - old.joints[index].scale).abs().max_element();
        let stretched = tintype_model::math::min(
            (scale - before_scale).abs().max_element(),
            if in_model > 0.0 { in_model } else { f32::INFINITY },
        );
        // Marks are exact: what stays stays.
        let has_moved = changed.as_ref().is_none_or(|changed| changed[index]);
        let is_far = turned_deg > ROUNDING_DEG
            || slid > ROUNDING * (size + length(before.translation))
            || stretched > 2e-5;
        let is_own = has_moved && is_far;
        let moved =
            f64::from((new.joints[index].translation - old.joints[index].translation).length());
        own.push(is_own.then_some((turned_deg, moved)));
    }

    // 2. The one that turned or slid most; a slide counts by the angle that it would be at the size of the model.
    let weight = |index: usize| {
        let (turned_deg, moved) = own[index].unwrap_or_default();
        let angle = if size > 0.0 { moved / size * DEGREES } else { 0.0 };
        // What moved because its parent did has moved by itself only as far as it turned.
        let parent = usize::try_from(new.joints[index].parent).ok();
        let carried = parent.is_some_and(|parent| own[parent].is_some());
        if carried { turned_deg } else { turned_deg + angle }
    };
    let worst = (0..own.len())
        .filter(|&index| own[index].is_some())
        .reduce(|most, index| if weight(index) > weight(most) { index } else { most });
    let Some(worst) = worst else {
        let what = "joints changed by less than the record keeps, a millionth of the model";
        return (what.to_owned(), true);
    };
    let (turned_deg, moved) = own[worst].unwrap_or_default();

    // 3. Those below it that only follow.
    let mut carried = vec![false; own.len()];
    carried[worst] = true;
    let mut followers = 0;
    for index in worst + 1..own.len() {
        let parent = usize::try_from(new.joints[index].parent).ok();
        if parent.is_some_and(|parent| carried[parent]) && own[index].is_none() {
            carried[index] = true;
            followers += 1;
        }
    }
    let mut words = Vec::new();
    if turned_deg > ROUNDING_DEG {
        words.push(format!("turned {}", degrees(turned_deg)));
    }
    if moved > ROUNDING * size {
        words.push(format!("moved {}", distance(moved)));
    }
    if words.is_empty() {
        words.push("is scaled otherwise".to_owned());
    }
    let name = &new.joints[worst].name;
    let mut text = format!("joint {name} {}{}", words.join(" and "), follow(followers));
    match own.iter().flatten().count() - 1 {
        0 => {}
        1 => text += "; 1 other joint moved by itself",
        more => text += &format!("; {more} other joints moved by themselves"),
    }
    (text, false)
}

/// Parts that were renamed, added or removed.
fn other_names(old: &[JointRecord], new: &[JointRecord]) -> Option<String> {
    let names = |joints: &[JointRecord]| joints.iter().map(|joint| joint.name.clone()).collect();
    let (before, now): (Vec<String>, Vec<String>) = (names(old), names(new));
    if before == now {
        let pairs = old.iter().zip(new);
        let hung = pairs.into_iter().find(|(old, new)| old.parent != new.parent)?;
        let name = |parent: i32| {
            usize::try_from(parent)
                .ok()
                .and_then(|parent| now.get(parent))
                .map_or("nothing", |name| name)
        };
        let (from, to) = (name(hung.0.parent), name(hung.1.parent));
        return Some(format!("joint {} hangs on {to}, was on {from}", hung.1.name));
    }
    if before.len() == now.len() {
        let renamed: Vec<String> = (before.iter().zip(&now))
            .filter(|(before, now)| before != now)
            .map(|(before, now)| format!("joint {before} is called {now}"))
            .collect();
        let more = renamed.len() - 1;
        let first = renamed.into_iter().next()?;
        return Some(if more == 0 {
            first
        } else {
            format!("{first}, and {more} more are renamed")
        });
    }
    let gone = before.iter().find(|name| !now.contains(name));
    let new = now.iter().find(|name| !before.contains(name));
    let which = match (gone, new) {
        (Some(gone), _) => format!(": {gone} is gone"),
        (None, Some(new)) => format!(": {new} is new"),
        (None, None) => String::new(),
    };
    Some(format!("{} joints, were {}{which}", now.len(), before.len()))
}

fn parent_of(joints: &[JointRecord], index: usize) -> Option<&JointRecord> {
    usize::try_from(joints[index].parent).ok().and_then(|parent| joints.get(parent))
}

/// A joint on its parent, in model space for a root; in the units of the parent, so that what hangs on a joint that is scaled stays.
fn local(joints: &[JointRecord], index: usize) -> Rigid {
    let joint = wide(&joints[index]);
    let Some(parent) = parent_of(joints, index) else { return joint };
    let mut local = wide(parent).back(joint);
    for (value, scale) in local.translation.iter_mut().zip(parent.scale.to_array()) {
        *value /= if scale == 0.0 { 1.0 } else { f64::from(scale.abs()) };
    }
    local
}

/// The scale of a joint on that of its parent.
fn own_scale(joints: &[JointRecord], index: usize) -> Vec3 {
    let above = parent_of(joints, index).map_or(Vec3::ONE, |parent| parent.scale);
    let ratio = |(own, above): (f32, f32)| if above == 0.0 { own } else { own / above };
    let pairs = joints[index].scale.to_array().into_iter().zip(above.to_array());
    let ratios: Vec<f32> = pairs.map(ratio).collect();
    Vec3::from_slice(&ratios)
}

/// Translation and rotation in `f64`.
fn wide(joint: &JointRecord) -> Rigid {
    let Vec3 { x, y, z } = joint.translation;
    let Quat { x: i, y: j, z: k, w } = joint.rotation;
    let rotation = unit([i, j, k, w].map(f64::from));
    Rigid { translation: [x, y, z].map(f64::from), rotation }
}
