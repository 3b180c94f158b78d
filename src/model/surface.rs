//! Normals, tangents and closedness of a mesh in its bind pose, and their way into weight space.
//!
//! Input: a [`WeightedMesh`] and the bind pose of its skeleton, or a [`BindMesh`]. Output: the [`Mesh`] that is skinned. This module runs once a
//! model; nothing of it runs per frame.
//!
//! # Normals
//! A vertex normal is the sum of its faces' unit normals, each weighted with the angle of the face at the vertex. Vertices at
//! one place are welded first, because texture seams split them and a seam must not show in the light, but only if their own
//! normals meet under 90°: so the two sides of a cloth do not cancel, and the edges of a box that its author split stay hard.
//!
//! # Tangents
//! A tangent is the direction in which `u` grows, summed over a vertex' faces with the same angle weights and made square to
//! the normal. A vertex whose faces have both mirrored and unmirrored texture coordinates is doubled, one for each sign.
//!
//! # Source
//! Thürmer and Wüthrich, "Computing Vertex Normals from Polygonal Facets", JGT 3(1), 1998, for the angle weights; Lengyel,
//! "Foundations of Game Engine Development 2", 7.5, for tangents from texture coordinates.

use super::mesh::{BindInfluence, BindMesh, Influence, Mesh, WeightedMesh};
use super::skeleton::Skeleton;
use crate::deadline::{Deadline, TimedOut};
use crate::math::{Aabb, Affine3, Vec2, Vec3, any_perpendicular, func, normal_matrix, unit_or};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

/// Vertices closer than this share of the mesh's diagonal are at one place.
pub const WELD_DISTANCE: f32 = 1.0e-5;
/// Normals meet "under 90°" if their cosine exceeds this: 90° less half a degree, so that rounding cannot weld a box.
pub const WELD_COSINE: f32 = 0.008_7;
/// Faces of a vertex whose weighted normals sum to less than this share of their angles cancel each other.
const CANCEL_SHARE: f32 = 1.0e-3;

/// Vertices, faces or influences between two looks at the time: some thousandths of a second at most.
const STEPS: u32 = 1 << 13;

/// Adds normals and tangents to a mesh; see [`Mesh::new`].
pub(super) fn build_mesh(
    weighted: WeightedMesh,
    skeleton: &Skeleton,
    deadline: &Deadline,
) -> Result<Mesh, TimedOut> {
    let bind: Vec<Affine3> = skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
    let positions = bind_positions(&weighted, &bind, deadline)?;
    let weld = weld_positions(&positions, deadline)?;
    let faces = Faces::new(&weighted.triangles, &positions, &weld, deadline)?;
    let normals = vertex_normals(&weighted.triangles, &faces, &weld, positions.len(), deadline)?;
    let volume = closed_volume(&weighted.triangles, &weld, &positions, deadline)?.unwrap_or(0.0);
    let split = split_mirrored(&weighted.texcoords, &weighted.triangles, deadline)?;
    let tangents =
        vertex_tangents(&split, &faces, &positions, &normals, &weighted.texcoords, deadline)?;
    carry_into_joints(weighted, &bind, split, &normals, &tangents, volume, deadline)
}

/// The bind position of every vertex: the weighted sum in joint space, in file order.
fn bind_positions(
    weighted: &WeightedMesh,
    bind: &[Affine3],
    deadline: &Deadline,
) -> Result<Vec<Vec3>, TimedOut> {
    let mut watch = deadline.watch("placing vertices", STEPS);
    let mut positions = Vec::with_capacity(weighted.texcoords.len());
    for range in weighted.influence_start.windows(2) {
        let mut sum = Vec3::ZERO;
        let run = &weighted.influences[range[0] as usize..range[1] as usize];
        watch.take(run.len())?;
        for influence in run {
            let place = bind[influence.joint.index()].transform_point3(influence.position);
            sum += place * influence.bias;
        }
        positions.push(sum);
    }
    Ok(positions)
}

