//! The faces of a mesh: those without area, duplicates, and flipped ones.
//!
//! Vertices at one position count as one, because seams of texture and light split them.

use super::kind::Kind;
use super::lint_problems::LintProblems;
use super::location::mesh_text;
use super::problem::{Place, Problem};
use std::collections::{BTreeMap, BTreeSet};
use tintype_base::deadline::Deadline;
use tintype_model::math::{Aabb, Vec3, unit_or};
use tintype_model::pose::bind_pose;
use tintype_model::simd::Level;
use tintype_model::skin::{SkinMatrices, SkinOptions, skin_mesh_with};
use tintype_model::surface::weld_positions;
use tintype_model::{Influence, Mesh, Model, PosedMesh};

/// A triangle has no area if its height is less than this fraction of its longest side.
const FLAT_SHARE: f32 = 1.0e-5;
/// A closed surface has no interior if it encloses less than this fraction of a cube with the
/// diagonal of its box.
const VOLUME_SHARE: f64 = 1.0e-6;

pub(super) fn check(model: &Model, positions: &[Vec<Vec3>], is_textured: &[bool]) -> Vec<Problem> {
    let [mut degenerate, mut duplicate, mut flipped, mut unreferenced] = [
        Kind::DegenerateTriangle,
        Kind::DuplicateTriangle,
        Kind::FlippedTriangle,
        Kind::UnreferencedVertex,
    ]
    .map(LintProblems::new);
    let [mut edges, mut inward, mut plain] =
        [Kind::NonManifoldEdge, Kind::InwardSurface, Kind::NoTexcoords].map(LintProblems::new);
    let [mut lit_behind, mut empty] = [Kind::NormalsInward, Kind::EmptyMesh].map(LintProblems::new);
    let matrices = SkinMatrices::new(&bind_pose(&model.skeleton));
    for (index, (mesh, positions)) in model.meshes.iter().zip(positions).enumerate() {
        let weld =
            weld_positions(&mesh.triangles, positions, &Deadline::NEVER).expect("no deadline");
        let faces = Faces::new(mesh, positions, &weld);
        let total = mesh.triangles.len();
        let options = SkinOptions { tangents: false, level: Level::best() };
        let against = against_normals(mesh, &skin_mesh_with(mesh, &matrices, options), &faces);
        lit_behind.triangles(model, index, against, total);
        add(&mut empty, model, index, usize::from(total == 0), 1);
        degenerate.triangles(model, index, faces.degenerate.clone(), total);
        duplicate.triangles(model, index, faces.duplicate.clone(), total);
        let shells = Shells::new(&faces, positions);
        flipped.triangles(model, index, shells.flipped, total);
        unreferenced.vertices(model, index, unused(mesh), mesh.file_vertex_count());
        add(&mut edges, model, index, shells.crowded_edges, shells.edges);
        surfaces(&mut inward, model, index, shells.inward, shells.closed);
        if is_textured.get(index) == Some(&true) && total > 0 {
            let all_one = mesh.texcoords.windows(2).all(|pair| pair[0] == pair[1]);
            add(&mut plain, model, index, usize::from(all_one), 1);
        }
    }
    [degenerate, duplicate, flipped, unreferenced, edges, inward, plain, lit_behind, empty]
        .into_iter()
        .filter_map(|gathered| gathered.into_problem(""))
        .chain(lods_together(model, positions))
        .collect()
}

/// Cosine of the angle between the front of a face and the normals of its corners, below which they
/// point away from it.
const AWAY_COSINE: f32 = -0.2;

/// Triangles whose normals point away from their front at all corners, if that is true for most of
/// the mesh: single ones are flipped faces.
fn against_normals(mesh: &Mesh, posed: &PosedMesh, faces: &Faces) -> Vec<usize> {
    let is_against = |&triangle: &usize| {
        let corners = mesh.triangles[triangle].map(|vertex| vertex as usize);
        let [a, b, c] = corners.map(|vertex| posed.position_at(vertex));
        let front = unit_or((b - a).cross(c - a), Vec3::ZERO);
        let normal = |vertex: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| posed.normal[axis][vertex]);
            Vec3::new(x, y, z)
        };
        corners.iter().all(|&vertex| normal(vertex).dot(front) < AWAY_COSINE)
    };
    let all = faces.kept.iter().map(|(triangle, _)| *triangle);
    let against: Vec<usize> = all.filter(is_against).collect();
    if against.len() * 2 > faces.kept.len() { against } else { Vec::new() }
}

