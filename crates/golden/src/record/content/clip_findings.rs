//! Differences of clips: first the time base, then the joints with edited keys.

use super::file_keys;
use super::finding::{Rank, in_key, in_keys};
use super::model_content::{CHANNELS, ClipContent, ModelContent, TrackContent};
use super::motion::{is_near_motion, is_same_motion};
use super::pairs::Pairs;
use super::skeleton_findings::{matters, movement, scaled};
use super::sums::{Change, Sums};
use crate::record::rigid::{DEGREES, turn_deg};
use crate::record::rigid::{conjugate, product, unit};
use std::borrow::Cow;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_compare::model_diff::course;
use tintype_model::math::{larger, smaller};

pub(super) fn findings(old: &ModelContent, new: &ModelContent, size: f64) -> Vec<Finding> {
    let (before, now) = (&old.clips, &new.clips);
    let by_name = |a: usize, b: usize| before[a].name == now[b].name;
    let by_content = |a: usize, b: usize| before[a].tracks == now[b].tracks;
    let by_place = |a: usize, b: usize| a == b && before.len() == now.len();
    let pairs = Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place]);
    let mut found = Vec::new();
    for (a, b) in pairs.iter() {
        if before[a].name != now[b].name {
            let clip = say(Kind::Renamed, clip(&before[a]));
            found.push(clip.from_to(None, Value::from(now[b].name.as_str())));
        }
        if let Some(other) = other_keys(&before[a], &now[b]) {
            found.push(other);
            continue;
        }
        let time = time_base(&before[a], &now[b]);
        let is_other_time = !time.is_empty();
        found.extend(time);
        let still = |model: &ModelContent, track: &TrackContent| {
            let place = model.joints.iter().position(|joint| joint.name == track.name);
            place.is_some_and(|place| !matters(model, place))
        };
        let still: [&dyn Fn(&TrackContent) -> bool; 2] =
            [&|track| still(old, track), &|track| still(new, track)];
        found.extend(of_tracks(&before[a], &now[b], still, is_other_time, size));
        found.extend(of_weights(&before[a], &now[b]));
    }
    found.extend(pairs.gone.iter().map(|&a| say(Kind::Left, clip(&before[a]))));
    found.extend(pairs.fresh().map(|b| say(Kind::Joined, clip(&now[b]))));
    found
}

fn say(kind: Kind, of: Subject) -> Finding {
    Finding::new(Stage::Pose, kind, of)
}

fn clip(of: &ClipContent) -> Subject {
    Subject::named(Element::Clip, &of.name)
}

/// Different keys of the same motion, or of nearly the same. None if a clip has none, or if that is
/// unknown.
fn other_keys(old: &ClipContent, new: &ClipContent) -> Option<Finding> {
    let has_file_keys = [old, new].iter().all(|clip| !clip.file_keys.is_empty());
    let counts = |clip: &ClipContent| -> Vec<u32> {
        if has_file_keys {
            return clip.file_keys.iter().map(|keys| keys.values.count).collect();
        }
        let of_tracks = clip.tracks.iter().flat_map(|track| &track.channels);
        of_tracks.map(|channel| channel.count).collect()
    };
    let [before, now] = [old, new].map(counts);
    // A constant value is stored once, so one edited key turns a single key into many.
    let is_other = |(before, now): (&u32, &u32)| before != now && *before > 1 && *now > 1;
    let has_other_keys = old.keys != new.keys || before.iter().zip(&now).any(is_other);
    let [length, to_length] = [old, new].map(|clip| clip.seconds[1] - clip.seconds[0]);
    if !has_other_keys || (length - to_length).abs() > 1e-6 * larger(length, 1e-3) {
        return None;
    }
    // Key reduction affects most tracks.
    let pairs = || before.iter().zip(&now).filter(|(before, _)| **before > 1);
    let are_most = pairs().filter(|pair| is_other(*pair)).count() * 2 > pairs().count();
    let is_same = is_same_motion(&old.motion, &new.motion);
    let is_near = || is_near_motion(&old.motion, &new.motion, length, new.tracks.len());
    if !(is_same || are_most && is_near()) {
        return None;
    }
    let [was, is] = [before, now].map(|counts| Value::count(counts.iter().sum::<u32>() as usize));
    let other = say(Kind::Resampled, clip(new)).from_to(was, is);
    Some(if is_same { other } else { other.property(NEARLY) })
}

