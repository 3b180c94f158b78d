//! Differences of lists of a mesh: positions, normals, texture coordinates, colours, triangles and
//! polygons.

use super::mesh_finding::{changed, norm, say, some, subject, vertices_of, within};
use super::model_content::MeshContent;
use super::sums::{Change, Sums};
use crate::record::rigid::DEGREES;
use tintype_compare::finding::{Element, Finding, Kind, Subject, Unit, Value};
use tintype_model::math::{larger, smaller};

pub(super) fn positions(
    [old, new]: [&MeshContent; 2],
    vertices: Option<&[usize]>,
    has_weights: bool,
    why: Option<&str>,
    size: f64,
) -> Option<Finding> {
    let (before, now) = (&old.lists, &new.lists);
    let (from, to) = (&before.positions, &now.positions);
    if from.is_same(to) || to.is_rounded(from, size, vertices) {
        return None;
    }
    // If the weights are unchanged, each position counts with its weight, as it is visible.
    let is_weighted = !has_weights && now.weighted.count > 0;
    let (from, to) = if is_weighted {
        (&before.weighted, &now.weighted)
    } else {
        (&before.positions, &now.positions)
    };
    let mut moved = say(Kind::Deformed, subject(new));
    moved.property = why.map(str::to_owned);
    // For weights, marks are more precise than positions.
    let change = to.change_since(from, vertices);
    if !matches!(change, Change::Several) {
        return Some(of_change(moved, change, Unit::Distance));
    }
    // If vertices moved by a sum, at least one of them moved by its fraction of the sum.
    let pairs = from.total(0).into_iter().zip(to.total(0));
    let sum: Vec<f64> = pairs.map(|(from, to)| to - from).collect();
    #[expect(clippy::cast_precision_loss, reason = "a count of vertices")]
    let count = vertices.map_or(f64::from(to.count), |all| all.len().max(1) as f64);
    let least = norm(&sum) / count;
    let moved = some(moved, to.count, vertices);
    let moved = moved.elements(vertices_of(vertices.unwrap_or_default()).take(1));
    Some(if least > 1e-6 * size { moved.by(least, Unit::Distance) } else { moved })
}

/// Sets the elements of a known change, and their amounts.
fn of_change(finding: Finding, change: Change, unit: Unit) -> Finding {
    let amount = |by: &[f64]| match unit {
        Unit::Degrees => 2.0 * libm::asin(smaller(norm(by) * 0.5, 1.0)) * DEGREES,
        _ => norm(by),
    };
    match change {
        Change::One { index, by } => {
            finding.elements([Subject::vertex(index)]).by(amount(&by), unit)
        }
        Change::Each { indices, by } => {
            finding.elements(vertices_of(&indices)).by(amount(&by), unit)
        }
        Change::Two { indices, by: [a, b] } => {
            finding.elements(vertices_of(&indices)).by(amount(&a), unit).by(amount(&b), unit)
        }
        Change::Several => finding,
    }
}

/// The distance by which each element changed, if nearly all are known to differ by the same
/// vector. Marks of a few bits hide some.
fn change_of_all(old: &Sums, new: &Sums, vertices: Option<&[usize]>) -> Option<f64> {
    let count = f64::from(new.count);
    let is_all = vertices.is_some_and(|own| own.len() * 10 >= new.count as usize * 9);
    if !is_all || new.count < 4 || old.count != new.count {
        return None;
    }
    let [by, placed] = [0, 1].map(|power| {
        let pairs = old.total(power).into_iter().zip(new.total(power));
        pairs.map(|(a, b)| b - a).collect::<Vec<f64>>()
    });
    let is_even = by
        .iter()
        .zip(&placed)
        .all(|(sum, placed)| (placed - sum * (count - 1.0) * 0.5).abs() <= 1e-6 * count * count);
    is_even.then(|| norm(&by) / count)
}

