//! Failures with one cause, gathered over scenes and frames.
//!
//! The key of a cause has all edits with their values, and an amount only if it is that of an edit: what one edit moves in a frame, and the
//! pixels that differ, are others in the next frame.

use super::data::{Change, Entry, Group, SceneReport};
use std::collections::BTreeMap;
use tintype_base::printable::one_line;

/// Words before a number that is a name and no amount.
const NUMBERED: [&str; 6] = ["light", "instance", "mesh", "material", "layer", "frame"];
/// Beginnings of what tells the amount of a cause, or of what follows from it.
const AMOUNTS: [&str; 8] = ["; ", ", ", " (", " turned ", " moved", " covers ", " scaled ", " by "];

/// Words behind textures that changed, before the pixels that differ in the frame.
pub(crate) const GEOMETRY: &str = ", geometry identical";

/// The sentence of a texture without what is measured in its frame.
pub(crate) fn without_tail(headline: &str) -> &str {
    headline.split(GEOMETRY).next().unwrap_or_default()
}

/// The keys that a text may mean as the cause of a failure: it is one, or it is a first line with what was measured in its frame.
#[must_use]
pub fn keys_named(text: &str) -> Vec<String> {
    let line = one_line(text);
    vec![without_tail(&line).to_owned(), without_amounts(&line), line]
}

/// A key that a command can hold: of a longer one the beginning, and a digest for the rest.
pub(crate) fn bounded(key: String) -> String {
    const MOST: usize = 2000;
    match key.char_indices().nth(MOST) {
        Some((at, _)) => {
            format!("{} ... {}", &key[..at], &blake3::hash(key.as_bytes()).to_hex()[..16])
        }
        None => key,
    }
}

/// A difference that was measured in a frame, without its amounts. Text in quotes is kept.
#[must_use]
pub fn without_amounts(headline: &str) -> String {
    let line = headline.lines().next().unwrap_or_default();
    let end = AMOUNTS
        .iter()
        .filter_map(|start| outside_quotes(line, start))
        .filter(|&at| at > 0)
        .min()
        .unwrap_or(line.len());
    let mut key = String::new();
    let mut last = "";
    for (index, word) in line[..end].split(' ').enumerate() {
        if index > 0 {
            key.push(' ');
        }
        let is_quoted = !key.matches('"').count().is_multiple_of(2);
        if is_amount(word) && !is_quoted && !NUMBERED.contains(&last) {
            key.push('#');
        } else {
            key.push_str(word);
        }
        last = word;
    }
    // `shading: only: 3,912 pixels` is shading alone.
    key.strip_suffix(": # pixels").unwrap_or(&key).to_owned()
}

/// The first place of a text outside of quotes.
fn outside_quotes(line: &str, wanted: &str) -> Option<usize> {
    line.match_indices(wanted)
        .map(|(at, _)| at)
        .find(|&at| line[..at].matches('"').count().is_multiple_of(2))
}

/// Whether a word is a number, perhaps with a sign, a unit or a bracket.
fn is_amount(word: &str) -> bool {
    let digits = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || ".,e-+x".contains(c))
}

/// Groups the failures of a run, the largest group first; `accept` gives the command for the cause, in words, of an entry of a scene.
#[must_use]
pub fn group_failures(
    scenes: &[SceneReport],
    accept: impl Fn(&SceneReport, &Entry, &str) -> Option<String>,
) -> Vec<Group> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut commands: Vec<Vec<String>> = Vec::new();
    // As the first of each names the cause.
    let mut words: Vec<&String> = Vec::new();
    for (s, scene) in scenes.iter().enumerate() {
        for (e, entry) in scene.frames.iter().enumerate().filter(|(_, one)| one.status.fails()) {
            let key = key_of(entry);
            let place = *places.entry(key.clone()).or_insert(groups.len());
            if place == groups.len() {
                let text = entry.title().to_owned();
                let accept = None;
                groups.push(Group { key, text, count: 0, scenes: 0, accept, entries: Vec::new() });
                commands.push(Vec::new());
                words.push(entry.cause.as_ref().map_or(&entry.message, |cause| &cause.key));
            }
            let group = &mut groups[place];
            group.count += 1;
            group.scenes += usize::from(group.entries.last().is_none_or(|[last, _]| *last != s));
            group.entries.push([s, e]);
            // One for each folder of scenes.
            let command = entry.accept.as_ref().and_then(|own| match scene.path {
                Some(_) => accept(scene, entry, words[place]),
                None => Some(own.clone()),
            });
            if let Some(command) = command.filter(|one| !commands[place].contains(one)) {
                commands[place].push(command);
            }
        }
    }
    for (group, commands) in groups.iter_mut().zip(commands) {
        group.accept = (!commands.is_empty()).then(|| commands.join("; "));
    }
    // What changes most leads, and where nothing is seen what changes most often.
    let pixels = |group: &Group| -> u64 {
        let entries = group.entries.iter().map(|&[s, e]| &scenes[s].frames[e]);
        entries
            .map(|entry| match entry.change {
                Some(Change::Pixels { count, .. }) => count as u64,
                Some(Change::Size { new: [width, height], .. }) => {
                    u64::from(width) * u64::from(height)
                }
                None => 0,
            })
            .sum()
    };
    groups.sort_by_key(|group| core::cmp::Reverse((pixels(group), group.count)));
    groups
}