/// The property of a clip with different keys of nearly the same motion.
const NEARLY: &str = "motion";

/// Rate, ticks, number of keys and length, if changed.
fn time_base(old: &ClipContent, new: &ClipContent) -> Vec<Finding> {
    let [rate, to_rate] = [old, new].map(|clip| clip.rates[0]);
    let [ticks, to_ticks] = [old, new].map(|clip| clip.rates[1]);
    // Below a millionth it is the rounding of numbers.
    let is_other = |a: f64, b: f64| (a - b).abs() > 5e-7 * (a.abs() + b.abs());
    let changed = |kind, unit, from: f64, to: f64| {
        say(kind, clip(new)).from_to(Value::amount(from, unit), Value::amount(to, unit))
    };
    let mut found = Vec::new();
    if old.keys != new.keys && !has_moved_in_some(old, new) {
        let [was, is] = [old, new].map(|clip| Value::count(clip.keys as usize));
        let keys = say(Kind::CountChanged, Subject::all(Element::Key)).within(clip(new));
        found.push(keys.from_to(was, is));
    }
    if is_other(ticks, to_ticks) {
        found.push(changed(Kind::RateChanged, Unit::TicksASecond, ticks, to_ticks));
    } else if is_other(rate, to_rate) && rate > 0.0 && to_rate > 0.0 {
        found.push(changed(Kind::RateChanged, Unit::KeysASecond, rate, to_rate));
    }
    let [length, to_length] = [old, new].map(|clip| clip.seconds[1] - clip.seconds[0]);
    if is_other(length, to_length) {
        found.push(changed(Kind::DurationChanged, Unit::Seconds, length, to_length));
    } else if found.is_empty() && is_other(old.seconds[2], new.seconds[2]) {
        let [from, to] = [old, new].map(|clip| clip.seconds[2]);
        found.push(changed(Kind::PeriodChanged, Unit::Seconds, from, to));
    }
    let has_moved_keys = has_other_times(&old.times, &new.times, old) && old.keys == new.keys;
    if found.is_empty() && has_moved_keys {
        found.push(say(Kind::KeysMoved, clip(new)));
    }
    found
}

/// The key times of a channel, or those of the clip.
fn times_of<'c>(track: &'c TrackContent, kind: usize, clip: &'c ClipContent) -> &'c Sums {
    let own = &track.times[kind];
    if own.count > 0 { own } else { &clip.times }
}

/// True if a channel has as many keys as before, more than one, at different times.
fn has_moved_keys(
    [old, new]: [&TrackContent; 2],
    kind: usize,
    clips: [&ClipContent; 2],
) -> Option<bool> {
    let count = old.channels[kind].count;
    let [before, now] = [(old, clips[0]), (new, clips[1])];
    (count == new.channels[kind].count && count > 1).then(|| {
        let [before, now] = [before, now].map(|(track, clip)| times_of(track, kind, clip));
        has_other_times(before, now, clips[0])
    })
}

/// True if all channels have as many keys as before, and only some have them at different times:
/// then the clip's times changed, because keys of joints did.
fn has_moved_in_some(old: &ClipContent, new: &ClipContent) -> bool {
    let pairs = || old.tracks.iter().zip(&new.tracks);
    let is_alike = |(a, b): (&TrackContent, &TrackContent)| {
        a.name == b.name
            && a.courses.len() == b.courses.len()
            && a.channels.iter().zip(&b.channels).all(|(a, b)| a.count == b.count)
    };
    let channels = pairs()
        .flat_map(|(a, b)| (0..3).filter_map(move |kind| has_moved_keys([a, b], kind, [old, new])));
    let moved: Vec<bool> = channels.collect();
    old.tracks.len() == new.tracks.len()
        && pairs().all(is_alike)
        && moved.contains(&true)
        && moved.contains(&false)
}

/// True if the times of keys differ by more than rounding.
fn has_other_times(old: &Sums, new: &Sums, clip: &ClipContent) -> bool {
    !new.is_same(old) && !new.is_rounded(old, larger(clip.seconds[1].abs(), 1e-3), None)
}