/// Per vertex: the first vertex at the same place, which is within [`WELD_DISTANCE`] of the diagonal.
///
/// # Errors
/// [`TimedOut`] if `deadline` is over before all vertices are welded.
pub fn weld_positions(positions: &[Vec3], deadline: &Deadline) -> Result<Vec<u32>, TimedOut> {
    let mut watch = deadline.watch("welding vertices", STEPS);
    let bounds: Aabb = positions.iter().copied().collect();
    let reach = bounds.diagonal() * WELD_DISTANCE;
    let cell_size = crate::math::max(reach * 2.0, f32::MIN_POSITIVE);
    let mut cells = Cells::new(positions.len());
    let mut weld = Vec::with_capacity(positions.len());
    for (vertex, &position) in (0_u32..).zip(positions) {
        watch.step()?;
        let local = (position - bounds.min) / cell_size;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the diagonal is 50,000 cells; else it saturates"
        )]
        let cell = |offset: f32| [local.x, local.y, local.z].map(|at| (at + offset).floor() as i64);
        // The cells that touch the box of half a cell around the point: at most 8, all within reach.
        let (low, high) = (cell(-0.5), cell(0.5));
        let mut found: Option<u32> = None;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    for other in cells.of([x, y, z]) {
                        if (positions[other as usize] - position).length() <= reach
                            && found.is_none_or(|best| other < best)
                        {
                            found = Some(other);
                        }
                    }
                }
            }
        }
        weld.push(found.unwrap_or(vertex));
        if found.is_none() {
            cells.add(cell(0.0), vertex);
        }
    }
    Ok(weld)
}

/// Which vertices are in a cell of a lattice. Cells may share a chain, so some of those given may be elsewhere.
struct Cells {
    /// The last vertex of each chain.
    last: Vec<u32>,
    /// The vertex before each vertex in its chain.
    before: Vec<u32>,
    /// Odd, and others on every run, so that no file can be written that puts all of its vertices into one chain. What is
    /// found does not depend on them.
    factors: [u64; 3],
}

impl Cells {
    /// The end of a chain.
    const NONE: u32 = u32::MAX;

    fn new(vertices: usize) -> Self {
        let random = RandomState::new();
        Self {
            last: vec![Self::NONE; (2 * vertices).next_power_of_two()],
            before: vec![Self::NONE; vertices],
            factors: [0_u8, 1, 2].map(|axis| random.hash_one(axis) | 1),
        }
    }

    fn chain(&self, cell: [i64; 3]) -> usize {
        let mut mixed = 0_u64;
        for (at, factor) in cell.into_iter().zip(self.factors) {
            mixed = mixed.wrapping_add(at.cast_unsigned().wrapping_mul(factor));
        }
        // The upper bits depend on all of the lower ones.
        (mixed >> 32) as usize & (self.last.len() - 1)
    }

    fn of(&self, cell: [i64; 3]) -> impl Iterator<Item = u32> {
        let mut at = self.last[self.chain(cell)];
        std::iter::from_fn(move || {
            let vertex = at;
            (vertex != Self::NONE).then(|| {
                at = self.before[vertex as usize];
                vertex
            })
        })
    }

    fn add(&mut self, cell: [i64; 3], vertex: u32) {
        let chain = self.chain(cell);
        self.before[vertex as usize] = std::mem::replace(&mut self.last[chain], vertex);
    }
}

/// The places of a triangle's corners; none if two of them are one place, so that it is a line and has no side.
fn welded_corners(triangle: &[u32; 3], weld: &[u32]) -> Option<[u32; 3]> {
    let [a, b, c] = triangle.map(|vertex| weld[vertex as usize]);
    (a != b && b != c && c != a).then_some([a, b, c])
}

/// Unit normals of the faces and the angle of each face at each of its corners.
struct Faces {
    normal: Vec<Vec3>,
    angle_rad: Vec<[f32; 3]>,
}

