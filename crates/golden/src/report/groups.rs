//! Failures with one cause, gathered over scenes and frames.

use super::cause_id::CauseId;
use super::data::{Change, Entry, Group, SceneReport};
use std::collections::BTreeMap;

/// Groups the failures of a run, the largest group first; `accept` returns the command for the
/// cause of an entry of a scene.
#[must_use]
pub fn group_failures(
    scenes: &[SceneReport],
    accept: impl Fn(&SceneReport, &Entry) -> Option<String>,
) -> Vec<Group> {
    let mut places: BTreeMap<&CauseId, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut commands: Vec<Vec<String>> = Vec::new();
    for (s, scene) in scenes.iter().enumerate() {
        for (e, entry) in scene.frames.iter().enumerate().filter(|(_, one)| one.status.fails()) {
            let id = entry.cause_id.clone();
            let place = *places.entry(&entry.cause_id).or_insert(groups.len());
            if place == groups.len() {
                let text = entry.title().to_owned();
                let accept = None;
                groups.push(Group { id, text, count: 0, scenes: 0, accept, entries: Vec::new() });
                commands.push(Vec::new());
            }
            let group = &mut groups[place];
            group.count += 1;
            group.scenes += usize::from(group.entries.last().is_none_or(|[last, _]| *last != s));
            group.entries.push([s, e]);
            // One for each folder of scenes.
            let command = entry.accept.as_ref().and_then(|own| match scene.path {
                Some(_) => accept(scene, entry),
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
    // The largest change comes first; for empty pictures, the most frequent one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Status;

    #[test]
    fn failures_of_one_cause_are_one_group() {
        let entry = |frame, cause: &str, text: &str| Entry {
            accept: Some("x".to_owned()),
            cause_id: CauseId::of(&cause),
            ..Entry::new(Some(frame), Status::Different, text)
        };
        let passed = Entry::new(Some(9), Status::Same, "same");
        let mut scenes = [
            SceneReport::of(
                "a",
                vec![
                    entry(0, "light 1", "light 1 turned 2°"),
                    entry(1, "joint b", "joint b moved 1"),
                ],
            ),
            SceneReport::of(
                "c",
                vec![
                    entry(0, "joint b", "joint b moved 2"),
                    passed,
                    entry(3, "joint b", "joint b moved 3"),
                ],
            ),
        ];
        scenes.iter_mut().for_each(|scene| scene.path = Some("s.toml".to_owned()));
        let groups = group_failures(&scenes, |_, entry| Some(entry.cause_id.to_string()));
        let told: Vec<_> =
            groups.iter().map(|one| (one.text.as_str(), one.count, one.scenes)).collect();
        assert_eq!(told, [("joint b moved 1", 3, 2), ("light 1 turned 2°", 1, 1)]);
        assert_eq!(groups[0].entries, [[0, 1], [1, 0], [1, 2]]);
        let id = CauseId::of(&"joint b");
        assert_eq!((groups[0].accept.as_ref(), &groups[0].id), (Some(&id.to_string()), &id));
        assert_eq!(CauseId::parse(&id.to_string()), Some(id));
        assert_eq!(CauseId::parse("joint b moved 1"), None);
    }
}