/// `still` is true for a track of either side that moves no relevant joint.
fn of_tracks(
    old: &ClipContent,
    new: &ClipContent,
    still: [&dyn Fn(&TrackContent) -> bool; 2],
    is_other_time: bool,
    size: f64,
) -> Vec<Finding> {
    let (before, now) = (&old.tracks, &new.tracks);
    let is_free = |a: usize, b: usize| {
        now.iter().all(|track| track.name != before[a].name)
            && before.iter().all(|track| track.name != now[b].name)
    };
    let by_name = |a: usize, b: usize| before[a].name == now[b].name;
    let by_content = |a: usize, b: usize| is_free(a, b) && before[a].channels == now[b].channels;
    let by_place = |a: usize, b: usize| is_free(a, b) && a == b && before.len() == now.len();
    let pairs = Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place]);
    let (mut found, mut moved, mut rounded) = (Vec::new(), Vec::new(), Vec::new());
    let partner = |name: &str| {
        let at = now.iter().position(|track| track.name == name)?;
        pairs.of_new[at].map(|at| before[at].name.clone())
    };
    let mut of_file = file_keys::findings([old, new], &partner, size);
    let sampled = |name: &str| {
        [old, new].map(|clip| file_keys::joints(clip)).iter().any(|all| all.contains(name))
    };
    let courses: Vec<(&str, &str, &str)> = pairs
        .iter()
        .filter(|&(_, b)| !sampled(&now[b].name))
        .map(|(a, b)| (now[b].name.as_str(), before[a].courses.as_str(), now[b].courses.as_str()))
        .collect();
    found.extend(course::findings(&clip(new), &courses));
    let gone = pairs.gone.iter().map(|&a| (Kind::Left, &before[a], still[0]));
    let fresh = pairs.fresh().map(|b| (Kind::Joined, &now[b], still[1]));
    found.extend(gone.chain(fresh).map(|(kind, track, is_still)| {
        let element = if is_still(track) { Element::Node } else { Element::Joint };
        say(kind, Subject::named(element, &track.name)).within(clip(new))
    }));
    for (a, b) in pairs.iter() {
        let (a_track, b_track) = (&before[a], &now[b]);
        if a_track.name != b_track.name {
            let joint = of_joint(Kind::Renamed, a_track);
            found.push(joint.from_to(None, Value::from(b_track.name.as_str())));
        }
        let parent = |track: &TrackContent| usize::try_from(track.parent).ok();
        let moved_parent = parent(a_track).and_then(|parent| pairs.of_old(parent));
        if parent(b_track) != moved_parent {
            let name = |index: Option<usize>, tracks: &[TrackContent]| {
                index.and_then(|index| tracks.get(index)).map(|track| Value::from(&*track.name))
            };
            let (was, is) = (name(parent(a_track), before), name(parent(b_track), now));
            found.push(of_joint(Kind::Reparented, b_track).from_to(was, is));
        }
        if let Some((weight, own)) = of_file.remove(&b_track.name) {
            moved.push((weight, own));
            continue;
        }
        match of_track([a_track, b_track], [old, new], is_other_time, size) {
            Moved::No => {}
            Moved::Yes(weight, own) if sampled(&b_track.name) => {
                moved.push((weight, own.into_iter().fold(Vec::new(), of_sampled)));
            }
            Moved::Rounded => rounded.push(Subject::joint(&b_track.name)),
            Moved::Yes(weight, own) => moved.push((weight, own)),
        }
    }
    // The largest comes first.
    moved.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.extend(moved.into_iter().flat_map(|(_, own)| own));
    if !rounded.is_empty() {
        // Sums cannot distinguish keys that changed in opposite directions from rounding; the
        // motion can.
        let is_known = !old.motion.is_empty() && !new.motion.is_empty() && !is_other_time;
        let is_other = is_known && !is_same_motion(&old.motion, &new.motion);
        let is_told = found.iter().any(|finding| Rank::of(finding) == Rank::Edit);
        let kind = if is_other && !is_told { Kind::Moved } else { Kind::Rounded };
        let joints = say(kind, Subject::all(Element::Joint)).elements(rounded);
        let keys = Subject::all(Element::Key);
        let joints = if kind == Kind::Moved { joints.within(keys) } else { joints };
        found.push(joints.within(clip(new)));
    }
    found
}

