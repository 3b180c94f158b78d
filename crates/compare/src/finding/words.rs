//! The words of findings, for people alone: nothing reads them back.

use super::{Amount, CAST_SHADOW, Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_base::amount::{counted, counted_as, thousands};
use tintype_base::printable::one_line;

/// Names or numbers that are listed one by one.
const MOST_LISTED: usize = 8;

impl Finding {
    /// The difference in a sentence of one line, whatever names it holds; without its stage.
    #[must_use]
    pub fn sentence(&self) -> String {
        let place = |owner: &Subject| match (owner.element, owner.index, &owner.name) {
            (Element::Instance, Some(index), Some(name)) => format!("instance {index} ({name}): "),
            (Element::Model | Element::Instance, ..) => format!("{}: ", named(owner)),
            _ => String::new(),
        };
        let places: String = self.within.iter().rev().map(place).collect();
        one_line(&(places + &body(self)))
    }

    /// Its owner of a kind.
    fn owner(&self, element: Element) -> Option<&Subject> {
        self.within.iter().find(|owner| owner.element == element)
    }
}

fn body(finding: &Finding) -> String {
    match finding.kind {
        Kind::Removed | Kind::Added | Kind::Left | Kind::Joined => presence(finding),
        Kind::Renamed
        | Kind::Reordered
        | Kind::SameSurface
        | Kind::Reparented
        | Kind::CountChanged
        | Kind::AboveLimit
        | Kind::More => of_structure(finding),
        Kind::Moved | Kind::Turned | Kind::Scaled => movement(finding),
        Kind::MovedAgainst | Kind::Quantized | Kind::Rounded | Kind::Unkept => of_all(finding),
        Kind::Carried | Kind::Deformed => deformed(finding),
        Kind::RateChanged
        | Kind::DurationChanged
        | Kind::PeriodChanged
        | Kind::KeysMoved
        | Kind::InterpolationChanged
        | Kind::TangentsChanged
        | Kind::Resampled
        | Kind::Misfit => of_clip(finding),
        Kind::CornersChanged
        | Kind::UnusedChanged
        | Kind::PulledOtherwise
        | Kind::MovesOtherwise
        | Kind::TurnsOtherwise => of_mesh(finding),
        Kind::ElementsChanged | Kind::AllChanged => of_elements(finding),
        Kind::ValueChanged => of_value(finding),
        Kind::Replaced | Kind::UseChanged | Kind::TexelsChanged => of_texture(finding),
        Kind::FileChanged | Kind::Respelled => of_files(finding),
        Kind::Covers
        | Kind::SeenOtherwise
        | Kind::PixelsChanged
        | Kind::Redrawn
        | Kind::NotDrawn
        | Kind::Resized => of_picture(finding),
    }
}

// 1. Names, lists and numbers.

/// `joint hand`, `mesh 1 "skin"`, `material "fur"`, `target 'smile'`, `vertex 3`, `the clip`, `joints`.
fn named(subject: &Subject) -> String {
    let [word, all] = subject.element.words();
    match (subject.element, &subject.name, subject.index) {
        (Element::Setting | Element::File, Some(name), _) => name.clone(),
        (Element::OffsetMatrix, Some(name), _) => format!("{word} of {name}"),
        (Element::Clip, None, None) => "the clip".to_owned(),
        (_, None, None) => all.to_owned(),
        (_, None, Some(index)) => format!("{word} {index}"),
        (_, Some(name), Some(index)) => format!("{word} {index} {name:?}"),
        (element, Some(name), None) => format!("{word} {}", quoted(element, name)),
    }
}

/// A name in the quotes that its kind has.
fn quoted(element: Element, name: &str) -> String {
    match element {
        Element::Material | Element::Camera | Element::Light => format!("{name:?}"),
        Element::Target => format!("'{name}'"),
        _ => name.to_owned(),
    }
}

/// The first names or numbers of a list, and how many more there are.
fn listed(all: &[Subject]) -> String {
    let word = |subject: &Subject| match (&subject.name, subject.index) {
        (Some(name), _) => quoted(subject.element, name),
        (None, Some(index)) => index.to_string(),
        (None, None) => String::new(),
    };
    let words: Vec<String> = all.iter().take(MOST_LISTED).map(word).collect();
    match words.split_last() {
        _ if all.len() > MOST_LISTED => {
            format!("{} and {} more", words.join(", "), all.len() - MOST_LISTED)
        }
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// `vertex 3`, `vertices 3 and 4`.
fn elements(all: &[Subject]) -> String {
    let [one, many] = all.first().map_or([""; 2], |first| first.element.words());
    format!("{} {}", if all.len() == 1 { one } else { many }, listed(all))
}

/// ` (9 joints below it follow)`.
fn followers(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (1 joint below it follows)".to_owned(),
        count => format!(" ({count} joints below it follow)"),
    }
}

/// A distance with three digits that count.
fn distance(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 1e-3 => format!("{value:.1e}"),
        value if value.abs() < 0.999_95 => trimmed(value, 4),
        value => format!("{value:.2}"),
    }
}

fn degrees(value: f64) -> String {
    match value {
        value if value < 0.01 => format!("{value:.1e}°"),
        value if value < 1.0 => format!("{value:.2}°"),
        value => format!("{value:.1}°"),
    }
}

/// A share in percent, with the digits that count.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        _ if percent < 0.001 => format!("{percent:.1e} %"),
        _ if percent < 0.01 => format!("{percent:.3} %"),
        _ => format!("{percent:.2} %"),
    }
}

