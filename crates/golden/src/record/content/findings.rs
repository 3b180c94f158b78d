//! Two states of the content of models -> the edits between them.

use super::finding::Rank;
use super::model_content::ModelContent;
use super::pairs::Pairs;
use super::{clip_findings, mesh_findings, skeleton_findings, unit};
use tintype_compare::finding::{Element, Finding, Subject};

/// The differences, in order. None if either record has no content. `has_textures` states whether a
/// material has any.
pub(in crate::record) fn findings(
    old: &[ModelContent],
    new: &[ModelContent],
    has_textures: &dyn Fn(&str) -> bool,
) -> Option<Vec<Finding>> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    let alike: &dyn Fn(usize, usize) -> bool = &|a, b| old[a].model == new[b].model;
    let same: &dyn Fn(usize, usize) -> bool = &|a, b| old[a].meshes == new[b].meshes;
    let pairs = Pairs::new([old.len(), new.len()], &[alike, same]);
    let mut found: Vec<Finding> = Vec::new();
    for (before, now) in pairs.iter() {
        let (before, now) = (old[before].of_file(), new[now].of_file());
        let (before, now) = (&*before, &*now);
        let model = (new.len() > 1).then(|| Subject::named(Element::Model, &now.model));
        let size = f64::from(tintype_model::math::max(before.size, now.size));
        let unit = unit::findings(before, now);
        let before = unit.as_ref().map_or(before, |(_, scaled)| scaled);
        let (mut own, joints) = skeleton_findings::findings(before, now, size);
        own.extend(clip_findings::findings(before, now, size));
        let joints_are_equal = own.iter().all(|finding| Rank::of(finding) > Rank::Edit);
        let of_meshes = (joints_are_equal, has_textures);
        own.extend(mesh_findings::findings(before, now, &joints, of_meshes, size));
        let unit = unit.as_ref().map(|(unit, _)| unit.clone());
        for mut finding in unit.into_iter().chain(own) {
            finding.within.extend(model.clone());
            // A joint may be renamed or attached to another in the model and in its clip.
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
    }
    found.sort_by_key(|finding| (Rank::of(finding), finding.stage));
    Some(found)
}
