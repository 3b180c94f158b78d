//! Words for values, files and pictures.

use super::motion::{in_clip, movements};
use super::pieces::{distance, named, pair, short, trimmed};
use crate::finding::{Amount, CAST_SHADOW, Element, Finding, Kind, Stage, Unit};
use tintype_base::amount::thousands;

pub(super) fn of_value(finding: &Finding) -> String {
    let of = named(&finding.of);
    let property = finding.property.as_deref().unwrap_or_default();
    let moment = finding.at_s.filter(|at_s| *at_s > 0.0);
    let moment = moment.map_or_else(String::new, |at_s| format!(" at {at_s:.3} s"));
    if finding.of.element == Element::Target {
        return match (pair(finding), finding.by.first()) {
            ([Some(was), Some(is)], _) => format!("{of} {was} -> {is}{moment}"),
            (_, Some(by)) => {
                format!("weight of {of} changed by {:+.4}{}", by.value, in_clip(finding))
            }
            _ => format!("weight of {of} changed{}", in_clip(finding)),
        };
    }
    let values = match pair(finding) {
        [Some(was), Some(is)] => short(&was, &is).map(Some),
        values => values,
    };
    match (values, finding.by.first()) {
        ([Some(was), Some(is)], Some(Amount { value, unit: Unit::Percent })) => {
            let (by, how) =
                (distance(value.abs()), if *value > 0.0 { "brighter" } else { "darker" });
            format!("{of} {property} {by} % {how} ({was} -> {is})")
        }
        ([Some(was), Some(is)], Some(_)) => {
            format!("{of} {} ({property} {was} -> {is})", movements(finding))
        }
        ([Some(was), Some(is)], None) => format!("{of} {property} {was} -> {is}"),
        ([None, is], _) if property == CAST_SHADOW => {
            format!("{of} now casts a shadow ({})", is.unwrap_or_default())
        }
        ([was, None], _) if property == CAST_SHADOW => {
            format!("{of} no longer casts a shadow, was {}", was.unwrap_or_default())
        }
        ([None, is], _) => format!("{of} {property} {}, was the default", is.unwrap_or_default()),
        ([Some(was), None], _) => format!("{of} {property} is the default, was {was}"),
    }
}

pub(super) fn of_texture(finding: &Finding) -> String {
    let of = named(&finding.of);
    let property = finding.property.as_deref().unwrap_or_default();
    let [was, is] = pair(finding);
    let [before, now] = [&was, &is].map(|value| value.as_deref().unwrap_or("none"));
    match (finding.kind, &is) {
        (Kind::Replaced, None) => format!("{of} no longer has {property}, had {before}"),
        (Kind::Replaced, Some(_)) => format!("{of} has {property} {now}, had {before}"),
        (Kind::UseChanged, _) => format!("{of} {property}: {now}, was {before}"),
        _ => format!("{of} {property} {now} has different pixels"),
    }
}

pub(super) fn of_files(finding: &Finding) -> String {
    let names: Vec<String> = finding.elements.iter().map(named).collect();
    let names = names.join(", ");
    match finding.kind {
        Kind::Respelled => format!("rewritten with the same content: {names}"),
        _ if finding.of.element == Element::Texture => {
            let geometry = finding.property.as_ref();
            format!("{names} changed{}", geometry.map_or(String::new(), |all| format!(", {all}")))
        }
        _ => format!("changed files: {names}"),
    }
}

pub(super) fn of_picture(finding: &Finding) -> String {
    let [was, is] = pair(finding).map(Option::unwrap_or_default);
    let pixels = finding.amount(Unit::Count).map(|count| thousands(trimmed(count, 0)));
    let largest = finding.amount(Unit::Codes).map(|codes| trimmed(codes, 0));
    let amount = match (pixels, largest) {
        (Some(pixels), Some(largest)) => {
            let noun = if pixels == "1" { "pixel" } else { "pixels" };
            format!("{pixels} {noun}, largest difference {largest}")
        }
        _ => String::new(),
    };
    match finding.kind {
        Kind::Covers if finding.of.element == Element::Pixel && was == is => {
            format!("{} pixels covered, as before", thousands(is))
        }
        Kind::Covers if finding.of.element == Element::Pixel => {
            format!("{} pixels covered, was {}", thousands(is), thousands(was))
        }
        Kind::Covers => {
            format!(
                "{} covers {} pixels, was {}",
                named(&finding.of),
                thousands(is),
                thousands(was)
            )
        }
        Kind::SeenOtherwise => {
            "different triangles are visible, because of their order or facing".to_owned()
        }
        Kind::Redrawn => {
            let is_still = finding.elements.iter().any(|one| one.element == Element::Joint);
            let equal = if is_still { "poses and skins" } else { "the scene and its files" };
            format!("only drawing changed, from pixel revision {was} to {is}: {equal} are equal")
        }
        Kind::NotDrawn => format!("the picture could not be drawn: {is}"),
        Kind::Resized => format!("the size is {is}, was {was}"),
        _ if finding.stage == Stage::Shading => format!("only shading differs: {amount}"),
        _ => amount,
    }
}