/// A number with that many digits behind the point, without zeros at its end.
fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

fn amount(Amount { value, unit }: Amount) -> String {
    match unit {
        Unit::Distance => distance(value),
        Unit::Diagonals => percent(value),
        Unit::Degrees => degrees(value),
        Unit::Percent => format!("{} %", trimmed(value.abs(), 4)),
        _ => trimmed(value, 4),
    }
}

/// The values before and now; numbers with four digits behind the point at most, where these tell them apart.
fn pair(finding: &Finding) -> [Option<String>; 2] {
    match (&finding.was, &finding.is) {
        (Some(Value::Amount(was)), Some(Value::Amount(is))) => {
            let unit = if was.unit == Unit::Degrees { "°" } else { "" };
            let with = |digits| [was, is].map(|one| trimmed(one.value, digits) + unit);
            let mut all = (4..12).map(with);
            all.find(|[was, is]| was != is).unwrap_or_else(|| with(12)).map(Some)
        }
        (was, is) => [was, is].map(|value| value.as_ref().map(alone)),
    }
}

fn alone(value: &Value) -> String {
    match value {
        Value::Amount(Amount { value, unit: Unit::Degrees }) => trimmed(*value, 4) + "°",
        Value::Amount(one) => trimmed(one.value, 4),
        Value::Text(text) => text.clone(),
        Value::List(all) if all.is_empty() => "nothing".to_owned(),
        Value::List(all) => all.join(", "),
    }
}

/// Two values with four digits of each number, where these tell them apart.
pub fn short(before: &str, now: &str) -> [String; 2] {
    /// Characters of a number that is written as it is.
    const MAX_DIGITS: usize = 6;
    let rounded = |text: &str| {
        let number = |word: &str| match word.parse::<f64>() {
            Ok(value) if word.len() > MAX_DIGITS && value.is_finite() && value != 0.0 => {
                let whole = libm::floor(libm::log10(value.abs())) + 1.0;
                let scale = libm::pow(10.0, 4.0 - whole);
                format!("{}", (value * scale).round() / scale)
            }
            _ => word.to_owned(),
        };
        text.split(' ').map(number).collect::<Vec<_>>().join(" ")
    };
    match [rounded(before), rounded(now)] {
        [before, now] if before != now => [before, now],
        _ => [before.to_owned(), now.to_owned()],
    }
}

/// `5, was 4`; what is not there is `nothing`.
fn is_was(finding: &Finding, unit: &str) -> String {
    let [was, is] = pair(finding).map(|value| value.unwrap_or_else(|| "nothing".to_owned()));
    format!("{is}{unit}, was {was}{unit}")
}

// 2. Presence, names and order.