/// Adds a change of keys that the reader made, whose numbers and count are not in the file.
fn of_sampled(mut all: Vec<Finding>, mut told: Finding) -> Vec<Finding> {
    if told.kind == Kind::CountChanged {
        let channel = CHANNELS.iter().position(|own| told.property.as_deref() == Some(own));
        let kind = [Kind::Moved, Kind::Turned, Kind::Scaled][channel.unwrap_or_default()];
        let joint = told.within.iter().find(|owner| owner.element == Element::Joint).cloned();
        let clip = told.within.pop();
        told = say(kind, joint.unwrap_or(told.of));
        told.within.extend(clip);
    }
    told.count = None;
    told.within.retain(|owner| owner.element != Element::Key);
    if !all.iter().any(|known| known.of == told.of) {
        all.push(told);
    }
    all
}

fn of_joint(kind: Kind, track: &TrackContent) -> Finding {
    say(kind, Subject::joint(&track.name))
}

/// Change of the motion of a joint.
enum Moved {
    No,
    Rounded,
    /// The size of the change, for comparison with others, and the findings.
    Yes(f64, Vec<Finding>),
}

/// The sums of a value of both sides; one that never changes is kept once, and counts as often as
/// the other.
fn as_often<'s>(before: &'s Sums, now: &'s Sums) -> (Cow<'s, Sums>, Cow<'s, Sums>) {
    match (before.count, now.count) {
        (1, count) if count > 1 => (Cow::Owned(before.repeated(count)), Cow::Borrowed(now)),
        (count, 1) if count > 1 => (Cow::Borrowed(before), Cow::Owned(now.repeated(count))),
        _ => (Cow::Borrowed(before), Cow::Borrowed(now)),
    }
}

/// The sums of a channel, or of its opposite if that is nearer: a quaternion and its negative are
/// the same rotation.
fn facing<'s>(before: &'s Sums, now: &Sums, channel: usize) -> Cow<'s, Sums> {
    let negative = before.negated();
    let is_negative = channel == 1 && now.is_nearer(&negative, before);
    if is_negative { Cow::Owned(negative) } else { Cow::Borrowed(before) }
}

/// The change of one joint. None if only the whole clip has more or fewer keys.
fn of_track(
    [old, new]: [&TrackContent; 2],
    clips: [&ClipContent; 2],
    is_other_time: bool,
    size: f64,
) -> Moved {
    let counts = (clips[0].keys, clips[1].keys);
    let mut found: Vec<Finding> = Vec::new();
    let (mut is_rounded, mut weight) = (false, 0.0);
    let pairs = old.channels.iter().zip(&new.channels).zip([size, 1.0, 1.0]).enumerate();
    for (kind, ((before, now), size)) in pairs {
        if before.is_same(now) {
            continue;
        }
        let (before, now) = &as_often(before, now);
        let before = &facing(before, now, kind);
        if now.is_rounded(before, size, None) {
            is_rounded = true;
            continue;
        }
        let mean = before.total(0).into_iter().zip(now.total(0)).map(|(a, b)| (b - a).abs());
        let of_channel = mean.fold(0.0, larger) / (size * f64::from(now.count.max(1)));
        if before.count != now.count {
            // Records of older programs include the tangents of splines in the keys.
            let is_older = old.courses.is_empty() && before.count == 3 * now.count;
            let is_of_clip = counts.0 != counts.1 && (before.count, now.count) == counts;
            if !is_of_clip && !is_older {
                let [was, is] = [before, now].map(|sums| Value::count(sums.count as usize));
                let keys = say(Kind::CountChanged, Subject::all(Element::Key)).from_to(was, is);
                let keys = keys.within(Subject::joint(&new.name)).within(clip(clips[1]));
                found.push(keys.property(CHANNELS[kind]));
            }
            continue;
        }
        let joint = of_joint(Kind::Moved, new);
        let told = match kind {
            1 => rotation(joint, before, now),
            kind => Some(vector(joint, before, now, kind == 2)),
        };
        is_rounded |= told.is_none();
        weight = larger(weight, if told.is_some() { of_channel } else { 0.0 });
        if let Some(told) = told {
            add_movement(&mut found, told.within(clip(clips[1])));
        }
    }
    for (kind, (before, now)) in old.tangents.iter().zip(&new.tangents).enumerate() {
        let is_known = before.count == now.count && before.count > 0;
        let before = &facing(before, now, kind);
        if !is_known || before.is_same(now) || now.is_rounded(before, 1.0, None) {
            continue;
        }
        let tangents = of_joint(Kind::TangentsChanged, new).property(CHANNELS[kind]);
        let tangents = match now.change_since(before, None) {
            Change::One { index, .. } => in_key(tangents, index / 2, now.count / 2),
            _ => tangents,
        };
        found.push(tangents.within(clip(clips[1])));
    }
    let has_other_times = (0..3).any(|kind| {
        let has_own = old.times[kind].count > 0 && new.times[kind].count > 0;
        (has_own || old.courses.len() == new.courses.len())
            && has_moved_keys([old, new], kind, clips) == Some(true)
    });
    if found.is_empty() && has_other_times && !is_other_time {
        found.push(of_joint(Kind::KeysMoved, new).within(clip(clips[1])));
    }
    if !found.is_empty() {
        Moved::Yes(weight, found)
    } else if is_rounded {
        Moved::Rounded
    } else {
        Moved::No
    }
}

