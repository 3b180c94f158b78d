//! The weight of a difference of the content, and its position among keys.

use super::sums::Sums;
use tintype_compare::finding::{Element, Finding, Kind, Subject};

/// Weight of a finding: lower ones are named first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::record) enum Rank {
    /// A representation that changes all numbers a little: quantized meshes.
    Form,
    /// Rate, ticks, keys and duration of a clip, which affect all joints.
    Time,
    /// A joint, a key, a vertex or a triangle.
    Edit,
    /// A change below the shown digits.
    Rounding,
    /// Another name, without effect.
    Name,
    /// Another order, without effect.
    Order,
}

impl Rank {
    /// The weight of a difference, by its kind and its subject.
    pub(in crate::record) fn of(finding: &Finding) -> Self {
        match (finding.kind, finding.of.element) {
            (Kind::Quantized, _) => Self::Form,
            // Of nearly the same motion.
            (Kind::Resampled, _) if finding.property.is_some() => Self::Form,
            (Kind::RateChanged | Kind::DurationChanged | Kind::PeriodChanged, _) => Self::Time,
            (Kind::KeysMoved, Element::Clip) => Self::Time,
            (Kind::CountChanged, Element::Key) if finding.property.is_none() => Self::Time,
            (Kind::Rounded, _) => Self::Rounding,
            (Kind::Renamed, _)
            | (Kind::Added | Kind::Removed | Kind::Joined | Kind::Left, Element::Node)
            | (Kind::Replaced, Element::Mesh) => Self::Name,
            (Kind::Reordered | Kind::SameSurface | Kind::Resampled | Kind::UnusedChanged, _) => {
                Self::Order
            }
            _ => Self::Edit,
        }
    }
}

/// Sets the key of a change, if there are several.
pub(super) fn in_key(finding: Finding, index: usize, count: u32) -> Finding {
    let key = Subject::numbered(Element::Key, index);
    if count == 1 { finding } else { finding.within(key) }
}

/// Sets the number of changed keys: all, or several.
pub(super) fn in_keys(finding: Finding, sums: &Sums, all: bool) -> Finding {
    let count = sums.count as usize;
    finding.count(if all { count } else { 0 }, count)
}
