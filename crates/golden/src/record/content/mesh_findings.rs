//! Differences of meshes: lists of other lengths, then offset matrices, weights, positions, normals, texture coordinates and
//! triangles.

use super::finding::{Finding, Rank};
use super::model_content::{MeshContent, MeshJoint, ModelContent};
use super::pairs::Pairs;
use super::sums::{Change, Sums};
use crate::record::amounts::{DEGREES, degrees, distance, listed};
use crate::record::rigid::turn_deg;
use crate::record::stage::Stage;
use std::collections::BTreeMap;
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
        &[&whole, &by_name, &by_content, &by_surface, &by_place],
    );
    let say = |rank, what: String| Finding::new(Stage::Skin, rank, what);
    let mut found = Vec::new();
    let counts = format!("{} meshes, were {}", now.len(), before.len());
    for &gone in &pairs.gone {
        found.push(say(Rank::Edit, format!("{counts}: {} is gone", before[gone].label())));
    }
    for fresh in pairs.fresh() {
        found.push(say(Rank::Edit, format!("{counts}: {} is new", now[fresh].label())));
    }
    for (a, b) in pairs.iter() {
        let (before, now) = (&before[a], &now[b]);
        if before.label() != now.label() {
            let what = format!("mesh {} is called {}", before.label(), now.label());
            found.push(say(Rank::Name, what));
        }
        if before.shader != now.shader && !now.name.is_empty() {
            let what =
                format!("mesh {} has material {}, had {}", now.label(), now.shader, before.shader);
            found.push(say(Rank::Name, what));
        }
        let name_of = |index: usize| old.joints.get(index).map(|joint| joint.name.as_str());
        let partner = |name: &str| -> Option<String> {
            let index = new.joints.iter().position(|joint| joint.name == *name)?;
            name_of(joints.of_new[index]?).map(str::to_owned)
        };
        let why = match (joints_are_equal, now.lists.weighted.count > 0) {
            (false, _) => "",
            (true, true) => ", joints equal: weights changed",
            (true, false) => ", joints equal: positions changed",
        };
        let uses_textures = has_textures(&now.shader) || has_textures(&before.shader);
        found.extend(of_mesh([before, now], &partner, (why, uses_textures), size));
    }
    if pairs.is_reordered() {
        found.push(say(Rank::Order, "meshes are in another order".to_owned()));
    }
    found
}

