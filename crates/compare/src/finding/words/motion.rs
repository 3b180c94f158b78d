//! Words for movements.

use super::meshes::some_of;
use super::pieces::{
    amount, degrees, distance, elements, followers, listed, named, percent, trimmed,
};
use crate::finding::{Amount, Element, Finding, Kind, Subject, Unit, Value};
use tintype_base::amount::{counted, counted_as};

/// ` in key 3 of clip walk`, ` in all 9 keys of clip walk`; empty if the clip is the whole subject.
pub(super) fn in_clip(finding: &Finding) -> String {
    let Some(clip) = finding.owner(Element::Clip).filter(|clip| clip.name.is_some()) else {
        return String::new();
    };
    if finding.within.first() == Some(clip) && finding.kind == Kind::CountChanged {
        return String::new();
    }
    let clip = named(clip);
    match (finding.owner(Element::Key), finding.count) {
        (Some(key), _) => format!(" in {} of {clip}", named(key)),
        (None, Some([changed, all])) if changed == all => format!(" in all {all} keys of {clip}"),
        (None, Some([_, all])) => format!(" in several of the {all} keys of {clip}"),
        (None, None) => format!(" in {clip}"),
    }
}

/// `turned 3.1° and moved 0.04 and scaled by 2`.
pub(super) fn movements(finding: &Finding) -> String {
    let mut words: Vec<String> = Vec::new();
    if let Some(angle) = finding.amount(Unit::Degrees) {
        words.push(format!("turned {}", degrees(angle)));
    }
    if let Some(moved) = finding.amount(Unit::Distance) {
        let share = finding.amount(Unit::Diagonals).map(percent);
        let share = share.map_or_else(String::new, |share| format!(" ({share} of the diagonal)"));
        words.push(format!("moved {}{share}", distance(moved)));
    }
    let of_axes = |unit| finding.by.iter().filter(move |one| one.unit == unit);
    let mut factors: Vec<String> = of_axes(Unit::Factor).map(|one| trimmed(one.value, 4)).collect();
    factors.extend(of_axes(Unit::Number).map(|one| format!("{:+.4}", one.value)));
    if !factors.is_empty() {
        words.push(format!("scaled by {}", factors.join(" ")));
    }
    match (words.is_empty(), finding.kind) {
        (false, _) => words.join(" and "),
        (true, Kind::Turned) => "turned".to_owned(),
        (true, Kind::Scaled) => "scale changed".to_owned(),
        (true, _) => "moved".to_owned(),
    }
}

pub(super) fn movement(finding: &Finding) -> String {
    let Finding { of, elements, more, .. } = finding;
    if of.element == Element::Model {
        let factor = finding.amount(Unit::Factor).map(|by| trimmed(by, 4)).unwrap_or_default();
        return format!("all lengths are {factor} times as large, as if the unit changed");
    }
    if of.element == Element::Polygon {
        let mesh = finding.owner(Element::Mesh).map(named).unwrap_or_default();
        return match (of.index, finding.count) {
            (None, Some(_)) => {
                format!("{mesh}: {} are flipped", some_of(finding.count, "polygons"))
            }
            _ => format!("{mesh}: {} is flipped", named(of)),
        };
    }
    let moment = finding.at_s.map_or_else(String::new, |at_s| format!(" at {at_s:.3} s"));
    if let (Element::Normal, Some(mesh), [vertex, ..]) =
        (of.element, finding.within.first(), elements.as_slice())
    {
        let by = finding.amount(Unit::Degrees).map(degrees).unwrap_or_default();
        return format!("{}: normals turned, at {} by {by}{moment}", named(mesh), named(vertex));
    }
    let bind = finding.property.as_ref().map_or_else(String::new, |at| format!(", in the {at}"));
    if !elements.is_empty() && *of == Subject::all(Element::OffsetMatrix) {
        let by = finding.amount(Unit::Distance).map(distance).unwrap_or_default();
        let count = counted(elements.len(), "joint");
        return format!("offset matrices of {count} changed, by up to {by}: {}", listed(elements));
    }
    if !elements.is_empty() {
        let [one, all] = of.element.words();
        let count = counted_as(elements.len(), one, all);
        return format!(
            "{count} {}{}{bind}: {}",
            movements(finding),
            in_clip(finding),
            listed(elements)
        );
    }
    let mesh = match finding.owner(Element::Mesh) {
        Some(mesh) => format!(" in {}", named(mesh)),
        None => String::new(),
    };
    if of.element == Element::Camera {
        return of_camera(finding);
    }
    let (what, place) = (movements(finding), in_clip(finding));
    format!("{}{mesh} {what}{place}{moment}{}{bind}", named(of), followers(*more))
}