/// Meshes whose names differ only in the number of their level of detail, and that lie in the same
/// place.
fn lods_together(model: &Model, positions: &[Vec<Vec3>]) -> Option<Problem> {
    let mut levels: BTreeMap<String, Vec<(usize, u32, Aabb)>> = BTreeMap::new();
    for (index, (mesh, positions)) in model.meshes.iter().zip(positions).enumerate() {
        let joint = mesh.influences.first().map(Influence::joint);
        let joint = joint.map(|joint| model.skeleton.joints()[joint.index()].name.as_str());
        let level = [Some(mesh.name.as_str()), joint].into_iter().flatten().find_map(level_of);
        if let Some((base, level)) = level
            && !mesh.triangles.is_empty()
        {
            let bounds = positions.iter().copied().collect();
            levels.entry(base).or_default().push((index, level, bounds));
        }
    }
    let mut places = Vec::new();
    for group in levels.values() {
        let [(_, first, around), ..] = group.as_slice() else { continue };
        let is_there = |bounds: &Aabb| {
            (bounds.center() - around.center()).length() < LEVEL_DISTANCE * around.diagonal()
        };
        let has_others = group.iter().any(|(_, level, bounds)| level != first && is_there(bounds));
        let here = group.iter().filter(|(.., bounds)| has_others && is_there(bounds));
        places.extend(here.map(|(index, ..)| Place { mesh: Some(*index), ..Place::default() }));
    }
    let first = mesh_text(model, places.first()?.mesh?);
    let problem = Problem::new(Kind::LodsTogether, places.len(), model.meshes.len(), "");
    Some(Problem { first, places, ..problem })
}

/// Distance between the centres of two levels of detail in the same place, as a fraction of one's
/// diagonal.
const LEVEL_DISTANCE: f32 = 0.25;

/// The name without its level of detail, and the level: `Tree_LOD1` is level 1 of `tree_`.
fn level_of(name: &str) -> Option<(String, u32)> {
    let name = name.to_lowercase();
    let at = name.rfind("lod")?;
    let rest = name[at + 3..].trim_start_matches(['_', '-', '.', ' ']);
    let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let level = rest[..digits].parse().ok()?;
    Some((format!("{}{}", &name[..at], &rest[digits..]), level))
}

/// Counts occurrences without an index: the mesh is their location.
fn add(gathered: &mut LintProblems, model: &Model, index: usize, count: usize, of: usize) {
    gathered.of += of;
    gathered.count += count;
    if count > 0 {
        if gathered.places.is_empty() {
            gathered.first = mesh_text(model, index);
        }
        gathered.places.push(Place { mesh: Some(index), ..Place::default() });
    }
}

/// Counts closed surfaces; each is named by its first triangle.
fn surfaces(
    gathered: &mut LintProblems,
    model: &Model,
    index: usize,
    first: Vec<usize>,
    of: usize,
) {
    gathered.triangles(model, index, first, of);
}

/// Vertices of the file that no triangle uses, directly or through copies.
fn unused(mesh: &Mesh) -> Vec<u32> {
    let mut is_used = vec![false; mesh.file_vertex_count()];
    for &vertex in mesh.triangles.iter().flatten() {
        is_used[mesh.file_vertex(vertex) as usize] = true;
    }
    (0_u32..).zip(is_used).filter(|(_, is_used)| !is_used).map(|(vertex, _)| vertex).collect()
}

/// The faces of a mesh with an area, each once.
struct Faces {
    /// The triangle, and its welded corners.
    kept: Vec<(usize, [u32; 3])>,
    degenerate: Vec<usize>,
    duplicate: Vec<usize>,
}