/// The distance by which each corner of polygons changed, if all changed by the same vector;
/// `polygons` is the number of corners at each point.
fn change_of_corners(old: &Sums, new: &Sums, polygons: &Sums) -> Option<f64> {
    let count = f64::from(new.count);
    let points = polygons.total(0).first().copied().unwrap_or(0.0);
    let [by, placed] = [0, 1].map(|power| {
        let pairs = old.total(power).into_iter().zip(new.total(power));
        pairs.map(|(a, b)| b - a).collect::<Vec<f64>>()
    });
    let is_even = |(sum, placed): (&f64, &f64)| {
        (placed * count - sum * points).abs() <= 1e-6 * count * larger(points, 1.0)
    };
    (norm(&by) > 0.0 && by.iter().zip(&placed).all(is_even)).then(|| norm(&by) / count)
}

/// The change of a list of normals, texture coordinates or colours.
pub(super) fn list(
    mesh: &MeshContent,
    of: Element,
    [old, new]: [&Sums; 2],
    vertices: Option<&[usize]>,
) -> Option<Finding> {
    if old.is_same(new) || new.is_rounded(old, 1.0, vertices) {
        return None;
    }
    if old.count != new.count {
        let [was, is] = [old, new].map(|sums| Value::count(sums.count as usize));
        return Some(within(mesh, Kind::CountChanged, of).from_to(was, is));
    }
    let all = new.count as usize;
    let even = if mesh.has_polygons {
        change_of_corners(old, new, &mesh.lists.corners)
    } else {
        change_of_all(old, new, vertices)
    };
    if of == Element::TextureCoordinate
        && let Some(by) = even
    {
        return Some(within(mesh, Kind::AllChanged, of).count(all, all).by(by, Unit::Number));
    }
    let changed = within(mesh, Kind::ElementsChanged, of);
    let unit = if of == Element::Normal { Unit::Degrees } else { Unit::Number };
    Some(match new.change_since(old, vertices) {
        Change::Several => {
            let first = vertices_of(vertices.unwrap_or_default()).take(1);
            some(changed, new.count, vertices).elements(first)
        }
        change => of_change(changed, change, unit),
    })
}

pub(super) fn triangles(old: &MeshContent, new: &MeshContent) -> Option<Finding> {
    let (before, now) = (&old.lists.corners, &new.lists.corners);
    if before.is_same(now) {
        return None;
    }
    let corners = within(new, Kind::CornersChanged, Element::Triangle);
    let triangle = |index| [Subject::numbered(Element::Triangle, index)];
    let known = changed(&old.triangle_marks, &new.triangle_marks, old.stride, new.stride);
    Some(match (now.change_since(before, None), known.as_deref()) {
        (Change::One { index, .. }, _) | (_, Some(&[index])) => corners.elements(triangle(index)),
        (_, Some([first, ..])) => {
            some(corners, now.count, known.as_deref()).elements(triangle(*first))
        }
        _ => corners,
    })
}

/// Polygons that are reversed, or have other corners, with an unchanged total.
pub(super) fn polygons(old: &MeshContent, new: &MeshContent) -> Option<Finding> {
    let (before, now) = (&old.lists.corners, &new.lists.corners);
    if before.count != now.count || before.is_same(now) {
        return None;
    }
    let known = changed(&old.triangle_marks, &new.triangle_marks, old.stride, new.stride);
    let [from, to] = [before, now].map(|sums| [0, 1].map(|power| sums.total(power)));
    // The same points everywhere, and other edges.
    let is_turned = (0..2).all(|power| from[power][..2] == to[power][..2]);
    let kind = if is_turned { Kind::Turned } else { Kind::CornersChanged };
    Some(match now.change_since(before, None) {
        Change::One { index, .. } => {
            let one = Subject::numbered(Element::Polygon, index);
            if is_turned {
                say(kind, one).within(subject(new))
            } else {
                within(new, kind, Element::Polygon).elements([one])
            }
        }
        _ => some(within(new, kind, Element::Polygon), now.count, known.as_deref()),
    })
}
