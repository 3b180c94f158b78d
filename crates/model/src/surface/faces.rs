//! Faces of a mesh: their normals, corner angles and vertices, and a test for an enclosed volume.

use crate::math::area::has_area;
use crate::math::{Vec3, func, unit_or};
use tintype_base::deadline::{Deadline, TimedOut};

/// Vertices, faces or influences between two checks of the deadline: at most a few milliseconds.
pub(super) const STEPS: u32 = 1 << 13;

/// Welded corners of a triangle. None if two of them are the same, so that it is a line without
/// sides.
fn welded_corners(triangle: &[u32; 3], weld: &[u32]) -> Option<[u32; 3]> {
    let [a, b, c] = triangle.map(|vertex| weld[vertex as usize]);
    (a != b && b != c && c != a).then_some([a, b, c])
}

/// Unit normals of the faces and the angle of each face at each of its corners.
pub(super) struct Faces {
    pub(super) normal: Vec<Vec3>,
    pub(super) angle_rad: Vec<[f32; 3]>,
}

impl Faces {
    pub(super) fn new(
        triangles: &[[u32; 3]],
        positions: &[Vec3],
        weld: &[u32],
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        let mut watch = deadline.watch("measuring faces", STEPS);
        let count = triangles.len();
        let (normal, angle_rad) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut faces = Self { normal, angle_rad };
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

    /// A face without area has no normal and no influence.
    pub(super) fn is_flat(&self, face: usize) -> bool {
        self.normal[face] == Vec3::ZERO
    }
}

/// Start of the corners of each vertex, and all corners as (face, corner).
pub(super) type Corners = (Vec<usize>, Vec<(u32, u8)>);

/// Face corners by vertex: `corners[start[v]..start[v + 1]]` contains (face, corner) in face order.
pub(super) fn corners_by_vertex(
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

/// Welded edges of triangles: both ends, in the order of the triangle.
fn welded_edges(triangles: &[[u32; 3]], weld: &[u32]) -> impl Iterator<Item = [(u32, u32); 3]> {
    let corners = triangles.iter().filter_map(|triangle| welded_corners(triangle, weld));
    corners.map(|[a, b, c]| [(a, b), (b, c), (c, a)])
}

/// Six times the enclosed volume, if every welded edge is used equally often in each direction: by
/// all triangles, or by those with an area. A triangle without area may either close a gap between
/// others, or be irrelevant.
pub(super) fn closed_volume(
    triangles: &[[u32; 3]],
    weld: &[u32],
    positions: &[Vec3],
    deadline: &Deadline,
) -> Result<Option<f64>, TimedOut> {
    if let Some(volume) = volume_of_all(triangles, weld, positions, deadline)? {
        return Ok(Some(volume));
    }
    let is_drawn = |face: &&[u32; 3]| has_area(face.map(|vertex| positions[vertex as usize]));
    let drawn: Vec<[u32; 3]> = triangles.iter().filter(is_drawn).copied().collect();
    if drawn.len() == triangles.len() {
        Ok(None)
    } else {
        volume_of_all(&drawn, weld, positions, deadline)
    }
}

/// Six times the volume inside, if every welded edge is used equally often in each direction.
fn volume_of_all(
    triangles: &[[u32; 3]],
    weld: &[u32],
    positions: &[Vec3],
    deadline: &Deadline,
) -> Result<Option<f64>, TimedOut> {
    let mut watch = deadline.watch("looking whether it is closed", STEPS);
    let edges = || welded_edges(triangles, weld);

    // 1. Each vertex has as many edges to later vertices as from them; this test finds most open
    //    meshes.
    let mut surplus = vec![0_i32; positions.len()];
    let mut start = vec![0_usize; positions.len() + 1];
    for edges in edges() {
        watch.step()?;
        for (from, to) in edges {
            let first = from.min(to) as usize;
            surplus[first] += if from < to { 1 } else { -1 };
            start[first + 1] += 1;
        }
    }
    if surplus.iter().any(|&count| count != 0) {
        return Ok(None);
    }
    drop(surplus);
    for vertex in 0..positions.len() {
        start[vertex + 1] += start[vertex];
    }
    if start.last() == Some(&0) {
        return Ok(None);
    }

    // 2. The later ends of the edges of each vertex: edges that lead to them from the front of the
    //    list, the others from its back.
    let mut later = vec![0; start[positions.len()]];
    let mut front = start[..positions.len()].to_vec();
    let mut back = start[1..].to_vec();
    for edges in edges() {
        watch.step()?;
        for (from, to) in edges {
            let first = from.min(to) as usize;
            let place = if from < to {
                front[first] += 1;
                front[first] - 1
            } else {
                back[first] -= 1;
                back[first]
            };
            later[place] = from.max(to);
        }
    }

    // 3. Both are the same.
    for (ends, &middle) in start.windows(2).zip(&front) {
        watch.take(ends[1] - ends[0])?;
        let (there, back) = later[ends[0]..ends[1]].split_at_mut(middle - ends[0]);
        there.sort_unstable();
        back.sort_unstable();
        if there != back {
            return Ok(None);
        }
    }
    Ok(Some(volume_of(triangles, weld, positions)))
}

/// Six times the volume inside a closed mesh.
fn volume_of(triangles: &[[u32; 3]], weld: &[u32], positions: &[Vec3]) -> f64 {
    let mut volume = 0.0_f64;
    let origin = triangles.first().map_or(Vec3::ZERO, |face| positions[face[0] as usize]);
    for corners in triangles.iter().filter_map(|triangle| welded_corners(triangle, weld)) {
        let [a, b, c] =
            corners.map(|vertex| (positions[vertex as usize] - origin).to_array().map(f64::from));
        volume += a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    volume
}
