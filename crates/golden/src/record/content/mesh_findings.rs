//! Differences of meshes: lists of other lengths, then offset matrices, weights, positions, normals, texture coordinates and
//! triangles.

use super::finding::{Finding, Rank};
use super::model_content::{MeshContent, MeshJoint, MeshLists, ModelContent};
use super::pairs::Pairs;
use super::sums::{Change, Sums};
use crate::record::amounts::{DEGREES, degrees, distance, listed};
use crate::record::rigid::turn_deg;
use crate::record::stage::Stage;
use tintype_model::math::{Affine3, Mat3, Quat};
use tintype_model::math::{larger, smaller};

pub(super) fn findings(
    old: &ModelContent,
    new: &ModelContent,
    joints: &Pairs,
    joints_are_equal: bool,
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
    let by_place = |a: usize, b: usize| {
        is_free(a, b) && a == b && before.len() == now.len() && sizes(&before[a]) == sizes(&now[b])
    };
    let pairs = Pairs::new([before.len(), now.len()], &[&whole, &by_name, &by_content, &by_place]);
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
        found.extend(of_mesh(before, now, &partner, why));
    }
    if pairs.is_reordered() {
        found.push(say(Rank::Order, "meshes are in another order".to_owned()));
    }
    found
}

/// The differences of one mesh; `partner` gives the old name of a joint, `why` ends the sentence that vertices moved.
fn of_mesh(
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
    why: &str,
) -> Vec<Finding> {
    let name = new.label();
    let say = |what: String| Finding::new(Stage::Skin, Rank::Edit, what);
    let mut found = Vec::new();
    let sizes = [
        ("vertices", old.lists.positions.count, new.lists.positions.count),
        ("triangles", old.lists.corners.count, new.lists.corners.count),
    ];
    for (what, before, now) in sizes {
        if before != now {
            found.push(say(format!("mesh {name} has {now} {what}, had {before}")));
        }
    }
    let vertices = changed(&old.vertex_marks, &new.vertex_marks, old.stride, new.stride);
    if sizes[0].1 == sizes[0].2 {
        let mut of_joints = offsets(name, old, new, partner);
        let weights = weights(name, old, new, partner);
        let has_weights = !weights.is_empty();
        of_joints.extend(weights);
        found.extend(of_joints.into_iter().map(say));
        let of_vertices = [
            positions(name, old, new, vertices.as_deref(), has_weights, why),
            normals(name, &old.lists.normals, &new.lists.normals, vertices.as_deref()),
            list(
                name,
                "texture coordinate",
                &old.lists.texcoords,
                &new.lists.texcoords,
                vertices.as_deref(),
            ),
            list(name, "vertex colour", &old.lists.colors, &new.lists.colors, vertices.as_deref()),
        ];
        found.extend(targets(name, old, new).into_iter().map(say));
        found.extend(of_vertices.into_iter().flatten().map(say));
        let lists = |mesh: &MeshContent| {
            let MeshLists { positions, texcoords, normals, .. } = mesh.lists.clone();
            [positions, texcoords, normals]
        };
        let pairs = lists(old).into_iter().zip(lists(new));
        if pairs.into_iter().any(|(old, new)| is_rounding(&old, &new)) {
            let what = format!("mesh {name} changed in the last digits");
            found.push(Finding::new(Stage::Skin, Rank::Rounding, what));
        }
    }
    if sizes[1].1 == sizes[1].2 {
        found.extend(triangles(name, old, new).map(say));
    }
    found
}

/// Whether a list changed by rounding alone.
fn is_rounding(old: &Sums, new: &Sums) -> bool {
    !old.is_same(new) && new.is_rounded(old)
}

