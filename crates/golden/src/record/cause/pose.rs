//! Differences of joints: the one that turned on its parent, not those that it carries.

use super::morph;
use super::subjects::{in_instance, others};
use crate::record::frame_record::FrameRecord;
use crate::record::rigid::{DEGREES, Rigid, length, turn_deg, unit};
use crate::record::stages::{InstanceRecord, JointRecord};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_model::math::{Quat, Vec3};

/// Angles below this come from the rounding of the record, in degrees.
const ROUNDING_DEG: f64 = 2e-3;
/// Distances below this are rounding of the record, as a fraction of the model's size.
const ROUNDING: f64 = 8e-6;

/// The moved joints of the first instance with any, and whether the movement is below anything
/// visible. None if all are unchanged, to the last bit.
pub(in crate::record) fn differences(
    old: &FrameRecord,
    new: &FrameRecord,
    is_harmless: bool,
) -> Option<(Vec<Finding>, bool)> {
    let pairs = old.instances.iter().zip(&new.instances).enumerate();
    let moved: Vec<(usize, (&InstanceRecord, &InstanceRecord))> =
        pairs.filter(|(_, (old, new))| old.pose != new.pose).collect();
    let others = others(Stage::Pose, Element::Instance, moved.len().saturating_sub(1));
    let differences = |&(n, (before, now)): &(usize, (&InstanceRecord, &InstanceRecord))| {
        let morphs = morph::differences(before, now);
        let is_morphed = !morphs.is_empty();
        let are_still = is_morphed
            && before.marks == now.marks
            && other_names(&before.joints, &now.joints).is_none();
        let (mut found, is_little) = if are_still {
            (Vec::new(), false)
        } else if before.joints.is_empty() || now.joints.is_empty() {
            (of_crowd(new, before, now), is_harmless)
        } else {
            of_instance(before, now, is_harmless)
        };
        found.extend(morphs);
        let mut found: Vec<Finding> =
            found.into_iter().map(|one| in_instance(new, n, one.measured())).collect();
        found.extend(others.clone());
        (found, is_little && !is_morphed)
    };
    // An instance with kept joints gives more detail, as does one that moved visibly.
    let is_kept = |(_, (old, new)): &&(usize, (&InstanceRecord, &InstanceRecord))| {
        !old.joints.is_empty() && !new.joints.is_empty()
    };
    let (told, rest): (Vec<_>, Vec<_>) = moved.iter().partition(|one| is_kept(one));
    let all: Vec<(Vec<Finding>, bool)> = told.into_iter().chain(rest).map(differences).collect();
    all.iter().find(|(_, is_little)| !is_little).or(all.first()).cloned()
}

fn say(kind: Kind, of: Subject) -> Finding {
    Finding::new(Stage::Pose, kind, of)
}

/// For each joint, true if it changed in model space, to the last bit. None if the joints differ.
fn changed_joints(old: &InstanceRecord, new: &InstanceRecord) -> Option<Vec<bool>> {
    let (before, now) = (old.marks.as_bytes(), new.marks.as_bytes());
    let pairs = before.chunks(2).zip(now.chunks(2));
    (before.len() == now.len()).then(|| pairs.map(|(before, now)| before != now).collect())
}

/// The name of a model or of a crowd, without the dot and number of a member.
fn crowd_of(instance: &InstanceRecord) -> &str {
    let number = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    match instance.model.rsplit_once('.') {
        Some((crowd, member)) if number(member) => crowd,
        _ => &instance.model,
    }
}

/// For an instance with marks only: joints that moved although their parents did not.
fn of_crowd(print: &FrameRecord, old: &InstanceRecord, new: &InstanceRecord) -> Vec<Finding> {
    let unkept = |of| vec![say(Kind::Unkept, Subject::all(of))];
    if old.marks == new.marks {
        // Names of joints or weights.
        return unkept(Element::Target);
    }
    let joints = new.marks.len();
    let is_alike =
        |one: &&InstanceRecord| crowd_of(one) == crowd_of(new) && one.marks.len() == joints;
    let known = print.instances.iter().filter(is_alike).find(|one| !one.joints.is_empty());
    let changed = changed_joints(old, new);
    let (Some(known), Some(changed)) = (known, changed) else {
        return unkept(Element::Joint);
    };
    let parent = |index: usize| usize::try_from(known.joints[index].parent).ok();
    let has_moved = |index: usize| changed.get(index) == Some(&true);
    let is_top = |index: &usize| has_moved(*index) && !parent(*index).is_some_and(has_moved);
    let tops: Vec<usize> = (0..known.joints.len()).filter(is_top).collect();
    let Some(&top) = tops.first() else {
        return unkept(Element::Joint);
    };
    let is_below = |index: &usize| {
        let mut above = parent(*index);
        while let Some(joint) = above.filter(|&joint| joint != top) {
            above = parent(joint);
        }
        above.is_some()
    };
    let below = (0..known.joints.len()).filter(|&index| has_moved(index)).filter(is_below).count();
    let told = say(Kind::Unkept, Subject::joint(&known.joints[top].name)).more(below);
    core::iter::once(told).chain(others(Stage::Pose, Element::Joint, tops.len() - 1)).collect()
}

