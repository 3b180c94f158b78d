//! Words for meshes, their elements and weights.

use super::pieces::{amount, distance, elements, listed, named, pair, trimmed};
use crate::finding::{Amount, Element, Finding, Kind, Subject, Unit};
use tintype_base::amount::{counted, counted_as};

/// `3 of 90 vertices`, `several of 90 vertices`, `vertices`.
pub(super) fn some_of(count: Option<[usize; 2]>, what: &str) -> String {
    match count {
        Some([0, all]) => format!("several of {all} {what}"),
        Some([some, all]) => format!("{some} of {all} {what}"),
        None => what.to_owned(),
    }
}

pub(super) fn of_mesh(finding: &Finding) -> String {
    let Finding { of, elements, count, .. } = finding;
    let mesh = finding.owner(Element::Mesh).map(named).unwrap_or_default();
    let [_, all] = of.element.words();
    let [was, is] = pair(finding);
    let first = elements.first().map(named);
    let and_first = first.as_ref().map_or_else(String::new, |first| format!(", first {first}"));
    let changed = count.map_or(0, |[changed, _]| changed);
    match finding.kind {
        Kind::CornersChanged => {
            const OTHER: &str = "different corners or another corner order";
            let corners = match (was, is) {
                (Some(was), Some(is)) => format!(": {is}, was {was}"),
                _ => String::new(),
            };
            match (first, count) {
                (Some(first), None) => format!("{mesh}: {first} has {OTHER}{corners}"),
                _ => format!("{mesh}: {} have {OTHER}{and_first}{corners}", some_of(*count, all)),
            }
        }
        Kind::UnusedChanged => format!("{mesh}: {all} changed, but no texture uses them"),
        Kind::PulledOtherwise => {
            let [was, is] = [was, is].map(Option::unwrap_or_default);
            let be = if changed == 1 { "is" } else { "are" };
            let vertices = counted_as(changed, "vertex", "vertices");
            format!(
                "{mesh}: {vertices} {be} weighted to other joints{and_first}: to {is}, was {was}"
            )
        }
        Kind::TurnsOtherwise => format!(
            "{} of {mesh}: normals or tangents of {} turn differently{and_first}",
            named(of),
            counted_as(changed, "vertex", "vertices")
        ),
        _ => {
            let by = finding.amount(Unit::Distance).map(distance);
            match (first, count, by) {
                (_, Some([some, all]), by) => {
                    let by = by.map_or_else(String::new, |by| format!(", by up to {by}"));
                    format!(
                        "{} of {mesh}: {some} of {all} vertices move differently{and_first}{by}",
                        named(of)
                    )
                }
                (Some(first), None, Some(by)) => {
                    format!("{} of {mesh} moves {first} by {by} more", named(of))
                }
                _ => format!("{} of {mesh} moves several vertices differently", named(of)),
            }
        }
    }
}

/// Weights, colours, coordinates and normals.
pub(super) fn of_elements(finding: &Finding) -> String {
    let Finding { of, elements, by, count, .. } = finding;
    if of.element == Element::Weight {
        return of_weights(finding);
    }
    let owner = finding.owner(Element::Mesh).or_else(|| finding.owner(Element::Clip));
    let mesh = owner.map(named).unwrap_or_default();
    let [one, all] = of.element.words();
    if finding.kind == Kind::AllChanged {
        let count = count.map_or(0, |[_, all]| all);
        let by = by.first().map(|by| distance(by.value)).unwrap_or_default();
        return format!(
            "{mesh}: all {count} {all} changed by {by} each, as a texture transform does"
        );
    }
    let amounts: Vec<String> = by.iter().map(|one| amount(*one)).collect();
    let turns = by.first().is_some_and(|one| one.unit == Unit::Degrees);
    let changed = if turns { "turned" } else { "changed by" };
    match (elements.as_slice(), amounts.as_slice()) {
        (some, [by]) if *count == Some([1, some.len()]) && some.len() > 1 => {
            format!("{mesh}: {one} of one of {} {changed} {by}", self::elements(some))
        }
        (some, amounts) if count.is_some() || amounts.is_empty() => {
            let by = amounts.first().map_or_else(String::new, |by| format!(", by at most {by}"));
            let first = some.first();
            let first =
                first.map_or_else(String::new, |first| format!(", first at {}", named(first)));
            format!("{mesh}: {} changed{by}{first}", some_of(*count, all))
        }
        ([vertex], [by]) => format!("{mesh}: {one} of {} {changed} {by}", named(vertex)),
        (some, [by]) => format!("{mesh}: {all} of {} {changed} {by} each", self::elements(some)),
        (some, all_by) => {
            format!("{mesh}: {all} of {} {changed} {}", self::elements(some), all_by.join(" and "))
        }
    }
}

