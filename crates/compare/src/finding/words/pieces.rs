//! Pieces of sentences: names, lists and numbers.

use crate::finding::{Amount, Element, Finding, Subject, Unit, Value};

/// Names or numbers that are listed one by one.
const MOST_LISTED: usize = 8;

/// `joint hand`, `mesh 1 "skin"`, `material "fur"`, `target 'smile'`, `vertex 3`, `the clip`,
/// `joints`.
pub(super) fn named(subject: &Subject) -> String {
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
pub(super) fn quoted(element: Element, name: &str) -> String {
    match element {
        Element::Material | Element::Camera | Element::Light => format!("{name:?}"),
        Element::Target => format!("'{name}'"),
        _ => name.to_owned(),
    }
}

/// The first names or numbers of a list, and the number of others.
pub(super) fn listed(all: &[Subject]) -> String {
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
pub(super) fn elements(all: &[Subject]) -> String {
    let [one, many] = all.first().map_or([""; 2], |first| first.element.words());
    format!("{} {}", if all.len() == 1 { one } else { many }, listed(all))
}

/// ` (9 joints below it follow)`.
pub(super) fn followers(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (1 joint below it follows)".to_owned(),
        count => format!(" ({count} joints below it follow)"),
    }
}

/// A distance with three digits that count.
pub(super) fn distance(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 1e-3 => format!("{value:.1e}"),
        value if value.abs() < 0.999_95 => trimmed(value, 4),
        value => format!("{value:.2}"),
    }
}

pub(super) fn degrees(value: f64) -> String {
    match value {
        value if value < 0.01 => format!("{value:.1e}°"),
        value if value < 1.0 => format!("{value:.2}°"),
        value => format!("{value:.1}°"),
    }
}

/// A fraction in percent, with the significant digits.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        _ if percent < 0.001 => format!("{percent:.1e} %"),
        _ if percent < 0.01 => format!("{percent:.3} %"),
        _ => format!("{percent:.2} %"),
    }
}

/// A number with that many decimals, without trailing zeros.
pub(super) fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

pub(super) fn amount(Amount { value, unit }: Amount) -> String {
    match unit {
        Unit::Distance => distance(value),
        Unit::Diagonals => percent(value),
        Unit::Degrees => degrees(value),
        Unit::Percent => format!("{} %", trimmed(value.abs(), 4)),
        _ => trimmed(value, 4),
    }
}

/// The values before and after. Numbers have at most four digits after the point, unless these do
/// not distinguish the values.
pub(super) fn pair(finding: &Finding) -> [Option<String>; 2] {
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

pub(super) fn alone(value: &Value) -> String {
    match value {
        Value::Amount(Amount { value, unit: Unit::Degrees }) => trimmed(*value, 4) + "°",
        Value::Amount(one) => trimmed(one.value, 4),
        Value::Text(text) => text.clone(),
        Value::List(all) if all.is_empty() => "nothing".to_owned(),
        Value::List(all) => all.join(", "),
    }
}

/// Two values with four digits per number, if these distinguish them.
pub fn short(before: &str, now: &str) -> [String; 2] {
    /// Characters of a number that is written unchanged.
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

/// `5, was 4`; a missing value is `nothing`.
pub(super) fn is_was(finding: &Finding, unit: &str) -> String {
    let [was, is] = pair(finding).map(|value| value.unwrap_or_else(|| "nothing".to_owned()));
    format!("{is}{unit}, was {was}{unit}")
}
