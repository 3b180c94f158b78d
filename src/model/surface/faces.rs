//! Faces of a mesh: their normals, corner angles and vertices, and whether they enclose a volume.

use crate::deadline::{Deadline, TimedOut};
use crate::math::{Vec3, func, unit_or};

/// Vertices, faces or influences between two checks of the deadline: some thousandths of a second at most.
pub(super) const STEPS: u32 = 1 << 13;

/// Welded corners of a triangle; none if two of them are one, so that it is a line and has no side.
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
    pub(super) fn is_flat(&self, face: usize) -> bool {
        self.normal[face] == Vec3::ZERO
    }
}

/// Start of the corners of each vertex, and all corners as (face, corner).
pub(super) type Corners = (Vec<usize>, Vec<(u32, u8)>);

/// Face corners by vertex: `corners[start[v]..start[v + 1]]` holds (face, corner) in face order.
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

/// Six times the volume inside, if every welded edge is used as often in each direction.
pub(super) fn closed_volume(
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
