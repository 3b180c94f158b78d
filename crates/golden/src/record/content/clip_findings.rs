//! Differences of clips: first the time base, then the joints whose keys were edited.

use super::finding::{Finding, Rank};
use super::model_content::{ClipContent, ModelContent, TrackContent};
use super::motion::is_same_motion;
use super::pairs::Pairs;
use super::skeleton_findings::factors;
use super::sums::{Change, Sums};
use crate::record::amounts::{DEGREES, degrees, distance, listed};
use crate::record::rigid::turn_deg;
use crate::record::rigid::{conjugate, product, unit};
use crate::record::stage::Stage;
use tintype_base::amount::counted;
use tintype_compare::finding::{Element, Subject};
use tintype_compare::model_diff::course;
use tintype_model::math::{larger, smaller};

pub(super) fn findings(old: &ModelContent, new: &ModelContent, size: f64) -> Vec<Finding> {
    let (before, now) = (&old.clips, &new.clips);
    let by_name = |a: usize, b: usize| before[a].name == now[b].name;
    let by_content = |a: usize, b: usize| before[a].tracks == now[b].tracks;
    let by_place = |a: usize, b: usize| a == b && before.len() == now.len();
    let pairs = Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place]);
    let say = |rank, what: String| Finding::new(Stage::Pose, rank, what);
    let mut found = Vec::new();
    for (a, b) in pairs.iter() {
        if before[a].name != now[b].name {
            let what = format!("clip {} is called {}", before[a].name, now[b].name);
            found.push(say(Rank::Name, what));
        }
        if let Some(what) = other_keys(&before[a], &now[b]) {
            found.push(say(Rank::Order, what));
            continue;
        }
        let time = time_base(&before[a], &now[b]);
        let is_other_time = time.is_some();
        found.extend(time.map(|what| say(Rank::Time, what)));
        found.extend(of_tracks(&before[a], &now[b], is_other_time, size));
        found.extend(of_weights(&before[a], &now[b]).into_iter().map(|what| say(Rank::Edit, what)));
    }
    let played =
        |rank, clip: &ClipContent, word: &str| say(rank, format!("clip {} is {word}", clip.name));
    found.extend(pairs.gone.iter().map(|&a| played(Rank::Edit, &before[a], "played no more")));
    found.extend(pairs.fresh().map(|b| played(Rank::Edit, &now[b], "played now")));
    found
}

/// The sentence that a clip has other keys of the same motion; none where it has not, or that is not known.
fn other_keys(old: &ClipContent, new: &ClipContent) -> Option<String> {
    let counts = |clip: &ClipContent| -> Vec<u32> {
        let of_tracks = clip.tracks.iter().flat_map(|track| &track.channels);
        of_tracks.map(|channel| channel.count).collect()
    };
    let [before, now] = [old, new].map(counts);
    // A value that never changes is kept once, so that one edited key makes many of one.
    let is_other = |(before, now): (&u32, &u32)| before != now && *before > 1 && *now > 1;
    let has_other_keys = old.keys != new.keys || before.iter().zip(&now).any(is_other);
    let [length, to_length] = [old, new].map(|clip| clip.seconds[1] - clip.seconds[0]);
    if !has_other_keys
        || (length - to_length).abs() > 1e-6 * larger(length, 1e-3)
        || !is_same_motion(&old.motion, &new.motion)
    {
        return None;
    }
    let [now, before] = [now, before].map(|counts| counts.iter().sum::<u32>());
    let clip = &new.name;
    Some(format!(
        "clip {clip} has other keys of the same motion: {now} of all tracks, were {before}"
    ))
}