/// The elements whose marks differ; none if a mark is that of several, or there are other numbers of them.
fn changed(old: &str, new: &str, stride: u32, new_stride: u32) -> Option<Vec<usize>> {
    let is_alike = stride == 1 && new_stride == 1 && old.len() == new.len();
    let pairs = old.bytes().zip(new.bytes()).enumerate();
    is_alike.then(|| pairs.filter(|(_, (a, b))| a != b).map(|(index, _)| index).collect())
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

/// Offset matrices of joints that changed.
fn offsets(
    name: &str,
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut found = Vec::new();
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
        if moved > 1e-6 * larger(norm(&to_place), 1e-3) {
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
            words.push("changed in its last digits".to_owned());
        }
        if !words.is_empty() {
            let what = words.join(" and ");
            found.push(format!("offset matrix of {} in mesh {name} {what}", joint.name));
        }
    }
    found
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

/// Weights: all of a joint by one factor, else those of single vertices.
fn weights(
    name: &str,
    old: &MeshContent,
    new: &MeshContent,
    partner: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let none = Sums::default();
    let mut all = Vec::new();
    // By vertex: the joints and their changes.
    let mut of_vertices: Vec<(usize, Vec<String>)> = Vec::new();
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
        match padded(now).change_since(&padded(before), None) {
            // No weight changes by more than 1: where sums look so, one factor changed all, and their middle is a vertex.
            Change::One { index, by } if !is_factor || by.iter().all(|by| by.abs() <= 1.0) => {
                let by = by.first().copied().unwrap_or(0.0);
                let word = if by < 0.0 { "lower" } else { "higher" };
                let what = format!("of {joint} {} {word}", distance(by.abs()));
                match of_vertices.iter_mut().find(|(vertex, _)| *vertex == index) {
                    Some((_, words)) => words.push(what),
                    None => of_vertices.push((index, vec![what])),
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
    of_vertices.sort_unstable();
    let single = |(vertex, words): &(usize, Vec<String>)| {
        format!("weights of vertex {vertex} in mesh {name} changed: {}", words.join(", "))
    };
    all.extend(of_vertices.iter().map(single));
    if !several.is_empty() {
        all.push(format!(
            "weights of {} in mesh {name} changed on several vertices",
            listed(&several)
        ));
    }
    all
}

fn positions(
    name: &str,
    old: &MeshContent,
    new: &MeshContent,
    vertices: Option<&[usize]>,
    has_weights: bool,
    why: &str,
) -> Option<String> {
    let (before, now) = (&old.lists, &new.lists);
    if before.positions.is_same(&now.positions) || now.positions.is_rounded(&before.positions) {
        return None;
    }
    // Where the weights are as before, each position counts with its weight, as it is seen.
    let is_weighted = !has_weights && now.weighted.count > 0;
    let (from, to) = match is_weighted {
        true => (&before.weighted, &now.weighted),
        false => (&before.positions, &now.positions),
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
        Change::Several => {
            let first = vertices.and_then(<[usize]>::first);
            let first = first.map_or(String::new(), |first| format!(", first vertex {first}"));
            // Of vertices that moved by a sum, one moved by its share of it at least.
            let pairs = from.total(0).into_iter().zip(to.total(0));
            let sum: Vec<f64> = pairs.map(|(from, to)| to - from).collect();
            #[expect(clippy::cast_precision_loss, reason = "a count of vertices")]
            let moved = vertices.map_or(f64::from(to.count), |all| all.len().max(1) as f64);
            let least = distance(norm(&sum) / moved);
            let count = some(to.count, "vertices", vertices);
            format!("mesh {name} moved, {count}, one by {least} or more{first}{why}")
        }
    })
}

fn normals(name: &str, old: &Sums, new: &Sums, vertices: Option<&[usize]>) -> Option<String> {
    if old.is_same(new) || new.is_rounded(old) {
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
        Change::Several => format!("mesh {name}: {} changed", some(new.count, "normals", vertices)),
    })
}

fn list(
    name: &str,
    what: &str,
    old: &Sums,
    new: &Sums,
    vertices: Option<&[usize]>,
) -> Option<String> {
    if old.is_same(new) || new.is_rounded(old) {
        return None;
    }
    let change = new.change_since(old, vertices);
    Some(match change {
        _ if old.count != new.count => {
            format!("mesh {name}: {} {what}s, were {}", new.count, old.count)
        }
        Change::One { index, by } => {
            format!("mesh {name}: {what} of vertex {index} changed by {}", distance(norm(&by)))
        }
        Change::Each { indices, by } => format!(
            "mesh {name}: {what}s of vertices {} changed by {} each",
            listed(&indices),
            distance(norm(&by))
        ),
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
fn targets(name: &str, old: &MeshContent, new: &MeshContent) -> Vec<String> {
    let mut found = Vec::new();
    for (target, now) in &new.targets {
        let Some((_, before)) = old.targets.iter().find(|(known, _)| known == target) else {
            found.push(format!("mesh {name}: target '{target}' is new"));
            continue;
        };
        if before.is_same(now) {
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
            weights("body", &mesh(&|_| 1.0), &mesh(to), &|name| Some(name.to_owned()))
        };
        assert_eq!(changes(&|_| 0.5), ["all 21 weights of spine in mesh body are 50 % lower"]);
        let one = |vertex| if vertex == 10 { 0.5 } else { 1.0 };
        assert_eq!(
            changes(&one),
            ["weights of vertex 10 in mesh body changed: of spine 0.5 lower"]
        );
    }
}