/// The differences of one mesh; `partner` gives the old name of a joint, `why` ends the sentence that vertices moved. Texture
/// coordinates that no texture uses are not seen.
fn of_mesh(
    [old, new]: [&MeshContent; 2],
    partner: &dyn Fn(&str) -> Option<String>,
    (why, uses_textures): (&str, bool),
    size: f64,
) -> Vec<Finding> {
    let name = new.label();
    let finding = |rank, what: String| Finding::new(Stage::Skin, rank, what);
    let say = |what: String| finding(Rank::Edit, what);
    let mut found = Vec::new();
    let (offsets, rounded) = offsets(name, old, new, partner, size);
    found.extend(rounded.into_iter().map(|what| finding(Rank::Rounding, what)));
    let [from, to] = [old, new].map(|mesh| mesh.lists.positions.count);
    if old.surface.is_some() && old.surface == new.surface {
        found.extend(offsets.into_iter().map(say));
        let is_plain = old.vertex_marks == new.vertex_marks
            && old.triangle_marks == new.triangle_marks
            && old.lists == new.lists;
        let what = match from == to {
            _ if is_plain => return found,
            true => format!(
                "mesh {name}: the same surface, {to} vertices or their triangles in another order"
            ),
            false => format!("mesh {name}: the same surface, {to} vertices, were {from}"),
        };
        found.push(finding(Rank::Order, what));
        return found;
    }
    if let Some(what) = quantized(old, new, partner, size) {
        found.push(finding(Rank::Form, format!("mesh {name} is quantized: {what}")));
        return found;
    }
    if let Some(besides) = changed_besides_order(old, new) {
        let what = format!("mesh {name}: {to} vertices in another order");
        found.push(finding(Rank::Order, what));
        found.extend(offsets.into_iter().map(say));
        found.extend(besides_order([old, new], partner, &besides, size).into_iter().map(say));
        return found;
    }
    let sizes =
        [("vertices", from, to), ("triangles", old.lists.corners.count, new.lists.corners.count)];
    for (what, before, now) in sizes {
        if before != now {
            found.push(say(format!("mesh {name} has {now} {what}, had {before}")));
        }
    }
    let vertices = changed(&old.vertex_marks, &new.vertex_marks, old.stride, new.stride);
    let vertices = vertices.as_deref();
    if from == to {
        let weights = weights(name, old, new, partner, candidates(old, new).as_deref());
        let has_weights = !weights.is_empty();
        found.extend(offsets.into_iter().chain(weights).map(say));
        let [before, now] = [&old.lists, &new.lists];
        let coordinates = list(name, COORDINATE, &before.texcoords, &now.texcoords, vertices);
        let of_vertices = [
            positions(name, [old, new], vertices, has_weights, why, size),
            normals(name, &before.normals, &now.normals, vertices),
            coordinates.clone().filter(|_| uses_textures),
            list(name, "vertex colour", &before.colors, &now.colors, vertices),
        ];
        found.extend(targets(name, old, new, size).into_iter().map(say));
        found.extend(of_vertices.into_iter().flatten().map(say));
        if !uses_textures && let Some(what) = coordinates {
            found.push(finding(Rank::Order, format!("{what}, and no texture uses them")));
        }
        let lists = [
            (&before.positions, &now.positions, size),
            (&before.texcoords, &now.texcoords, 1.0),
            (&before.normals, &now.normals, 1.0),
            (&before.colors, &now.colors, 1.0),
        ];
        if lists
            .into_iter()
            .any(|(old, new, size)| !old.is_same(new) && new.is_rounded(old, size, vertices))
        {
            let what = format!("mesh {name} changed in the last digits");
            found.push(finding(Rank::Rounding, what));
        }
    }
    if sizes[1].1 == sizes[1].2 {
        found.extend(triangles(name, old, new).map(say));
    }
    found
}