fn presence(finding: &Finding) -> String {
    let Finding { of, kind, .. } = finding;
    let [was, is] = pair(finding);
    let clip = finding.owner(Element::Clip).map(named);
    let is_kept = matches!(kind, Kind::Added | Kind::Joined);
    match (kind, clip) {
        (Kind::Left | Kind::Joined, Some(clip)) => {
            let how = if is_kept { "now a part" } else { "no part any more" };
            return format!("{} is {how} of {clip}", named(of));
        }
        (Kind::Left, None) => return format!("{} is played no more", named(of)),
        (Kind::Joined, None) => return format!("{} is played now", named(of)),
        _ => {}
    }
    let owner = finding.owner(Element::Mesh).map_or_else(String::new, |mesh| named(mesh) + ": ");
    let [_, all] = of.element.words();
    let counts = match (&was, &is) {
        (Some(was), Some(is)) => format!("{is} {all}, were {was}: "),
        _ => String::new(),
    };
    let values = was.xor(is).map_or_else(String::new, |values| format!(" ({values})"));
    let holds = if of.element == Element::Node { ", which holds nothing," } else { "" };
    let (the, be) = if *of == Subject::all(of.element) { ("the ", "are") } else { ("", "is") };
    let word = if is_kept { "new" } else { "gone" };
    format!("{owner}{counts}{the}{}{holds} {be} {word}{values}", named(of))
}