/// The key of a failure.
#[must_use]
pub fn key_of(entry: &Entry) -> String {
    entry.cause.as_ref().map_or_else(|| without_amounts(&entry.message), |cause| cause.key.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Status;

    #[test]
    fn what_was_measured_has_no_amounts() {
        for (a, b) in [
            (
                "pose: joint forearm_l turned 3.1° and moved 0.042 (9 joints below it follow)",
                "pose: joint forearm_l moved 1.2e-4 (1 joint below it follows)",
            ),
            (
                "skin: mesh models/ranger moved, worst vertex 19 by 0.24, joints equal: weights changed",
                "skin: mesh models/ranger moved, at least 2 of its 90 vertices; 1 other mesh differs too",
            ),
            (
                "shading: only: 2,560 pixels, largest difference 225",
                "shading: only: 9 pixels, largest difference 1",
            ),
            ("light 2 turned 4.0°", "light 2 turned 11°"),
            ("40 pixels differ, by 9 at most", "4,000 pixels differ, by 255 at most"),
        ] {
            assert_eq!(without_amounts(a), without_amounts(b));
        }
        for (a, b) in [
            ("light 2 turned 4.0°", "light 3 turned 4.0°"),
            ("pose: joint arm_1 turned 3°", "pose: joint arm_2 turned 3°"),
            (
                "texture: a.png changed, geometry identical",
                "texture: b.png changed, geometry identical",
            ),
            ("clip \"a, 1\" is new", "clip \"a, 2\" is new"),
            ("skin: mesh a moved", "skin: mesh b moved"),
        ] {
            assert_ne!(without_amounts(a), without_amounts(b));
        }
        assert_eq!(without_amounts("pose: joint a turned 3°"), "pose: joint a");
    }

    #[test]
    fn first_line_names_the_cause_of_all_frames() {
        let texture = "texture: a.png, b, c.png changed";
        let line = format!("{texture}, geometry identical; 2,560 pixels, largest difference 9");
        assert!(keys_named(&line).iter().any(|key| key == texture));
        let edit = "camera fov_deg 30 -> 70; instance 0 scale 0.5, was as usual";
        assert!(keys_named(edit).iter().any(|key| key == edit));
        assert!(!keys_named(edit).iter().any(|key| key == "camera fov_deg 30 -> 70"));
        let measured = without_amounts("pose: joint arm turned 3.1° and moved 0.042");
        assert!(keys_named("pose: joint arm turned 9° and moved 0.9").contains(&measured));
        assert_eq!(
            keys_named("shading: only: 3,912 pixels, largest difference 9")[1],
            "shading: only"
        );
        let long = |last: &str| bounded("many words ".repeat(500) + last);
        assert!(long("a").len() < 2100 && long("a") != long("b"));
    }

    #[test]
    fn failures_of_one_cause_are_one_group() {
        let entry = |frame, text: &str| Entry {
            accept: Some("x".to_owned()),
            ..Entry::new(Some(frame), Status::Different, text)
        };
        let passed = Entry::new(Some(9), Status::Same, "same");
        let mut scenes = [
            SceneReport::of("a", vec![entry(0, "light 1 turned 2°"), entry(1, "joint b moved 1")]),
            SceneReport::of(
                "c",
                vec![entry(0, "joint b moved 2"), passed, entry(3, "joint b moved 3")],
            ),
        ];
        scenes.iter_mut().for_each(|scene| scene.path = Some("s.toml".to_owned()));
        let groups = group_failures(&scenes, |_, _, text| Some(text.to_owned()));
        let told: Vec<_> =
            groups.iter().map(|one| (one.key.as_str(), one.count, one.scenes)).collect();
        assert_eq!(told, [("joint b", 3, 2), ("light 1", 1, 1)]);
        assert_eq!(groups[0].entries, [[0, 1], [1, 0], [1, 2]]);
        assert_eq!(groups[0].accept.as_deref(), Some("joint b moved 1"));
    }
}
