//! Differences of weights of morph targets.

use crate::record::stages::InstanceRecord;

/// The target whose weight changed most; none if all weights are equal.
pub(super) fn difference(old: &InstanceRecord, new: &InstanceRecord) -> Option<String> {
    let names = |one: &InstanceRecord| -> Vec<String> {
        one.morphs.iter().map(|(name, _)| name.clone()).collect()
    };
    let (before, now) = (names(old), names(new));
    if before != now {
        let lone = |own: &[String], other: &[String]| {
            own.iter().find(|name| !other.contains(name)).cloned()
        };
        return Some(match (lone(&before, &now), lone(&now, &before)) {
            (Some(gone), Some(name)) => format!("target '{gone}' is gone, target '{name}' is new"),
            (Some(gone), None) => format!("target '{gone}' is gone"),
            (None, Some(name)) => format!("target '{name}' is new"),
            (None, None) => "morph targets have another order".to_owned(),
        });
    }
    let pairs = old.morphs.iter().zip(&new.morphs);
    let changed: Vec<(&str, f32, f32)> = pairs
        .filter(|((_, before), (_, now))| before != now)
        .map(|((name, before), (_, now))| (name.as_str(), *before, *now))
        .collect();
    let amount = |(_, before, now): &(&str, f32, f32)| (now - before).abs();
    let most = |a, b| if amount(&b) > amount(&a) { b } else { a };
    let (name, before, now) = changed.iter().copied().reduce(most)?;
    let others = match changed.len() - 1 {
        0 => String::new(),
        1 => "; 1 other target changed too".to_owned(),
        more => format!("; {more} other targets changed too"),
    };
    Some(format!("target '{name}' {} -> {}{others}", weight(before), weight(now)))
}

/// A weight with four decimals, without zeros at its end.
fn weight(value: f32) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
        let told = |morphs: &[(&str, f32)]| difference(&old, &record(morphs));
        assert_eq!(told(&[("blink", 0.0), ("smile", 0.3), ("frown", 1.0)]), None);
        assert_eq!(
            told(&[("blink", 0.0), ("smile", 0.5), ("frown", 1.0)]).unwrap(),
            "target 'smile' 0.3 -> 0.5"
        );
        assert_eq!(
            told(&[("blink", 1.0), ("smile", 0.5), ("frown", 1.0)]).unwrap(),
            "target 'blink' 0 -> 1; 1 other target changed too"
        );
        assert_eq!(
            told(&[("blink", 0.0), ("smirk", 0.3), ("frown", 1.0)]).unwrap(),
            "target 'smile' is gone, target 'smirk' is new"
        );
    }
}
