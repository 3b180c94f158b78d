//! Words for items that were added, removed, renamed, reordered or changed in number.

use super::motion::in_clip;
use super::pieces::{named, pair, quoted};
use crate::finding::{Element, Finding, Kind, Subject, Value};
use tintype_base::amount::{counted, counted_as, thousands};

pub(super) fn presence(finding: &Finding) -> String {
    let Finding { of, kind, .. } = finding;
    let [was, is] = pair(finding);
    let clip = finding.owner(Element::Clip).map(named);
    let is_kept = matches!(kind, Kind::Added | Kind::Joined);
    match (kind, clip) {
        (Kind::Left | Kind::Joined, Some(clip)) => {
            let how = if is_kept { "now part" } else { "no longer part" };
            return format!("{} is {how} of {clip}", named(of));
        }
        (Kind::Left, None) => return format!("{} is no longer played", named(of)),
        (Kind::Joined, None) => return format!("{} is now played", named(of)),
        _ => {}
    }
    let owner = finding.owner(Element::Mesh).map_or_else(String::new, |mesh| named(mesh) + ": ");
    let [_, all] = of.element.words();
    let counts = match (&was, &is) {
        (Some(was), Some(is)) => format!("{is} {all}, were {was}: "),
        _ => String::new(),
    };
    let values = was.xor(is).map_or_else(String::new, |values| format!(" ({values})"));
    let holds = if of.element == Element::Node { ", which was empty," } else { "" };
    let (the, be) = if *of == Subject::all(of.element) { ("the ", "are") } else { ("", "is") };
    let word = if is_kept { "new" } else { "gone" };
    format!("{owner}{counts}{the}{}{holds} {be} {word}{values}", named(of))
}

pub(super) fn of_structure(finding: &Finding) -> String {
    let Finding { of, more, .. } = finding;
    let [was, is] = pair(finding);
    let [one, all] = of.element.words();
    let mesh = finding.owner(Element::Mesh).map(named);
    let order = |order: &str| match (&was, &is) {
        (Some(was), Some(is)) if was != is => format!("{is} vertices, were {was}"),
        (_, is) => format!("{} vertices{order} in another order", is.as_deref().unwrap_or("some")),
    };
    match finding.kind {
        Kind::Renamed => match (is, was) {
            (Some(is), _) => {
                let others = match more {
                    0 => String::new(),
                    more => format!(", and {more} more are renamed"),
                };
                format!("{} is renamed to {}{others}", named(of), quoted(of.element, &is))
            }
            (None, was) => format!("renamed from {}", was.unwrap_or_default()),
        },
        Kind::Reparented => {
            let [was, is] = [was, is].map(|name| name.unwrap_or_else(|| "nothing".to_owned()));
            format!("{} has parent {is}, was {was}", named(of))
        }
        Kind::SameSurface => {
            let has_triangles = finding.elements.iter().any(|one| one.element == Element::Triangle);
            let triangles = if has_triangles { " or their triangles" } else { "" };
            format!("{}: the same surface, {}", named(of), order(triangles))
        }
        Kind::Reordered => match (mesh, finding.elements.as_slice()) {
            (Some(mesh), _) => format!("{mesh}: {}", order("")),
            (None, [first, second, ..]) => format!(
                "{all} are in another order: {} comes before {}",
                named(second),
                named(first)
            ),
            (None, _) => format!("{all} are in another order"),
        },
        Kind::CountChanged => {
            let [was, is] = [was, is].map(Option::unwrap_or_default);
            let which = finding.property.as_ref().map_or_else(String::new, |of| format!("{of} "));
            let of = if is == "1" { one } else { all };
            match finding.within.first().filter(|owner| owner.element != Element::Instance) {
                Some(owner) => {
                    let lone = match finding.at_s {
                        Some(at_s) => format!(", the key at {at_s:.3} s {}", came(finding)),
                        None => String::new(),
                    };
                    let clip = in_clip(finding);
                    format!("{} has {is} {which}{of}, had {was}{clip}{lone}", named(owner))
                }
                None => format!("{is} {of}, were {was}"),
            }
        }
        Kind::AboveLimit => {
            let [most, is] = [was, is].map(Option::unwrap_or_default);
            match &of.name {
                Some(_) => format!("{} has {is} texels per side, limit {most}", named(of)),
                None => {
                    let word = if is == "1" { one } else { all };
                    format!("{} {word}, limit {}", thousands(is), thousands(most))
                }
            }
        }
        _ if of.element == Element::Weight => {
            format!("weights of {} changed", counted(*more, "more joint"))
        }
        _ if finding.is_measured => {
            let [one, all] = [one, all].map(|word| format!("other {word} changed too"));
            counted_as(*more, &one, &all)
        }
        _ => counted_as(*more, &format!("more {one}"), &format!("more {all}")),
    }
}

/// The word for an added or a removed item.
pub(super) fn came(finding: &Finding) -> &'static str {
    match (&finding.was, &finding.is) {
        (Some(Value::Amount(was)), Some(Value::Amount(is))) if is.value > was.value => "is new",
        _ => "is gone",
    }
}