/// The movement of the camera of a scene, and its reason.
pub(super) fn of_camera(finding: &Finding) -> String {
    let moved = finding.amount(Unit::Distance).map(distance).unwrap_or_default();
    let turned = finding.amount(Unit::Degrees).map(degrees).unwrap_or_default();
    let sees = match (&finding.was, &finding.is) {
        (Some(Value::Amount(was)), Some(Value::Amount(is))) => {
            format!(", sees {} instead of {}", degrees(is.value), degrees(was.value))
        }
        _ => String::new(),
    };
    let why = match finding.property.as_deref() {
        Some("fitted") => " (it is fitted to all frames of the scene, and other frames changed)",
        Some(_) => " (its settings in the scene are unchanged)",
        None => "",
    };
    format!("camera moved {moved}, turned {turned}{sees}{why}")
}

pub(super) fn of_all(finding: &Finding) -> String {
    let Finding { of, elements, .. } = finding;
    let mesh = finding
        .owner(Element::Mesh)
        .map_or_else(String::new, |mesh| format!(" in {}", named(mesh)));
    match finding.kind {
        Kind::MovedAgainst => {
            format!(
                "{} and its vertices changed relative to each other, but nothing moved",
                named(of)
            )
        }
        Kind::Quantized => {
            let share = finding.amount(Unit::Diagonals).map(percent).unwrap_or_default();
            format!("{} is quantized: vertices within {share}", named(of))
        }
        Kind::Unkept if of.name.is_some() => format!(
            "{} moved (distances are not recorded for so many instances){}",
            named(of),
            followers(finding.more)
        ),
        Kind::Unkept => {
            format!("{} moved (details are not recorded for so many instances)", named(of))
        }
        _ if elements.is_empty() => format!("{}{mesh} changed in the last digits", named(of)),
        _ => {
            let [one, all] = of.element.words();
            let which = match (finding.owner(Element::Clip), &finding.property) {
                (Some(clip), _) => format!(" of {}", named(clip)),
                (None, Some(pose)) => format!(" of the {pose}"),
                (None, None) => mesh,
            };
            let count = counted_as(elements.len(), one, all);
            format!("{count}{which} changed in the last digits: {}", listed(elements))
        }
    }
}

/// Vertices of a mesh that moved.
pub(super) fn deformed(finding: &Finding) -> String {
    let Finding { of, elements, by, .. } = finding;
    let distances: Vec<&Amount> = by.iter().filter(|one| one.unit == Unit::Distance).collect();
    let share = finding.amount(Unit::Diagonals).map(percent);
    let share = share.map_or_else(String::new, |share| format!(" ({share} of the diagonal)"));
    let moment = finding.at_s.map_or_else(String::new, |at_s| format!(" at {at_s:.3} s"));
    let head = match finding.count {
        Some([1, all]) if elements.len() == all && all > 1 => {
            let by = by.first().map(|by| amount(*by)).unwrap_or_default();
            return format!("one of {} of {} moved {by}", self::elements(elements), named(of));
        }
        Some([0, all]) if finding.at_s.is_none() => {
            format!("{} moved, several of {all} vertices", named(of))
        }
        Some([some, all]) if finding.at_s.is_none() => {
            format!("{} moved, {some} of {all} vertices", named(of))
        }
        Some([0, all]) => format!("{}: several of {all} vertices moved", named(of)),
        Some([some, all]) => format!("{}: {some} of {all} vertices moved", named(of)),
        None => format!("{} moved", named(of)),
    };
    let far = match (elements.as_slice(), distances.as_slice()) {
        ([first, ..], [by, ..]) if finding.count.is_some() && finding.at_s.is_none() => {
            format!(", one by {} or more, first {}", amount(**by), named(first))
        }
        ([first, ..], [by, ..]) if finding.count.is_some() => {
            format!(", {} farthest by {}{share}{moment}", named(first), amount(**by))
        }
        ([one], [by]) => format!(", worst {} by {}{share}{moment}", named(one), amount(**by)),
        ([a, b], [by, other]) => {
            let [by, other] = [by, other].map(|by| amount(**by));
            format!(", {} by {by} and {} by {other}", named(a), named(b))
        }
        ([], [by, ..]) => format!(" by {} or more{moment}", amount(**by)),
        ([], []) => String::new(),
        (some, [by, ..]) => format!(", {} by {} each", self::elements(some), amount(**by)),
        (some, []) => format!(", first {}", named(&some[0])),
    };
    let cause = match (finding.kind, &finding.property, elements.as_slice(), distances.as_slice()) {
        (Kind::Carried, ..) => "; it follows its joints".to_owned(),
        (_, None, ..) => String::new(),
        (_, Some(what), [_, own], [_, by]) if finding.count.is_some() => format!(
            "; apart from the joints, {} by {}: its {what} changed too",
            named(own),
            amount(**by)
        ),
        (_, Some(what), ..) if finding.at_s.is_some() => {
            format!("; the joints are not the cause: its {what} changed")
        }
        (_, Some(what), ..) => format!(", joints equal: {what} changed"),
    };
    format!("{head}{far}{cause}")
}