impl Faces {
    fn new(
        triangles: &[[u32; 3]],
        positions: &[Vec3],
        weld: &[u32],
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        let mut watch = deadline.watch("measuring faces", STEPS);
        let mut faces = Self { normal: Vec::new(), angle_rad: Vec::new() };
        for triangle in triangles {
            watch.step()?;
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            faces.normal.push(match welded_corners(triangle, weld) {
                Some(_) => unit_or((b - a).cross(c - a), Vec3::ZERO),
                None => Vec3::ZERO,
            });
            let corner = |at: Vec3, left: Vec3, right: Vec3| {
                let (left, right) =
                    (unit_or(left - at, Vec3::ZERO), unit_or(right - at, Vec3::ZERO));
                func::acos(left.dot(right))
            };
            faces.angle_rad.push([corner(a, b, c), corner(b, c, a), corner(c, a, b)]);
        }
        Ok(faces)
    }

    /// A face without an area has no normal and no say.
    fn is_flat(&self, face: usize) -> bool {
        self.normal[face] == Vec3::ZERO
    }
}

/// Where the corners of each vertex start, and all of them as (face, corner).
type Corners = (Vec<usize>, Vec<(u32, u8)>);

/// Face corners by vertex: `corners[start[v]..start[v + 1]]` holds (face, corner) in face order.
fn corners_by_vertex(
    triangles: &[[u32; 3]],
    count: usize,
    deadline: &Deadline,
) -> Result<Corners, TimedOut> {
    let mut watch = deadline.watch("sorting faces by their vertices", STEPS);
    let mut start = vec![0; count + 1];
    for &vertex in triangles.iter().flatten() {
        start[vertex as usize + 1] += 1;
    }
    for vertex in 0..count {
        start[vertex + 1] += start[vertex];
    }
    let mut next = start.clone();
    let mut corners = vec![(0, 0); triangles.len() * 3];
    for (face, triangle) in (0_u32..).zip(triangles) {
        watch.step()?;
        for (corner, &vertex) in (0_u8..).zip(triangle) {
            corners[next[vertex as usize]] = (face, corner);
            next[vertex as usize] += 1;
        }
    }
    Ok((start, corners))
}

/// The direction of a vertex by its own corners alone; the first face stands for faces that cancel.
fn own_direction(corners: &[(u32, u8)], faces: &Faces) -> Vec3 {
    let (mut sum, mut angles, mut first) = (Vec3::ZERO, 0.0, Vec3::ZERO);
    for &(face, corner) in corners {
        let (normal, angle) =
            (faces.normal[face as usize], faces.angle_rad[face as usize][usize::from(corner)]);
        sum += normal * angle;
        angles += angle;
        first = if first == Vec3::ZERO { normal } else { first };
    }
    if sum.length() > angles * CANCEL_SHARE { unit_or(sum, first) } else { first }
}

