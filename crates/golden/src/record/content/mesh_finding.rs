//! Findings about meshes, common to all of their comparisons.

use super::model_content::{MeshContent, MeshJoint};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject};

pub(super) fn say(kind: Kind, of: Subject) -> Finding {
    Finding::new(Stage::Skin, kind, of)
}

pub(super) fn subject(mesh: &MeshContent) -> Subject {
    Subject::named(Element::Mesh, mesh.label())
}

/// A change of elements of a mesh.
pub(super) fn within(mesh: &MeshContent, kind: Kind, of: Element) -> Finding {
    say(kind, Subject::all(of)).within(subject(mesh))
}

pub(super) fn vertices_of(indices: &[usize]) -> impl Iterator<Item = Subject> {
    indices.iter().map(|&index| Subject::vertex(index))
}

/// The elements whose marks differ. None if several have the same mark, or the number of elements
/// differs.
pub(super) fn changed(old: &str, new: &str, stride: u32, new_stride: u32) -> Option<Vec<usize>> {
    let is_alike = stride == 1 && new_stride == 1 && old.len() == new.len();
    let pairs = old.bytes().zip(new.bytes()).enumerate();
    is_alike.then(|| pairs.filter(|(_, (a, b))| a != b).map(|(index, _)| index).collect())
}

pub(super) fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Number of changed elements, 0 if marks cover several, and of all.
pub(super) fn some(finding: Finding, count: u32, known: Option<&[usize]>) -> Finding {
    finding.count(known.map_or(0, <[usize]>::len), count as usize)
}

/// The old name of a joint, if it has a partner.
pub(super) type Partner<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The joint of an old mesh that corresponds to a name in the new one.
pub(super) fn joint_before<'m>(
    old: &'m MeshContent,
    partner: &Partner,
    joint: &str,
) -> Option<&'m MeshJoint> {
    let known = partner(joint);
    let known = known.as_deref().unwrap_or(joint);
    old.joints.iter().find(|before| before.name == known)
}

/// Maximum number of changed vertices that are listed one by one.
pub(super) const MAX_VERTICES: usize = 8;
