//! Differences other than the order of vertices.

use super::mesh_finding::{
    MAX_VERTICES, Partner, changed, joint_before, norm, say, subject, vertices_of, within,
};
use super::model_content::MeshContent;
use super::sums::Sums;
use tintype_compare::finding::{Element, Finding, Kind, Subject, Unit};

/// The changed vertices of the new mesh, if all others are only reordered. None if most are in
/// place.
pub(super) fn changed_besides_order(old: &MeshContent, new: &MeshContent) -> Option<Vec<usize>> {
    const FEWEST: usize = 8;
    let in_place = changed(&old.vertex_marks, &new.vertex_marks, old.stride, new.stride)?;
    old.surface.zip(new.surface)?;
    // Vertices in another order have triangles with other corners.
    if old.lists.corners.is_same(&new.lists.corners) {
        return None;
    }
    let mut left = [0_usize; 256];
    old.vertex_marks.bytes().for_each(|mark| left[usize::from(mark)] += 1);
    let mut fresh = [0_usize; 256];
    for mark in new.vertex_marks.bytes() {
        match &mut left[usize::from(mark)] {
            0 => fresh[usize::from(mark)] += 1,
            left => *left -= 1,
        }
    }
    let count: usize = fresh.iter().sum();
    let is_order = in_place.len() >= FEWEST
        && in_place.len() > 4 * count + FEWEST
        && count * 8 <= new.vertex_marks.len();
    // Vertices with a mark that more vertices have now; all with that mark, because it does not
    // show which of them is new.
    let marks = new.vertex_marks.bytes().enumerate();
    let all = marks.filter(|(_, mark)| fresh[usize::from(*mark)] > 0).map(|(vertex, _)| vertex);
    is_order.then(|| all.collect())
}

/// Changes other than the order of vertices, each of one of the candidates: sums of lists do not
/// depend on the order.
pub(super) fn besides_order(
    [old, new]: [&MeshContent; 2],
    partner: &Partner,
    candidates: &[usize],
    size: f64,
) -> Vec<Finding> {
    let one_of = |finding: Finding, others: Vec<Subject>| {
        let finding = match candidates {
            [] | [_] => finding,
            several => finding.count(1, several.len()),
        };
        let listed = if candidates.len() > MAX_VERTICES { &[] } else { candidates };
        finding.elements(vertices_of(listed).chain(others))
    };
    let by = |before: &Sums, now: &Sums| -> Vec<f64> {
        let pairs = before.total(0).into_iter().zip(now.total(0));
        pairs.map(|(before, now)| now - before).collect()
    };
    let mut found = Vec::new();
    let [before, now] = [&old.lists, &new.lists];
    let of = |of| within(new, Kind::ElementsChanged, of);
    let moved = say(Kind::Deformed, subject(new));
    let lists = [
        (moved, Unit::Distance, &before.positions, &now.positions, size),
        (of(Element::TextureCoordinate), Unit::Number, &before.texcoords, &now.texcoords, 1.0),
        (of(Element::Normal), Unit::Number, &before.normals, &now.normals, 1.0),
        (of(Element::VertexColor), Unit::Number, &before.colors, &now.colors, 1.0),
    ];
    for (what, unit, before, now, size) in lists {
        let moved = norm(&by(before, now));
        if moved > 1e-6 * size {
            found.push(one_of(what.by(moved, unit), Vec::new()));
        }
    }
    let (mut weights, mut joints) = (of(Element::Weight), Vec::new());
    for joint in &new.joints {
        let before = joint_before(old, partner, &joint.name);
        let total = |sums: &Sums| sums.total(0).first().copied().unwrap_or(0.0);
        let by = total(&joint.weights) - before.map_or(0.0, |before| total(&before.weights));
        if by.abs() > 1e-6 {
            joints.push(Subject::joint(&joint.name));
            weights = weights.by(by, Unit::Number);
        }
    }
    if !joints.is_empty() {
        found.push(one_of(weights, joints));
    }
    if found.is_empty() {
        found.push(within(new, Kind::CornersChanged, Element::Triangle));
    }
    found
}