/// The normal of every vertex; zero where it has no face with an area.
fn vertex_normals(
    triangles: &[[u32; 3]],
    faces: &Faces,
    weld: &[u32],
    count: usize,
    deadline: &Deadline,
) -> Result<Vec<Vec3>, TimedOut> {
    const STAGE: &str = "computing normals";
    let mut watch = deadline.watch(STAGE, STEPS);
    let (start, corners) = corners_by_vertex(triangles, count, deadline)?;
    let own_corners = |vertex: usize| &corners[start[vertex]..start[vertex + 1]];

    // 1. The direction of each vertex by its own faces alone.
    let mut own: Vec<Vec3> = Vec::with_capacity(count);
    for vertex in 0..count {
        let corners = own_corners(vertex);
        watch.take(corners.len())?;
        own.push(own_direction(corners, faces));
    }

    // 2. Vertices at one place whose directions meet under 90° form one group; chains join.
    let mut members: Vec<u32> = (0..u32::try_from(count).expect("indices fit")).collect();
    let place_of = |vertex: u32| weld[vertex as usize];
    let by_place = |part: &mut [u32]| part.sort_by_key(|&vertex| place_of(vertex));
    // Stable: file order within a place.
    deadline.sort(&mut members, STAGE, by_place, |&a, &b| place_of(a).cmp(&place_of(b)))?;
    let mut normals = vec![Vec3::ZERO; count];
    for place in members.chunk_by(|&a, &b| weld[a as usize] == weld[b as usize]) {
        // 3. One sum for the whole group, in face order, so that its vertices get the same bits.
        let sum_over = |incident: &[(u32, u8)], direction: Vec3| {
            let mut sum = Vec3::ZERO;
            for &(face, corner) in incident {
                let normal = faces.normal[face as usize];
                // The far side of a cloth whose two sides share their vertices stays out.
                if normal.dot(direction) > 0.0 {
                    sum += normal * faces.angle_rad[face as usize][usize::from(corner)];
                }
            }
            sum
        };
        // As many comparisons as there are pairs.
        watch.take(place.len().saturating_mul(place.len().min(MANY)))?;
        if let &[vertex] = place {
            let direction = own[vertex as usize];
            let sum = sum_over(own_corners(vertex as usize), direction);
            normals[vertex as usize] = unit_or(sum, direction);
            continue;
        }
        for group in groups_under_90_degrees(place, &own) {
            let mut incident: Vec<(u32, u8)> =
                group.iter().flat_map(|&vertex| own_corners(vertex as usize)).copied().collect();
            incident.sort_unstable();
            let direction =
                group.iter().fold(Vec3::ZERO, |sum, &vertex| sum + own[vertex as usize]);
            let normal = unit_or(sum_over(&incident, direction), own[group[0] as usize]);
            for vertex in group {
                normals[vertex as usize] = normal;
            }
        }
    }
    Ok(normals)
}

/// Splits vertices at one place into groups linked by directions that meet under 90°.
///
/// Vertices without a direction, whose faces have no area, join the first group.
fn groups_under_90_degrees(place: &[u32], own: &[Vec3]) -> Vec<Vec<u32>> {
    let (pointed, lost) =
        place.iter().partition::<Vec<u32>, _>(|&&vertex| own[vertex as usize] != Vec3::ZERO);
    let mut left = bundles(&pointed, own);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    while !left.is_empty() {
        let mut group = vec![left.remove(0)];
        let mut next = 0;
        while next < group.len() && !left.is_empty() {
            let direction = own[group[next][0] as usize];
            let (near, far) = left.into_iter().partition::<Vec<Vec<u32>>, _>(|bundle| {
                own[bundle[0] as usize].dot(direction) > WELD_COSINE
            });
            group.extend(near);
            left = far;
            next += 1;
        }
        groups.push(group.concat());
    }
    match groups.first_mut() {
        Some(first) => first.extend(lost),
        None if lost.is_empty() => {}
        None => groups.push(lost),
    }
    groups
}

/// More vertices than these at one place are bundled before they are compared.
const MANY: usize = 512;

/// Vertices that are grouped as one, the first standing for all: each alone, but where a file heaps very many upon one place,
/// those with nearly the same direction together. Comparing all with all would then take the square of their number.
fn bundles(vertices: &[u32], own: &[Vec3]) -> Vec<Vec<u32>> {
    const CELLS_PER_UNIT: f32 = 8.0;
    if vertices.len() <= MANY {
        return vertices.iter().map(|&vertex| vec![vertex]).collect();
    }
    let mut cells: BTreeMap<[i32; 3], Vec<u32>> = BTreeMap::new();
    for &vertex in vertices {
        let scaled = own[vertex as usize] * CELLS_PER_UNIT;
        #[expect(clippy::cast_possible_truncation, reason = "a unit vector times 8")]
        let cell = scaled.to_array().map(|at| at.round() as i32);
        cells.entry(cell).or_default().push(vertex);
    }
    cells.into_values().collect()
}

