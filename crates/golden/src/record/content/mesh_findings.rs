//! Differences of meshes: lists of other lengths, then offset matrices, weights, positions, normals, texture coordinates and
//! triangles.

use super::model_content::{MeshContent, MeshJoint, ModelContent};
use super::pairs::Pairs;
use super::skeleton_findings::{movement, scaled};
use super::sums::{Change, Sums};
use crate::record::rigid::{DEGREES, turn_deg};
use std::collections::BTreeMap;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_model::math::{Affine3, Mat3, Quat};
use tintype_model::math::{larger, smaller};

pub(super) fn findings(
    old: &ModelContent,
    new: &ModelContent,
    joints: &Pairs,
    (joints_are_equal, has_textures): (bool, &dyn Fn(&str) -> bool),
    size: f64,
) -> Vec<Finding> {
    let (before, now) = (&old.meshes, &new.meshes);
    let sizes = |mesh: &MeshContent| (mesh.lists.positions.count, mesh.lists.corners.count);
    let is_free = |a: usize, b: usize| {
        now.iter().all(|mesh| mesh.label() != before[a].label())
            && before.iter().all(|mesh| mesh.label() != now[b].label())
    };
    let whole = |a: usize, b: usize| {
        before[a].label() == now[b].label()
            && before[a].shader == now[b].shader
            && sizes(&before[a]) == sizes(&now[b])
    };
    // Parts of a mesh are numbered in their order.
    let same = |a: usize, b: usize| {
        before[a].shader == now[b].shader
            && before[a].surface.is_some()
            && before[a].surface == now[b].surface
    };
    let by_name = |a: usize, b: usize| before[a].label() == now[b].label();
    let by_content = |a: usize, b: usize| {
        is_free(a, b) && before[a].lists.corners.is_same(&now[b].lists.corners)
    };
    // Nodes that hold equal meshes may come to share one, with its name.
    let by_surface =
        |a: usize, b: usize| before[a].surface.is_some() && before[a].surface == now[b].surface;
    let by_place = |a: usize, b: usize| {
        is_free(a, b) && a == b && before.len() == now.len() && sizes(&before[a]) == sizes(&now[b])
    };
    let pairs = Pairs::new(
        [before.len(), now.len()],
        &[&whole, &same, &by_name, &by_content, &by_surface, &by_place],
    );
    let mut found = Vec::new();
    let [were, are] = [before.len(), now.len()].map(Value::count);
    let counted = |one: Finding| one.from_to(were.clone(), are.clone());
    let gone = pairs.gone.iter().map(|&gone| (Kind::Removed, &before[gone]));
    let fresh = pairs.fresh().map(|fresh| (Kind::Added, &now[fresh]));
    found.extend(gone.chain(fresh).map(|(kind, mesh)| counted(say(kind, subject(mesh)))));
    for (a, b) in pairs.iter() {
        let (before, now) = (&before[a], &now[b]);
        if before.label() != now.label() {
            let mesh = say(Kind::Renamed, subject(before));
            found.push(mesh.from_to(None, Value::from(now.label())));
        }
        if before.shader != now.shader && !now.name.is_empty() {
            let mesh = say(Kind::Replaced, subject(now)).property("material");
            let [was, is] = [before, now].map(|mesh| Value::from(mesh.shader.as_str()));
            found.push(mesh.from_to(was, is));
        }
        let name_of = |index: usize| old.joints.get(index).map(|joint| joint.name.as_str());
        let partner = |name: &str| -> Option<String> {
            let index = new.joints.iter().position(|joint| joint.name == *name)?;
            name_of(joints.of_new[index]?).map(str::to_owned)
        };
        let why = match (joints_are_equal, now.lists.weighted.count > 0) {
            (false, _) => None,
            (true, true) => Some("weights"),
            (true, false) => Some("positions"),
        };
        let uses_textures = has_textures(&now.shader) || has_textures(&before.shader);
        found.extend(of_mesh([before, now], &partner, (why, uses_textures), size));
    }
    if pairs.is_reordered() {
        found.push(say(Kind::Reordered, Subject::all(Element::Mesh)));
    }
    found
}