impl Faces {
    fn new(mesh: &Mesh, positions: &[Vec3], weld: &[u32]) -> Self {
        let mut faces = Self { kept: Vec::new(), degenerate: Vec::new(), duplicate: Vec::new() };
        let mut known = BTreeSet::new();
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|vertex| weld[vertex as usize]);
            if a == b || b == c || c == a || is_flat([a, b, c].map(|at| positions[at as usize])) {
                faces.degenerate.push(triangle);
                continue;
            }
            // The same three positions in the same order, starting anywhere.
            let turned = match a.min(b).min(c) {
                first if first == a => [a, b, c],
                first if first == b => [b, c, a],
                _ => [c, a, b],
            };
            if known.insert(turned) {
                faces.kept.push((triangle, turned));
            } else {
                faces.duplicate.push(triangle);
            }
        }
        faces
    }
}

/// True if three positions lie on a line.
fn is_flat([a, b, c]: [Vec3; 3]) -> bool {
    let longest = tintype_model::math::max(
        (b - a).length(),
        tintype_model::math::max((c - b).length(), (a - c).length()),
    );
    // Twice the area is the longest side times its height.
    (b - a).cross(c - a).length() <= longest * longest * FLAT_SHARE
}

/// One side of a face: the edge with its smaller end first, the face, and true if it runs towards
/// the larger end.
struct Side {
    edge: [u32; 2],
    face: usize,
    is_rising: bool,
}

/// The surfaces that a mesh falls into.
struct Shells {
    /// Triangles that face the opposite way from most of their surface.
    flipped: Vec<usize>,
    /// Edges with more faces than allowed on a surface.
    crowded_edges: usize,
    edges: usize,
    /// Closed surfaces, and the first triangle of those with an inward front.
    closed: usize,
    inward: Vec<usize>,
}

impl Shells {
    fn new(faces: &Faces, positions: &[Vec3]) -> Self {
        let sides = sides_of(faces);
        // 1. Only faces that meet at an edge are neighbours; the directions of the edge show
        //    whether they agree.
        let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); faces.kept.len()];
        // Faces at a crowded edge still belong together.
        let mut touching: Vec<Vec<usize>> = vec![Vec::new(); faces.kept.len()];
        let mut open = vec![false; faces.kept.len()];
        let (mut crowded_edges, mut edges) = (0, 0);
        for run in sides.chunk_by(|a, b| a.edge == b.edge) {
            edges += 1;
            if let [one, other] = run {
                let agree = one.is_rising != other.is_rising;
                neighbours[one.face].push((other.face, agree));
                neighbours[other.face].push((one.face, agree));
            }
            for pair in run.windows(2) {
                touching[pair[0].face].push(pair[1].face);
                touching[pair[1].face].push(pair[0].face);
            }
            let rising = run.iter().filter(|side| side.is_rising).count();
            let is_balanced = 2 * rising == run.len();
            // Two surfaces may touch along an edge, each with both of its faces.
            crowded_edges += usize::from(run.len() > 2 && !is_balanced);
            if !is_balanced {
                run.iter().for_each(|side| open[side.face] = true);
            }
        }
        let flipped = flipped(faces, &neighbours);
        let (closed, inward) = inward(faces, positions, &touching, &open);
        Self { flipped, crowded_edges, edges, closed, inward }
    }
}

fn sides_of(faces: &Faces) -> Vec<Side> {
    let mut sides = Vec::with_capacity(faces.kept.len() * 3);
    for (face, (_, [a, b, c])) in faces.kept.iter().enumerate() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (edge, is_rising) =
                if from < to { ([*from, *to], true) } else { ([*to, *from], false) };
            sides.push(Side { edge, face, is_rising });
        }
    }
    sides.sort_unstable_by_key(|side| (side.edge, side.face));
    sides
}