/// Six times the volume inside, if every welded edge is used as often in each direction.
fn closed_volume(
    triangles: &[[u32; 3]],
    weld: &[u32],
    positions: &[Vec3],
    deadline: &Deadline,
) -> Result<Option<f64>, TimedOut> {
    const STAGE: &str = "looking whether it is closed";
    let mut watch = deadline.watch(STAGE, STEPS);
    // Edges towards the larger end and towards the smaller one, the smaller end in the upper half.
    let (mut there, mut back): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut volume = 0.0_f64;
    let origin = triangles.first().map_or(Vec3::ZERO, |face| positions[face[0] as usize]);
    for triangle in triangles {
        watch.step()?;
        let Some([a, b, c]) = welded_corners(triangle, weld) else { continue };
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (edges, small, large) =
                if from < to { (&mut there, from, to) } else { (&mut back, to, from) };
            edges.push(u64::from(small) << 32 | u64::from(large));
        }
        let [a, b, c] =
            [a, b, c].map(|vertex| (positions[vertex as usize] - origin).to_array().map(f64::from));
        volume += a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    deadline.sort(&mut there, STAGE, <[u64]>::sort_unstable, u64::cmp)?;
    deadline.sort(&mut back, STAGE, <[u64]>::sort_unstable, u64::cmp)?;
    Ok((!there.is_empty() && there == back).then_some(volume))
}

/// Triangles after vertices with both signs of texture handedness were doubled.
struct Split {
    triangles: Vec<[u32; 3]>,
    copied_from: Vec<u32>,
    bitangent_sign: Vec<f32>,
}

