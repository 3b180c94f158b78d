//! Two states of the content of models -> what was edited, a sentence each.

use super::pairs::Pairs;
use super::{ModelContent, clip_findings, mesh_findings, skeleton_findings};
use crate::record::stage::Stage;

/// Weight of a finding: a lower one is named first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::record) enum Rank {
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
        Self { stage, rank, what }
    }
}

/// The differences, first the first; none if either record keeps no content.
pub(in crate::record) fn findings(
    old: &[ModelContent],
    new: &[ModelContent],
) -> Option<Vec<Finding>> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    let alike: &dyn Fn(usize, usize) -> bool = &|a, b| old[a].model == new[b].model;
    let same: &dyn Fn(usize, usize) -> bool = &|a, b| old[a].meshes == new[b].meshes;
    let pairs = Pairs::new([old.len(), new.len()], &[alike, same]);
    let mut found: Vec<Finding> = Vec::new();
    for (before, now) in pairs.iter() {
        let (before, now) = (&old[before], &new[now]);
        let of = if new.len() > 1 { format!("model {}: ", now.model) } else { String::new() };
        let (mut own, joints) = skeleton_findings::findings(before, now);
        own.extend(clip_findings::findings(before, now));
        let joints_are_equal = own.iter().all(|finding| finding.rank > Rank::Edit);
        own.extend(mesh_findings::findings(before, now, &joints, joints_are_equal));
        for mut finding in own {
            finding.what.insert_str(0, &of);
            // A joint may be renamed or hung on another in the model and in its clip.
            if found.iter().all(|known| known.what != finding.what) {
                found.push(finding);
            }
        }
    }
    found.sort_by_key(|finding| (finding.rank, finding.stage));
    Some(found)
}