/// Rate, ticks, number of keys and length, where they changed.
fn time_base(old: &ClipContent, new: &ClipContent) -> Option<String> {
    let mut words = Vec::new();
    let [rate, to_rate] = [old, new].map(|clip| clip.rates[0]);
    let [ticks, to_ticks] = [old, new].map(|clip| clip.rates[1]);
    // Below a millionth it is the rounding of numbers.
    let is_other = |a: f64, b: f64| (a - b).abs() > 5e-7 * (a.abs() + b.abs());
    if old.keys != new.keys && !has_moved_in_some(old, new) {
        words.push(format!("has {} keys, had {}", new.keys, old.keys));
    }
    if is_other(ticks, to_ticks) {
        words.push(format!("runs at {to_ticks} ticks a second, was {ticks}"));
    } else if is_other(rate, to_rate) && rate > 0.0 && to_rate > 0.0 {
        let [to, from] = plain_pair(to_rate, rate);
        words.push(format!("runs at {to} keys a second, was {from}"));
    }
    let [length, to_length] = [old, new].map(|clip| clip.seconds[1] - clip.seconds[0]);
    if is_other(length, to_length) {
        let [to, from] = plain_pair(to_length, length);
        words.push(format!("lasts {to} s, was {from} s"));
    } else if words.is_empty() && is_other(old.seconds[2], new.seconds[2]) {
        let [to, from] = plain_pair(new.seconds[2], old.seconds[2]);
        words.push(format!("repeats after {to} s, was {from} s"));
    }
    let has_moved_keys = has_other_times(&old.times, &new.times, old) && old.keys == new.keys;
    if words.is_empty() && has_moved_keys {
        words.push("has its keys at other times".to_owned());
    }
    (!words.is_empty()).then(|| format!("clip {} {}", new.name, words.join(", ")))
}

/// The times of the keys of a channel: its own, or those of the clip.
fn times_of<'c>(track: &'c TrackContent, kind: usize, clip: &'c ClipContent) -> &'c Sums {
    let own = &track.times[kind];
    if own.count > 0 { own } else { &clip.times }
}

/// Whether a channel has as many keys as before, more than one, and has them at other times.
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

/// Whether all channels have as many keys as before, and only some have them at other times: the clip has other moments then, and keys
/// of joints are what changed.
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