/// +1 where `u` to the right sees `v` grow downwards from outside, -1 where it is mirrored, 0 without an area.
fn handedness(texcoords: [Vec2; 3]) -> f32 {
    let [a, b, c] = texcoords;
    let (along, across) = (b - a, c - a);
    let area = along.x * across.y - along.y * across.x;
    // Counter-clockwise corners with v downwards have a negative area when unmirrored.
    if area < 0.0 {
        1.0
    } else if area > 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn split_mirrored(
    texcoords: &[Vec2],
    triangles: &[[u32; 3]],
    deadline: &Deadline,
) -> Result<Split, TimedOut> {
    let mut watch = deadline.watch("finding mirrored faces", STEPS);
    let count = texcoords.len();
    let mut sign = vec![0.0_f32; count];
    let mut twin: Vec<Option<u32>> = vec![None; count];
    let mut triangles = triangles.to_vec();
    let mut copied_from = Vec::new();
    for triangle in &mut triangles {
        watch.step()?;
        let own = handedness(triangle.map(|vertex| texcoords[vertex as usize]));
        if own == 0.0 {
            continue;
        }
        for vertex in triangle {
            let known = sign[*vertex as usize];
            if known == 0.0 {
                sign[*vertex as usize] = own;
            } else if known != own {
                *vertex = *twin[*vertex as usize].get_or_insert_with(|| {
                    copied_from.push(*vertex);
                    sign.push(own);
                    u32::try_from(sign.len() - 1).expect("at most twice the vertices")
                });
            }
        }
    }
    for sign in &mut sign {
        *sign = if *sign == 0.0 { 1.0 } else { *sign };
    }
    Ok(Split { triangles, copied_from, bitangent_sign: sign })
}

/// The unit tangent of every vertex, copies included, square to its normal.
fn vertex_tangents(
    split: &Split,
    faces: &Faces,
    positions: &[Vec3],
    normals: &[Vec3],
    texcoords: &[Vec2],
    deadline: &Deadline,
) -> Result<Vec<Vec3>, TimedOut> {
    let mut watch = deadline.watch("computing tangents", STEPS);
    let count = texcoords.len();
    let source = |vertex: u32| {
        (vertex as usize).checked_sub(count).map_or(vertex, |copy| split.copied_from[copy]) as usize
    };
    let mut sums = vec![Vec3::ZERO; count + split.copied_from.len()];
    for (face, triangle) in split.triangles.iter().enumerate() {
        watch.step()?;
        if faces.is_flat(face) {
            continue;
        }
        let [a, b, c] = triangle.map(source);
        let (side_b, side_c) = (positions[b] - positions[a], positions[c] - positions[a]);
        let (step_b, step_c) = (texcoords[b] - texcoords[a], texcoords[c] - texcoords[a]);
        let area = step_b.x * step_c.y - step_b.y * step_c.x;
        // The sign of the area is applied, not its size: the direction alone counts.
        let along = (side_b * step_c.y - side_c * step_b.y) * if area < 0.0 { -1.0 } else { 1.0 };
        for (corner, &vertex) in triangle.iter().enumerate() {
            let normal = normals[source(vertex)];
            let flat = along - normal * normal.dot(along);
            let tangent = unit_or(flat, Vec3::ZERO);
            if area != 0.0 {
                sums[vertex as usize] += tangent * faces.angle_rad[face][corner];
            }
        }
    }
    let mut tangents = Vec::with_capacity(sums.len());
    for (&sum, vertex) in sums.iter().zip(0_u32..) {
        watch.step()?;
        let normal = unit_or(normals[source(vertex)], Vec3::Y);
        let flat = sum - normal * normal.dot(sum);
        // Rounding leaves a remainder where faces cancel; a direction from it would be noise.
        let is_plain = flat.length() > 1e-4;
        tangents.push(if is_plain { unit_or(flat, Vec3::X) } else { any_perpendicular(normal) });
    }
    Ok(tangents)
}

/// What both ways into weight space are called.
const CARRYING: &str = "carrying normals into the joints";

/// Expands the influences and carries each vertex' normal and tangent into the space of each of its joints.
fn carry_into_joints(
    weighted: WeightedMesh,
    bind: &[Affine3],
    split: Split,
    normals: &[Vec3],
    tangents: &[Vec3],
    volume: f64,
    deadline: &Deadline,
) -> Result<Mesh, TimedOut> {
    let mut watch = deadline.watch(CARRYING, STEPS);
    let file_count = weighted.texcoords.len();
    // `normal_matrix` of the way back: what skinning applies on the way out undoes it exactly in direction.
    let joint_from_normal: Vec<_> =
        bind.iter().map(|joint| normal_matrix(joint.matrix3).inverse()).collect();
    let joint_from_model: Vec<_> = bind.iter().map(|joint| joint.matrix3.inverse()).collect();

    // Sized once: a doubling list would hold twice what it needs.
    let own = |vertex: u32| {
        let start = &weighted.influence_start;
        (start[vertex as usize + 1] - start[vertex as usize]) as usize
    };
    let total =
        weighted.influences.len() + split.copied_from.iter().map(|&v| own(v)).sum::<usize>();
    let runs = (0_u32..).zip(weighted.influence_start.windows(2));
    let loose = runs.filter(|(_, run)| run[0] == run[1]).map(|(vertex, _)| vertex);
    let mut mesh = Mesh {
        name: weighted.name,
        shader: weighted.shader,
        texcoords: weighted.texcoords,
        colors: Vec::new(),
        bitangent_sign: split.bitangent_sign,
        influence_start: vec![0],
        influences: Vec::with_capacity(total),
        tangent: Vec::with_capacity(total),
        triangles: split.triangles,
        copied_from: split.copied_from,
        closed_outward: volume > 0.0,
        closed_inward: volume < 0.0,
        loose: loose.collect(),
        texcoord_sets: 1,
    };
    for copy in 0..mesh.copied_from.len() {
        let texcoord = mesh.texcoords[mesh.copied_from[copy] as usize];
        mesh.texcoords.push(texcoord);
    }
    for (vertex, &tangent) in tangents.iter().enumerate() {
        let source =
            vertex.checked_sub(file_count).map_or(vertex, |copy| mesh.copied_from[copy] as usize);
        let range = weighted.influence_start[source] as usize
            ..weighted.influence_start[source + 1] as usize;
        watch.take(range.len())?;
        for influence in &weighted.influences[range] {
            let joint = influence.joint.index();
            let normal = finite_or_zero(joint_from_normal[joint] * normals[source]);
            mesh.influences.push(Influence::new(
                influence.joint,
                influence.bias,
                influence.position,
                normal,
            ));
            mesh.tangent.push(finite_or_zero(joint_from_model[joint] * tangent));
        }
        let end = u32::try_from(mesh.influences.len()).expect("limited by the format's reader");
        mesh.influence_start.push(end);
    }
    Ok(mesh)
}

/// Adds tangents and what normals are missing to a mesh in bind space; see [`Mesh::in_bind_space`].
pub(super) fn build_bind_mesh(
    bind: BindMesh,
    skeleton: &Skeleton,
    deadline: &Deadline,
) -> Result<Mesh, TimedOut> {
    let positions = &bind.positions;
    let weld = weld_positions(positions, deadline)?;
    let faces = Faces::new(&bind.triangles, positions, &weld, deadline)?;
    let turns = vertex_turns(&bind, skeleton, deadline)?;
    let computed = vertex_normals(&bind.triangles, &faces, &weld, positions.len(), deadline)?;
    let normals: Vec<Vec3> = (0..positions.len())
        .map(|vertex| {
            let given = bind.normals.get(vertex).map_or(Vec3::ZERO, |&given| given);
            // The index order tells sides as they are after all transforms: behind a mirror it is turned over here.
            unit_or(given, if turns[vertex] { -computed[vertex] } else { computed[vertex] })
        })
        .collect();
    let is_turned = turns.first().copied().unwrap_or(false);
    let is_one_side = turns.iter().all(|&turn| turn == is_turned);
    let volume = match closed_volume(&bind.triangles, &weld, positions, deadline)? {
        Some(volume) if is_one_side => volume * if is_turned { -1.0 } else { 1.0 },
        _ => 0.0,
    };
    let split = split_mirrored(&bind.texcoords, &bind.triangles, deadline)?;
    let tangents = vertex_tangents(&split, &faces, positions, &normals, &bind.texcoords, deadline)?;
    carry_from_bind(bind, split, &normals, &tangents, volume, deadline)
}

/// Per vertex: whether its first influence mirrors it on its way from bind space to the pose of the skeleton.
fn vertex_turns(
    bind: &BindMesh,
    skeleton: &Skeleton,
    deadline: &Deadline,
) -> Result<Vec<bool>, TimedOut> {
    let mut watch = deadline.watch("looking for mirrored joints", STEPS);
    let turn = |influence: &BindInfluence| {
        let offset = bind.offsets[influence.offset as usize].matrix3;
        let rest = skeleton.joints()[influence.joint.index()].model_from_joint.matrix3;
        (rest * offset).determinant() < 0.0
    };
    let mut turns = Vec::with_capacity(bind.positions.len());
    for range in bind.influence_start.windows(2) {
        watch.step()?;
        let run = &bind.influences[range[0] as usize..range[1] as usize];
        turns.push(run.first().is_some_and(turn));
    }
    Ok(turns)
}

/// Carries positions, normals and tangents into the space of each joint.
fn carry_from_bind(
    bind: BindMesh,
    split: Split,
    normals: &[Vec3],
    tangents: &[Vec3],
    volume: f64,
    deadline: &Deadline,
) -> Result<Mesh, TimedOut> {
    let mut watch = deadline.watch(CARRYING, STEPS);
    let count = bind.positions.len();
    let file_count = count - bind.copied_from.len();
    let joint_from_bind_normal: Vec<_> =
        bind.offsets.iter().map(|offset| normal_matrix(offset.matrix3)).collect();
    let file_vertex = |vertex: u32| {
        (vertex as usize).checked_sub(file_count).map_or(vertex, |copy| bind.copied_from[copy])
    };
    let copied_from = bind.copied_from.iter().copied();
    let copied_from =
        copied_from.chain(split.copied_from.iter().map(|&v| file_vertex(v))).collect();
    let mut mesh = Mesh {
        name: bind.name,
        shader: bind.shader,
        texcoords: bind.texcoords,
        colors: bind.colors,
        bitangent_sign: split.bitangent_sign,
        influence_start: vec![0],
        influences: Vec::new(),
        tangent: Vec::new(),
        triangles: split.triangles,
        copied_from,
        closed_outward: volume > 0.0,
        closed_inward: volume < 0.0,
        loose: bind.loose,
        texcoord_sets: 1,
    };
    for &source in &split.copied_from {
        mesh.texcoords.push(mesh.texcoords[source as usize]);
        if let Some(&color) = mesh.colors.get(source as usize) {
            mesh.colors.push(color);
        }
    }
    for (vertex, &tangent) in tangents.iter().enumerate() {
        let source =
            vertex.checked_sub(count).map_or(vertex, |copy| split.copied_from[copy] as usize);
        let range =
            bind.influence_start[source] as usize..bind.influence_start[source + 1] as usize;
        watch.take(range.len())?;
        for influence in &bind.influences[range] {
            let offset = &bind.offsets[influence.offset as usize];
            let position = offset.transform_point3(bind.positions[source]);
            let normal = joint_from_bind_normal[influence.offset as usize] * normals[source];
            mesh.influences.push(Influence::new(influence.joint, influence.bias, position, normal));
            mesh.tangent.push(offset.matrix3 * tangent);
        }
        let end = u32::try_from(mesh.influences.len()).expect("limited by the format's reader");
        mesh.influence_start.push(end);
    }
    Ok(mesh)
}

/// The part of a mesh whose triangles `keep` names, with the vertices that they use; see [`Mesh::part`].
pub(super) fn part_of(mesh: &Mesh, shader: &str, keep: &dyn Fn(usize) -> bool) -> Mesh {
    const UNUSED: u32 = u32::MAX;
    let kept: Vec<[u32; 3]> = (mesh.triangles.iter().enumerate())
        .filter_map(|(index, &triangle)| keep(index).then_some(triangle))
        .collect();
    let mut number = vec![UNUSED; mesh.vertex_count()];
    for &vertex in kept.iter().flatten() {
        number[vertex as usize] = 0;
        number[mesh.file_vertex(vertex) as usize] = 0; // a copy stands behind its original
    }
    let used: Vec<usize> =
        (0..mesh.vertex_count()).filter(|&vertex| number[vertex] != UNUSED).collect();
    for (new, &old) in (0_u32..).zip(&used) {
        number[old] = new;
    }
    let mut part = Mesh {
        name: mesh.name.clone(),
        shader: shader.to_owned(),
        texcoords: used.iter().map(|&old| mesh.texcoords[old]).collect(),
        colors: used.iter().filter_map(|&old| mesh.colors.get(old).copied()).collect(),
        bitangent_sign: used.iter().map(|&old| mesh.bitangent_sign[old]).collect(),
        influence_start: vec![0],
        influences: Vec::new(),
        tangent: Vec::new(),
        triangles: kept.iter().map(|face| face.map(|vertex| number[vertex as usize])).collect(),
        copied_from: Vec::new(),
        closed_outward: mesh.closed_outward,
        closed_inward: mesh.closed_inward,
        loose: mesh
            .loose
            .iter()
            .map(|&old| number[old as usize])
            .filter(|&new| new != UNUSED)
            .collect(),
        texcoord_sets: mesh.texcoord_sets,
    };
    for old in used {
        let range = mesh.influences_of(old);
        part.influences.extend_from_slice(&mesh.influences[range.clone()]);
        part.tangent.extend_from_slice(&mesh.tangent[range]);
        part.influence_start
            .push(u32::try_from(part.influences.len()).expect("no more than the whole"));
        if old >= mesh.file_vertex_count() {
            let original = mesh.copied_from[old - mesh.file_vertex_count()];
            part.copied_from.push(number[original as usize]);
        }
    }
    part
}

/// A joint flattened to a plane has no inverse; what it would give is left out of the sums.
fn finite_or_zero(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests;
