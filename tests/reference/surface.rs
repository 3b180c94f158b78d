//! Angle-weighted vertex normals in `f64`, under the weld rule of the program.
//!
//! The rule in words: vertices within 1e-5 of the diagonal are at one position. Those at one
//! position whose normals (from their faces alone) meet under 90°, minus half a degree, have a
//! common normal; chains are joined. A group's normal is the sum over all its face corners of the
//! face's unit normal times the angle there, without faces that point against the sum of the
//! group's own normals. If the faces of a vertex cancel out, the first of them gives its own
//! normal.

use super::md5::{Vector, add, cross, diagonal, dot, length, scale, subtract};

const WELD_DISTANCE: f64 = 1.0e-5;
const WELD_COSINE: f64 = 0.008_7;
const CANCEL_SHARE: f64 = 1.0e-3;

/// Faces that make the normal of each group of vertices; found in the bind pose.
pub(crate) struct Groups {
    triangles: Vec<[usize; 3]>,
    pub groups: Vec<Group>,
}

/// Vertices with one normal.
pub(crate) struct Group {
    pub vertices: Vec<usize>,
    /// Face and corner.
    pub corners: Vec<(usize, usize)>,
}

/// Unit normal. None if two corners are at one position or the face has no area.
fn face_normal(positions: &[Vector], face: [usize; 3]) -> Option<Vector> {
    let [a, b, c] = face.map(|vertex| positions[vertex]);
    let normal = cross(subtract(b, a), subtract(c, a));
    let size = length(normal);
    (size > 1e-15).then(|| scale(normal, 1.0 / size))
}

fn corner_angle(positions: &[Vector], face: [usize; 3], corner: usize) -> f64 {
    let [at, left, right] = [0, 1, 2].map(|step| positions[face[(corner + step) % 3]]);
    let (left, right) = (subtract(left, at), subtract(right, at));
    libm::atan2(length(cross(left, right)), dot(left, right))
}

/// The first vertex at the position of each vertex.
fn places(positions: &[Vector]) -> Vec<usize> {
    let reach = diagonal(positions) * WELD_DISTANCE;
    let mut firsts: Vec<usize> = Vec::new();
    let mut place = Vec::new();
    for (vertex, &position) in positions.iter().enumerate() {
        let near = |&first: &usize| length(subtract(positions[first], position)) <= reach;
        let found = firsts.iter().copied().find(near);
        if found.is_none() {
            firsts.push(vertex);
        }
        place.push(found.unwrap_or(vertex));
    }
    place
}

impl Groups {
    /// `triangles` have counter-clockwise fronts; `positions` are those of the bind pose.
    pub(crate) fn new(triangles: &[[usize; 3]], positions: &[Vector]) -> Self {
        let place = places(positions);
        let has_sides = |face: [usize; 3]| {
            let [a, b, c] = face.map(|vertex| place[vertex]);
            a != b && b != c && c != a
        };
        let normals: Vec<Option<Vector>> = triangles
            .iter()
            .map(|&face| face_normal(positions, face).filter(|_| has_sides(face)))
            .collect();
        let mut corners: Vec<Vec<(usize, usize)>> = vec![Vec::new(); positions.len()];
        for (face, triangle) in triangles.iter().enumerate() {
            for (corner, &vertex) in triangle.iter().enumerate() {
                corners[vertex].push((face, corner));
            }
        }
        let own: Vec<Option<Vector>> = corners
            .iter()
            .map(|corners| own_normal(triangles, positions, &normals, corners))
            .collect();
        let mut groups = Vec::new();
        for first in 0..positions.len() {
            let members: Vec<usize> =
                (0..positions.len()).filter(|&vertex| place[vertex] == first).collect();
            for vertices in linked(&members, &own) {
                let direction =
                    vertices.iter().filter_map(|&vertex| own[vertex]).fold([0.0; 3], add);
                let corners = vertices
                    .iter()
                    .flat_map(|&vertex| corners[vertex].iter().copied())
                    .filter(|&(face, _)| {
                        normals[face].is_some_and(|normal| dot(normal, direction) > 0.0)
                    })
                    .collect();
                groups.push(Group { vertices, corners });
            }
        }
        Self { triangles: triangles.to_vec(), groups }
    }

    /// The normal of a group with the faces at `positions`. None if they cancel out or there are
    /// none.
    pub(crate) fn normal(&self, group: &Group, positions: &[Vector]) -> Option<Vector> {
        let mut sum = [0.0; 3];
        for &(face, corner) in &group.corners {
            let triangle = self.triangles[face];
            let normal = face_normal(positions, triangle)?;
            sum = add(sum, scale(normal, corner_angle(positions, triangle, corner)));
        }
        let size = length(sum);
        (size > 1e-9).then(|| scale(sum, 1.0 / size))
    }

    /// The vertices of all faces that touch a group.
    pub(crate) fn neighbours(&self, group: &Group) -> Vec<usize> {
        self.triangles
            .iter()
            .filter(|face| face.iter().any(|vertex| group.vertices.contains(vertex)))
            .flatten()
            .copied()
            .collect()
    }
}

fn own_normal(
    triangles: &[[usize; 3]],
    positions: &[Vector],
    normals: &[Option<Vector>],
    corners: &[(usize, usize)],
) -> Option<Vector> {
    let (mut sum, mut angles, mut first) = ([0.0; 3], 0.0, None);
    for &(face, corner) in corners {
        let angle = corner_angle(positions, triangles[face], corner);
        angles += angle;
        if let Some(normal) = normals[face] {
            sum = add(sum, scale(normal, angle));
            first = first.or(Some(normal));
        }
    }
    let size = length(sum);
    if size > angles * CANCEL_SHARE { Some(scale(sum, 1.0 / size)) } else { first }
}

/// Members linked by their own normals that meet under 90°; those without one join the first group.
fn linked(members: &[usize], own: &[Option<Vector>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &vertex in members {
        let Some(normal) = own[vertex] else { continue };
        let meets = |group: &Vec<usize>| {
            group
                .iter()
                .any(|&other| own[other].is_some_and(|other| dot(other, normal) > WELD_COSINE))
        };
        let (near, far): (Vec<_>, Vec<_>) = groups.into_iter().partition(meets);
        let mut joined: Vec<usize> = near.into_iter().flatten().collect();
        joined.push(vertex);
        joined.sort_unstable();
        groups = far;
        groups.push(joined);
    }
    groups.sort();
    let lost: Vec<usize> = members.iter().copied().filter(|&v| own[v].is_none()).collect();
    match groups.first_mut() {
        Some(group) => group.extend(lost),
        None if lost.is_empty() => {}
        None => groups.push(lost),
    }
    groups
}