/// The sentence that positions lie on a grid now, with the largest error of such a grid, where they are the same within it.
///
/// A quantized mesh has a space of its own: the offset matrices take all of its joints there by one transform.
fn quantized(
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    size: f64,
) -> Option<String> {
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
    let percent = 100.0 * error / size;
    let shown = match percent {
        _ if percent < 0.001 => format!("{percent:.1e}"),
        _ if percent < 0.01 => format!("{percent:.3}"),
        _ => format!("{percent:.2}"),
    };
    (norm(&gap) <= error).then(|| format!("vertices within {shown} %"))
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

/// Changes besides the order of vertices: sums of lists do not depend on it.
fn besides_order(
    [old, new]: [&MeshContent; 2],
    partner: &dyn Fn(&str) -> Option<String>,
    candidates: &[usize],
    size: f64,
) -> Vec<String> {
    let name = new.label();
    let of = match candidates {
        [one] => format!("vertex {one} of mesh {name}"),
        [] => format!("a vertex of mesh {name}"),
        some if some.len() <= MAX_VERTICES => {
            format!("one of vertices {} of mesh {name}", listed(some))
        }
        some => format!("one of {} vertices of mesh {name}", some.len()),
    };
    let by = |before: &Sums, now: &Sums| -> Vec<f64> {
        let pairs = before.total(0).into_iter().zip(now.total(0));
        pairs.map(|(before, now)| now - before).collect()
    };
    let mut found = Vec::new();
    let lists = [
        ("moved", &old.lists.positions, &new.lists.positions, size),
        ("texture coordinate changed by", &old.lists.texcoords, &new.lists.texcoords, 1.0),
        ("normal changed by", &old.lists.normals, &new.lists.normals, 1.0),
        ("vertex colour changed by", &old.lists.colors, &new.lists.colors, 1.0),
    ];
    for (what, before, now, size) in lists {
        let moved = norm(&by(before, now));
        if moved > 1e-6 * size {
            found.push(format!("{of} {what} {}", distance(moved)));
        }
    }
    let mut words = Vec::new();
    for joint in &new.joints {
        let known = partner(&joint.name).unwrap_or_else(|| joint.name.clone());
        let before = old.joints.iter().find(|before| before.name == known);
        let total = |sums: &Sums| sums.total(0).first().copied().unwrap_or(0.0);
        let by = total(&joint.weights) - before.map_or(0.0, |before| total(&before.weights));
        if by.abs() > 1e-6 {
            words.push(weight_word(&joint.name, by));
        }
    }
    if !words.is_empty() {
        found.push(format!("weights of {of} changed: {}", words.join(", ")));
    }
    if found.is_empty() {
        found.push(format!(
            "mesh {name}: triangles have other corners, or vertices changed by sums of 0"
        ));
    }
    found
}

/// `of wrist 0.7 higher`.
fn weight_word(joint: &str, by: f64) -> String {
    let word = if by < 0.0 { "lower" } else { "higher" };
    format!("of {joint} {} {word}", distance(by.abs()))
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

/// `1 of 3777 vertices`, or `at least`, where marks are of several.
fn some(count: u32, what: &str, known: Option<&[usize]>) -> String {
    match known {
        Some(known) if !known.is_empty() => format!("{} of {count} {what}", known.len()),
        _ => format!("several of {count} {what}"),
    }
}

/// Offset matrices of joints that changed, and the sentence that some changed by rounding.
fn offsets(
    name: &str,
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    size: f64,
) -> (Vec<String>, Option<String>) {
    let mut found: Vec<(f64, String)> = Vec::new();
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
        let mut words = Vec::new();
        let size = larger(size, norm(&to_place));
        if moved > 1e-6 * size {
            words.push(format!("moved {}", distance(moved)));
        }
        if turned_deg > 1e-3 {
            words.push(format!("turned {}", degrees(turned_deg)));
        }
        let stretched =
            (0..3).any(|k| (to_scale[k] - from_scale[k]).abs() > 1e-5 * from_scale[k].abs());
        if stretched {
            let ratio: Vec<f64> = (0..3).map(|k| to_scale[k] / from_scale[k]).collect();
            words.push(format!("scaled by {}", super::skeleton_findings::factors(&ratio)));
        }
        if words.is_empty() && from != to {
            rounded.push(joint.name.clone());
        }
        if !words.is_empty() {
            let what = words.join(" and ");
            let weight = larger(turned_deg / 90.0, moved / larger(size, f64::MIN_POSITIVE));
            found.push((weight, format!("offset matrix of {} in mesh {name} {what}", joint.name)));
        }
    }
    // The largest leads.
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let rounded = (!rounded.is_empty()).then(|| {
        format!("offset matrices in mesh {name} changed in the last digits: {}", listed(&rounded))
    });
    (found.into_iter().map(|(_, what)| what).collect(), rounded)
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

/// Weights: all of a joint by one factor, else those of single vertices. `vertices` are those of which anything is known to differ; sums
/// tell how the changes of a joint are shared by one or two of them, and no more.
fn weights(
    name: &str,
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    vertices: Option<&[usize]>,
) -> Vec<String> {
    let none = Sums::default();
    let mut all = Vec::new();
    // By vertex: the joints and their changes.
    let mut of_vertices: BTreeMap<usize, Vec<String>> = BTreeMap::new();
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
                    of_vertices.entry(vertex).or_default().push(weight_word(joint, by));
                }
            }
            _ if is_factor => {
                let percent = (ratio[0] - 1.0) * 100.0;
                let word = if percent < 0.0 { "lower" } else { "higher" };
                let percent = super::skeleton_findings::factors(&[percent.abs()]);
                all.push(format!(
                    "all {} weights of {joint} in mesh {name} are {percent} % {word}",
                    now.count
                ));
            }
            _ => several.push(joint.to_owned()),
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
    if !several.is_empty() {
        let joints = listed(&several);
        all.push(match vertices {
            Some(vertices) if vertices.len() > 2 && vertices.len() <= MAX_VERTICES => format!(
                "weights of {joints} in mesh {name} changed on several vertices among {}",
                listed(vertices)
            ),
            _ => format!("weights of {joints} in mesh {name} changed on several vertices"),
        });
        return all;
    }
    // Vertices with the same change are told at once.
    let mut groups: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    for (vertex, words) in of_vertices {
        match groups.iter_mut().find(|(_, known)| *known == words) {
            Some((vertices, _)) => vertices.push(vertex),
            None => groups.push((vec![vertex], words)),
        }
    }
    all.extend(groups.into_iter().map(|(vertices, words)| {
        let (of, each) = match vertices.as_slice() {
            [vertex] => (format!("vertex {vertex}"), ""),
            vertices => (format!("vertices {}", listed(vertices)), ", each"),
        };
        format!("weights of {of} in mesh {name} changed: {}{each}", words.join(", "))
    }));
    all
}

