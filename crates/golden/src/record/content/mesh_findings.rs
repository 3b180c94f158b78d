//! Differences of meshes: lists of other lengths, then offset matrices, weights, positions,
//! normals, texture coordinates and triangles.

use super::list_findings::{list, polygons, positions, triangles};
use super::mesh_finding::{Partner, changed, norm, say, subject, within};
use super::model_content::{MeshContent, ModelContent};
use super::offset_findings::{offsets, quantized};
use super::order_findings::{besides_order, changed_besides_order};
use super::pairs::Pairs;
use super::sums::{Change, Sums};
use super::weight_findings::weights;
use tintype_compare::finding::{Element, Finding, Kind, Subject, Unit, Value};

pub(super) fn findings(
    old: &ModelContent,
    new: &ModelContent,
    joints: &Pairs,
    (joints_are_equal, has_textures): (bool, &dyn Fn(&str) -> bool),
    size: f64,
) -> Vec<Finding> {
    let (before, now) = (&old.meshes, &new.meshes);
    let pairs = paired(before, now);
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

/// Corresponding meshes of two models: matched by all their properties, then by fewer.
fn paired(before: &[MeshContent], now: &[MeshContent]) -> Pairs {
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
    // Nodes with equal meshes may end up using one, with its name.
    let by_surface =
        |a: usize, b: usize| before[a].surface.is_some() && before[a].surface == now[b].surface;
    let by_place = |a: usize, b: usize| {
        is_free(a, b) && a == b && before.len() == now.len() && sizes(&before[a]) == sizes(&now[b])
    };
    Pairs::new(
        [before.len(), now.len()],
        &[&whole, &same, &by_name, &by_content, &by_surface, &by_place],
    )
}

/// The differences of one mesh; `partner` maps a joint to its old name, `why` is the reason why
/// vertices moved although joints are equal. Unused texture coordinates are ignored.
fn of_mesh(
    [old, new]: [&MeshContent; 2],
    partner: &Partner,
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
    for (of, was, is) in counts.into_iter().filter(|(_, was, is)| was != is) {
        let counts = within(new, Kind::CountChanged, of);
        found.push(counts.from_to(Value::count(was), Value::count(is)));
    }
    if from == to {
        found.extend(of_vertices([old, new], partner, (offsets, why), uses_textures, size));
    }
    if corners == to_corners && !new.has_polygons {
        found.extend(triangles(old, new));
    }
    found
}

/// The differences of the lists of an unchanged number of vertices.
fn of_vertices(
    [old, new]: [&MeshContent; 2],
    partner: &Partner,
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
    // Corners are added and removed with their polygons.
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

/// Morph targets that were added, removed, or move vertices differently.
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
        // If the file stores the whole shape of a target, a vertex that moved only at rest is not
        // moved by it.
        let whole = |sums: &Sums, mesh: &MeshContent| sums.plus(&mesh.lists.positions);
        if whole(now, new).is_rounded(&whole(before, old), size, None) {
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

/// The vertices that may have changed: if several have the same mark, all of them.
fn candidates(old: &MeshContent, new: &MeshContent) -> Option<Vec<usize>> {
    let is_alike = old.stride == new.stride && old.vertex_marks.len() == new.vertex_marks.len();
    let count = new.lists.positions.count as usize;
    let stride = new.stride as usize;
    let marks = old.vertex_marks.bytes().zip(new.vertex_marks.bytes()).enumerate();
    let blocks = marks.filter(|(_, (a, b))| a != b).map(|(block, _)| block * stride);
    is_alike.then(|| blocks.flat_map(|first| first..count.min(first + stride)).collect())
}