/// Adds the movement of a channel to that of another one at the same key.
fn add_movement(found: &mut Vec<Finding>, told: Finding) {
    let is_with = |known: &&mut Finding| {
        known.within == told.within
            && known.count == told.count
            && !known.by.is_empty()
            && !told.by.is_empty()
    };
    match found.last_mut().filter(is_with) {
        Some(known) => known.by.extend(told.by),
        None => found.push(told),
    }
    found.last_mut().into_iter().filter(|one| !one.by.is_empty()).for_each(|one| {
        one.kind = movement(one);
    });
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn four(values: Vec<f64>) -> [f64; 4] {
    values.try_into().unwrap_or_default()
}

/// True if a single rotation may have changed by that much. If all were equal, a change of the
/// middle one and a smaller change of all have the same sums; the changed rotation has unit length
/// in only one of the two cases.
fn may_be_one(old: &Sums, by: &[f64]) -> bool {
    let (sum, count) = (old.total(0), f64::from(old.count.max(1)));
    let were_equal = (norm(&sum) - count).abs() < 1e-5 * count;
    let changed: Vec<f64> = sum.iter().zip(by).map(|(sum, by)| sum / count + by).collect();
    !were_equal || (norm(&changed) - 1.0).abs() < 1e-3
}

/// Angles below this, in degrees, come from the rounding of numbers, or from the opposite
/// quaternion of a rotation.
const ROUNDING_DEG: f64 = 1e-4;

/// The angle by which rotations turned. None if they did not.
fn rotation(joint: Finding, old: &Sums, new: &Sums) -> Option<Finding> {
    let is_turned = |angle_deg: f64| angle_deg > ROUNDING_DEG;
    if let Change::One { index, by } = new.change_since(old, None)
        && may_be_one(old, &by)
    {
        // Unit quaternions with this distance; either of the two of a rotation.
        let half = smaller(norm(&by) * 0.5, 1.0);
        let angle_deg = 4.0 * libm::asin(half) * DEGREES;
        let angle_deg = if angle_deg > 180.0 { 360.0 - angle_deg } else { angle_deg };
        let turned = in_key(joint, index, new.count).by(angle_deg, Unit::Degrees);
        return is_turned(angle_deg).then_some(turned);
    }
    // The product with one rotation is linear: sums rotate as their parts do, from either side.
    let [before, now] = [old, new].map(|sums| [0, 1].map(|power| four(sums.total(power))));
    let lengths = [before[0], now[0]].map(|sum| norm(&sum));
    let (a, b) = (unit(before[0]), unit(now[0]));
    let right = product(conjugate(a), b);
    let left = product(b, conjugate(a));
    let is_near = |turned: [f64; 4]| {
        let gap: Vec<f64> = turned.iter().zip(now[1]).map(|(turned, now)| turned - now).collect();
        norm(&gap) <= 1e-4 * norm(&now[1])
    };
    let is_even = lengths[0] > 1e-3 && (lengths[0] - lengths[1]).abs() < 1e-4 * lengths[0];
    if is_even && (is_near(product(before[1], right)) || is_near(product(left, before[1]))) {
        let angle_deg = turn_deg(a, b);
        let turned = in_keys(joint, new, true).by(angle_deg, Unit::Degrees);
        return is_turned(angle_deg).then_some(turned);
    }
    Some(Finding { kind: Kind::Turned, ..in_keys(joint, new, false) })
}

/// The distance by which positions moved, or the factor of scales.
fn vector(joint: Finding, old: &Sums, new: &Sums, is_scale: bool) -> Finding {
    let all: Vec<usize> = (0..new.count as usize).collect();
    let say = |joint: Finding, by: &[f64]| {
        if !is_scale {
            joint.by(norm(by), Unit::Distance)
        } else if new.count == 1 {
            scaled(joint, &ratios(&old.total(0), &new.total(0)))
        } else {
            by.iter().fold(joint, |joint, by| joint.by(*by, Unit::Number))
        }
    };
    match new.change_since(old, None) {
        Change::One { index, by } => return say(in_key(joint, index, new.count), &by),
        Change::Each { by, .. } => return say(in_keys(joint, new, true), &by),
        Change::Two { .. } | Change::Several => {}
    }
    let ratio = [0, 1].map(|power| ratios(&old.total(power), &new.total(power)));
    let is_even = ratio[0].iter().zip(&ratio[1]).all(|(a, b)| (a - b).abs() < 1e-4);
    if is_scale && is_even {
        return scaled(in_keys(joint, new, true), &ratio[0]);
    }
    if let Change::Each { by, .. } = new.change_since(old, Some(&all)) {
        return say(in_keys(joint, new, true), &by);
    }
    let kind = if is_scale { Kind::Scaled } else { Kind::Moved };
    Finding { kind, ..in_keys(joint, new, false) }
}

fn ratios(old: &[f64], new: &[f64]) -> Vec<f64> {
    old.iter().zip(new).map(|(old, new)| if *old == 0.0 { 1.0 } else { new / old }).collect()
}

/// Pairs of the weights of two clips. The name of a weight contains that of its joint; if the joint
/// differs, it is reported.
fn weight_pairs(old: &ClipContent, new: &ClipContent) -> Pairs {
    let (before, now) = (&old.weights, &new.weights);
    let is_free = |a: usize, b: usize| {
        now.iter().all(|(name, _)| *name != before[a].0)
            && before.iter().all(|(name, _)| *name != now[b].0)
    };
    let by_name = |a: usize, b: usize| before[a].0 == now[b].0;
    let by_content = |a: usize, b: usize| is_free(a, b) && before[a].1 == now[b].1;
    let by_place = |a: usize, b: usize| is_free(a, b) && a == b && before.len() == now.len();
    Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place])
}