/// Vertices that are listed one by one, where several changed.
const MAX_VERTICES: usize = 8;

fn positions(
    name: &str,
    [old, new]: [&MeshContent; 2],
    vertices: Option<&[usize]>,
    has_weights: bool,
    why: &str,
    size: f64,
) -> Option<String> {
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
    // With weights, marks tell more than positions.
    let change = to.change_since(from, vertices);
    Some(match change {
        Change::One { index, by } => {
            format!("mesh {name} moved, worst vertex {index} by {}{why}", distance(norm(&by)))
        }
        Change::Each { indices, by } => format!(
            "mesh {name} moved, vertices {} by {} each{why}",
            listed(&indices),
            distance(norm(&by))
        ),
        Change::Two { indices: [a, b], by } => {
            let [first, second] = by.map(|by| distance(norm(&by)));
            format!("mesh {name} moved, vertex {a} by {first} and vertex {b} by {second}{why}")
        }
        Change::Several => {
            let first = vertices.and_then(<[usize]>::first);
            let first = first.map_or(String::new(), |first| format!(", first vertex {first}"));
            // Of vertices that moved by a sum, one moved by its share of it at least.
            let pairs = from.total(0).into_iter().zip(to.total(0));
            let sum: Vec<f64> = pairs.map(|(from, to)| to - from).collect();
            #[expect(clippy::cast_precision_loss, reason = "a count of vertices")]
            let moved = vertices.map_or(f64::from(to.count), |all| all.len().max(1) as f64);
            let least = match norm(&sum) / moved {
                least if least > 1e-6 * size => format!(", one by {} or more", distance(least)),
                _ => String::new(),
            };
            let count = some(to.count, "vertices", vertices);
            format!("mesh {name} moved, {count}{least}{first}{why}")
        }
    })
}

fn normals(name: &str, old: &Sums, new: &Sums, vertices: Option<&[usize]>) -> Option<String> {
    if old.is_same(new) || new.is_rounded(old, 1.0, vertices) {
        return None;
    }
    let angle = |by: &[f64]| degrees(2.0 * libm::asin(smaller(norm(by) * 0.5, 1.0)) * DEGREES);
    let change = new.change_since(old, vertices);
    Some(match change {
        _ if old.count != new.count => {
            format!("mesh {name}: {} normals, were {}", new.count, old.count)
        }
        Change::One { index, by } => {
            format!("mesh {name}: normal of vertex {index} turned {}", angle(&by))
        }
        Change::Each { indices, by } => {
            format!(
                "mesh {name}: normals of vertices {} turned {} each",
                listed(&indices),
                angle(&by)
            )
        }
        Change::Two { indices: [a, b], by } => {
            let [first, second] = by.map(|by| angle(&by));
            format!("mesh {name}: normals of vertices {a} and {b} turned {first} and {second}")
        }
        Change::Several => format!("mesh {name}: {} changed", some(new.count, "normals", vertices)),
    })
}

/// Word for an element of a list of texture coordinates.
const COORDINATE: &str = "texture coordinate";

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

