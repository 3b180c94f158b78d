//! Vertex normals: sums of the normals of the faces around a vertex, weighted by their angles.

use super::faces::{Faces, STEPS, corners_by_vertex};
use crate::math::{Vec3, unit_or};
use std::collections::BTreeMap;
use tintype_base::deadline::{Deadline, TimedOut};

/// Normals meet "under 90°" if their cosine exceeds this: 90° less half a degree, so that rounding
/// cannot weld a box.
pub const WELD_COSINE: f32 = 0.008_7;

/// Faces of a vertex cancel out if their weighted normals sum to less than this fraction of their
/// angles.
const CANCEL_SHARE: f32 = 1.0e-3;

/// The direction of a vertex from its corners alone; if faces cancel out, the direction of the
/// first one.
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

/// The normal of every vertex; zero for one without a face that has an area.
pub(super) fn vertex_normals(
    triangles: &[[u32; 3]],
    faces: &Faces,
    weld: &[u32],
    count: usize,
    deadline: &Deadline,
) -> Result<Vec<Vec3>, TimedOut> {
    let mut watch = deadline.watch("computing normals", STEPS);
    let (start, corners) = corners_by_vertex(triangles, count, deadline)?;
    let own_corners = |vertex: usize| &corners[start[vertex]..start[vertex + 1]];

    // 1. The direction of each vertex from its faces alone.
    let mut own: Vec<Vec3> = Vec::with_capacity(count);
    for vertex in 0..count {
        let corners = own_corners(vertex);
        watch.take(corners.len())?;
        own.push(own_direction(corners, faces));
    }

    // 2. Vertices at one position whose directions meet under 90° form one group; chains are
    //    joined.
    let members = vertices_by_place(weld);
    let mut normals = vec![Vec3::ZERO; count];
    for place in members.chunk_by(|&a, &b| weld[a as usize] == weld[b as usize]) {
        // 3. One sum for the whole group, in face order, so that its vertices get the same bits.
        let sum_over = |incident: &[(u32, u8)], direction: Vec3| {
            let mut sum = Vec3::ZERO;
            for &(face, corner) in incident {
                let normal = faces.normal[face as usize];
                // The far side of a cloth whose two sides use the same vertices is left out.
                if normal.dot(direction) > 0.0 {
                    sum += normal * faces.angle_rad[face as usize][usize::from(corner)];
                }
            }
            sum
        };
        // One comparison per pair.
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

/// The vertices by position, those at one position in file order.
fn vertices_by_place(weld: &[u32]) -> Vec<u32> {
    let mut next = vec![0_u32; weld.len() + 1];
    for &place in weld {
        next[place as usize + 1] += 1;
    }
    for place in 0..weld.len() {
        next[place + 1] += next[place];
    }
    let mut vertices = vec![0; weld.len()];
    for (vertex, &place) in (0_u32..).zip(weld) {
        let next = &mut next[place as usize];
        vertices[*next as usize] = vertex;
        *next += 1;
    }
    vertices
}

/// Splits vertices at one position into groups linked by directions that meet under 90°.
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

/// Beyond this number of vertices at one position they are bundled before comparison.
const MANY: usize = 512;

/// Vertices grouped as one, represented by the first: each alone, but if very many have one
/// position, those with nearly the same direction together. Comparing all with all would take
/// quadratic time.
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