/// Weights of morph targets that changed.
fn of_weights(old: &ClipContent, new: &ClipContent) -> Vec<Finding> {
    let mut found = Vec::new();
    let target = |kind, name: &str| say(kind, Subject::named(Element::Target, name));
    let pairs = weight_pairs(old, new);
    let letter = |clip: &ClipContent, place: usize| clip.weight_courses.chars().nth(place);
    // A constant one shows in the pose.
    let is_moving = |clip: &ClipContent, place: usize| letter(clip, place) != Some('-');
    let gone = pairs.gone.iter().filter(|&&gone| is_moving(old, gone));
    let gone = gone.map(|&gone| target(Kind::Left, &old.weights[gone].0));
    found.extend(gone.map(|gone| gone.within(clip(new))));
    for (place, (name, now)) in new.weights.iter().enumerate() {
        let Some(known) = pairs.of_new[place] else {
            if is_moving(new, place) {
                found.push(target(Kind::Joined, name).within(clip(new)));
            }
            continue;
        };
        let was = &old.weights[known].0;
        if was != name {
            let renamed = target(Kind::Renamed, was).from_to(None, Value::from(name.as_str()));
            found.push(renamed);
        }
        let before = &old.weights[known].1;
        let courses =
            [letter(old, known), letter(new, place)].map(|letter| letter.and_then(course::word));
        if let [Some(from), Some(to)] = courses
            && from != to
        {
            let other = target(Kind::InterpolationChanged, name).within(clip(new));
            found.push(other.from_to(Value::from(from), Value::from(to)));
            continue;
        }
        let (before, now) = &as_often(before, now);
        let is_of_clip = (before.count, now.count) == (old.keys, new.keys) && old.keys != new.keys;
        if before.is_same(now) || is_of_clip || now.is_rounded(before, 1.0, None) {
            continue;
        }
        let weight = target(Kind::ValueChanged, name);
        let weight = match now.change_since(before, None) {
            Change::One { index, by } if before.count == now.count => {
                in_key(weight, index, now.count).by(by[0], Unit::Number)
            }
            _ => in_keys(weight, now, false),
        };
        found.push(weight.within(clip(new)));
    }
    found
}