fn of_structure(finding: &Finding) -> String {
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
                format!("{} is called {}{others}", named(of), quoted(of.element, &is))
            }
            (None, was) => format!("renamed from {}", was.unwrap_or_default()),
        },
        Kind::Reparented => {
            let [was, is] = [was, is].map(|name| name.unwrap_or_else(|| "nothing".to_owned()));
            format!("{} hangs on {is}, was on {was}", named(of))
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
                        Some(at_s) => format!(", the one at {at_s:.3} s {}", came(finding)),
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
                Some(_) => format!("{} has {is} texels, {most} at most for a side", named(of)),
                None => {
                    let word = if is == "1" { one } else { all };
                    format!("{} {word}, {} at most", thousands(is), thousands(most))
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

/// Whether one of a number of things came or went.
fn came(finding: &Finding) -> &'static str {
    match (&finding.was, &finding.is) {
        (Some(Value::Amount(was)), Some(Value::Amount(is))) if is.value > was.value => "is new",
        _ => "is gone",
    }
}

// 3. Movement.

/// ` in key 3 of clip walk`, ` in all 9 keys of clip walk`; nothing where the clip is the whole subject.
fn in_clip(finding: &Finding) -> String {
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
fn movements(finding: &Finding) -> String {
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
        (true, Kind::Scaled) => "is scaled otherwise".to_owned(),
        (true, _) => "moved".to_owned(),
    }
}

fn movement(finding: &Finding) -> String {
    let Finding { of, elements, more, .. } = finding;
    if of.element == Element::Model {
        let factor = finding.amount(Unit::Factor).map(|by| trimmed(by, 4)).unwrap_or_default();
        return format!("all lengths are {factor} times as large, as in another unit");
    }
    if of.element == Element::Polygon {
        let mesh = finding.owner(Element::Mesh).map(named).unwrap_or_default();
        return match (of.index, finding.count) {
            (None, Some(_)) => {
                format!("{mesh}: {} are turned over", some_of(finding.count, "polygons"))
            }
            _ => format!("{mesh}: {} is turned over", named(of)),
        };
    }
    let moment = finding.at_s.map_or_else(String::new, |at_s| format!(" at {at_s:.3} s"));
    if let (Element::Normal, Some(mesh), [vertex, ..]) =
        (of.element, finding.within.first(), elements.as_slice())
    {
        let by = finding.amount(Unit::Degrees).map(degrees).unwrap_or_default();
        return format!(
            "{}: normals turned, that of {} by {by}{moment}",
            named(mesh),
            named(vertex)
        );
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

/// The movement of the camera of a scene, and why it moved.
fn of_camera(finding: &Finding) -> String {
    let moved = finding.amount(Unit::Distance).map(distance).unwrap_or_default();
    let turned = finding.amount(Unit::Degrees).map(degrees).unwrap_or_default();
    let sees = match (&finding.was, &finding.is) {
        (Some(Value::Amount(was)), Some(Value::Amount(is))) => {
            format!(", sees {} instead of {}", degrees(is.value), degrees(was.value))
        }
        _ => String::new(),
    };
    let why = match finding.property.as_deref() {
        Some("fitted") => {
            " (it is fitted to all frames of the scene, and others than this one changed)"
        }
        Some(_) => " (the scene says the same of it)",
        None => "",
    };
    format!("camera moved {moved}, turned {turned}{sees}{why}")
}

fn of_all(finding: &Finding) -> String {
    let Finding { of, elements, .. } = finding;
    let mesh = finding
        .owner(Element::Mesh)
        .map_or_else(String::new, |mesh| format!(" in {}", named(mesh)));
    match finding.kind {
        Kind::MovedAgainst => {
            format!("{} and its vertices moved against each other, and none moved", named(of))
        }
        Kind::Quantized => {
            let share = finding.amount(Unit::Diagonals).map(percent).unwrap_or_default();
            format!("{} is quantized: vertices within {share}", named(of))
        }
        Kind::Unkept if of.name.is_some() => format!(
            "{} moved, by how much is not kept of so many instances{}",
            named(of),
            followers(finding.more)
        ),
        Kind::Unkept => {
            format!("{} moved; which of them is not kept of so many instances", named(of))
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
fn deformed(finding: &Finding) -> String {
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
        (Kind::Carried, ..) => "; with its joints".to_owned(),
        (_, None, ..) => String::new(),
        (_, Some(what), [_, own], [_, by]) if finding.count.is_some() => format!(
            "; without the joints {} by {}: its {what} changed too",
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

// 4. Clips.

fn of_clip(finding: &Finding) -> String {
    let Finding { of, property, elements, .. } = finding;
    let channel = property.as_deref().unwrap_or_default();
    let clip = finding.owner(Element::Clip).map_or_else(|| "the clip".to_owned(), named);
    let [was, is] = pair(finding).map(Option::unwrap_or_default);
    match finding.kind {
        Kind::RateChanged => {
            let is_of_ticks =
                matches!(finding.is, Some(Value::Amount(Amount { unit: Unit::TicksASecond, .. })));
            let what = if is_of_ticks { "ticks" } else { "keys" };
            format!("{} runs at {is} {what} a second, was {was}", named(of))
        }
        Kind::DurationChanged => format!("{} lasts {}", named(of), is_was(finding, " s")),
        Kind::PeriodChanged => format!("{} repeats after {}", named(of), is_was(finding, " s")),
        Kind::KeysMoved if let Some(by) = finding.amount(Unit::Seconds) => {
            let late = if by < 0.0 { "earlier" } else { "later" };
            format!("{} has a key {:.3} s {late}{}", named(of), by.abs(), in_clip(finding))
        }
        Kind::KeysMoved => format!("{} has its keys at other times{}", named(of), in_clip(finding)),
        Kind::TangentsChanged => {
            format!("tangents of the {channel} of {} changed{}", named(of), in_clip(finding))
        }
        Kind::Misfit => {
            let side = property.as_ref().map_or_else(String::new, |side| format!(" of {side}"));
            format!("{}{side} does not fit: {is}", named(of))
        }
        Kind::InterpolationChanged => {
            let tracks = match (elements.first(), finding.count) {
                _ if of.element == Element::Target => format!("the weight of {}", named(of)),
                (Some(joint), None) => format!("the {channel} of {}", named(joint)),
                (Some(joint), Some([some, all])) if some < all => {
                    format!("{some} of {all} tracks, first of {},", named(joint))
                }
                _ => "all tracks".to_owned(),
            };
            let key = finding.owner(Element::Key).map(named);
            let key = key.map_or_else(String::new, |key| format!(" behind {key}"));
            format!("{clip}: interpolation of {tracks} is {is}, was {was}{key}")
        }
        _ => match (finding.amount(Unit::Degrees), finding.amount(Unit::Diagonals)) {
            (Some(angle), Some(share)) => format!(
                "{} is resampled: {is} keys of all tracks, were {was}; joints within {angle:.2}° and {}",
                named(of),
                percent(share)
            ),
            _ if property.is_some() => format!(
                "{} is resampled: {is} keys of all tracks, were {was}; joints nearly as before",
                named(of)
            ),
            _ => format!(
                "{} has other keys of the same motion: {is} of all tracks, were {was}",
                named(of)
            ),
        },
    }
}

// 5. Meshes and weights.

/// `3 of 90 vertices`, `several of 90 vertices`, `vertices`.
fn some_of(count: Option<[usize; 2]>, what: &str) -> String {
    match count {
        Some([0, all]) => format!("several of {all} {what}"),
        Some([some, all]) => format!("{some} of {all} {what}"),
        None => what.to_owned(),
    }
}

fn of_mesh(finding: &Finding) -> String {
    let Finding { of, elements, count, .. } = finding;
    let mesh = finding.owner(Element::Mesh).map(named).unwrap_or_default();
    let [_, all] = of.element.words();
    let [was, is] = pair(finding);
    let first = elements.first().map(named);
    let and_first = first.as_ref().map_or_else(String::new, |first| format!(", first {first}"));
    let changed = count.map_or(0, |[changed, _]| changed);
    match finding.kind {
        Kind::CornersChanged => {
            const OTHER: &str = "other corners or another order of them";
            let corners = match (was, is) {
                (Some(was), Some(is)) => format!(": {is}, was {was}"),
                _ => String::new(),
            };
            match (first, count) {
                (Some(first), None) => format!("{mesh}: {first} has {OTHER}{corners}"),
                _ => format!("{mesh}: {} have {OTHER}{and_first}{corners}", some_of(*count, all)),
            }
        }
        Kind::UnusedChanged => format!("{mesh}: other {all}, and no texture uses them"),
        Kind::PulledOtherwise => {
            let [was, is] = [was, is].map(Option::unwrap_or_default);
            let be = if changed == 1 { "is" } else { "are" };
            let vertices = counted_as(changed, "vertex", "vertices");
            format!(
                "{mesh}: {vertices} {be} pulled by other joints{and_first}: by {is}, was by {was}"
            )
        }
        Kind::TurnsOtherwise => format!(
            "{} of {mesh}: the normals or tangents of {} turn otherwise{and_first}",
            named(of),
            counted_as(changed, "vertex", "vertices")
        ),
        _ => {
            let by = finding.amount(Unit::Distance).map(distance);
            match (first, count, by) {
                (_, Some([some, all]), by) => {
                    let by = by.map_or_else(String::new, |by| format!(", by up to {by}"));
                    format!(
                        "{} of {mesh}: {some} of {all} vertices are moved otherwise{and_first}{by}",
                        named(of)
                    )
                }
                (Some(first), None, Some(by)) => {
                    format!("{} of {mesh} moves {first} by {by} more", named(of))
                }
                _ => format!("{} of {mesh} moves several vertices otherwise", named(of)),
            }
        }
    }
}

/// Weights, colours, coordinates and normals.
fn of_elements(finding: &Finding) -> String {
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
            let by = amounts.first().map_or_else(String::new, |by| format!(", by {by} at most"));
            let first = some.first();
            let first =
                first.map_or_else(String::new, |first| format!(", first that of {}", named(first)));
            format!("{mesh}: {} changed{by}{first}", some_of(*count, all))
        }
        ([vertex], [by]) => format!("{mesh}: {one} of {} {changed} {by}", named(vertex)),
        (some, [by]) => format!("{mesh}: {all} of {} {changed} {by} each", self::elements(some)),
        (some, all_by) => {
            format!("{mesh}: {all} of {} {changed} {}", self::elements(some), all_by.join(" and "))
        }
    }
}

fn of_weights(finding: &Finding) -> String {
    let Finding { by, count, .. } = finding;
    let (joints, elements): (Vec<Subject>, Vec<Subject>) =
        finding.elements.iter().cloned().partition(|one| one.element == Element::Joint);
    let mesh = finding.owner(Element::Mesh).map(named);
    let in_mesh = mesh.as_ref().map_or_else(String::new, |mesh| format!(" in {mesh}"));
    let joint =
        finding.owner(Element::Joint).and_then(|joint| joint.name.clone()).unwrap_or_default();
    let higher = |value: f64| if value < 0.0 { "lower" } else { "higher" };
    if !joints.is_empty() {
        let change = |(joint, by): (&Subject, &Amount)| {
            let name = joint.name.as_deref().unwrap_or_default();
            format!("of {name} {} {}", distance(by.value.abs()), higher(by.value))
        };
        let changes: Vec<String> = joints.iter().zip(by).map(change).collect();
        let (changes, joints) = (changes.join(", "), listed(&joints));
        return match (by.first(), *count, elements.as_slice()) {
            (None, _, []) => format!("weights of {joints}{in_mesh} changed on several vertices"),
            (None, _, some) => format!(
                "weights of {joints}{in_mesh} changed on several vertices among {}",
                listed(some)
            ),
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
            let most = if *some > 1 { ", most" } else { ":" };
            let (weights, mesh) = (counted(*all, "weight"), mesh.unwrap_or_default());
            format!(
                "{some} of {weights} of {joint} changed{most} that of {} of {mesh}: {is}, was {was}",
                named(vertex)
            )
        }
        (None, _, None) => format!("weights of {joint}{in_mesh} changed on several vertices"),
        (None, None, _) => format!(
            "weights of {joint}{in_mesh} changed on several vertices among {}",
            listed(&elements)
        ),
    }
}

// 6. Values, files and pictures.

fn of_value(finding: &Finding) -> String {
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
            format!("{of} casts a shadow now ({})", is.unwrap_or_default())
        }
        ([was, None], _) if property == CAST_SHADOW => {
            format!("{of} casts no shadow any more, was {}", was.unwrap_or_default())
        }
        ([None, is], _) => format!("{of} {property} {}, was as usual", is.unwrap_or_default()),
        ([Some(was), None], _) => format!("{of} {property} as usual, was {was}"),
    }
}

fn of_texture(finding: &Finding) -> String {
    let of = named(&finding.of);
    let property = finding.property.as_deref().unwrap_or_default();
    let [was, is] = pair(finding);
    let [before, now] = [&was, &is].map(|value| value.as_deref().unwrap_or("none"));
    match (finding.kind, &is) {
        (Kind::Replaced, None) => format!("{of} has no {property} any more, had {before}"),
        (Kind::Replaced, Some(_)) => format!("{of} has {property} {now}, had {before}"),
        (Kind::UseChanged, _) => format!("{of} {property}: {now}, was {before}"),
        _ => format!("{of} {property} {now} has other pixels"),
    }
}

fn of_files(finding: &Finding) -> String {
    let names: Vec<String> = finding.elements.iter().map(named).collect();
    let names = names.join(", ");
    match finding.kind {
        Kind::Respelled => format!("spelled otherwise, with the same content: {names}"),
        _ if finding.of.element == Element::Texture => {
            let geometry = finding.property.as_ref();
            format!("{names} changed{}", geometry.map_or(String::new(), |all| format!(", {all}")))
        }
        _ => format!("changed files: {names}"),
    }
}

fn of_picture(finding: &Finding) -> String {
    let [was, is] = pair(finding).map(Option::unwrap_or_default);
    let pixels = finding.amount(Unit::Count).map(|count| thousands(trimmed(count, 0)));
    let largest = finding.amount(Unit::Codes).map(|codes| trimmed(codes, 0));
    let amount = match (pixels, largest) {
        (Some(pixels), Some(largest)) => format!("{pixels} pixels, largest difference {largest}"),
        _ => String::new(),
    };
    match finding.kind {
        Kind::Covers if finding.of.element == Element::Pixel && was == is => {
            format!("{} pixels covered as before", thousands(is))
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
            "other triangles are seen, by their order or the side that they show".to_owned()
        }
        Kind::Redrawn => {
            let is_still = finding.elements.iter().any(|one| one.element == Element::Joint);
            let equal = if is_still { "poses and skins" } else { "the scene and its files" };
            format!("only drawing changed, from pixel revision {was} to {is}: {equal} are equal")
        }
        Kind::NotDrawn => format!("no picture could be drawn: {is}"),
        Kind::Resized => format!("the size is {is}, was {was}"),
        _ if finding.stage == Stage::Shading => format!("only: {amount}"),
        _ => amount,
    }
}