fn say(kind: Kind, of: Subject) -> Finding {
    Finding::new(Stage::Skin, kind, of)
}

fn subject(mesh: &MeshContent) -> Subject {
    Subject::named(Element::Mesh, mesh.label())
}

/// A change of elements of a mesh.
fn within(mesh: &MeshContent, kind: Kind, of: Element) -> Finding {
    say(kind, Subject::all(of)).within(subject(mesh))
}

fn vertices_of(indices: &[usize]) -> impl Iterator<Item = Subject> {
    indices.iter().map(|&index| Subject::vertex(index))
}

/// The differences of one mesh; `partner` gives the old name of a joint, `why` is what moved vertices where joints are equal. Texture
/// coordinates that no texture uses are not seen.
fn of_mesh(
    [old, new]: [&MeshContent; 2],
    partner: &dyn Fn(&str) -> Option<String>,
    (why, uses_textures): (Option<&str>, bool),
    size: f64,
) -> Vec<Finding> {
    let mut found = Vec::new();
    if old.has_polygons != new.has_polygons {
        // Records of older programs have other numbers.
        let is_same = old.surface.is_some() && old.surface == new.surface;
        let other = (!is_same).then(|| within(new, Kind::ElementsChanged, Element::Vertex));
        return other.into_iter().collect();
    }
    let (offsets, rounded) = offsets(old, new, partner, size);
    found.extend(rounded);
    let [from, to] = [old, new].map(|mesh| mesh.lists.positions.count as usize);
    if old.surface.is_some() && old.surface == new.surface {
        found.extend(offsets);
        let targets = targets(old, new, size).into_iter();
        found.extend(targets.filter(|one| one.kind == Kind::Renamed));
        let is_plain = old.vertex_marks == new.vertex_marks
            && old.triangle_marks == new.triangle_marks
            && old.lists == new.lists;
        if from != to || !is_plain {
            let same = say(Kind::SameSurface, subject(new));
            let same = same.from_to(Value::count(from), Value::count(to));
            found.push(same.elements([Subject::all(Element::Triangle)]));
        }
        return found;
    }
    if let Some(quantized) = quantized(old, new, partner, size) {
        found.push(quantized);
        return found;
    }
    if let Some(besides) = changed_besides_order(old, new) {
        found.push(within(new, Kind::Reordered, Element::Vertex).from_to(None, Value::count(to)));
        found.extend(offsets);
        found.extend(besides_order([old, new], partner, &besides, size));
        return found;
    }
    let [corners, to_corners] = [old, new].map(|mesh| mesh.lists.corners.count as usize);
    let faces = if new.has_polygons { Element::Polygon } else { Element::Triangle };
    let mut counts = vec![(Element::Vertex, from, to), (faces, corners, to_corners)];
    if new.has_polygons {
        counts.reverse();
        found.extend(polygons(old, new));
    }
    for (of, was, is) in counts {
        if was != is {
            let counts = within(new, Kind::CountChanged, of);
            found.push(counts.from_to(Value::count(was), Value::count(is)));
        }
    }
    if from == to {
        found.extend(of_vertices([old, new], partner, (offsets, why), uses_textures, size));
    }
    if corners == to_corners && !new.has_polygons {
        found.extend(triangles(old, new));
    }
    found
}

/// Polygons that are turned over, or have other corners, of as many as before.
fn polygons(old: &MeshContent, new: &MeshContent) -> Option<Finding> {
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
            match is_turned {
                true => say(kind, one).within(subject(new)),
                false => within(new, kind, Element::Polygon).elements([one]),
            }
        }
        _ => some(within(new, kind, Element::Polygon), now.count, known.as_deref()),
    })
}