/// Triangles that face the opposite way from most of their connected part.
fn flipped(faces: &Faces, neighbours: &[Vec<(usize, bool)>]) -> Vec<usize> {
    let mut side: Vec<Option<bool>> = vec![None; faces.kept.len()];
    let mut flipped = Vec::new();
    for start in 0..faces.kept.len() {
        if side[start].is_some() {
            continue;
        }
        side[start] = Some(true);
        let mut members = vec![start];
        let mut next = 0;
        while let Some(&face) = members.get(next) {
            next += 1;
            for &(other, agree) in &neighbours[face] {
                if side[other].is_none() {
                    // A one-sided strip (Möbius) has no sides; the first assignment counts.
                    side[other] = side[face].map(|side| side == agree);
                    members.push(other);
                }
            }
        }
        let others = members.iter().filter(|&&face| side[face] == Some(false)).count();
        let odd = 2 * others > members.len();
        flipped.extend(
            members.iter().filter(|&&face| side[face] == Some(odd)).map(|&face| faces.kept[face].0),
        );
    }
    flipped.sort_unstable();
    flipped
}

/// Number of closed surfaces, and the first triangle of each that encloses a negative volume
/// without lying inside another (such a surface is the inner wall of the other).
fn inward(
    faces: &Faces,
    positions: &[Vec3],
    touching: &[Vec<usize>],
    open: &[bool],
) -> (usize, Vec<usize>) {
    let mut is_seen = vec![false; faces.kept.len()];
    let mut closed: Vec<(Aabb, f64, usize)> = Vec::new();
    for start in 0..faces.kept.len() {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let mut members = vec![start];
        let mut next = 0;
        while let Some(&face) = members.get(next) {
            next += 1;
            for &other in &touching[face] {
                if !std::mem::replace(&mut is_seen[other], true) {
                    members.push(other);
                }
            }
        }
        if members.iter().any(|&face| open[face]) {
            continue;
        }
        let places =
            members.iter().flat_map(|&face| faces.kept[face].1).map(|at| positions[at as usize]);
        let bounds: Aabb = places.collect();
        let volume: f64 =
            members.iter().map(|&face| volume_to(bounds.min, faces.kept[face].1, positions)).sum();
        closed.push((bounds, volume, faces.kept[start].0));
    }
    let is_inward = |(bounds, volume, _): &&(Aabb, f64, usize)| {
        let side = f64::from(bounds.diagonal());
        *volume < -VOLUME_SHARE * side * side * side
            && !closed.iter().any(|(other, outer, _)| *outer > 0.0 && holds(other, bounds))
    };
    (closed.len(), closed.iter().filter(is_inward).map(|(.., first)| *first).collect())
}

/// Six times the volume between a face and a point.
fn volume_to(origin: Vec3, corners: [u32; 3], positions: &[Vec3]) -> f64 {
    let [a, b, c] = corners.map(|at| (positions[at as usize] - origin).to_array().map(f64::from));
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && outer.max.cmpge(inner.max).all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::check_model;
    use tintype_formats::{LoadOptions, obj};

    const FACE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

    fn found(text: &str) -> Vec<Kind> {
        let fetch = |_: &str| Err(String::new());
        let model = obj::parse_model(text.as_bytes(), &fetch, &LoadOptions::default());
        let model = model.unwrap().value;
        let problems = check_model(&model, &vec![false; model.meshes.len()], false);
        problems.into_iter().map(|problem| problem.kind).collect()
    }

    #[test]
    fn normals_against_most_faces_are_told() {
        let with = |normal: &str| format!("{FACE}vn {normal}\nf 1//1 2//1 3//1\n");
        assert!(!found(&with("0 0 1")).contains(&Kind::NormalsInward));
        assert!(found(&with("0 0 -1")).contains(&Kind::NormalsInward));
    }

    #[test]
    fn levels_of_detail_in_one_place_are_told() {
        let two = |first: &str, second: &str, x: u32| {
            format!(
                "o {first}\n{FACE}f 1 2 3\no {second}\nv {x} 0 0\nv {} 0 0\nv {x} 1 0\nf 4 5 6\n",
                x + 1
            )
        };
        assert!(found(&two("tree_LOD0", "tree_LOD1", 0)).contains(&Kind::LodsTogether));
        assert!(!found(&two("tree_LOD0", "tree_LOD1", 5)).contains(&Kind::LodsTogether), "beside");
        assert!(!found(&two("tree_LOD0", "rock_LOD1", 0)).contains(&Kind::LodsTogether));
        assert_eq!(level_of("Tree.LOD2_leaf"), Some(("tree._leaf".to_owned(), 2)));
        assert_eq!(level_of("explode"), None);
    }
}
