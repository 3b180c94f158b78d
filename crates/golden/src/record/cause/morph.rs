//! Differences of weights of morph targets.

use super::subjects::others;
use crate::record::stages::InstanceRecord;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};

/// The target whose weight changed most, and the number of others. None if all weights are equal.
pub(super) fn differences(old: &InstanceRecord, new: &InstanceRecord) -> Vec<Finding> {
    let names = |one: &InstanceRecord| -> Vec<String> {
        one.morphs.iter().map(|(name, _)| name.clone()).collect()
    };
    let say = |kind, of| Finding::new(Stage::Pose, kind, of).measured();
    let target = |kind, name: &str| say(kind, Subject::named(Element::Target, name));
    let (before, now) = (names(old), names(new));
    if before != now {
        let lone = |own: &[String], other: &[String]| {
            own.iter().find(|name| !other.contains(name)).cloned()
        };
        let gone = lone(&before, &now).map(|name| target(Kind::Removed, &name));
        let fresh = lone(&now, &before).map(|name| target(Kind::Added, &name));
        let found: Vec<Finding> = gone.into_iter().chain(fresh).collect();
        let reordered = || vec![say(Kind::Reordered, Subject::all(Element::Target))];
        return if found.is_empty() { reordered() } else { found };
    }
    let pairs = old.morphs.iter().zip(&new.morphs);
    let changed: Vec<(&str, f32, f32)> = pairs
        .filter(|((_, before), (_, now))| before != now)
        .map(|((name, before), (_, now))| (name.as_str(), *before, *now))
        .collect();
    let amount = |(_, before, now): &(&str, f32, f32)| (now - before).abs();
    let most = |a, b| if amount(&b) > amount(&a) { b } else { a };
    let Some((name, before, now)) = changed.iter().copied().reduce(most) else { return Vec::new() };
    let [was, is] = [before, now].map(|weight| Value::amount(weight, Unit::Number));
    let told = target(Kind::ValueChanged, name).from_to(was, is);
    core::iter::once(told).chain(others(Stage::Pose, Element::Target, changed.len() - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(morphs: &[(&str, f32)]) -> InstanceRecord {
        InstanceRecord {
            model: "face".to_owned(),
            pose: String::new(),
            skin: String::new(),
            marks: String::new(),
            joints: Vec::new(),
            meshes: Vec::new(),
            morphs: morphs.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect(),
        }
    }

    #[test]
    fn the_target_that_changed_most_is_named() {
        let old = record(&[("blink", 0.0), ("smile", 0.3), ("frown", 1.0)]);
        let told = |morphs: &[(&str, f32)]| {
            let found = differences(&old, &record(morphs));
            found.iter().map(Finding::sentence).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(told(&[("blink", 0.0), ("smile", 0.3), ("frown", 1.0)]), "");
        assert_eq!(
            told(&[("blink", 0.0), ("smile", 0.5), ("frown", 1.0)]),
            "target 'smile' 0.3 -> 0.5"
        );
        assert_eq!(
            told(&[("blink", 1.0), ("smile", 0.5), ("frown", 1.0)]),
            "target 'blink' 0 -> 1; 1 other target changed too"
        );
        assert_eq!(
            told(&[("blink", 0.0), ("smirk", 0.3), ("frown", 1.0)]),
            "target 'smile' is gone; target 'smirk' is new"
        );
    }
}