pub(super) fn of_weights(finding: &Finding) -> String {
    let Finding { by, count, .. } = finding;
    let (joints, elements): (Vec<Subject>, Vec<Subject>) =
        finding.elements.iter().cloned().partition(|one| one.element == Element::Joint);
    let mesh = finding.owner(Element::Mesh).map(named);
    let in_mesh = mesh.as_ref().map_or_else(String::new, |mesh| format!(" in {mesh}"));
    let joint =
        finding.owner(Element::Joint).and_then(|joint| joint.name.clone()).unwrap_or_default();
    let higher = |value: f64| if value < 0.0 { "lower" } else { "higher" };
    let on_several = |joints: &str| {
        let among = if elements.is_empty() { "" } else { " among " };
        let vertices = listed(&elements);
        format!("weights of {joints}{in_mesh} changed on several vertices{among}{vertices}")
    };
    if !joints.is_empty() {
        let change = |(joint, by): (&Subject, &Amount)| {
            let name = joint.name.as_deref().unwrap_or_default();
            format!("of {name} {} {}", distance(by.value.abs()), higher(by.value))
        };
        let changes: Vec<String> = joints.iter().zip(by).map(change).collect();
        let (changes, joints) = (changes.join(", "), listed(&joints));
        return match (by.first(), *count, elements.as_slice()) {
            (None, ..) => on_several(&joints),
            (Some(_), Some([_, all]), []) => {
                format!("weights of one of {all} vertices{in_mesh} changed: {changes}")
            }
            (Some(_), None, []) => format!("weights of a vertex{in_mesh} changed: {changes}"),
            (Some(_), count, some) => {
                let each = if count.is_none() && some.len() > 1 { ", each" } else { "" };
                let one = if count.is_some() { "one of " } else { "" };
                let of = self::elements(some);
                format!("weights of {one}{of}{in_mesh} changed: {changes}{each}")
            }
        };
    }
    if finding.kind == Kind::AllChanged {
        let all = count.map_or(0, |[_, all]| all);
        let by = finding.amount(Unit::Percent).unwrap_or_default();
        let percent = trimmed(by.abs(), 3);
        return format!("all {all} weights of {joint}{in_mesh} are {percent} % {}", higher(by));
    }
    match (by.first(), count, elements.first()) {
        (Some(by), ..) => {
            let each = if elements.len() > 1 { ", each" } else { "" };
            let (of, change) = (self::elements(&elements), distance(by.value.abs()));
            let higher = higher(by.value);
            format!("weights of {of}{in_mesh} changed: of {joint} {change} {higher}{each}")
        }
        (None, Some([some, all]), Some(vertex)) => {
            let [was, is] = pair(finding).map(Option::unwrap_or_default);
            let most = if *some > 1 { ", most" } else { "," };
            let (weights, mesh) = (counted(*all, "weight"), mesh.unwrap_or_default());
            format!(
                "{some} of {weights} of {joint} changed{most} at {} of {mesh}: {is}, was {was}",
                named(vertex)
            )
        }
        (None, ..) => on_several(&joint),
    }
}
