//! A difference of the content, and its weight.

use crate::record::stage::Stage;
use tintype_base::printable::one_line;

/// Weight of a finding: a lower one is named first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::record) enum Rank {
    /// A form of the numbers that changes all of them a little: quantized meshes.
    Form,
    /// Rate, ticks, keys and duration of a clip, which move all joints.
    Time,
    /// A joint, a key, a vertex or a triangle.
    Edit,
    /// A change below the digits that anything shows.
    Rounding,
    /// Another name, which moves nothing.
    Name,
    /// Another order, which moves nothing.
    Order,
}

/// A difference of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::record) struct Finding {
    /// The stage that it enters.
    pub stage: Stage,
    /// Its weight.
    pub rank: Rank,
    /// The sentence.
    pub what: String,
}

impl Finding {
    pub(super) fn new(stage: Stage, rank: Rank, what: String) -> Self {
        Self { stage, rank, what: one_line(&what) }
    }
}