fn list(
    name: &str,
    what: &str,
    old: &Sums,
    new: &Sums,
    vertices: Option<&[usize]>,
) -> Option<String> {
    if old.is_same(new) || new.is_rounded(old, 1.0, vertices) {
        return None;
    }
    let change = new.change_since(old, vertices);
    let of_all = if what == COORDINATE { change_of_all(old, new, vertices) } else { None };
    Some(match change {
        _ if old.count != new.count => {
            format!("mesh {name}: {} {what}s, were {}", new.count, old.count)
        }
        _ if of_all.is_some() => format!(
            "mesh {name}: all {} {what}s changed by {} each, as a texture transform does",
            new.count,
            distance(of_all.unwrap_or_default())
        ),
        Change::One { index, by } => {
            format!("mesh {name}: {what} of vertex {index} changed by {}", distance(norm(&by)))
        }
        Change::Each { indices, by } => format!(
            "mesh {name}: {what}s of vertices {} changed by {} each",
            listed(&indices),
            distance(norm(&by))
        ),
        Change::Two { indices: [a, b], by } => {
            let [first, second] = by.map(|by| distance(norm(&by)));
            format!("mesh {name}: {what}s of vertices {a} and {b} changed by {first} and {second}")
        }
        Change::Several => {
            let first = vertices.and_then(<[usize]>::first);
            let first =
                first.map_or(String::new(), |first| format!(", first that of vertex {first}"));
            format!(
                "mesh {name}: {} changed{first}",
                some(new.count, &format!("{what}s"), vertices)
            )
        }
    })
}

fn triangles(name: &str, old: &MeshContent, new: &MeshContent) -> Option<String> {
    let (before, now) = (&old.lists.corners, &new.lists.corners);
    if before.is_same(now) {
        return None;
    }
    let known = changed(&old.triangle_marks, &new.triangle_marks, old.stride, new.stride);
    Some(match (now.change_since(before, None), known.as_deref()) {
        (Change::One { index, .. }, _) | (_, Some(&[index])) => {
            format!("mesh {name}: triangle {index} has other corners or another order of them")
        }
        (_, Some(all)) if !all.is_empty() => format!(
            "mesh {name}: {} have other corners or another order of them, first triangle {}",
            some(now.count, "triangles", known.as_deref()),
            all[0]
        ),
        _ => format!("mesh {name}: triangles have other corners or another order of them"),
    })
}

/// Morph targets that are new, gone, or move vertices otherwise.
fn targets(name: &str, old: &MeshContent, new: &MeshContent, size: f64) -> Vec<String> {
    let mut found = Vec::new();
    for (target, now) in &new.targets {
        let Some((_, before)) = old.targets.iter().find(|(known, _)| known == target) else {
            found.push(format!("mesh {name}: target '{target}' is new"));
            continue;
        };
        if before.is_same(now) || now.is_rounded(before, size, None) {
            continue;
        }
        found.push(match now.change_since(before, None) {
            Change::One { index, by } => format!(
                "mesh {name}: target '{target}' moves vertex {index} by {} more",
                distance(norm(&by[..3.min(by.len())]))
            ),
            _ => format!("mesh {name}: target '{target}' moves several vertices otherwise"),
        });
    }
    let is_gone = |name: &String| new.targets.iter().all(|(known, _)| known != name);
    let gone = old.targets.iter().filter(|(target, _)| is_gone(target));
    found.extend(gone.map(|(target, _)| format!("mesh {name}: target '{target}' is gone")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_factor_for_all_weights_is_not_one_vertex_in_their_middle() {
        let mesh = |weight: &dyn Fn(i64) -> f32| MeshContent {
            joints: vec![MeshJoint {
                name: "spine".to_owned(),
                weights: Sums::at((0..21).map(|vertex| (vertex, [weight(vertex)]))),
                offset: None,
            }],
            ..MeshContent::default()
        };
        let changes = |to: &dyn Fn(i64) -> f32| {
            weights("body", &mesh(&|_| 1.0), &mesh(to), &|name| Some(name.to_owned()), None)
        };
        assert_eq!(changes(&|_| 0.5), ["all 21 weights of spine in mesh body are 50 % lower"]);
        let one = |vertex| if vertex == 10 { 0.5 } else { 1.0 };
        let two = |vertices: Option<&[usize]>| {
            let to = |vertex| if vertex == 10 || vertex == 12 { 0.5 } else { 1.0 };
            let (old, new) = (mesh(&|_| 1.0), mesh(&to));
            weights("body", &old, &new, &|name| Some(name.to_owned()), vertices)
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