/// The joint that moved most relative to its parent, and whether that is less than the precision of
/// the record. Where the content changed only in names and order, so did the joints.
fn of_instance(
    old: &InstanceRecord,
    new: &InstanceRecord,
    is_harmless: bool,
) -> (Vec<Finding>, bool) {
    if let Some(other) = other_names(&old.joints, &new.joints) {
        return (vec![other], is_harmless);
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
        // Relative to a parent that is scaled to zero, its rounding would be large.
        let in_model = (new.joints[index].scale - old.joints[index].scale).abs().max_element();
        let stretched = tintype_model::math::min(
            (scale - before_scale).abs().max_element(),
            if in_model > 0.0 { in_model } else { f32::INFINITY },
        );
        // Marks are exact: unchanged joints keep theirs.
        let has_moved = changed.as_ref().is_none_or(|changed| changed[index]);
        let is_far = turned_deg > ROUNDING_DEG
            || slid > ROUNDING * (size + length(before.translation))
            || stretched > 2e-5;
        let is_own = has_moved && is_far;
        let moved =
            f64::from((new.joints[index].translation - old.joints[index].translation).length());
        own.push(is_own.then_some((turned_deg, moved)));
    }

    // 2. The joint that turned or slid most; a slide counts as its angle at the size of the model.
    let weight = |index: usize| {
        let (turned_deg, moved) = own[index].unwrap_or_default();
        let angle = if size > 0.0 { moved / size * DEGREES } else { 0.0 };
        // A joint whose parent moved has moved by itself only as far as it turned.
        let parent = usize::try_from(new.joints[index].parent).ok();
        let carried = parent.is_some_and(|parent| own[parent].is_some());
        if carried { turned_deg } else { turned_deg + angle }
    };
    let worst = (0..own.len())
        .filter(|&index| own[index].is_some())
        .reduce(|most, index| if weight(index) > weight(most) { index } else { most });
    let Some(worst) = worst else {
        return (vec![say(Kind::Rounded, Subject::all(Element::Joint))], true);
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
    let mut told = say(Kind::Scaled, Subject::joint(&new.joints[worst].name)).more(followers);
    if moved > ROUNDING * size {
        told = Finding { kind: Kind::Moved, ..told.by(moved, Unit::Distance) };
    }
    if turned_deg > ROUNDING_DEG {
        told = Finding { kind: Kind::Turned, ..told.by(turned_deg, Unit::Degrees) };
    }
    let more = others(Stage::Pose, Element::Joint, own.iter().flatten().count() - 1);
    (core::iter::once(told).chain(more).collect(), false)
}

/// Parts that were renamed, added or removed.
fn other_names(old: &[JointRecord], new: &[JointRecord]) -> Option<Finding> {
    let names = |joints: &[JointRecord]| joints.iter().map(|joint| joint.name.clone()).collect();
    let (before, now): (Vec<String>, Vec<String>) = (names(old), names(new));
    if before == now {
        let pairs = old.iter().zip(new);
        let hung = pairs.into_iter().find(|(old, new)| old.parent != new.parent)?;
        let name = |parent: i32| {
            let index = usize::try_from(parent).ok()?;
            now.get(index).map(|name| Value::from(name.as_str()))
        };
        let joint = say(Kind::Reparented, Subject::joint(&hung.1.name));
        return Some(joint.from_to(name(hung.0.parent), name(hung.1.parent)));
    }
    if before.len() == now.len() {
        let renamed: Vec<(&String, &String)> =
            before.iter().zip(&now).filter(|(before, now)| before != now).collect();
        let (from, to) = renamed.first()?;
        let joint = say(Kind::Renamed, Subject::joint(*from)).more(renamed.len() - 1);
        return Some(joint.from_to(None, Value::from(to.as_str())));
    }
    let gone = before.iter().find(|name| !now.contains(name));
    let fresh = now.iter().find(|name| !before.contains(name));
    let joint = match (gone, fresh) {
        (Some(gone), _) => say(Kind::Removed, Subject::joint(gone)),
        (None, Some(fresh)) => say(Kind::Added, Subject::joint(fresh)),
        (None, None) => say(Kind::CountChanged, Subject::all(Element::Joint)),
    };
    Some(joint.from_to(Value::count(before.len()), Value::count(now.len())))
}

fn parent_of(joints: &[JointRecord], index: usize) -> Option<&JointRecord> {
    usize::try_from(joints[index].parent).ok().and_then(|parent| joints.get(parent))
}

/// A joint relative to its parent, in model space for a root; in the units of the parent, so that
/// children of a scaled joint stay.
fn local(joints: &[JointRecord], index: usize) -> Rigid {
    let joint = wide(&joints[index]);
    let Some(parent) = parent_of(joints, index) else { return joint };
    let mut local = wide(parent).back(joint);
    for (value, scale) in local.translation.iter_mut().zip(parent.scale.to_array()) {
        *value /= if scale == 0.0 { 1.0 } else { f64::from(scale.abs()) };
    }
    local
}

/// The scale of a joint relative to its parent.
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