/// Two numbers with four digits behind the point at most, where these tell them apart.
fn plain_pair(a: f64, b: f64) -> [String; 2] {
    let with = |digits: usize| {
        [a, b].map(|value| {
            let text = format!("{value:.digits$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        })
    };
    let found = (4..12).map(with).find(|[a, b]| a != b);
    found.unwrap_or_else(|| with(12))
}

/// Whether keys are at other times, by more than rounding.
fn has_other_times(old: &Sums, new: &Sums, clip: &ClipContent) -> bool {
    !new.is_same(old) && !new.is_rounded(old, larger(clip.seconds[1].abs(), 1e-3), None)
}

fn of_tracks(old: &ClipContent, new: &ClipContent, is_other_time: bool, size: f64) -> Vec<Finding> {
    let (before, now) = (&old.tracks, &new.tracks);
    let is_free = |a: usize, b: usize| {
        now.iter().all(|track| track.name != before[a].name)
            && before.iter().all(|track| track.name != now[b].name)
    };
    let by_name = |a: usize, b: usize| before[a].name == now[b].name;
    let by_content = |a: usize, b: usize| is_free(a, b) && before[a].channels == now[b].channels;
    let by_place = |a: usize, b: usize| is_free(a, b) && a == b && before.len() == now.len();
    let pairs = Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place]);
    let say = |rank, what: String| Finding::new(Stage::Pose, rank, what);
    let (mut found, mut moved, mut rounded) = (Vec::new(), Vec::new(), Vec::new());
    let clip = &new.name;
    let courses: Vec<(&str, &str, &str)> = pairs
        .iter()
        .map(|(a, b)| (now[b].name.as_str(), before[a].courses.as_str(), now[b].courses.as_str()))
        .collect();
    let named = Subject::named(Element::Clip, clip.as_str());
    let courses = course::findings(&named, &courses).into_iter();
    found.extend(courses.map(|what| say(Rank::Edit, what.sentence())));
    let mut missing = |name: &str, word: &str| {
        found.push(say(Rank::Edit, format!("joint {name} {word} of clip {clip}")));
    };
    pairs.gone.iter().for_each(|&a| missing(&before[a].name, "is no part any more"));
    pairs.fresh().for_each(|b| missing(&now[b].name, "is now a part"));
    for (a, b) in pairs.iter() {
        let (a_track, b_track) = (&before[a], &now[b]);
        if a_track.name != b_track.name {
            let what = format!("joint {} is called {}", a_track.name, b_track.name);
            found.push(say(Rank::Name, what));
        }
        let parent = |track: &TrackContent| usize::try_from(track.parent).ok();
        let moved_parent = parent(a_track).and_then(|parent| pairs.of_old(parent));
        if parent(b_track) != moved_parent {
            let name = |index: Option<usize>, tracks: &[TrackContent]| {
                let track = index.and_then(|index| tracks.get(index));
                track.map_or("nothing".to_owned(), |track| track.name.clone())
            };
            let (to, from) = (name(parent(b_track), now), name(parent(a_track), before));
            let what = format!("joint {} hangs on {to}, was on {from}", b_track.name);
            found.push(say(Rank::Edit, what));
        }
        match of_track([a_track, b_track], [old, new], is_other_time, size) {
            Moved::No => {}
            Moved::Rounded => rounded.push(b_track.name.clone()),
            Moved::Yes(weight, what) => moved.push((weight, say(Rank::Edit, what))),
        }
    }
    // The largest leads.
    moved.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.extend(moved.into_iter().map(|(_, finding)| finding));
    if !rounded.is_empty() {
        let joints = counted(rounded.len(), "joint");
        // Sums do not tell keys that changed in opposite directions from rounding; the motion does.
        let is_known = !old.motion.is_empty() && !new.motion.is_empty() && !is_other_time;
        let is_other = is_known && !is_same_motion(&old.motion, &new.motion);
        let is_told = found.iter().any(|finding| finding.rank == Rank::Edit);
        let (rank, how) = if is_other && !is_told {
            (Rank::Edit, "moved in several keys")
        } else {
            (Rank::Rounding, "changed in the last digits")
        };
        let what = format!("{joints} of clip {clip} {how}: {}", listed(&rounded));
        found.push(say(rank, what));
    }
    found
}

/// Change of the motion of a joint.
enum Moved {
    No,
    Rounded,
    /// Its size, to compare with that of others, and the sentence.
    Yes(f64, String),
}

/// The change of one joint; none if only the whole clip has more or fewer keys.
fn of_track(
    [old, new]: [&TrackContent; 2],
    clips: [&ClipContent; 2],
    is_other_time: bool,
    size: f64,
) -> Moved {
    const CHANNELS: [&str; 3] = ["position", "rotation", "scale"];
    let clip = &clips[1].name;
    let counts = (clips[0].keys, clips[1].keys);
    let mut words: Vec<(String, String)> = Vec::new();
    let (mut is_rounded, mut weight) = (false, 0.0);
    let pairs = old.channels.iter().zip(&new.channels).zip([size, 1.0, 1.0]).enumerate();
    for (kind, ((before, now), size)) in pairs {
        if before.is_same(now) {
            continue;
        }
        // A value that never changes is kept once.
        let (before, now) = match (before.count, now.count) {
            (1, count) if count > 1 => (&before.repeated(count), now),
            (count, 1) if count > 1 => (before, &now.repeated(count)),
            _ => (before, now),
        };
        // A quaternion and its negative are one rotation.
        let negative = before.negated();
        let is_negative = kind == 1 && now.is_nearer(&negative, before);
        let before = if is_negative { &negative } else { before };
        if now.is_rounded(before, size, None) {
            is_rounded = true;
            continue;
        }
        let mean = before.total(0).into_iter().zip(now.total(0)).map(|(a, b)| (b - a).abs());
        let of_channel = mean.fold(0.0, larger) / (size * f64::from(now.count.max(1)));
        if before.count != now.count {
            // Records of older programs count the tangents of splines among the keys.
            let is_older = old.courses.is_empty() && before.count == 3 * now.count;
            let is_of_clip = counts.0 != counts.1 && (before.count, now.count) == counts;
            if !is_of_clip && !is_older {
                let what = CHANNELS[kind];
                let text = format!("has {} {what} keys, had {}", now.count, before.count);
                words.push((text, format!(" in clip {clip}")));
            }
            continue;
        }
        let told = match kind {
            1 => rotation(before, now, clip),
            kind => Some(vector(before, now, clip, kind == 2)),
        };
        is_rounded |= told.is_none();
        weight = larger(weight, if told.is_some() { of_channel } else { 0.0 });
        words.extend(told);
    }
    for (kind, (before, now)) in old.tangents.iter().zip(&new.tangents).enumerate() {
        let is_known = before.count == now.count && before.count > 0;
        let negative = before.negated();
        let is_negative = kind == 1 && now.is_nearer(&negative, before);
        let before = if is_negative { &negative } else { before };
        if !is_known || before.is_same(now) || now.is_rounded(before, 1.0, None) {
            continue;
        }
        let place = match now.change_since(before, None) {
            Change::One { index, .. } => in_key(index / 2, now.count / 2, clip),
            _ => format!(" in clip {clip}"),
        };
        words.push((format!("has other tangents of its {}", CHANNELS[kind]), place));
    }
    let has_other_times = (0..3).any(|kind| {
        let has_own = old.times[kind].count > 0 && new.times[kind].count > 0;
        (has_own || old.courses.len() == new.courses.len())
            && has_moved_keys([old, new], kind, clips) == Some(true)
    });
    if words.is_empty() && has_other_times && !is_other_time {
        words.push(("has its keys at other times".to_owned(), format!(" in clip {clip}")));
    }
    let mut text = String::new();
    for (index, (what, place)) in words.iter().enumerate() {
        // A place that comes again is said once.
        let is_last = words.get(index + 1).is_none_or(|(_, next)| next != place);
        text += if index > 0 { " and " } else { "" };
        text += what;
        text += if is_last { place } else { "" };
    }
    match text.is_empty() {
        false => Moved::Yes(weight, format!("joint {} {text}", new.name)),
        true if is_rounded => Moved::Rounded,
        true => Moved::No,
    }
}

/// Position of a change: a key, or the only one.
fn in_key(index: usize, count: u32, clip: &str) -> String {
    if count == 1 { format!(" in clip {clip}") } else { format!(" in key {index} of clip {clip}") }
}

fn in_all(count: u32, clip: &str) -> String {
    format!(" in all {count} keys of clip {clip}")
}

fn in_several(count: u32, clip: &str) -> String {
    format!(" in several of the {count} keys of clip {clip}")
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn four(values: Vec<f64>) -> [f64; 4] {
    values.try_into().unwrap_or_default()
}

/// Whether one rotation may have changed by that much. Where all were equal, a change of the middle one and a smaller change of all
/// have the same sums; the changed rotation is of length 1 in one of the two cases only.
fn may_be_one(old: &Sums, by: &[f64]) -> bool {
    let (sum, count) = (old.total(0), f64::from(old.count.max(1)));
    let were_equal = (norm(&sum) - count).abs() < 1e-5 * count;
    let changed: Vec<f64> = sum.iter().zip(by).map(|(sum, by)| sum / count + by).collect();
    !were_equal || (norm(&changed) - 1.0).abs() < 1e-3
}

/// Angles below this, in degrees, are the rounding of numbers, or the other quaternion of a rotation.
const ROUNDING_DEG: f64 = 1e-4;

/// The angle by which rotations turned; none if they did not.
fn rotation(old: &Sums, new: &Sums, clip: &str) -> Option<(String, String)> {
    let turned = |angle_deg: f64| format!("turned {}", degrees(angle_deg));
    if let Change::One { index, by } = new.change_since(old, None)
        && may_be_one(old, &by)
    {
        // Unit quaternions that are apart by this much; either of the two of a rotation.
        let half = smaller(norm(&by) * 0.5, 1.0);
        let angle_deg = 4.0 * libm::asin(half) * DEGREES;
        let angle_deg = if angle_deg > 180.0 { 360.0 - angle_deg } else { angle_deg };
        let place = in_key(index, new.count, clip);
        return (angle_deg > ROUNDING_DEG).then(|| (turned(angle_deg), place));
    }
    // The product with one rotation is linear: sums turn as their parts do, from either side.
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
        let place = in_all(new.count, clip);
        return (angle_deg > ROUNDING_DEG).then(|| (turned(angle_deg), place));
    }
    Some(("turned".to_owned(), in_several(new.count, clip)))
}

/// The distance by which positions moved, or the factor of scales.
fn vector(old: &Sums, new: &Sums, clip: &str, is_scale: bool) -> (String, String) {
    let all: Vec<usize> = (0..new.count as usize).collect();
    let say = |by: &[f64]| match is_scale {
        false => format!("moved {}", distance(norm(by))),
        true if new.count == 1 => {
            format!("scaled by {}", factors(&ratios(&old.total(0), &new.total(0))))
        }
        true => {
            let signed: Vec<String> = by.iter().map(|value| format!("{value:+.4}")).collect();
            format!("scaled by {}", signed.join(" "))
        }
    };
    match new.change_since(old, None) {
        Change::One { index, by } => return (say(&by), in_key(index, new.count, clip)),
        Change::Each { by, .. } => return (say(&by), in_all(new.count, clip)),
        Change::Two { .. } | Change::Several => {}
    }
    let ratio = [0, 1].map(|power| ratios(&old.total(power), &new.total(power)));
    let is_even = ratio[0].iter().zip(&ratio[1]).all(|(a, b)| (a - b).abs() < 1e-4);
    if is_scale && is_even {
        return (format!("scaled by {}", factors(&ratio[0])), in_all(new.count, clip));
    }
    if let Change::Each { by, .. } = new.change_since(old, Some(&all)) {
        return (say(&by), in_all(new.count, clip));
    }
    let what = if is_scale { "is scaled otherwise" } else { "moved" };
    (what.to_owned(), in_several(new.count, clip))
}

fn ratios(old: &[f64], new: &[f64]) -> Vec<f64> {
    old.iter().zip(new).map(|(old, new)| if *old == 0.0 { 1.0 } else { new / old }).collect()
}

/// Weights of morph targets that changed.
fn of_weights(old: &ClipContent, new: &ClipContent) -> Vec<String> {
    let mut found = Vec::new();
    for (place, (name, now)) in new.weights.iter().enumerate() {
        let Some(known) = old.weights.iter().position(|(known, _)| known == name) else {
            found.push(format!("target '{name}' is moved by clip {}", new.name));
            continue;
        };
        let before = &old.weights[known].1;
        let letter = |clip: &ClipContent, place: usize| clip.weight_courses.chars().nth(place);
        let courses =
            [letter(old, known), letter(new, place)].map(|letter| letter.and_then(course::word));
        if let [Some(from), Some(to)] = courses
            && from != to
        {
            found.push(format!(
                "clip {}: interpolation of the weight of target '{name}' is {to}, was {from}",
                new.name
            ));
            continue;
        }
        let (before, now) = match (before.count, now.count) {
            (1, count) if count > 1 => (&before.repeated(count), now),
            (count, 1) if count > 1 => (before, &now.repeated(count)),
            _ => (before, now),
        };
        let is_of_clip = (before.count, now.count) == (old.keys, new.keys) && old.keys != new.keys;
        if before.is_same(now) || is_of_clip || now.is_rounded(before, 1.0, None) {
            continue;
        }
        found.push(match now.change_since(before, None) {
            Change::One { index, by } if before.count == now.count => {
                let place = in_key(index, now.count, &new.name);
                format!("weight of target '{name}' changed by {:+.4}{place}", by[0])
            }
            _ => format!("weight of target '{name}' changed{}", in_several(now.count, &new.name)),
        });
    }
    found
}
