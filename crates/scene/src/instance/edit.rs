//! Edits of one instance to the meshes, materials, joints and morph targets of its model.
//!
//! Their names are checked when the model's file is read.

use super::placement::{self, Placement};
use crate::bounds::Bounds;
use crate::layer::{AnimatedNumber, level};
use crate::motion::Factors;
use crate::reader::{Item, Table};

/// A material to use instead of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialChoice {
    /// The shader name of the model.
    pub shader: String,
    /// The name of a `[[material]]`, or another shader name.
    pub material: String,
}

/// A joint moved after the clips of an instance; its children follow.
#[derive(Clone, Debug, PartialEq)]
pub struct JointEdit {
    /// The name of the joint; the first of that name.
    pub name: String,
    /// Position, rotation and scale, applied after those of the clip in joint space, or replacing
    /// them.
    pub placement: Placement,
    /// Flags for position, rotation and scale that replace those of the clip, in the space of the
    /// parent joint. None to add to them.
    pub set: Option<[bool; 3]>,
}

/// A weight of morph targets that overrides that of an instance's clips.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphEdit {
    /// The name of targets, optionally after the name of their joint and a slash, where `*` matches
    /// any letters; or a number.
    pub name: String,
    /// Their weight.
    pub weight: AnimatedNumber,
}

/// Weights of morph targets.
const MORPH_WEIGHT: Bounds = Bounds::Within(-1e3, 1e3);

/// Reads `morphs`: targets and their weights, those with `*` first, so that others overrule them.
pub(super) fn read_morphs(table: &Table<'_>) -> Vec<MorphEdit> {
    let entries = table.get("morphs", |item| item.entries("{ target = weight }"));
    let edit = |(name, item): (String, Item<'_>)| {
        Some(MorphEdit { name, weight: level(&item, MORPH_WEIGHT)? })
    };
    let mut morphs: Vec<MorphEdit> =
        entries.unwrap_or_default().into_iter().filter_map(edit).collect();
    morphs.sort_by_key(|morph| !morph.name.contains('*'));
    morphs
}

/// Reads `materials`: shader names and their replacement materials.
pub(super) fn read_materials(table: &Table<'_>) -> Vec<MaterialChoice> {
    const EXPECTED: &str = "{ \"shader name\" = \"other material\" }";
    let entries = table.get("materials", |item| item.entries(EXPECTED)).unwrap_or_default();
    let choice = |(shader, item): (String, Item<'_>)| {
        let material = item.filled_text("the name of a material")?.to_owned();
        Some(MaterialChoice { shader, material })
    };
    entries.into_iter().filter_map(choice).collect()
}

/// Reads `joints`: joints that are turned, moved or scaled.
pub(super) fn read_joints(table: &Table<'_>) -> Vec<JointEdit> {
    const EXPECTED: &str = "an array of { name, rotation_deg, position, scale, mode }";
    const MODES: [(&str, bool); 2] = [("add", false), ("set", true)];
    let items = table.get("joints", |item| item.array(EXPECTED)).unwrap_or_default();
    let read = |item: &Item<'_>| {
        let entry = item.table("{ name, rotation_deg, position, scale, mode }")?;
        let mut placement = Placement::default();
        placement::read_parts(&entry, &mut placement, Factors::OfJoint);
        let is_set = entry.get("mode", |item| item.word("mode", &MODES)) == Some(true);
        let has_turn = entry.has("rotation_deg") || entry.has("rotation");
        let parts = [entry.has("position"), has_turn, entry.has("scale")];
        let name = entry.required_text("name", ["the name of a joint"; 2])?;
        Some(JointEdit { name, placement, set: is_set.then_some(parts) })
    };
    items.iter().filter_map(read).collect()
}