/// The differences of the lists of as many vertices as before.
fn of_vertices(
    [old, new]: [&MeshContent; 2],
    partner: &dyn Fn(&str) -> Option<String>,
    (offsets, why): (Vec<Finding>, Option<&str>),
    uses_textures: bool,
    size: f64,
) -> Vec<Finding> {
    let mut found = offsets;
    let vertices = changed(&old.vertex_marks, &new.vertex_marks, old.stride, new.stride);
    let vertices = vertices.as_deref();
    let weights = weights(old, new, partner, candidates(old, new).as_deref());
    let has_weights = !weights.is_empty();
    found.extend(weights);
    let [before, now] = [&old.lists, &new.lists];
    found.extend(targets(old, new, size));
    found.extend(positions([old, new], vertices, has_weights, why, size));
    let vertices = vertices.filter(|_| !new.has_polygons);
    // Corners come and go with their polygons.
    let is_gone = new.has_polygons && before.corners.count != now.corners.count;
    let list = |of, from: &Sums, to: &Sums| {
        let is_told = from.count == to.count || !is_gone;
        is_told.then(|| list(new, of, [from, to], vertices)).flatten()
    };
    found.extend(list(Element::Normal, &before.normals, &now.normals));
    let coordinates = list(Element::TextureCoordinate, &before.texcoords, &now.texcoords);
    let is_unused = coordinates.is_some() && !uses_textures;
    found.extend(coordinates.filter(|_| uses_textures));
    found.extend(list(Element::VertexColor, &before.colors, &now.colors));
    if is_unused {
        found.push(within(new, Kind::UnusedChanged, Element::TextureCoordinate));
    }
    let lists = [
        (&before.positions, &now.positions, size),
        (&before.texcoords, &now.texcoords, 1.0),
        (&before.normals, &now.normals, 1.0),
        (&before.colors, &now.colors, 1.0),
    ];
    let is_rounded = |(old, new, size): (&Sums, &Sums, f64)| {
        !old.is_same(new) && new.is_rounded(old, size, vertices)
    };
    if lists.into_iter().any(is_rounded) {
        found.push(say(Kind::Rounded, subject(new)));
    }
    found
}

/// Positions that lie on a grid now, with the largest error of such a grid, where they are the same within it.
///
/// A quantized mesh has a space of its own: the offset matrices take all of its joints there by one transform.
fn quantized(
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    size: f64,
) -> Option<Finding> {
    let step = new.grid.filter(|_| old.grid.is_none() && size > 0.0)?;
    let (from, to) = (&old.lists.positions, &new.lists.positions);
    let offsets = new.joints.iter().find_map(|joint| {
        let known = partner(&joint.name).unwrap_or_else(|| joint.name.clone());
        let before = old.joints.iter().find(|before| before.name == known)?.offset?;
        Some([before, joint.offset?].map(|offset| Affine3::from_cols_array(&offset)))
    });
    let [before, now] = offsets?;
    let old_from_new = before.inverse() * now;
    let mean = |sums: &Sums| -> Option<[f64; 3]> {
        let sums: [f64; 3] = sums.total(0).try_into().ok()?;
        Some(sums.map(|sum| sum / f64::from(from.count.max(1))))
    };
    if from.count != to.count || from.count == 0 {
        return None;
    }
    let Mat3 { x_axis, y_axis, z_axis } = old_from_new.matrix3;
    let axes = [x_axis, y_axis, z_axis].map(|axis| axis.to_array().map(f64::from));
    let place = old_from_new.translation.to_array().map(f64::from);
    let center = mean(to)?;
    let placed: [f64; 3] = core::array::from_fn(|k| {
        place[k] + (0..3).map(|axis| axes[axis][k] * center[axis]).sum::<f64>()
    });
    let grown = axes.iter().map(|axis| norm(axis)).fold(0.0, larger);
    let error = 0.5 * f64::from(step) * grown * 3.0_f64.sqrt();
    let gap: Vec<f64> = placed.iter().zip(mean(from)?).map(|(a, b)| a - b).collect();
    let quantized = say(Kind::Quantized, subject(new)).by(error / size, Unit::Diagonals);
    (norm(&gap) <= error).then_some(quantized)
}

