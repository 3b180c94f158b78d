//! Levels of detail in one place, as written by game exporters: `rock_LOD0`, `rock_LOD1` below one
//! node.
//!
//! The format has no such levels, so they are recognized by names that differ only in the number
//! after `LOD`, and by a common place: equal transforms and overlapping bounding boxes. The level
//! with the lowest number of each set is drawn.

use super::node::Nodes;
use crate::gltf::document::{Document, Node};
use crate::gltf::faults::RepairLog;
use crate::gltf::path::JsonPath;
use std::collections::BTreeMap;
use tintype_model::FileRepair;

/// Maximum distance between the centres of two levels, as a fraction of the larger diagonal.
const ONE_PLACE: f64 = 0.1;

/// The lower-case name without its level number, and the number. None for a name without one.
fn level_of(name: &str) -> Option<(String, u32)> {
    const MARK: &str = "lod";
    let name = name.to_ascii_lowercase();
    let at = name.rfind(MARK)?;
    let (before, behind) = (name.get(..at)?, name.get(at + MARK.len()..)?);
    let behind = behind.trim_start_matches(['_', '-', ' ']);
    let digits = behind.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(behind.len());
    let (digits, rest) = behind.split_at_checked(digits)?;
    let is_word = |text: Option<char>| text.is_none_or(|letter| !letter.is_alphanumeric());
    let is_alone = is_word(before.chars().next_back()) && is_word(rest.chars().next());
    let number = digits.parse().ok()?;
    is_alone.then(|| (format!("{before}{MARK}{rest}"), number))
}

/// The bounding box of a node's mesh, as stated by the accessors of its positions: the minimum and
/// the maximum corner.
fn stated_box(document: &Document, node: &Node) -> Option<[[f64; 3]; 2]> {
    let mesh = document.meshes.get(node.mesh?.0)?;
    let mut around = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for primitive in &mesh.primitives {
        let accessor = document.accessors.get(primitive.attributes.get("POSITION")?.0)?;
        let (least, most) = (accessor.min.as_deref()?, accessor.max.as_deref()?);
        let [low, high] = &mut around;
        for (axis, (low, high)) in low.iter_mut().zip(high).enumerate() {
            let (least, most) = (*least.get(axis)?, *most.get(axis)?);
            *low = if least < *low { least } else { *low };
            *high = if most > *high { most } else { *high };
        }
    }
    around.as_flattened().iter().all(|number| number.is_finite()).then_some(around)
}

/// True if the centres of two boxes lie close together.
fn is_one_place([a, b]: [[[f64; 3]; 2]; 2]) -> bool {
    let length = |sides: [f64; 3]| sides.iter().map(|side| side * side).sum::<f64>().sqrt();
    let diagonal = |[least, most]: [[f64; 3]; 2]| length([0, 1, 2].map(|k| most[k] - least[k]));
    let apart = length([0, 1, 2].map(|k| (a[0][k] + a[1][k] - b[0][k] - b[1][k]) / 2.0));
    let (own, other) = (diagonal(a), diagonal(b));
    apart <= ONE_PLACE * if own > other { own } else { other }
}

/// The nodes that are coarser levels of another one, for a warning.
pub(super) fn coarse_levels(document: &Document, nodes: &Nodes, faults: &RepairLog) -> Vec<usize> {
    // Per parent and name: numbers of levels with their nodes.
    let mut sets = BTreeMap::<_, Vec<(u32, usize)>>::new();
    let joints = nodes.skeleton.joints();
    for (&index, joint) in nodes.nodes.iter().zip(joints) {
        let node = document.nodes.get(index).filter(|node| node.mesh.is_some());
        let name = node.and_then(|node| node.name.as_deref());
        if let Some((stem, number)) = name.and_then(level_of) {
            let parent = joint.parent.map(|parent| parent.index());
            sets.entry((parent, stem)).or_default().push((number, index));
        }
    }
    let place = |index: usize| {
        let joint = joints.get(nodes.joint(index)?.index())?;
        Some((joint.model_from_joint, stated_box(document, document.nodes.get(index)?)?))
    };
    let mut coarse = Vec::new();
    for mut levels in sets.into_values() {
        levels.sort_unstable();
        let [(least, finest), others @ ..] = &levels[..] else { continue };
        let Some((transform, finest_box)) = place(*finest) else { continue };
        let is_coarse = |(number, index): &&(u32, usize)| {
            let own = place(*index).filter(|(own, _)| number > least && *own == transform);
            own.is_some_and(|(_, own)| is_one_place([finest_box, own]))
        };
        let hidden: Vec<usize> = others.iter().filter(is_coarse).map(|(_, index)| *index).collect();
        if let Some(&first) = hidden.first() {
            let list = JsonPath::root("nodes");
            let name = |index: usize| nodes.names.get(index).map_or("", String::as_str);
            let more = match hidden.len() {
                1 => String::new(),
                count => format!(", the first of {count},"),
            };
            let message = format!(
                "{}: {:?}{more} overlaps {:?}, a finer level of detail by its name; only the finer one is drawn",
                list.index(first),
                name(first),
                name(*finest)
            );
            faults.tell(FileRepair::NotDrawn, message);
        }
        coarse.extend(hidden);
    }
    coarse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_told_by_words_of_names() {
        for (name, stem, number) in [
            ("Rock_LOD0", "rock_lod", 0),
            ("rock.lod12", "rock.lod", 12),
            ("LOD_2", "lod", 2),
            ("rock LOD1 (hull)", "rock lod (hull)", 1),
        ] {
            assert_eq!(level_of(name), Some((stem.to_owned(), number)), "{name}");
        }
        for name in ["rock", "melody1", "lodge", "Rock_LOD", "rocklod1", "lod1b", "LODé1"] {
            assert_eq!(level_of(name), None, "{name}");
        }
    }
}
