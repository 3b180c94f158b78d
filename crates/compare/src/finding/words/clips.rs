//! Words for the times and keys of clips.

use super::motion::in_clip;
use super::pieces::{is_was, named, pair, percent};
use crate::finding::{Amount, Element, Finding, Kind, Unit, Value};

pub(super) fn of_clip(finding: &Finding) -> String {
    let Finding { of, property, elements, .. } = finding;
    let channel = property.as_deref().unwrap_or_default();
    let clip = finding.owner(Element::Clip).map_or_else(|| "the clip".to_owned(), named);
    let [was, is] = pair(finding).map(Option::unwrap_or_default);
    match finding.kind {
        Kind::RateChanged => {
            let is_of_ticks =
                matches!(finding.is, Some(Value::Amount(Amount { unit: Unit::TicksASecond, .. })));
            let what = if is_of_ticks { "ticks" } else { "keys" };
            format!("{} runs at {is} {what} per second, was {was}", named(of))
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
            let key = key.map_or_else(String::new, |key| format!(" after {key}"));
            format!("{clip}: interpolation of {tracks} is {is}, was {was}{key}")
        }
        _ => match (finding.amount(Unit::Degrees), finding.amount(Unit::Diagonals)) {
            (Some(angle), Some(share)) => format!(
                "{} is resampled: {is} keys in all tracks, were {was}; joints within {angle:.2}° and {}",
                named(of),
                percent(share)
            ),
            _ if property.is_some() => format!(
                "{} is resampled: {is} keys in all tracks, were {was}; joints nearly unchanged",
                named(of)
            ),
            _ => format!(
                "{} has different keys for the same motion: {is} in all tracks, were {was}",
                named(of)
            ),
        },
    }
}