/// The vertices of the new mesh that hold something else, where all others are in another order; none where most are at their places.
fn changed_besides_order(old: &MeshContent, new: &MeshContent) -> Option<Vec<usize>> {
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
    // Those with a mark that more vertices have now; of one mark all, as none tells which of them is new.
    let marks = new.vertex_marks.bytes().enumerate();
    let all = marks.filter(|(_, mark)| fresh[usize::from(*mark)] > 0).map(|(vertex, _)| vertex);
    is_order.then(|| all.collect())
}

/// Changes besides the order of vertices, each of one of the candidates: sums of lists do not depend on the order.
fn besides_order(
    [old, new]: [&MeshContent; 2],
    partner: &dyn Fn(&str) -> Option<String>,
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
        let known = partner(&joint.name).unwrap_or_else(|| joint.name.clone());
        let before = old.joints.iter().find(|before| before.name == known);
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

/// The elements whose marks differ; none if a mark is that of several, or there are other numbers of them.
fn changed(old: &str, new: &str, stride: u32, new_stride: u32) -> Option<Vec<usize>> {
    let is_alike = stride == 1 && new_stride == 1 && old.len() == new.len();
    let pairs = old.bytes().zip(new.bytes()).enumerate();
    is_alike.then(|| pairs.filter(|(_, (a, b))| a != b).map(|(index, _)| index).collect())
}

/// The vertices that may have changed: of marks of several all of these.
fn candidates(old: &MeshContent, new: &MeshContent) -> Option<Vec<usize>> {
    let is_alike = old.stride == new.stride && old.vertex_marks.len() == new.vertex_marks.len();
    let count = new.lists.positions.count as usize;
    let stride = new.stride as usize;
    let marks = old.vertex_marks.bytes().zip(new.vertex_marks.bytes()).enumerate();
    let blocks = marks.filter(|(_, (a, b))| a != b).map(|(block, _)| block * stride);
    is_alike.then(|| blocks.flat_map(|first| first..count.min(first + stride)).collect())
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Number of changed elements, 0 where marks are of several, and of all.
fn some(finding: Finding, count: u32, known: Option<&[usize]>) -> Finding {
    finding.count(known.map_or(0, <[usize]>::len), count as usize)
}

/// Offset matrices of joints that changed, and those that changed by rounding.
fn offsets(
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    size: f64,
) -> (Vec<Finding>, Option<Finding>) {
    let mut found: Vec<(f64, Finding)> = Vec::new();
    let mut rounded = Vec::new();
    for joint in &new.joints {
        let known = partner(&joint.name).unwrap_or_else(|| joint.name.clone());
        let before = old.joints.iter().find(|before| before.name == known);
        let (Some(from), Some(to)) = (before.and_then(|before| before.offset), joint.offset) else {
            continue;
        };
        let [(from_turn, from_scale, from_place), (to_turn, to_scale, to_place)] =
            [from, to].map(|offset| parts(&Affine3::from_cols_array(&offset)));
        let turned_deg = turn_deg(from_turn, to_turn);
        let moved = norm(&[0, 1, 2].map(|k| to_place[k] - from_place[k]));
        let matrix = Subject::named(Element::OffsetMatrix, &joint.name);
        let mut one = say(Kind::Moved, matrix).within(subject(new));
        let size = larger(size, norm(&to_place));
        if moved > 1e-6 * size {
            one = one.by(moved, Unit::Distance);
        }
        if turned_deg > 1e-3 {
            one = one.by(turned_deg, Unit::Degrees);
        }
        if (0..3).any(|k| (to_scale[k] - from_scale[k]).abs() > 1e-5 * from_scale[k].abs()) {
            let ratio: Vec<f64> = (0..3).map(|k| to_scale[k] / from_scale[k]).collect();
            one = scaled(one, &ratio);
        }
        if one.by.is_empty() && from != to {
            rounded.push(Subject::joint(&joint.name));
        }
        if !one.by.is_empty() {
            one.kind = movement(&one);
            let weight = larger(turned_deg / 90.0, moved / larger(size, f64::MIN_POSITIVE));
            found.push((weight, one));
        }
    }
    // The largest leads.
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let of_rounded = within(new, Kind::Rounded, Element::OffsetMatrix);
    let rounded = (!rounded.is_empty()).then(|| of_rounded.elements(rounded));
    (found.into_iter().map(|(_, one)| one).collect(), rounded)
}

/// Rotation, scale and translation of a matrix.
fn parts(matrix: &Affine3) -> ([f64; 4], [f64; 3], [f64; 3]) {
    let Mat3 { x_axis, y_axis, z_axis } = matrix.matrix3;
    let mirror = if matrix.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
    let scale = [x_axis, y_axis, z_axis].map(|axis| f64::from(axis.length()) * mirror);
    let unit = |axis: tintype_model::math::Vec3, fallback| {
        tintype_model::math::unit_or(axis * f32_of(mirror), fallback)
    };
    let axes = Mat3::from_cols(
        unit(x_axis, tintype_model::math::Vec3::X),
        unit(y_axis, tintype_model::math::Vec3::Y),
        unit(z_axis, tintype_model::math::Vec3::Z),
    );
    let Quat { x, y, z, w } = Quat::from_mat3(&axes);
    let place = matrix.translation.to_array().map(f64::from);
    ([x, y, z, w].map(f64::from), scale, place)
}

#[expect(clippy::cast_possible_truncation, reason = "1 or -1")]
fn f32_of(sign: f64) -> f32 {
    sign as f32
}

/// Joints with the changes of their weights.
type OfJoints = Vec<(Subject, f64)>;

/// Weights: all of a joint by one factor, else those of single vertices. `vertices` are those of which anything is known to differ; sums
/// tell how the changes of a joint are shared by one or two of them, and no more.
fn weights(
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    vertices: Option<&[usize]>,
) -> Vec<Finding> {
    let none = Sums::default();
    let mut all = Vec::new();
    // By vertex: the joints and their changes.
    let mut of_vertices: BTreeMap<usize, OfJoints> = BTreeMap::new();
    let mut several = Vec::new();
    let mut compare = |joint: &str, before: &Sums, now: &Sums| {
        if before.is_same(now) {
            return;
        }
        let total = |sums: &Sums, power: usize| sums.total(power).first().copied().unwrap_or(0.0);
        let ratio = [0, 1].map(|power| total(now, power) / total(before, power));
        let is_factor = before.count == now.count
            && before.count > 1
            && (ratio[0] - ratio[1]).abs() < 2e-5
            && (ratio[0] - 1.0).abs() > 1e-5;
        let padded = |sums: &Sums| {
            if sums.sums.is_empty() {
                Sums { sums: vec![[0; 2]], ..sums.clone() }
            } else {
                sums.clone()
            }
        };
        let (from, to) = (padded(before), padded(now));
        if to.is_rounded(&Sums { count: to.count, ..from.clone() }, 1.0, vertices) {
            return;
        }
        let change = to.change_since(&from, vertices);
        // No weight changes by more than 1: where sums look so, several changed, or one factor changed all.
        let changes: Option<Vec<(usize, f64)>> = match change {
            // Of three and more, changes of two others have the sums of one between them.
            Change::One { index, by } => {
                let is_told = vertices.is_none_or(|vertices| vertices.len() < 3);
                is_told.then(|| vec![(index, by[0])])
            }
            Change::Each { indices, by } => {
                Some(indices.into_iter().map(|index| (index, by[0])).collect())
            }
            Change::Two { indices, by: [a, b] } => {
                Some(vec![(indices[0], a[0]), (indices[1], b[0])])
            }
            Change::Several => None,
        };
        let is_one =
            |changes: &Vec<(usize, f64)>| changes.iter().all(|(_, by)| by.abs() <= 1.0 + 1e-6);
        match changes.filter(is_one) {
            Some(changes) if !is_factor || changes.len() < 3 => {
                for (vertex, by) in changes.into_iter().filter(|(_, by)| by.abs() > 1e-6) {
                    of_vertices.entry(vertex).or_default().push((Subject::joint(joint), by));
                }
            }
            _ if is_factor => {
                let count = now.count as usize;
                let weights = say(Kind::AllChanged, Subject::all(Element::Weight));
                let weights = weights.within(Subject::joint(joint)).within(subject(new));
                let percent = (ratio[0] - 1.0) * 100.0;
                all.push(weights.count(count, count).by(percent, Unit::Percent));
            }
            _ => several.push((Subject::joint(joint), [&from, &to].map(|sums| total(sums, 0)))),
        }
    };
    for MeshJoint { name: joint, weights, .. } in &new.joints {
        let known = partner(joint).unwrap_or_else(|| joint.clone());
        let before = old.joints.iter().find(|before| before.name == known);
        compare(joint, before.map_or(&none, |before| &before.weights), weights);
    }
    for MeshJoint { name: joint, weights, .. } in &old.joints {
        let is_kept = new
            .joints
            .iter()
            .any(|now| partner(&now.name).unwrap_or_else(|| now.name.clone()) == *joint);
        if !is_kept {
            compare(joint, weights, &none);
        }
    }
    let weights = || within(new, Kind::ElementsChanged, Element::Weight);
    if !several.is_empty() {
        // Weights are shares, so that those of other joints follow: the largest leads, and of equal ones the largest share of its own.
        let weight = |[from, to]: &[f64; 2]| {
            let by = (to - from).abs();
            ((libm::log(by) * 1e4).round(), by / larger(*from, f64::MIN_POSITIVE))
        };
        several.sort_by(|(_, a), (_, b)| {
            let ((by, share), (other, its)) = (weight(a), weight(b));
            other.total_cmp(&by).then(its.total_cmp(&share))
        });
        let several = several.into_iter().map(|(joint, _)| joint);
        let among = vertices.unwrap_or_default();
        let among = if (3..=MAX_VERTICES).contains(&among.len()) { among } else { &[] };
        all.push(weights().elements(vertices_of(among).chain(several)));
        return all;
    }
    // Vertices with the same change are told at once.
    let mut groups: Vec<(Vec<usize>, OfJoints)> = Vec::new();
    for (vertex, changes) in of_vertices {
        match groups.iter_mut().find(|(_, known)| *known == changes) {
            Some((vertices, _)) => vertices.push(vertex),
            None => groups.push((vec![vertex], changes)),
        }
    }
    all.extend(groups.into_iter().map(|(vertices, mut changes)| {
        // The largest leads, and of equal ones the one that is lower.
        let weight = |by: f64| ((by.abs() * 1e5).round(), -by);
        changes.sort_by(|(_, a), (_, b)| {
            let (a, b) = (weight(*a), weight(*b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        let own = changes.iter().fold(weights(), |own, (_, by)| own.by(*by, Unit::Number));
        own.elements(vertices_of(&vertices).chain(changes.into_iter().map(|(joint, _)| joint)))
    }));
    all
}

/// Vertices that are listed one by one, where several changed.
const MAX_VERTICES: usize = 8;

fn positions(
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
    // Where the weights are as before, each position counts with its weight, as it is seen.
    let is_weighted = !has_weights && now.weighted.count > 0;
    let (from, to) = if is_weighted {
        (&before.weighted, &now.weighted)
    } else {
        (&before.positions, &now.positions)
    };
    let mut moved = say(Kind::Deformed, subject(new));
    moved.property = why.map(str::to_owned);
    // With weights, marks tell more than positions.
    let change = to.change_since(from, vertices);
    if !matches!(change, Change::Several) {
        return Some(of_change(moved, change, Unit::Distance));
    }
    // Of vertices that moved by a sum, one moved by its share of it at least.
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

/// The distance by which each element changed, if nearly all are known to differ, all by one vector. Marks of a few bits hide some.
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

/// The distance by which each corner of polygons changed, if all did by one vector; `polygons` tell how often each point is a corner.
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
fn list(
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
    let even = match mesh.has_polygons {
        true => change_of_corners(old, new, &mesh.lists.corners),
        false => change_of_all(old, new, vertices),
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

fn triangles(old: &MeshContent, new: &MeshContent) -> Option<Finding> {
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

/// Morph targets that are new, gone, or move vertices otherwise.
fn targets(old: &MeshContent, new: &MeshContent, size: f64) -> Vec<Finding> {
    let mut found = Vec::new();
    let target =
        |kind, name: &str| say(kind, Subject::named(Element::Target, name)).within(subject(new));
    let (a_list, b_list) = (&old.targets, &new.targets);
    let by_name = |a: usize, b: usize| a_list[a].0 == b_list[b].0;
    let is_free = |a: usize, b: usize| {
        b_list.iter().all(|(name, _)| *name != a_list[a].0)
            && a_list.iter().all(|(name, _)| *name != b_list[b].0)
    };
    let by_content = |a: usize, b: usize| is_free(a, b) && a_list[a].1.is_same(&b_list[b].1);
    let pairs = Pairs::new([a_list.len(), b_list.len()], &[&by_name, &by_content]);
    for ((name, now), partner) in b_list.iter().zip(&pairs.of_new) {
        let Some((was, before)) = partner.map(|partner| &a_list[partner]) else {
            found.push(target(Kind::Added, name));
            continue;
        };
        if was != name {
            let renamed = say(Kind::Renamed, Subject::named(Element::Target, was));
            found.push(renamed.from_to(None, Value::from(name.as_str())));
        }
        if before.is_same(now) || now.is_rounded(before, size, None) {
            continue;
        }
        let moves = target(Kind::MovesOtherwise, name);
        found.push(match now.change_since(before, None) {
            Change::One { index, by } => moves
                .elements([Subject::vertex(index)])
                .by(norm(&by[..3.min(by.len())]), Unit::Distance),
            _ => moves,
        });
    }
    found.extend(pairs.gone.iter().map(|&gone| target(Kind::Removed, &a_list[gone].0)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_factor_for_all_weights_is_not_one_vertex_in_their_middle() {
        let told =
            |all: Vec<Finding>| -> Vec<String> { all.iter().map(Finding::sentence).collect() };
        let mesh = |weight: &dyn Fn(i64) -> f32| MeshContent {
            name: "body".to_owned(),
            joints: vec![MeshJoint {
                name: "spine".to_owned(),
                weights: Sums::at((0..21).map(|vertex| (vertex, [weight(vertex)]))),
                offset: None,
            }],
            ..MeshContent::default()
        };
        let changes = |to: &dyn Fn(i64) -> f32| {
            let (old, new) = (mesh(&|_| 1.0), mesh(to));
            told(weights(&old, &new, &|name| Some(name.to_owned()), None))
        };
        assert_eq!(changes(&|_| 0.5), ["all 21 weights of spine in mesh body are 50 % lower"]);
        let one = |vertex| if vertex == 10 { 0.5 } else { 1.0 };
        let two = |vertices: Option<&[usize]>| {
            let to = |vertex| if vertex == 10 || vertex == 12 { 0.5 } else { 1.0 };
            let (old, new) = (mesh(&|_| 1.0), mesh(&to));
            told(weights(&old, &new, &|name| Some(name.to_owned()), vertices))
        };
        assert_eq!(
            two(Some(&[10, 12])),
            ["weights of vertices 10 and 12 in mesh body changed: of spine 0.5 lower, each"]
        );
        // The mark of one of them may be the same by chance; where more may have changed, none is told apart.
        assert_eq!(two(Some(&[10])), two(Some(&[10, 12])));
        assert_eq!(
            two(Some(&[3, 10, 11, 12])),
            ["weights of spine in mesh body changed on several vertices among 3, 10, 11 and 12"]
        );
        assert_eq!(
            changes(&one),
            ["weights of vertex 10 in mesh body changed: of spine 0.5 lower"]
        );
    }
}
